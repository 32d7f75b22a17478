"""`Spatial`: what of a figure is visible, what is under a point, what lies beside a box."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import chain
from operator import is_not
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from gradviz.figure import Box, Edge, Figure

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
Area = tuple[float, float, float, float]  # left, top, right, bottom

One = TypeVar("One")
_flat = chain.from_iterable
_SAMPLES = 24  # points on a curve where its distance is measured


class Spatial:
    """Rectangles (x, y, width, height) and curves (four x, y pairs) in the figure's order.

    Most of them are taken over from `before`, where an edit left its boxes and edges as they were.
    """

    def __init__(self, figure: Figure, before: Spatial | None = None) -> None:
        boxes, edges = figure.boxes, figure.edges
        self._figure = figure
        self.row = {box.id: row for row, box in enumerate(boxes)}
        self._astray: set[int] = set()  # rows that have left the places that the figure gave them
        if before is None:
            self.rects, self.curves = _rects(boxes), _curves(edges)
        else:
            astray = before._astray
            bent = before.edges_of(astray).tolist() if astray else ()
            old = before._figure
            self.rects = _renewed(before.rects, old.boxes, boxes, astray, _rects)
            self.curves = _renewed(before.curves, old.edges, edges, bent, _curves)
        self._bound()

    @property
    def moved(self) -> bool:
        """Whether boxes have left the places that the figure gave them."""
        return bool(self._astray)

    @cached_property
    def sources(self) -> Rows:
        """The rows of the boxes where edges begin, -1 without one."""
        return np.array([self.row.get(edge.source, -1) for edge in self._figure.edges], np.intp)

    @cached_property
    def targets(self) -> Rows:
        """The rows of the boxes where edges end, -1 without one."""
        return np.array([self.row.get(edge.target, -1) for edge in self._figure.edges], np.intp)

    def _bound(self) -> None:
        self._low, self._high = self.curves.min(axis=1), self.curves.max(axis=1)

    @property
    def area(self) -> Area:
        """What holds all boxes; zeros where there is none."""
        return self.area_of(np.arange(len(self.rects)))

    def area_of(self, rows: Rows) -> Area:
        """What holds the boxes of the rows."""
        if not len(rows):
            return (0.0, 0.0, 0.0, 0.0)
        rects = self.rects[rows]
        left, top = rects[:, :2].min(axis=0)
        right, bottom = (rects[:, :2] + rects[:, 2:]).max(axis=0)
        return (float(left), float(top), float(right), float(bottom))

    def boxes_in(self, area: Area) -> Rows:
        """The rows of the boxes that touch the area."""
        left, top, right, bottom = area
        x, y, width, height = self.rects.T
        return np.flatnonzero(
            (x <= right) & (x + width >= left) & (y <= bottom) & (y + height >= top)
        )

    def edges_in(self, area: Area) -> Rows:
        """The rows of the edges whose control points' hull may touch the area."""
        left, top, right, bottom = area
        low, high = self._low, self._high
        return np.flatnonzero(
            (low[:, 0] <= right)
            & (high[:, 0] >= left)
            & (low[:, 1] <= bottom)
            & (high[:, 1] >= top)
        )

    def box_at(self, x: float, y: float) -> int | None:
        """The topmost box under a point."""
        found = self.boxes_in((x, y, x, y))
        return int(found[-1]) if len(found) else None

    def edge_at(self, x: float, y: float, reach: float) -> int | None:
        """The edge nearest to a point, no farther than `reach`."""
        near = self.edges_in((x - reach, y - reach, x + reach, y + reach))
        if not len(near):
            return None
        lines = flatten(self.curves[near], _SAMPLES)
        start, along = lines[..., :2], lines[..., 2:] - lines[..., :2]
        offset = np.array((x, y)) - start
        length = np.maximum((along * along).sum(axis=-1), 1e-12)
        share = np.clip((offset * along).sum(axis=-1) / length, 0.0, 1.0)
        gaps = np.hypot(*np.moveaxis(offset - share[..., None] * along, -1, 0)).min(axis=1)
        best = int(gaps.argmin())
        return int(near[best]) if gaps[best] <= reach else None

    def edges_of(self, rows: Iterable[int]) -> Rows:
        """The rows of the edges that begin or end at the boxes."""
        wanted = np.fromiter(rows, np.intp)
        return np.flatnonzero(self._at(self.sources, wanted) | self._at(self.targets, wanted))

    def _at(self, ends: Rows, rows: Rows) -> Mask:
        """Which of the edges' ends are at boxes of the rows."""
        chosen = np.zeros(len(self.rects) + 1, bool)  # the last is for ends without a box
        chosen[rows] = True
        return chosen[ends]

    def edge_area(self, rows: Rows, reach: float = 0.0) -> Area:
        """What holds the edges of the rows, widened by `reach`."""
        low, high = self._low[rows].min(axis=0) - reach, self._high[rows].max(axis=0) + reach
        return (float(low[0]), float(low[1]), float(high[0]), float(high[1]))

    def move(self, rows: Rows, dx: float, dy: float) -> None:
        """Shift boxes; the ends of their edges follow."""
        step = np.array((dx, dy))
        self._astray.update(rows.tolist())
        self.rects[rows, :2] += step
        self.curves[self._at(self.sources, rows), :2] += step
        self.curves[self._at(self.targets, rows), 2:] += step
        self._bound()

    def beside(self, row: int, *, forward: bool) -> list[int]:
        """The boxes that read this one (forward), or that it reads; nearest in height first."""
        near, far = (self.sources, self.targets) if forward else (self.targets, self.sources)
        found = {int(other) for other in far[near == row] if other >= 0}
        centre = self._centre(row)
        return sorted(found, key=lambda other: abs(self._centre(other)[1] - centre[1]))

    def above(self, row: int, *, up: bool) -> int | None:
        """The nearest box above or below, mostly in the same column."""
        if not len(self.rects):
            return None
        offset = self.rects[:, :2] + self.rects[:, 2:] / 2 - self._centre(row)
        rise = -offset[:, 1] if up else offset[:, 1]
        cost = np.where(rise > 1.0, rise + 3.0 * np.abs(offset[:, 0]), np.inf)
        best = int(cost.argmin())
        return best if np.isfinite(cost[best]) else None

    def _centre(self, row: int) -> Floats:
        x, y, width, height = self.rects[row]
        return np.array((x + width / 2, y + height / 2))


