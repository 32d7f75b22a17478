"""The reverse pass: cotangents flow from the roots to the leaves, one edge at a time.

The order is PyTorch's: among the nodes whose cotangent is complete, the one created last goes
first, and a leaf accumulates as soon as its sum is complete.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any

import numpy as np
import numpy.typing as npt

from engine import dtypes, errors
from engine.history import Edge, Leaf, Node
from engine.record import ACTIVE, BackwardEvent, Record, Step
from engine.state import STATE
from engine.tensor import Tensor

Array = npt.NDArray[Any]
Cotangent = Any  # an array, or a Tensor where the pass is itself recorded for differentiation


@dataclass(slots=True)
class Sweep:
    """One run of the reverse pass: its flags, its unfinished sums, and what it delivers."""

    keep: bool  # retain_graph
    create_graph: bool
    wanted: dict[Edge, Tensor] | None  # inputs to stop at; None: every leaf
    accumulate: bool  # into .grad; otherwise the wanted cotangents are only captured
    event: BackwardEvent | None = None
    log: Record | None = None
    sums: dict[Edge, Cotangent] = field(default_factory=dict)
    captured: dict[Edge, Cotangent] = field(default_factory=dict)
    buffers: dict[int, int] = field(
        default_factory=dict
    )  # saved buffers by identity, for their bytes


def sweep(roots: Sequence[tuple[Edge, Cotangent]], run: Sweep) -> None:
    """Send the roots' cotangents back through the graph.

    Raises RuntimeError where saved tensors were freed or changed in place.
    """
    waiting = _dependencies([edge for edge, _ in roots])
    useful = None if run.wanted is None else _leading_to(run.wanted, waiting)
    ready: list[tuple[int, int, Edge]] = []
    for edge, seed in roots:
        known = run.sums.get(edge)
        run.sums[edge] = seed if known is None else known + seed
    for edge in dict.fromkeys(edge for edge, _ in roots):
        if not waiting[edge]:
            _push(ready, edge)
    while ready:
        edge = heappop(ready)[2]
        g = run.sums.pop(edge, None)
        if isinstance(edge, Leaf):
            if g is not None and (run.wanted is None or edge in run.wanted):
                _deliver(edge, edge.variable, g, run)
            continue
        if g is not None:
            _deliver_result(edge, g, run)
            if useful is None or edge in useful:
                _send_back(edge, g, run, useful)
        for behind in edge.edges:
            if behind is not None:
                waiting[behind] -= 1
                if not waiting[behind]:
                    _push(ready, behind)


def _push(ready: list[tuple[int, int, Edge]], edge: Edge) -> None:
    # A leaf goes before every node; the second number keeps the heap from comparing edges.
    first = -(1 << 62) if isinstance(edge, Leaf) else -edge.sequence
    heappush(ready, (first, id(edge), edge))


def _dependencies(roots: Sequence[Edge]) -> dict[Edge, int]:
    """For each node that the roots lead to, how many edges bring it a contribution."""
    count: dict[Edge, int] = dict.fromkeys(roots, 0)
    stack: list[Edge] = list(count)
    while stack:
        edge = stack.pop()
        if isinstance(edge, Leaf):
            continue
        for behind in edge.edges:
            if behind is None:
                continue
            if behind in count:
                count[behind] += 1
            else:
                count[behind] = 1
                stack.append(behind)
    return count


def _leading_to(wanted: dict[Edge, Tensor], reached: dict[Edge, int]) -> set[Edge]:
    """The nodes that must run so that the wanted ones get their cotangents."""
    nodes = sorted(
        (edge for edge in reached if isinstance(edge, Node)), key=lambda node: node.sequence
    )
    useful: set[Edge] = set()
    for node in nodes:
        if any(b is not None and (b in wanted or b in useful) for b in node.edges):
            useful.add(node)
    return useful


def _send_back(node: Node, g: Cotangent, run: Sweep, useful: set[Edge] | None) -> None:
    """Apply the node's rules and add what they give to the sums of the nodes behind."""
    xs, y = _unpack(node, run)
    for slot, rule in enumerate(node.plan.rules):
        behind = node.edges[slot]
        if rule is None or behind is None:
            continue
        if useful is not None and behind not in useful and behind not in (run.wanted or ()):
            continue
        raw = rule(g, y, *xs, **node.params)
        contribution, summed = _fitted(raw, node.shapes[slot], node.casts[slot])
        before = run.sums.get(behind)
        after = contribution if before is None else before + contribution
        run.sums[behind] = after
        if run.event is not None and run.log is not None and node.entry is not None:
            run.event.steps.append(
                Step(
                    node.entry,
                    slot,
                    _entry_of(behind, run.log),
                    _array(g),
                    _array(contribution),
                    summed,
                    None if before is None else _array(before),
                    _array(after),
                )
            )
    if not run.keep:
        _free(node)


