"""Parts of a diagram made anew as tensors, in this process, without a recording."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.ops import OPS
from engine.state import set_grad_enabled
from engine.tensor import Tensor, apply
from gradviz.diagram import LEAF, Diagram, Node, NodeId

Array = npt.NDArray[Any]


def forward(
    diagram: Diagram, keys: Collection[NodeId], known: Mapping[NodeId, Tensor]
) -> dict[NodeId, Tensor]:
    """The tensors of the nodes `keys` and those `known`, which stay as they are.

    Raises KeyError where an input is neither known nor made, or an op is not in the table; and
    whatever an op raises.
    """
    made = dict(known)
    for key, node in diagram.nodes.items():
        if key in keys and key not in made:
            made[key] = _make(node, made)
    return made


def _make(node: Node, made: Mapping[NodeId, Tensor]) -> Tensor:
    if node.is_source:
        if node.data is None:
            raise KeyError(node.id)
        return source(node, np.array(node.data))
    inputs = tuple(made[key or ""] for key in node.inputs)
    with set_grad_enabled(not node.no_grad):
        return apply(OPS[node.op], inputs, node.params)


def source(node: Node, data: Array) -> Tensor:
    """The tensor of a leaf or a constant with these numbers."""
    tensor = Tensor(data, requires_grad=node.op == LEAF)
    tensor._wrapped = node.is_number
    return tensor
