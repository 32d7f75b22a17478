"""A storey over another: each box above the one that it belongs to, none overlapping."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gradviz.diagram import NodeId, Point
from gradviz.layout.coordinates import settled
from gradviz.layout.graph import Size

_NEAR = 60.0  # px between centres up to which boxes stand in one column
_GAP = 56.0  # px between columns
_STEP = 40.0  # from where a box is wished to where one of the next rank is
_LANE = 18.0  # px between boxes of a column


@dataclass(frozen=True, slots=True)
class Wish:
    """Where the centre of a box would be best, and how large it is.

    `beside`, on its left, is kept free. Boxes of `rank` 0 come as near to it as they can, those of
    the same height below them by rank. What is `aside` stands at the right edge of its column.
    """

    centre: Point
    size: Size
    beside: float = 0.0
    rank: int = 0
    aside: bool = False


def stand(wishes: Mapping[NodeId, Wish]) -> dict[NodeId, Point]:
    """Upper left corners: columns as near as may be to where they are wished, boxes in order."""
    columns = _columns(wishes)
    beside = [max(wishes[key].beside for key in column) for column in columns]
    widths = [
        max(wishes[key].size[0] for key in column) + extra
        for column, extra in zip(columns, beside, strict=True)
    ]
    wanted = [
        sum(wishes[key].centre[0] for key in column) / len(column) - extra / 2
        for column, extra in zip(columns, beside, strict=True)
    ]
    corners: dict[NodeId, Point] = {}
    centres = settled(wanted, widths, _GAP)
    for column, centre, wide, extra in zip(columns, centres, widths, beside, strict=True):
        for key, top in _tops([(key, wishes[key]) for key in column]).items():
            own = wishes[key]
            left = centre + extra / 2 - own.size[0] / 2
            if own.aside:
                left = centre + wide / 2 - own.size[0]
            corners[key] = (float(round(left)), float(round(top)))
    return corners


def _tops(column: list[tuple[NodeId, Wish]]) -> dict[NodeId, float]:
    """The upper edges of the boxes of one column, from the highest down."""
    tops: dict[NodeId, float] = {}
    free: float | None = None  # from here on down nothing stands yet
    for key, wish in sorted(column, key=lambda item: (item[1].centre[1], item[1].rank)):
        top = wish.centre[1] - wish.size[1] / 2
        if wish.rank:
            top = top + _STEP * wish.rank if free is None else free
        tops[key] = top if free is None else max(free, top)
        free = tops[key] + wish.size[1] + _LANE
    return tops


def _columns(wishes: Mapping[NodeId, Wish]) -> list[list[NodeId]]:
    columns: list[list[NodeId]] = []
    first = 0.0
    for key in sorted(wishes, key=lambda key: wishes[key].centre[0]):
        at = wishes[key].centre[0]
        if not columns or at - first > _NEAR:
            columns.append([])
            first = at
        columns[-1].append(key)
    return columns
