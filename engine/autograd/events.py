"""What a recording is told of a backward call."""

from __future__ import annotations

from typing import Any

from engine.record import BackwardEvent, Record, snapshot
from engine.state import STATE
from engine.tensor import Tensor


def recording() -> Record | None:
    """The recording itself, where the marks of a map stand in its place."""
    marks = STATE.mapping
    if marks is None:
        return STATE.mode.record
    found: Record | None = marks.recording
    return found


def begin(
    log: Record | None,
    outputs: tuple[Tensor, ...],
    targets: tuple[Tensor, ...] | None,
    *,
    keep: bool,
    create_graph: bool,
    captures: bool = False,
) -> BackwardEvent | None:
    """Open the event of a call; None where nothing is recorded."""
    if log is None:
        return None
    event = BackwardEvent(
        target=log.number_of(outputs[0]),
        seed=None,
        implicit=True,
        retain_graph=keep,
        create_graph=create_graph,
        inputs=None if targets is None else tuple(log.number_of(t) for t in targets),
        line=log.line(),
        captures=captures,
    )
    log.backward_begins(event)
    return event


def tell_seed(
    event: BackwardEvent | None, log: Record | None, given: Any, seeds: list[Tensor]
) -> None:
    """Note the first root's seed, and the name that a script had given it."""
    if event is None or log is None:
        return
    first = given if isinstance(given, Tensor) or given is None else next(iter(given), None)
    event.seed = snapshot(seeds[0]._array)
    event.implicit = first is None
    if isinstance(first, Tensor):
        event.seed_name = log.name_of(first)


def note_grads(event: BackwardEvent, log: Record) -> None:
    """Note every `.grad` as it is after the call."""
    for number, grad in log.grads():
        event.grads[number] = snapshot(grad._array)
