"""The history that the reverse pass follows: one node an op's result, one leaf an end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.arrays import Array
from engine.hooks import Hook, RemovableHandle, watch_of
from engine.op import Op, Plan
from engine.state import next_sequence

if TYPE_CHECKING:
    from engine.hooks import Watch
    from engine.tensor import Tensor

_NO_PARAMS: Mapping[str, Any] = MappingProxyType({})


class Node:
    """One op in the history: where cotangents go next, and what the rules need to send them on.

    `edges[slot]` is the node or leaf behind an input, or None. `inputs` and `output` hold what
    `plan` says is read: arrays, stand-ins that have a shape and dtype only, or None. `kept` are
    the tensors whose arrays are among them; `versions` what their version counters stood at, None
    where none of them had ever been written to. `shape` and `dtype` are those of the result, and
    so of the cotangent. The outputs of an op that has several (`number` counts them) are nodes
    with one sequence number. `watch` is who looks at the cotangent: hooks, and a tensor that
    retains it. Few nodes differ from what the class says of the rest.
    """

    freed = False
    entry: int | None = None
    watch: Watch | None = None
    number = 0
    params: Mapping[str, Any] = _NO_PARAMS
    inputs: Sequence[Any] = ()
    kept: tuple[Tensor | None, ...] = ()
    versions: tuple[int, ...] | None = None
    output: Array | None = None
    output_writes: list[int] | None = None  # the counter of the output's writes, once it has one
    output_version = 0
    traceback: str | None = None  # where it was made, in anomaly mode

    def __init__(
        self, plan: Plan, edges: tuple[Edge | None, ...], shape: tuple[int, ...], dtype: Any
    ) -> None:
        self.plan = plan
        self.edges = edges
        self.shape = shape
        self.dtype = dtype
        self.sequence = next_sequence()

    @property
    def op(self) -> Op:
        """The row whose rules this node applies."""
        return self.plan.op

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape))

    def name(self) -> str:
        """PyTorch's name of this node, as in `PowBackward0`."""
        return self.op.node_name(self.params)

    def label(self) -> str:
        """The name as it is printed, as in `grad_fn=<CopySlices>`."""
        return self.plan.label or self.name().rpartition("::")[2]

    @property
    def next_functions(self) -> tuple[tuple[Node | Leaf | None, int], ...]:
        """The nodes that this one sends cotangents to, with the number of their output."""
        return tuple(
            (edge, edge.number if edge is not None else 0)
            for slot, edge in enumerate(self.edges)
            if self.op.pullback(slot) is not None
        )

    def register_hook(self, hook: Hook) -> RemovableHandle:
        """Call `hook(grad_inputs, grad_outputs)` once the rules ran; it may return others."""
        return RemovableHandle(watch_of(self).after, hook)

    def register_prehook(self, hook: Hook) -> RemovableHandle:
        """Call `hook(grad_outputs)` before the rules run; it may return others."""
        return RemovableHandle(watch_of(self).before, hook)

    def __repr__(self) -> str:
        return f"<{self.label()} object at {id(self):#x}>"


class Leaf:
    """The end of the history at a tensor that requires grad: here `.grad` accumulates."""

    __slots__ = ("__weakref__", "dtype", "shape", "variable", "watch")
    number = 0

    def __init__(self, variable: Tensor) -> None:
        self.variable = variable
        self.shape = variable._array.shape
        self.dtype = variable._array.dtype
        self.watch: Watch | None = None

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape))

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
