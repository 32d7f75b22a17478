"""`settled`: a diagram with what its calls append and start from written out, to be compared."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from gradviz.diagram import BackwardCall, Diagram, Node, NodeId, Start
from gradviz.run import Run
from gradviz.seeds.starts import seed_values


def settled(diagram: Diagram, run: Run) -> Diagram:
    """The diagram with appended reductions as nodes, seeds as their numbers, idle parts left out.

    Idle is a call that is switched off, and clearing a `.grad` that is not there.
    """
    calls: list[BackwardCall] = []
    there: set[NodeId] = set()
    for call, done in zip(diagram.calls, run.passes, strict=True):
        call = replace(call, clear=tuple(leaf for leaf in call.clear if leaf in there))
        there = {*done.grads} if done.error is None else there
        if call.target not in diagram.nodes:  # a gradient, which is computed like any other node
            below = (node for node in done.under if node.id not in diagram.nodes)
            diagram = diagram.put(*(replace(node, upper=None) for node in below))
        if call.start.kind == "reduction" and done.added:
            diagram = diagram.put(*_apart(done.added, len(calls)))
            root = f"{len(calls)}:{done.root}"
            call = replace(call, target=root, start=Start())
        elif call.start.kind == "seed" and (y := run.value(call.target)) is not None:
            with suppress(ValueError):  # that rule makes no seed of this shape: it stays a rule
                values = seed_values(call.start, y.array)
                call = replace(call, start=replace(call.start, values=values, preset=None))
        if call.enabled:
            calls.append(call)
    return replace(diagram, calls=tuple(calls))


def _apart(added: tuple[Node, ...], index: int) -> Iterator[Node]:
    """Nodes of a reduction under ids that no other call's have."""
    own = {node.id for node in added}
    for node in added:
        inputs = tuple(f"{index}:{key}" if key in own else key for key in node.inputs)
        yield replace(node, id=f"{index}:{node.id}", inputs=inputs)
