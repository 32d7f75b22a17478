"""The reverse pass: cotangents flow from the roots to the leaves, one edge at a time.

The order is PyTorch's: of the nodes that have a cotangent, the one created last goes first. A
node is created after those that it sends to, so that nothing more can arrive at it by then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import Any

import numpy as np

from engine import storey
from engine.fitting import fit, fit_many
from engine.history import Edge, Leaf, Node
from engine.reach import dependencies, leading_to
from engine.record import Step
from engine.saved import count_buffers, free, unpack, unpack_tensors
from engine.state import STATE
from engine.sweep import Cotangent, Sweep, after_hooks, arrive, complete
from engine.tensor import Tensor

_ndarray = np.ndarray
_made: Any = tuple.__new__  # a step without the call of its constructor
Ready = list[tuple[int, int, Node]]  # a heap; the id keeps nodes from being compared


def sweep(roots: Sequence[tuple[Edge, Cotangent]], run: Sweep) -> None:
    """Send the roots' cotangents back through the graph.

    Raises RuntimeError where saved tensors were freed or changed in place; the leaves that were
    complete by then have their gradient.
    """
    sums = run.sums
    ready: Ready = []
    for edge, seed in roots:
        _add(edge, seed, sums, ready)
    if not run.plain:
        run.waiting = dependencies(sums)
        if run.wanted is not None:
            run.useful = leading_to(run.wanted, run.waiting)
    try:
        while ready:
            run.now = node = heappop(ready)[2] if len(ready) > 1 else ready.pop()[2]
            if run.plain and node.watch is None:
                (_pass_on if run.event is None else _pass_on_logged)(node, ready, run)
            else:
                _visit(node, ready, run)
    except Exception:
        assert run.now is not None
        still_open = dependencies([run.now, *(item[2] for item in ready)])
        _arrive([leaf for leaf in sums if leaf not in still_open], run)
        if run.anomaly:
            from engine import anomaly

            anomaly.warn(run.now)
        raise
    _arrive(list(sums), run)


def _arrive(edges: Iterable[Edge], run: Sweep) -> None:
    for edge in edges:
        if type(edge) is Leaf:
            arrive(edge, run)


def _add(edge: Edge, value: Cotangent, sums: dict[Edge, Cotangent], ready: Ready) -> None:
    if edge in sums:
        sums[edge] = sums[edge] + value
        return
    sums[edge] = value
    if type(edge) is not Leaf:
        heappush(ready, (-edge.sequence, id(edge), edge))  # type: ignore[union-attr,misc]


def _pass_on(node: Node, ready: Ready, run: Sweep) -> None:  # noqa: C901  written out for speed
    """`_visit` for nodes that no one looks at, as long as there is but one way on.

    Nearly all of a training's backward pass is spent here, so that it is written out.
    """
    sums, keep = run.sums, run.keep
    following: Any = node
    while following is not None:
        run.now = node = following
        following = None
        edges, params, plan = node.edges, node.params, node.plan
        g = sums.pop(node)
        if plan.keeps_arrays:
            xs, y = unpack(node)
        else:
            xs, y = node.inputs, None
        for slot, rule in plan.active:
            behind: Any = edges[slot]
            value = rule(g, y, *xs, **params) if params else rule(g, y, *xs)
            if (
                type(value) is not _ndarray
                or value.shape != behind.shape
                or value.dtype is not behind.dtype
            ):
                if value is None:
                    continue
                value = fit(value, behind.shape, behind.dtype)[0]
            if behind in sums:
                sums[behind] = sums[behind] + value
                continue
            sums[behind] = value
            if type(behind) is Leaf:
                continue
            if following is None and not ready and behind.watch is None:
                following = behind
            else:
                heappush(ready, (-behind.sequence, id(behind), behind))
        if plan.keeps_arrays and not keep:
            free(node)
        if ready and following is not None:
            heappush(ready, (-following.sequence, id(following), following))
            return


def _pass_on_logged(  # noqa: C901, PLR0912, PLR0915  as `_pass_on`
    node: Node, ready: Ready, run: Sweep
) -> None:
    """`_pass_on` where every step is logged."""
    event, log = run.event, run.log
    assert event is not None
    assert log is not None
    sums, keep, buffers, log_step = run.sums, run.keep, run.buffers, event.steps.append
    following: Any = node
    while following is not None:
        run.now = node = following
        following = None
        edges, params, plan, source = node.edges, node.params, node.plan, node.entry
        g = sums.pop(node)
        if plan.keeps_arrays:
            xs, y = unpack(node)
            count_buffers(node, buffers)
        else:
            xs, y = node.inputs, None
        for slot, rule in plan.active:
            behind: Any = edges[slot]
            value = rule(g, y, *xs, **params) if params else rule(g, y, *xs)
            summed: tuple[int, ...] = ()
            if (
                type(value) is not _ndarray
                or value.shape != behind.shape
                or value.dtype is not behind.dtype
            ):
                if value is None:
                    continue
                value, summed = fit(value, behind.shape, behind.dtype)
            before = sums.get(behind)
            sums[behind] = after = value if before is None else before + value
            if type(behind) is Leaf:
                target = log.number_of(behind.variable)
            else:
                target = behind.entry
                if before is not None:
                    pass
                elif following is None and not ready and behind.watch is None:
                    following = behind
                else:
                    heappush(ready, (-behind.sequence, id(behind), behind))
            if source is not None:
                where = -1 if target is None else target
                log_step(_made(Step, (source, slot, where, g, value, summed, before, after)))
        if plan.keeps_arrays and not keep:
            free(node)
        if ready and following is not None:
            heappush(ready, (-following.sequence, id(following), following))
            return


def _visit(node: Node, ready: Ready, run: Sweep) -> None:
    """Apply the node's rules and add what they give to the sums of the nodes behind."""
    traced = run.create_graph and run.event is not None
    first = storey.height(run) if traced else 0
    g = complete(node, run.sums.pop(node), run)
    if run.useful is None or node in run.useful:
        sent, summed = _contributions(node, g, run)
        if node.watch is not None and node.watch.after:
            sent = after_hooks(node, node.watch, g, sent, run)
        for slot, value in enumerate(sent):
            behind = node.edges[slot]
            if value is None or behind is None:
                continue
            before = run.sums.get(behind)
            _add(behind, value, run.sums, ready)
            if traced and before is not None:
                storey.note_sum(behind, run)
            if run.event is not None:
                _log_step(node, slot, run, (g, value, before, run.sums[behind]), summed[slot])
        if node.plan.keeps_arrays and not run.keep:
            free(node)
    if traced:
        storey.note(node.entry, first, g, run)
    _count_down(node, run)


