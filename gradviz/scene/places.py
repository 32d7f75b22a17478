"""Where the parts of a box lie: one reckoning for the canvas's painter and for the SVG."""

from __future__ import annotations

from dataclasses import dataclass

from gradviz.figure import Box, Row
from gradviz.look import NODE

Rect = tuple[float, float, float, float]  # x, y, width, height


@dataclass(frozen=True, slots=True)
class RowPlace:
    """A row in its box: the label's and the note's baselines start at these points."""

    row: Row
    label: tuple[float, float]
    cells: tuple[Rect, ...]
    note: tuple[float, float]


def row_height(lines: int, cell_height: float, note: str) -> float:
    """The height of `lines` lines of cells and the note under them."""
    gap = NODE.cell_gap if cell_height >= NODE.cell_height else 0.0
    return lines * (cell_height + gap) - gap + (NODE.note if note else 0.0)


def row_places(box: Box) -> tuple[RowPlace, ...]:
    """The places of a box's rows, in canvas px, from top to bottom."""
    if box.kind == "seed":
        return _seed_rows(box)
    places, y = [], box.y + NODE.header + NODE.gap
    for row in box.rows:
        place, height = _row_place(row, box.x + NODE.pad + NODE.label_width, y)
        places.append(place)
        y += height + NODE.row_gap
    return tuple(places)


def seed_outline(box: Box) -> tuple[tuple[float, float], ...]:
    """The corners of a seed's flag; its tip, the first, points at the target.

    That is to the left, but in a gradient computation, which goes from right to left, to the right.
    """
    x, y, right, bottom = box.x, box.y, box.x + box.width, box.y + box.height
    shoulder = x + NODE.seed_point
    if points_right(box):
        x, right, shoulder = right, x, right - NODE.seed_point
    return (
        (x, (y + bottom) / 2),
        (shoulder, y),
        (right, y),
        (right, bottom),
        (shoulder, bottom),
    )


def points_right(box: Box) -> bool:
    """Whether a seed's flag points to the right."""
    return box.level % 2 == 1


def seed_room(box: Box) -> tuple[float, float]:
    """Where the words on a seed's flag may begin and end."""
    inside, outside = NODE.seed_point + NODE.gap, NODE.pad
    if points_right(box):
        return box.x + outside, box.x + box.width - inside
    return box.x + inside, box.x + box.width - outside


def _seed_rows(box: Box) -> tuple[RowPlace, ...]:
    x, y = seed_room(box)[0], box.y + NODE.header
    return tuple(_row_place(row, x, y)[0] for row in box.rows)


def _row_place(row: Row, x: float, y: float) -> tuple[RowPlace, float]:
    gap = NODE.cell_gap if row.form == "cells" else 0.0
    wide, high = row.cell_width + gap, row.cell_height + gap
    cells = tuple(
        (
            x + wide * (at % row.columns),
            y + high * (at // row.columns),
            row.cell_width,
            row.cell_height,
        )
        for at in range(len(row.cells))
    )
    lines = -(-len(row.cells) // row.columns) if row.columns else 0
    bottom = y + row_height(lines, row.cell_height, "") if lines else y
    baseline = y + min(row.cell_height, NODE.cell_height) / 2 + 4
    label = (x - NODE.label_width, max(baseline, y + 10))
    height = row_height(lines, row.cell_height, row.note) if lines else 0.0
    return RowPlace(row, label, cells, (x, bottom + NODE.note - 4)), height
