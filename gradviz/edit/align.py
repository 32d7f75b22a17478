"""Places of boxes: aligned, distributed, snapped to their neighbours, laid out anew."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from gradviz.diagram import Diagram, NodeId, Point, Rect

Side = Literal["left", "right", "top", "bottom", "centre", "middle"]
Way = Literal["across", "down"]
Boxes = Mapping[NodeId, Rect]  # left, top, width, height
TOLERANCE = 6.0  # px from which a dragged box snaps


@dataclass(frozen=True, slots=True)
class Guide:
    """A line that a dragged box lies on: at `at` on its axis, from `start` to `end` on the other.

    `axis` "x" is a vertical line; "wire" a horizontal one along which a wire runs straight.
    """

    axis: Literal["x", "y", "wire"]
    at: float
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Snap:
    """How far a dragged box is to be moved on, and the lines that it lies on then."""

    dx: float = 0.0
    dy: float = 0.0
    guides: tuple[Guide, ...] = ()


def align(boxes: Boxes, side: Side) -> dict[NodeId, Point]:
    """New corners with the boxes' sides, or their centres, in one line.

    Sides go to the outermost box, centres ("centre" across, "middle" down) to the common one.
    """
    if not boxes:
        return {}
    bounds = _bounds(boxes.values())
    return {key: _aligned(box, side, bounds) for key, box in boxes.items()}


def _aligned(box: Rect, side: Side, bounds: Rect) -> Point:
    x, y, width, height = box
    left, top, right, bottom = bounds
    match side:
        case "left":
            return left, y
        case "right":
            return right - width, y
        case "centre":
            return (left + right - width) / 2, y
        case "top":
            return x, top
        case "bottom":
            return x, bottom - height
        case "middle":
            return x, (top + bottom - height) / 2


def distribute(boxes: Boxes, way: Way) -> dict[NodeId, Point]:
    """New corners with equal gaps between the boxes; the outermost ones stay."""
    axis = 0 if way == "across" else 1
    order = sorted(boxes, key=lambda key: (boxes[key][axis], list(boxes).index(key)))
    corners = {key: (box[0], box[1]) for key, box in boxes.items()}
    if len(order) < 3:
        return corners
    start = boxes[order[0]][axis]
    end = max(boxes[key][axis] + boxes[key][axis + 2] for key in order)
    gap = (end - start - sum(boxes[key][axis + 2] for key in order)) / (len(order) - 1)
    at = start
    for key in order:
        x, y = corners[key]
        corners[key] = (at, y) if axis == 0 else (x, at)
        at += boxes[key][axis + 2] + gap
    return corners


def snap(
    moved: Rect,
    others: Iterable[Rect],
    *,
    levels: Iterable[tuple[float, float]] = (),
    tolerance: float = TOLERANCE,
) -> Snap:
    """Where a dragged box comes to lie in line with others: edges to edges, centres to centres.

    `levels` are the heights of the ends of its wires, its own and the other one's: where a wire
    nearly runs straight, it is to, before any side is in line. `tolerance` is in the boxes' px.
    """
    boxes = list(others)
    dx, across = _nearest(moved, boxes, 0, tolerance)
    dy, down = _nearest(moved, boxes, 1, tolerance)
    straight = [theirs - mine for mine, theirs in levels if abs(theirs - mine) <= tolerance]
    if straight:
        dy = min(straight, key=abs)
        down = [at for at in _lines(moved, 1) if _meets(at + dy, boxes, 1)]
        down = [at + dy for at in down]
    x, y, width, height = moved
    settled = (x + dx, y + dy, width, height)
    guides = [_guide(settled, boxes, 0, at) for at in across]
    guides += [_guide(settled, boxes, 1, at) for at in down]
    guides += [
        Guide("wire", theirs, settled[0], settled[0] + width)
        for mine, theirs in levels
        if straight and abs(theirs - mine - dy) < 0.5
    ]
    return Snap(dx, dy, tuple(guides))


def _lines(box: Rect, axis: int) -> tuple[float, float, float]:
    """Both edges and the centre."""
    start, size = box[axis], box[axis + 2]
    return start, start + size / 2, start + size


def _nearest(
    moved: Rect, boxes: list[Rect], axis: int, tolerance: float
) -> tuple[float, list[float]]:
    """The smallest step that brings a line of the box onto the like line of another."""
    steps = [
        theirs - mine
        for box in boxes
        for mine, theirs in zip(_lines(moved, axis), _lines(box, axis), strict=True)
        if abs(theirs - mine) <= tolerance
    ]
    if not steps:
        return 0.0, []
    step = min(steps, key=abs)
    return step, [at + step for at in _lines(moved, axis) if _meets(at + step, boxes, axis)]


def _meets(at: float, boxes: list[Rect], axis: int) -> bool:
    return any(abs(line - at) < 0.5 for box in boxes for line in _lines(box, axis))


def _guide(settled: Rect, boxes: list[Rect], axis: int, at: float) -> Guide:
    """The line, as long as the boxes that lie on it."""
    other = 1 - axis
    on = [box for box in boxes if any(abs(line - at) < 0.5 for line in _lines(box, axis))]
    ends = [(box[other], box[other] + box[other + 2]) for box in (settled, *on)]
    start, end = min(low for low, _high in ends), max(high for _low, high in ends)
    return Guide("x" if axis == 0 else "y", at, start, end)


def _bounds(boxes: Iterable[Rect]) -> Rect:
    """Left, top, right and bottom of all."""
    found = list(boxes)
    return (
        min(box[0] for box in found),
        min(box[1] for box in found),
        max(box[0] + box[2] for box in found),
        max(box[1] + box[3] for box in found),
    )


def place(diagram: Diagram, corners: Mapping[NodeId, Point]) -> Diagram:
    """The diagram with nodes moved to these corners; ids it does not have are passed over."""
    moved = {
        key: at
        for key, at in corners.items()
        if key in diagram.nodes and diagram.positions.get(key) != at
    }
    return replace(diagram, positions={**diagram.positions, **moved}) if moved else diagram


def free_places(diagram: Diagram, ids: Collection[NodeId] | None = None) -> Diagram:
    """The diagram with these nodes (None: all) where the layout puts them."""
    left = {} if ids is None else {k: at for k, at in diagram.positions.items() if k not in ids}
    return diagram if len(left) == len(diagram.positions) else replace(diagram, positions=left)


def tidy(diagram: Diagram, ids: Collection[NodeId], boxes: Boxes) -> dict[NodeId, Point]:
    """New corners for a selection, laid out by itself where it stands.

    Up to `gradviz.layout.AT_ONCE` nodes this takes some 30 ms, and belongs off the UI thread.
    """
    from gradviz.layout import positions  # Graphviz is loaded where it is used

    chosen = {key: node for key, node in diagram.nodes.items() if key in ids and key in boxes}
    if not chosen:
        return {}
    nodes = {
        key: replace(node, inputs=tuple(k if k in chosen else None for k in node.inputs))
        for key, node in chosen.items()
    }
    sizes = {key: (boxes[key][2], boxes[key][3]) for key in chosen}
    found = positions(Diagram(nodes), sizes, {})
    left, top, _right, _bottom = _bounds(boxes[key] for key in chosen)
    return {key: (x + left, y + top) for key, (x, y) in found.items()}
