"""From one figure to the next: whether boxes moved, and which rows have to be drawn again."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from gradviz.figure import Box, Edge, Figure
from gradviz.scene.badges import HANGING


def same_places(before: Figure, after: Figure) -> bool:
    """Whether both have the same boxes and edges at the same places."""
    if len(before.boxes) != len(after.boxes) or len(before.edges) != len(after.edges):
        return False
    if _grounds(before) != _grounds(after):
        return False
    return all(
        one is other or _box_place(one) == _box_place(other)
        for one, other in zip(before.boxes, after.boxes, strict=True)
    ) and all(
        one is other or _edge_place(one) == _edge_place(other)
        for one, other in zip(before.edges, after.edges, strict=True)
    )


def changed_boxes(before: Figure, after: Figure) -> list[int]:
    """The rows of the boxes that look different; both figures have the same places."""
    pairs = enumerate(zip(before.boxes, after.boxes, strict=True))
    return [row for row, (one, other) in pairs if one is not other and one != other]


def changed_edges(before: Figure, after: Figure) -> list[int]:
    """The rows of the edges that look different; both figures have the same places."""
    pairs = enumerate(zip(before.edges, after.edges, strict=True))
    return [row for row, (one, other) in pairs if one is not other and one != other]


def has_badges(figure: Figure) -> bool:
    """Whether anything hangs at the lower edges of boxes."""
    return any(box.badges for box in figure.boxes)


def with_badges(area: QRectF, figure: Figure) -> QRectF:
    """The area of all boxes with what hangs at the lowest of them."""
    return area.adjusted(0, 0, 0, HANGING) if has_badges(figure) else area


def _grounds(figure: Figure) -> tuple[object, ...]:
    """What lies under boxes and edges."""
    return figure.storeys, figure.frames, figure.notes


def _box_place(box: Box) -> tuple[object, ...]:
    return (box.id, box.x, box.y, box.width, box.height)


def _edge_place(edge: Edge) -> tuple[object, ...]:
    return (edge.id, edge.source, edge.target, edge.points)