def _contributions(
    node: Node, g: Cotangent, run: Sweep
) -> tuple[list[Cotangent | None], list[tuple[int, ...]]]:
    """What the node sends to each input, and the axes of it that were summed away."""
    plan = node.plan
    if not plan.keeps_arrays:
        xs, y = node.inputs, None
    else:
        xs, y = unpack_tensors(node) if run.create_graph else unpack(node)
        if run.event is not None:
            count_buffers(node, run.buffers)
    sent: list[Cotangent | None] = [None] * len(node.edges)
    summed: list[tuple[int, ...]] = [()] * len(node.edges)
    for (slot, rule), of_many in zip(plan.active, plan.many, strict=True):
        behind = node.edges[slot]
        if behind is None or not _is_wanted(behind, run):
            continue
        if not run.many:
            value = rule(g, y, *xs, **node.params)
        elif of_many is None:
            value = _one_by_one(rule, g, (y, *xs), node, behind)
        else:
            value = of_many(g, y, *xs, **node.params)
        if value is not None:
            fitted = fit_many if run.many else fit
            sent[slot], summed[slot] = fitted(value, behind.shape, behind.dtype)
        if run.anomaly and STATE.mode.check_nan:
            from engine import anomaly

            anomaly.check_nan(node, slot, value)
    return sent, summed


def _is_wanted(edge: Edge, run: Sweep) -> bool:
    return (
        run.useful is None or edge in run.useful or (run.wanted is not None and edge in run.wanted)
    )


def _one_by_one(rule: Any, g: Cotangent, saved: tuple[Any, ...], node: Node, behind: Edge) -> Any:
    """A rule that takes one cotangent, applied to each of many."""
    each = [
        fit(rule(one, *saved, **node.params), behind.shape, behind.dtype)[0]
        for one in (g.unbind(0) if isinstance(g, Tensor) else g)
    ]
    if not each:
        return np.zeros((0, *behind.shape), behind.dtype)
    if isinstance(each[0], Tensor):
        from engine.functions.shapes import stack

        return stack(each)
    return np.stack(each)


def _count_down(node: Node, run: Sweep) -> None:
    """Count what the node sent; a leaf that waits for nothing more is complete."""
    waiting = run.waiting
    if waiting is None:
        return
    for edge in node.edges:
        if edge is not None:
            waiting[edge] -= 1
            if not waiting[edge] and isinstance(edge, Leaf) and edge in run.sums:
                arrive(edge, run)


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
    target = behind.entry if isinstance(behind, Node) else run.log.number_of(behind.variable)
    if run.create_graph:
        g, value, before, after = _array(g), _array(value), _array(before), _array(after)
    run.event.steps.append(
        _made(
            Step,
            (node.entry, slot, -1 if target is None else target, g, value, summed, before, after),
        )
    )


def _array(value: Cotangent) -> Any:
    return value._array if isinstance(value, Tensor) else value
