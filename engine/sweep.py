"""`Sweep`: one run of the reverse pass, and how it hands over complete cotangents."""

from __future__ import annotations

from sys import getrefcount
from typing import Any

import numpy as np

from engine import storey
from engine.arrays import Array
from engine.history import Edge, Leaf, Node
from engine.hooks import Watch, look, replaced_all, watches_leaves
from engine.ops import OPS
from engine.record import BackwardEvent, Record
from engine.state import STATE
from engine.tensor import Tensor, apply

Cotangent = Any  # an array, or a Tensor where the pass is itself recorded for differentiation


class Sweep:
    """One run of the reverse pass: its flags, its unfinished sums, and what it delivers.

    `wanted` are the inputs to stop at (None: every leaf); with `accumulate` cotangents go into
    `.grad`, otherwise those wanted are only `captured`. With `many`, each cotangent has a first
    axis along which many lie. `useful` are the nodes that lead to what is wanted. `waiting`
    counts the contributions still to come, where someone wants to know. `buffers` counts the
    bytes of what was saved, by owner. A `plain` pass is one that only sends cotangents to
    leaves, be it logged or not; `now` is the node it is at.
    """

    useful: set[Edge] | None = None
    waiting: dict[Edge, int] | None = None
    now: Node | None = None
    captured: dict[Edge, Cotangent]
    buffers: dict[int, int]

    def __init__(
        self,
        keep: bool,
        create_graph: bool,
        wanted: dict[Edge, Tensor] | None,
        accumulate: bool,
        event: BackwardEvent | None = None,
        log: Record | None = None,
        *,
        many: bool = False,
    ) -> None:
        self.keep = keep
        self.create_graph = create_graph
        self.wanted = wanted
        self.accumulate = accumulate
        self.event = event
        self.log = log
        self.many = many
        self.anomaly = STATE.mode.anomaly
        self.sums: dict[Edge, Cotangent] = {}
        if not accumulate:
            self.captured = {}
        if event is not None:
            self.buffers = {}
        self.plain = wanted is None and not (
            create_graph or many or self.anomaly or watches_leaves()
        )


def complete(node: Node, g: Cotangent, run: Sweep) -> Cotangent:
    """The node's cotangent is complete: show it to its hooks, deliver it where it is wanted."""
    watch = node.watch
    if watch is not None:
        g = _shown(watch, g, run)
        if watch.retained is not None and run.accumulate:
            _accumulate(watch.retained, g, run)
            return g
    if run.wanted is not None and node in run.wanted:
        _deliver(node, run.wanted[node], g, run)
    return g


def arrive(leaf: Leaf, run: Sweep) -> None:
    """The leaf's cotangent is complete."""
    g = run.sums.pop(leaf)
    if run.wanted is not None and leaf not in run.wanted:
        return
    if not leaf.variable._requires_grad:  # it was detached since
        return
    watch = leaf.watch
    if run.log is not None:
        run.log.has_grad(leaf.variable)
    first = storey.height(run) if run.create_graph else 0
    if watch is None and run.accumulate and not run.create_graph:
        # An array that nobody else holds becomes the gradient as it is.
        if leaf.variable._grad is None:
            mine = getrefcount(g) <= 2 and (g.base is None or _is_whole(g))
            leaf.variable._grad = Tensor(g if mine else np.array(g))
        else:
            _accumulate(leaf.variable, g, run)
        return
    if watch is not None:
        g = _shown(watch, g, run)
    _deliver(leaf, leaf.variable, g, run)
    if run.create_graph and run.log is not None:
        arrived = leaf.variable._grad if run.accumulate else g
        storey.note(run.log.number_of(leaf.variable), first, arrived, run)
    if watch is not None and run.accumulate:
        for hook in tuple(watch.accumulated.values()):
            _outside(run, hook, leaf.variable)


def _is_whole(array: Array) -> bool:
    """Whether the array is the one view of an array that owns its memory, and shows all of it."""
    base = array.base
    return (
        type(base) is np.ndarray
        and base.base is None
        and array.flags.forc
        and array.nbytes == base.nbytes
        and getrefcount(base) <= 3
    )


def _shown(watch: Watch, g: Cotangent, run: Sweep) -> Cotangent:
    if not watch.hooks and not watch.before:
        return g
    seen = _outside(run, look, watch, g if isinstance(g, Tensor) else Tensor(g))
    return seen if run.create_graph else seen._array


def _outside(run: Sweep, function: Any, *args: Any) -> Any:
    """Call what a user wrote: NumPy's functions there are no rule's."""
    STATE.in_rules = False
    try:
        return function(*args)
    finally:
        STATE.in_rules = run.create_graph


def after_hooks(node: Node, watch: Watch, g: Cotangent, sent: list[Any], run: Sweep) -> list[Any]:
    """Show the node's hooks what it sends; what is sent in its place."""
    wrapped: Any = tuple([v if v is None or isinstance(v, Tensor) else Tensor(v) for v in sent])
    upstream = (g if isinstance(g, Tensor) else Tensor(g),)
    for hook in tuple(watch.after.values()):
        wrapped = replaced_all(hook, wrapped, _outside(run, hook, wrapped, upstream))
    return [v if v is None or run.create_graph else v._array for v in wrapped]


def _deliver(edge: Edge, tensor: Tensor, g: Cotangent, run: Sweep) -> None:
    if run.accumulate:
        _accumulate(tensor, g, run)
    else:
        run.captured[edge] = g


def _accumulate(tensor: Tensor, g: Cotangent, run: Sweep) -> None:
    """Add a complete cotangent to the tensor's `.grad`."""
    old = tensor._grad
    if run.log is not None:
        run.log.has_grad(tensor)
    if run.create_graph:
        new = g if isinstance(g, Tensor) else Tensor(g)
        tensor._grad = _kept(tensor, new) if old is None else old + new
        return
    array = g._array if isinstance(g, Tensor) else g
    if old is None:
        tensor._grad = Tensor(np.array(array))
    else:
        old._array += array
        old._written()


def _kept(tensor: Tensor, g: Tensor) -> Tensor:
    """A copy of a gradient that has history; that of a leaf and of a result differ in name."""
    return apply(OPS["keep_grad" if tensor._node is None else "clone"], (g,), {})
