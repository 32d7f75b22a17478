"""Places of boxes: aligned, distributed, snapped to their neighbours, laid out anew."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from gradviz.diagram import Array, Diagram, NodeId, Point, Rect

Side = Literal["left", "right", "top", "bottom", "centre", "middle"]
Way = Literal["across", "down"]
Boxes = Mapping[NodeId, Rect]  # left, top, width, height
TOLERANCE = 6.0  # px from which a dragged box snaps
_SAME = 0.5  # px by which two lines may differ and be one


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
    boxes = np.array(list(others), np.float64).reshape(-1, 4)
    dx, dy = (_nearest(moved, boxes, axis, tolerance) for axis in (0, 1))
    straight = [theirs - mine for mine, theirs in levels if abs(theirs - mine) <= tolerance]
    if straight:
        dy = min(straight, key=abs)
    x, y, width, height = moved
    settled = (x + dx, y + dy, width, height)
    guides = [guide for axis in (0, 1) for guide in _guides(settled, boxes, axis)]
    guides += [
        Guide("wire", theirs, settled[0], settled[0] + width)
        for mine, theirs in levels
        if straight and abs(theirs - mine - dy) < _SAME
    ]
    return Snap(dx, dy, tuple(guides))


def _lines(boxes: Array, axis: int) -> Array:
    """Both edges and the centre of each box along an axis."""
    start, size = boxes[:, axis], boxes[:, axis + 2]
    return np.stack((start, start + size / 2, start + size), axis=1)


def _nearest(moved: Rect, boxes: Array, axis: int, tolerance: float) -> float:
    """The smallest step that brings a line of the box onto the like line of another."""
    steps = (_lines(boxes, axis) - _lines(np.array([moved]), axis)).reshape(-1)
    steps = steps[np.abs(steps) <= tolerance]
    return float(steps[np.abs(steps).argmin()]) if steps.size else 0.0


def _guides(settled: Rect, boxes: Array, axis: int) -> Iterator[Guide]:
    """The lines that the box shares with others, each as long as the boxes that lie on it."""
    other, lines = 1 - axis, _lines(boxes, axis)
    for at in _lines(np.array([settled]), axis)[0]:
        on = boxes[(np.abs(lines - at) < _SAME).any(axis=1)]
        if len(on):
            along = np.vstack((on, [settled]))
            start, end = along[:, other].min(), (along[:, other] + along[:, other + 2]).max()
            yield Guide("x" if axis == 0 else "y", float(at), float(start), float(end))


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
