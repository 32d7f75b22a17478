"""What a pass with create_graph tells a recording of the graph that it makes.

Each entry it makes belongs to the node of the forward graph at whose turn it was made, and some
entries are the cotangents of nodes: that is how one graph stands above the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.history import Edge, Leaf
from engine.tensor import Tensor

if TYPE_CHECKING:
    from engine.record import BackwardEvent, Record
    from engine.sweep import Sweep


def height(run: Sweep) -> int:
    """How many entries there are so far."""
    return 0 if run.log is None else len(run.log.entries)


def note(place: int | None, first: int, cotangent: Any, run: Sweep) -> None:
    """Entries from `first` on were made at the node `place`, whose cotangent this is."""
    event, log = run.event, run.log
    if event is None or log is None or place is None:
        return
    if isinstance(cotangent, Tensor):
        event.cotangents[place] = log.number_of(cotangent)
    for number in range(first, len(log.entries)):
        event.origins.setdefault(number, place)


def note_sum(edge: Edge, run: Sweep) -> None:
    """The last entry adds a contribution to what had reached the edge's end."""
    event, log = run.event, run.log
    if event is None or log is None:
        return
    place = log.number_of(edge.variable) if isinstance(edge, Leaf) else _entry(edge)
    number = _made(log, event)
    if place is not None and number is not None:
        event.origins[number] = place


def _entry(edge: Edge) -> int | None:
    found: int | None = getattr(edge, "entry", None)
    return found


def _made(log: Record, event: BackwardEvent) -> int | None:
    last = log.entries[-1] if log.entries else None
    return last.number if last is not None and last.op == "add" and last.in_backward else None
