"""Curves where there are storeys: mirrored in a gradient computation, upright between two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.look import NODE
from gradviz.scene.routes import Floats, Rows, route

Masks = npt.NDArray[np.bool_]
_PORT = 18.0  # between neighbouring ends on an upper or lower side
_SIDE = 20.0  # from a box to the curve that passes by on its right
_CLEAR = 8.0  # px to the left from which an edge counts as going left


def rise(
    rects: Floats, sources: Rows, targets: Rows, slots: Sequence[int], levels: Sequence[int]
) -> Floats:
    """The control points (m, 4, 2) of the edges among boxes that stand on these levels."""
    floors = np.asarray(levels, np.intp)
    curves = np.zeros((len(sources), 4, 2))
    if not len(sources):
        return curves
    order = np.asarray(slots, np.float64)
    below, above = floors[sources], floors[targets]
    x, y, wide, _high = rects.T
    inside = (below == above) & (above % 2 == 1)
    leftward = inside & (x[targets] + wide[targets] <= x[sources] - _CLEAR)
    rightward = inside & (x[targets] >= x[sources] + wide[sources] + _CLEAR)
    upright = inside & ~leftward & ~rightward
    rising = below != above
    plain = ~(inside | rising)
    curves[plain] = route(rects, sources[plain], targets[plain], order[plain].tolist())
    mirror = rects * np.array((-1.0, 1.0, 1.0, 1.0))
    mirror[:, 0] -= wide
    curves[rightward] = _held(rects, sources[rightward], targets[rightward], order[rightward])
    turned = _held(mirror, sources[leftward], targets[leftward], order[leftward])
    curves[leftward] = turned * np.array((-1.0, 1.0))
    curves[rising] = _upright(rects, sources[rising], targets[rising])
    for edge in np.flatnonzero(upright).tolist():
        source, target = int(sources[edge]), int(targets[edge])
        next_to = y[target] < y[source] and _free(rects, source, target)
        pair = sources[edge : edge + 1], targets[edge : edge + 1]
        curves[edge] = _upright(rects, *pair)[0] if next_to else _past(rects, source, target)
    return curves


def _held(rects: Floats, sources: Rows, targets: Rows, order: Floats) -> Floats:
    """As `route`, but a bow that would leave its storey is not made."""
    slots = order.tolist()
    bowed = route(rects, sources, targets, slots)
    if not len(bowed):
        return bowed
    straight = route(rects, sources, targets, slots, around=False)
    ends = np.concatenate([sources, targets])
    top, bottom = rects[ends, 1].min(), (rects[ends, 1] + rects[ends, 3]).max()
    y = bowed[:, :, 1]
    low = 0.25 * y[:, (0, 3)] + 0.75 * y[:, (1, 2)]
    outside = (low.min(axis=1) < top) | (low.max(axis=1) > bottom)
    bowed[outside] = straight[outside]
    return bowed


def _upright(rects: Floats, sources: Rows, targets: Rows) -> Floats:
    """From the upper side of the source to the lower side of the target."""
    x, y, wide, high = rects.T
    centre = x + wide / 2
    x0 = centre[sources] + _spread(sources, centre[targets], wide)
    x1 = centre[targets] + _spread(targets, centre[sources], wide)
    y0, y1 = y[sources], y[targets] + high[targets]
    reach = np.clip(np.abs(y0 - y1) * 0.5, 12.0, 120.0)
    ends = ((x0, y0), (x0, y0 - reach), (x1, y1 + reach), (x1, y1))
    return np.stack([np.stack(end, axis=1) for end in ends], axis=1)


def _spread(boxes: Rows, others: Floats, widths: Floats) -> Floats:
    """How far from the middle of its side each edge ends, by where it goes."""
    offsets = np.zeros(len(boxes))
    for box in sorted(set(boxes.tolist())):
        mine = np.flatnonzero(boxes == box) if len(boxes) < 2000 else np.array([], np.intp)
        if len(mine) < 2:
            continue
        room = max(widths[box] - 2 * NODE.pad, 0.0)
        pitch = min(_PORT, room / len(mine))
        ranked = mine[np.argsort(others[mine], kind="stable")]
        offsets[ranked] = (np.arange(len(mine)) - (len(mine) - 1) / 2) * pitch
    return offsets


def _free(rects: Floats, source: int, target: int) -> bool:
    """Whether no box stands between one box and another above it."""
    left = max(rects[source, 0], rects[target, 0])
    right = min(rects[source, 0] + rects[source, 2], rects[target, 0] + rects[target, 2])
    top, bottom = rects[target, 1] + rects[target, 3], rects[source, 1]
    x, y, wide, high = rects.T
    between: Any = (x < right) & (x + wide > left) & (y < bottom) & (y + high > top)
    return not bool(between.any())


def _past(rects: Floats, source: int, target: int) -> Floats:
    """From the right side of a box to the right side of one in the same column."""
    x0, x1 = rects[source, 0] + rects[source, 2], rects[target, 0] + rects[target, 2]
    y0 = rects[source, 1] + rects[source, 3] / 2
    y1 = rects[target, 1] + rects[target, 3] / 2
    out = max(x0, x1) + min(_SIDE + abs(y0 - y1) * 0.08, 2 * _SIDE)
    return np.array([(x0, y0), (out, y0), (out, y1), (x1, y1)])
