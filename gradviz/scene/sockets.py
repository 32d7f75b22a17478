"""Open inputs: where on a box's left side the slots are that nothing fills yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradviz.diagram import Point
from gradviz.look import NODE

if TYPE_CHECKING:
    from gradviz.figure import Box

PITCH = 16.0  # px between neighbouring slots
RADIUS = 4.5  # px of the ring that marks one


def slot_offset(height: float, slot: int, count: int) -> float:
    """How far from the middle of its side a slot of `count` lies."""
    pitch = min(PITCH, max(height - 2 * NODE.pad, 0.0) / max(count, 1))
    return (slot - (count - 1) / 2) * pitch


def socket_places(box: Box) -> list[tuple[int, Point]]:
    """The open slots of a box and their middles, in canvas px."""
    middle = box.y + box.height / 2
    return [(slot, (box.x, middle + slot_offset(box.height, slot, box.slots))) for slot in box.open]
