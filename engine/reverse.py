"""The reverse pass: cotangents flow from the roots to the leaves, one edge at a time.

The order is PyTorch's: among the nodes whose cotangent is complete, the one created last goes
first, and a leaf accumulates as soon as its sum is complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush, heappushpop
from typing import Any

import numpy as np

from engine.arrays import Array
from engine.fitting import fit
from engine.history import Edge, Leaf, Node
from engine.record import BackwardEvent, Record, Step
from engine.saved import buffers, free, unpack
from engine.tensor import Tensor

_ndarray = np.ndarray
Cotangent = Any  # an array, or a Tensor where the pass is itself recorded for differentiation


class Sweep:
    """One run of the reverse pass: its flags, its unfinished sums, and what it delivers.

    `wanted` are the inputs to stop at (None: every leaf); with `accumulate` cotangents go into
    `.grad`, otherwise those wanted are only `captured`. `useful` are the nodes that lead to what
    is wanted. `buffers` counts the bytes of what was saved, by owner. `owned` are the edges whose
    sum is an array that no one else holds: it may become a `.grad` as it is.
    """

    __slots__ = (
        "accumulate",
        "buffers",
        "captured",
        "create_graph",
        "event",
        "keep",
        "log",
        "owned",
        "sums",
        "useful",
        "wanted",
    )

    def __init__(
        self,
        keep: bool,
        create_graph: bool,
        wanted: dict[Edge, Tensor] | None,
        accumulate: bool,
        event: BackwardEvent | None = None,
        log: Record | None = None,
    ) -> None:
        self.keep = keep
        self.create_graph = create_graph
        self.wanted = wanted
        self.accumulate = accumulate
        self.event = event
        self.log = log
        self.useful: set[Edge] | None = None
        self.sums: dict[Edge, Cotangent] = {}
        self.captured: dict[Edge, Cotangent] = {}
        self.buffers: dict[int, int] = {}
        self.owned: set[Edge | None] = set()


def sweep(roots: Sequence[tuple[Edge, Cotangent]], run: Sweep) -> None:
    """Send the roots' cotangents back through the graph.

    Raises RuntimeError where saved tensors were freed or changed in place.
    """
    sums = run.sums
    for edge, seed in roots:
        known = sums.get(edge)
        sums[edge] = seed if known is None else known + seed
    waiting = _dependencies(sums)
    if run.wanted is not None:
        run.useful = _leading_to(run.wanted, waiting)
    ready: list[tuple[int, int, Node]] = []
    for edge in list(sums):
        if not waiting[edge]:
            if type(edge) is Leaf:
                _arrive(edge, run)
            else:
                _push(ready, edge)
    while ready:
        current: Node | None = heappop(ready)[2]
        while current is not None:  # one node after another as long as there is but one way on
            g = sums.pop(current, None)
            if g is not None:
                if run.wanted is None and current.retained is None:
                    _send_back(current, g, run)
                else:
                    _visit(current, g, run)
            current = _next(current, waiting, ready, run)


def _push(ready: list[tuple[int, int, Node]], edge: Edge) -> None:
    assert isinstance(edge, Node)
    heappush(ready, (-edge.sequence, id(edge), edge))  # the id keeps nodes from being compared


def _next(
    done: Node, waiting: dict[Edge, int], ready: list[tuple[int, int, Node]], run: Sweep
) -> Node | None:
    """Count the contributions that `done` sent; the node to go on with, unless the heap knows."""
    following: Node | None = None
    for edge in done.edges:
        if edge is None:
            continue
        left = waiting[edge] - 1
        if left:
            waiting[edge] = left
        elif type(edge) is Leaf:
            _arrive(edge, run)
        elif following is None:
            following = edge  # type: ignore[assignment]
        else:
            _push(ready, edge)
    if following is not None and ready:
        return heappushpop(ready, (-following.sequence, id(following), following))[2]
    return following


def _visit(node: Node, g: Cotangent, run: Sweep) -> None:
    """The node's cotangent is complete: deliver it where it is wanted, and send it on."""
    if node.retained is not None and run.accumulate:
        _deliver(node, node.retained, g, run)
    elif run.wanted is not None and node in run.wanted:
        _deliver(node, run.wanted[node], g, run)
    if run.useful is None or node in run.useful:
        _send_back(node, g, run)


