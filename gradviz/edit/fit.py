"""A diagram made to fit its values: each node the row, and the parameters, that PyTorch would run.

An edit changes shapes further down. What follows from them, that a product is one of a matrix and
a vector now, or that the last axis is another, is worked out here, after the edit and before the
diagram is evaluated. It is part of the edit's result and no edit of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from engine.ops import OPS
from engine.tensor import Tensor
from gradviz.diagram import Diagram, Node, NodeId, Problem
from gradviz.edit.trial import tried
from gradviz.files.codec import tuples
from gradviz.run import Run


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """The diagram, and what its ops said against their inputs."""

    diagram: Diagram
    problems: tuple[Problem, ...] = ()


def fitted(diagram: Diagram) -> Fitted:
    """Make every op fit its inputs; what lacks one, and what depends on it, stays as it is."""
    tensors: dict[NodeId, Tensor] = {}
    changed: dict[NodeId, Node] = {}
    problems: list[Problem] = []
    for key, node in diagram.nodes.items():
        if node.is_source:
            _read(node, tensors)
            continue
        inputs = [tensors[source] for source in node.inputs if source in tensors]
        if len(inputs) < len(node.inputs) or node.op not in OPS:
            continue
        found = tried(node, inputs)
        if node.upper is not None:  # what a backward call makes is not a person's
            if not isinstance(found, Exception):
                tensors[key] = found.result
            continue
        if isinstance(found, Exception):
            problems.append(Problem(key, None, str(found) or type(found).__name__))
            continue
        tensors[key] = found.result
        if found.op != node.op or not same_params(found.params, node.params):
            changed[key] = replace(node, op=found.op, params=dict(found.params))
    if changed:
        diagram = replace(diagram, nodes={**diagram.nodes, **changed})
    return Fitted(diagram, tuple(problems))


def as_run(diagram: Diagram, run: Run) -> Diagram:
    """The diagram with its nodes as they were run."""
    changed = {
        key: replace(
            diagram.nodes[key],
            op=node.op,
            params={name: tuples(value) for name, value in node.params.items()},
        )
        for key, node in run.fitted.items()
        if key in diagram.nodes
    }
    return replace(diagram, nodes={**diagram.nodes, **changed}) if changed else diagram


def same_params(one: Mapping[str, object], other: Mapping[str, object]) -> bool:
    """Whether the parameters are the same; those of ops that are not tried are one object."""
    return one is other or dict(one) == dict(other)


def _read(node: Node, tensors: dict[NodeId, Tensor]) -> None:
    if node.data is not None:
        tensors[node.id] = Tensor(np.asarray(node.data))
        tensors[node.id]._wrapped = node.is_number
