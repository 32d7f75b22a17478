"""The history that the reverse pass follows: one node an op's result, one leaf an end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.arrays import Array
from engine.op import Op, Plan
from engine.state import next_sequence

if TYPE_CHECKING:
    from engine.tensor import Tensor


class Node:
    """One op in the history: where cotangents go next, and what the rules need to send them on.

    `edges[slot]` is the node or leaf behind an input, or None. `inputs` and `output` hold what
    `plan` says is read: arrays, `Shaped` stand-ins, or None. `kept` are the tensors whose arrays
    are among them, `versions` what their version counters stood at (the output's last). The
    outputs of an op that has several (`number` counts them) are nodes with one sequence number:
    they run together.
    """

    freed = False
    entry: int | None = None
    retained: Tensor | None = None
    number = 0
    output: Array | None = None
    inputs: tuple[Any, ...] = ()
    kept: tuple[Tensor | None, ...] = ()
    output_writes: list[int]
    edges: tuple[Edge | None, ...]
    versions: tuple[int, ...] = ()

    def __init__(
        self,
        op: Op,
        params: Mapping[str, Any],
        plan: Plan,
        edges: tuple[Edge | None, ...],
        shapes: tuple[tuple[int, ...], ...],
        casts: tuple[np.dtype[Any], ...],
    ) -> None:
        self.op = op
        self.params = params
        self.plan = plan
        self.edges = edges
        self.shapes = shapes
        self.casts = casts
        self.sequence = next_sequence()

    def name(self) -> str:
        """PyTorch's name of this node, as in `PowBackward0`."""
        return self.op.node_name(self.params)

    def label(self) -> str:
        """The name as it is printed, as in `grad_fn=<CopySlices>`."""
        name = self.op.grad_fn
        if type(name) is str and name[:2] != "to":  # not of the "torch::autograd::" kind
            return name
        return self.name().rpartition("::")[2]

    @property
    def next_functions(self) -> tuple[tuple[Node | Leaf | None, int], ...]:
        """The nodes that this one sends cotangents to, with the number of their output."""
        return tuple(
            (edge, edge.number if edge is not None else 0)
            for slot, edge in enumerate(self.edges)
            if self.op.pullback(slot) is not None
        )

    def __repr__(self) -> str:
        return f"<{self.label()} object at {id(self):#x}>"


class Leaf:
    """The end of the history at a tensor that requires grad: here `.grad` accumulates."""

    __slots__ = ("__weakref__", "variable")
    number = 0

    def __init__(self, variable: Tensor) -> None:
        self.variable = variable

    def name(self) -> str:
        """PyTorch's name of this node."""
        return "torch::autograd::AccumulateGrad"

    @property
    def next_functions(self) -> tuple[()]:
        """Nothing comes after a leaf."""
        return ()

    def __repr__(self) -> str:
        return f"<AccumulateGrad object at {id(self):#x}>"


Edge = Node | Leaf


def leaf_of(tensor: Tensor) -> Leaf:
    """The end of history of a leaf, the same one each time."""
    leaf = tensor._leaf
    if leaf is None:
        leaf = tensor._leaf = Leaf(tensor)
    return leaf


def edge_of(tensor: Tensor) -> Edge:
    """Where the cotangent of a tensor that requires grad goes."""
    return tensor._node if tensor._node is not None else leaf_of(tensor)