def _arrive(leaf: Leaf, run: Sweep) -> None:
    """The leaf's cotangent is complete."""
    g = run.sums.pop(leaf, None)
    if g is not None and (run.wanted is None or leaf in run.wanted):
        _deliver(leaf, leaf.variable, g, run)


def _dependencies(roots: Iterable[Edge]) -> dict[Edge, int]:
    """For each node that the roots lead to, how many edges bring it a contribution."""
    count: dict[Edge, int] = dict.fromkeys(roots, 0)
    stack = [edge for edge in count if type(edge) is not Leaf]
    while stack:
        for behind in stack.pop().edges:  # type: ignore[union-attr]
            if behind is None:
                continue
            if behind in count:
                count[behind] += 1
            else:
                count[behind] = 1
                if type(behind) is not Leaf:
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


def _send_back(node: Node, g: Cotangent, run: Sweep) -> None:
    """Apply the node's rules and add what they give to the sums of the nodes behind."""
    plan, params, sums = node.plan, node.params, run.sums
    if plan.keeps_arrays:
        xs, y = unpack(node, as_tensors=run.create_graph)
    else:
        xs, y = node.inputs, None
    event, useful = run.event, run.useful
    if event is not None and plan.keeps_arrays:
        run.buffers.update(buffers(node))
    for slot, rule in plan.active:
        behind = node.edges[slot]
        if useful is not None and behind not in useful and behind not in run.wanted:  # type: ignore[operator]
            continue
        value = rule(g, y, *xs, **params)
        shape, cast = node.shapes[slot], node.casts[slot]
        if type(value) is _ndarray and value.shape == shape and value.dtype is cast:
            summed: tuple[int, ...] = ()
        else:
            value, summed = fit(value, shape, cast)
        before = sums.get(behind)  # type: ignore[arg-type]
        sums[behind] = after = value if before is None else before + value  # type: ignore[index]
        if event is not None:
            _log_step(node, slot, run, (g, value, before, after), summed)
        elif (
            before is not None
            or _is_fresh(value, g, y, xs)
            or (len(plan.active) == 1 and node in run.owned and value.base is g)
        ):
            run.owned.add(behind)
    if plan.keeps_arrays and not run.keep:
        free(node)


def _is_fresh(value: Cotangent, g: Cotangent, y: Any, xs: Sequence[Any]) -> bool:
    """Whether a rule made a new array, and did not hand on one that it was given."""
    if type(value) is not _ndarray or value.base is not None or value is g or value is y:
        return False
    return not any(value is x for x in xs)


def _log_step(
    node: Node,
    slot: int,
    run: Sweep,
    carried: tuple[Cotangent, Cotangent, Cotangent | None, Cotangent],
    summed: tuple[int, ...],
) -> None:
    behind = node.edges[slot]
    if node.entry is None or run.event is None or run.log is None or behind is None:
        return
    g, value, before, after = carried
    run.event.steps.append(
        Step(
            node.entry,
            slot,
            _entry_of(behind, run.log),
            _array(g),
            _array(value),
            summed,
            None if before is None else _array(before),
            _array(after),
        )
    )


def _array(value: Cotangent) -> Array:
    return value._array if isinstance(value, Tensor) else value


def _entry_of(edge: Edge, log: Record) -> int:
    if isinstance(edge, Leaf):
        return log.number_of(edge.variable)
    return -1 if edge.entry is None else edge.entry


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
        array = _array(g)
        tensor._grad = Tensor(array if edge in run.owned else np.array(array))
    elif old._requires_grad:
        tensor._grad = Tensor(old._array + _array(g))
    else:
        old._array += _array(g)
        old._written()
