"""Storeys: the forward computation, and above it the graphs that backward calls made of gradients.

A backward call with create_graph makes nodes: its second storey. What the program computes from
them stands one storey higher, a gradient of that higher still. Even levels are the program's, odd
ones are gradient computations.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gradviz.diagram import BackwardCall, Diagram, Node, NodeId

_GRADIENT = re.compile(r"grad([1-9][0-9]{0,8}):(.+)", re.DOTALL)


def gradient_id(call: int, node: NodeId) -> NodeId:
    """The id of the gradient of a node that the backward call number `call` (from 0) gives."""
    return f"grad{call + 1}:{node}"


def inner_id(call: int, op: str, origin: NodeId | None) -> NodeId:
    """The id of another node that the call makes, by an op of the pullback of `origin`."""
    return f"pull{call + 1}:{op}:{origin or ''}"


def gradient_of(key: NodeId) -> tuple[int, NodeId] | None:
    """The call (from 0) and the node of a `gradient_id`; None for any other id."""
    found = _GRADIENT.fullmatch(key)
    return None if found is None else (int(found[1]) - 1, found[2])


def is_there(key: NodeId, nodes: Mapping[NodeId, Node], calls: Sequence[BackwardCall]) -> bool:
    """Whether a node, or a gradient that one of these calls can give, has this id."""
    if key in nodes:
        return True
    found = gradient_of(key)
    return (
        found is not None
        and found[0] < len(calls)
        and calls[found[0]].create_graph
        and is_there(found[1], nodes, calls[: found[0]])
    )


def same_gradient(key: NodeId, diagram: Diagram) -> NodeId:
    """The node of the diagram that is this gradient, where the program builds on it; else `key`."""
    found = gradient_of(key)
    if found is None or key in diagram.nodes:
        return key
    return next(
        (
            node.id
            for node in diagram.nodes.values()
            if node.upper is not None and (node.upper.call, node.upper.gradient) == found
        ),
        key,
    )