def _unpack(node: Node, run: Sweep) -> tuple[Sequence[Any], Any]:
    """The saved inputs and output; as tensors with their history where `create_graph` asks."""
    if node.freed and node.plan.keeps_arrays:
        raise RuntimeError(errors.FREED)
    for place, counter in enumerate(node.counters):
        if counter is not None and counter[0] != node.versions[place]:
            raise RuntimeError(_modified(node, place, counter[0]))
    if run.event is not None:
        for array in (*node.inputs, node.output):
            if isinstance(array, np.ndarray):
                run.buffers[array.__array_interface__["data"][0]] = array.nbytes
    if not run.create_graph:
        return node.inputs, node.output
    inputs = [
        _rebuilt(array, edge) if isinstance(array, np.ndarray) else array
        for array, edge in zip(node.inputs, node.edges, strict=True)
    ]
    return inputs, None if node.output is None else _rebuilt(node.output, node)


def _rebuilt(array: Array, edge: Edge | None) -> Tensor:
    """A saved array as the tensor it was, so that rules keep history through it."""
    if isinstance(edge, Leaf) and edge.variable._array is array:
        return edge.variable
    out = Tensor(array)
    if isinstance(edge, Node):
        out._node, out._requires_grad = edge, True
        if ACTIVE.record is not None and edge.entry is not None:
            ACTIVE.record.bind(out, edge.entry)
    elif isinstance(edge, Leaf):
        out._leaf, out._requires_grad = edge, True
    return out


def _modified(node: Node, place: int, now: int) -> str:
    of_output = place == len(node.inputs)
    array = node.output if of_output else node.inputs[place]
    assert isinstance(array, np.ndarray)
    behind = node if of_output else node.edges[place]
    which = (
        f", which is output {behind.number} of {behind.name()}," if isinstance(behind, Node) else ""
    )
    return errors.MODIFIED.format(
        type=dtypes.type_name(dtypes.of(array.dtype)),
        shape=list(array.shape),
        which=which,
        now=now,
        then=node.versions[place],
    )


def _free(node: Node) -> None:
    """Let go of what the node saved; a second backward call through it fails if it kept any."""
    if not node.freed:
        node.freed = True
        if node.plan.keeps_arrays:
            node.inputs = ()
            node.output = None
            node.counters = ()


def _fitted(
    value: Any, shape: tuple[int, ...], dtype: np.dtype[Any]
) -> tuple[Cotangent, tuple[int, ...]]:
    """A rule's result as the cotangent of its input: broadcasting summed back, dtype restored.

    Also the axes that were summed, counted in the rule's result.
    """
    if isinstance(value, Tensor):
        if value._array.dtype != dtype:
            value = value.to(dtypes.of(dtype))
        if value._array.shape == shape:
            return value, ()
        axes = _broadcast_axes(value._array.shape, shape)
        if axes:
            value = value.sum(axes, keepdim=True)
        return (
            value
            if value._array.shape == shape
            else value.expand(shape)
            if value._array.ndim == len(shape) and not axes
            else value.reshape(shape)
        ), axes
    if type(value) is not np.ndarray:
        value = np.asarray(value)
    axes = ()
    if value.shape != shape:
        axes = _broadcast_axes(value.shape, shape)
        if axes:
            value = value.sum(axis=axes, keepdims=True)
        value = (
            value.reshape(shape) if value.size == _count(shape) else np.broadcast_to(value, shape)
        )
    if value.dtype != dtype:
        value = value.astype(dtype)
    return value, axes


def _count(shape: tuple[int, ...]) -> int:
    count = 1
    for size in shape:
        count *= size
    return count


def _broadcast_axes(big: tuple[int, ...], small: tuple[int, ...]) -> tuple[int, ...]:
    """The axes of `big` along which an array of shape `small` was repeated."""
    extra = len(big) - len(small)
    stretched = [
        extra + axis
        for axis, size in enumerate(small)
        if extra + axis >= 0 and size == 1 and big[extra + axis] != 1
    ]
    return (*range(extra), *stretched)


def _array(value: Cotangent) -> Array:
    return value._array if isinstance(value, Tensor) else value


def _entry_of(edge: Edge, log: Record) -> int:
    if isinstance(edge, Leaf):
        return log.number_of(edge.variable)
    return -1 if edge.entry is None else edge.entry


def _deliver_result(node: Node, g: Cotangent, run: Sweep) -> None:
    """A result gets its `.grad` where it retains it or was asked for by name."""
    tensor = node.retained
    if tensor is not None and run.accumulate:
        _deliver(node, tensor, g, run)
    elif run.wanted is not None and node in run.wanted:
        _deliver(node, run.wanted[node], g, run)


def _deliver(edge: Edge, tensor: Tensor, g: Cotangent, run: Sweep) -> None:
    """Add a complete cotangent to the tensor's `.grad`, or hand it to the caller."""
    if not run.accumulate:
        run.captured[edge] = g
        return
    old = tensor._grad
    if run.create_graph:
        new = g if isinstance(g, Tensor) else Tensor(g)
        tensor._grad = new if old is None else old + new
    elif old is None:
        tensor._grad = Tensor(np.array(_array(g)))
    elif STATE.grad_enabled and old._requires_grad:
        tensor._grad = Tensor(old._array + _array(g))
    else:
        old._array += _array(g)
        old._counter[0] += 1
