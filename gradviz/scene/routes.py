"""Curves of edges: from a node's right side to the slots on a user's left side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.look import NODE
from gradviz.scene.sockets import PITCH, slot_offset

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.intp]
_MANY = 400  # edges beyond which boxes in the way are not avoided
_SAMPLES = np.linspace(0.0, 1.0, 17)[1:-1]
_CLEAR = 8.0  # from a curve to a box that it passes


def route(
    rects: Floats,
    sources: Rows,
    targets: Rows,
    slots: Sequence[int],
    *,
    around: bool = True,
    counts: Sequence[int] = (),
) -> Floats:
    """The control points (m, 4, 2) of the edges from box `sources[e]` to box `targets[e]`.

    Ports on a side are spread about its middle: slots in their order, those numbered -1 by the
    height of their sources, and users by theirs. A curve that would cross a box bows `around` it,
    where a bow that stays clear is found. `counts` says of boxes with open slots how many there
    are of them in all, and 0 of the others: their edges leave room for those to come.
    """
    if not len(sources):
        return np.zeros((0, 4, 2))
    x0 = rects[sources, 0] + rects[sources, 2]
    x1 = rects[targets, 0]
    middle = rects[:, 1] + rects[:, 3] / 2
    numbers = np.asarray(slots, np.float64)
    y1 = middle[targets] + _spread(rects, targets, np.where(numbers < 0, middle[sources], numbers))
    roomy = np.flatnonzero(np.asarray(counts, np.intp)[targets]).tolist() if counts else []
    for edge in roomy:
        box, slot = int(targets[edge]), int(slots[edge])
        y1[edge] = middle[box] + slot_offset(float(rects[box, 3]), slot, counts[box])
    y0 = middle[sources] + _spread(rects, sources, y1)
    reach = np.maximum(np.abs(x1 - x0) * 0.5, 24.0)
    reach = np.where(x1 < x0, np.maximum(reach, 60.0), np.minimum(reach, 160.0))
    curves = np.stack(
        [
            np.stack([x0, y0], axis=1),
            np.stack([x0 + reach, y0], axis=1),
            np.stack([x1 - reach, y1], axis=1),
            np.stack([x1, y1], axis=1),
        ],
        axis=1,
    )
    if around and len(curves) <= _MANY:
        _bow(curves, rects, sources, targets)
    return curves


def _spread(rects: Floats, boxes: Rows, order: Floats) -> Floats:
    """How far from the middle of its side each edge ends, by its rank among the box's edges."""
    by_box = np.lexsort((order, boxes))
    sorted_boxes = boxes[by_box]
    first = np.searchsorted(sorted_boxes, sorted_boxes, side="left")
    count = np.searchsorted(sorted_boxes, sorted_boxes, side="right") - first
    rank = np.arange(len(boxes)) - first
    room = np.maximum(rects[sorted_boxes, 3] - 2 * NODE.pad, 0.0)
    pitch = np.minimum(PITCH, room / np.maximum(count, 1))
    offsets = np.empty(len(boxes))
    offsets[by_box] = (rank - (count - 1) / 2) * pitch
    return offsets


def _bow(curves: Floats, rects: Floats, sources: Rows, targets: Rows) -> None:
    """Bend the curves that cross boxes, up or down by as little as clears them."""
    for edge in range(len(curves)):
        others = np.ones(len(rects), bool)
        others[[sources[edge], targets[edge]]] = False
        near = _near(curves[edge], rects[others])
        if not len(near) or not _crossed(curves[edge], near):
            continue
        best, least = curves[edge], _crossed(curves[edge], near)
        for shift in _shifts(curves[edge], near):
            bent = curves[edge].copy()
            bent[1:3, 1] = shift
            everything = rects[others]
            crossed = _crossed(bent, everything)
            if crossed < least:
                best, least = bent, crossed
            if not crossed:
                break
        curves[edge] = best


def _shifts(curve: Floats, near: Floats) -> list[float]:
    """Heights of the inner control points to try, the mildest first."""
    ends = (curve[0, 1] + curve[3, 1]) / 2
    sides = (*(near[:, 1] - _CLEAR), *(near[:, 1] + near[:, 3] + _CLEAR))
    heights = [float(ends + (y - ends) / share) for y in sides for share in (0.75, 0.6, 0.5)]
    return sorted(heights, key=lambda height: (abs(height - ends), height))


def _near(curve: Floats, rects: Floats) -> Floats:
    """The boxes between the two ends of the curve, wherever they are in height."""
    low, high = min(curve[0, 0], curve[3, 0]), max(curve[0, 0], curve[3, 0])
    found: Any = rects[(rects[:, 0] < high) & (rects[:, 0] + rects[:, 2] > low)]
    return np.asarray(found)


def _crossed(curve: Floats, rects: Floats) -> int:
    """How many of the boxes the curve comes too close to."""
    t = _SAMPLES[:, None]
    line = (
        (1 - t) ** 3 * curve[0]
        + 3 * (1 - t) ** 2 * t * curve[1]
        + 3 * (1 - t) * t**2 * curve[2]
        + t**3 * curve[3]
    )
    x, y = line[:, :1], line[:, 1:]
    inside = (
        (x > rects[:, 0] - 2)
        & (x < rects[:, 0] + rects[:, 2] + 2)
        & (y > rects[:, 1] - _CLEAR / 2)
        & (y < rects[:, 1] + rects[:, 3] + _CLEAR / 2)
    )
    return int(inside.any(axis=0).sum())