def _rects(boxes: Sequence[Box]) -> Floats:
    # Flat numbers become an array several times as fast as tuples of tuples do.
    sides = _flat((box.x, box.y, box.width, box.height) for box in boxes)
    return np.fromiter(sides, np.float64, 4 * len(boxes)).reshape(-1, 4)


def _curves(edges: Sequence[Edge]) -> Floats:
    points = _flat(_flat(edge.points for edge in edges))
    return np.fromiter(points, np.float64, 8 * len(edges)).reshape(-1, 4, 2)


def _renewed(
    known: Floats,
    before: Sequence[One],
    after: Sequence[One],
    stale: Iterable[int],
    make: Callable[[Sequence[One]], Floats],
) -> Floats:
    """The numbers of each of `after`: `known` ones where it is the very one of `before`."""
    both = min(len(before), len(after))
    changed = {row for row, other in enumerate(map(is_not, before, after)) if other}
    rows = [*sorted(changed | {row for row in stale if row < both}), *range(both, len(after))]
    found = np.empty((len(after), *known.shape[1:]))
    found[:both] = known[:both]
    found[rows] = make([after[row] for row in rows])
    return found


def curve_points(curves: Floats, share: Floats) -> Floats:
    """Points on cubic curves (n, 4, 2) at parameters (k,): an array (n, k, 2)."""
    t = share[None, :, None]
    a, b, c, d = (curves[:, i, None, :] for i in range(4))
    s = 1.0 - t
    points: Floats = s**3 * a + 3 * s * s * t * b + 3 * s * t * t * c + t**3 * d
    return points


def flatten(curves: Floats, pieces: int) -> Floats:
    """Cubic curves (n, 4, 2) as chains of straight pieces: rows x1, y1, x2, y2, (n, pieces, 4)."""
    points = curve_points(curves, np.linspace(0.0, 1.0, pieces + 1))
    return np.concatenate([points[:, :-1], points[:, 1:]], axis=-1)
