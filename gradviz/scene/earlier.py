"""`Earlier`: boxes and edges of the picture before, which an edit leaves as they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from operator import is_
from typing import TYPE_CHECKING

import numpy as np

from gradviz.diagram import NodeId
from gradviz.figure import Box, Edge
from gradviz.run import Array
from gradviz.scene.course import STATES
from gradviz.scene.geometry import Geometry

if TYPE_CHECKING:
    from gradviz.scene.picture import Picture


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """The boxes and edges of a picture at a position, with the row that is selected, or -1."""

    position: int
    chosen: int
    boxes: tuple[Box, ...]
    edges: tuple[Edge, ...]


def after_move(before: Picture, after: Picture) -> Kept | None:
    """What is kept where boxes have moved and nothing else has changed; None otherwise."""
    kept, old, new = before.kept, before.geometry, after.geometry
    if kept is None or before.run is not after.run or before.done is not after.done:
        return None
    if old.ids != new.ids or old.edge_ids != new.edge_ids or before.marks != after.marks:
        return None
    if not all(map(is_, old.plans, new.plans)) or old.levels != new.levels:
        return None
    boxes, edges = list(kept.boxes), list(kept.edges)
    for row in np.flatnonzero((old.rects != new.rects).any(axis=1)).tolist():
        x, y, width, height = new.rects[row].tolist()
        boxes[row] = replace(boxes[row], x=x, y=y, width=width, height=height)
    for row in np.flatnonzero((old.curves != new.curves).any(axis=(1, 2))).tolist():
        edges[row] = replace(edges[row], points=new.points(row))
    return Kept(kept.position, kept.chosen, tuple(boxes), tuple(edges))


class Earlier:
    """What the picture before had made, for one that is laid out as `now`.

    Boxes with gradients are not among it: those change.
    """

    def __init__(
        self,
        now: Geometry,
        laid: Geometry,
        array: Callable[[NodeId], Array | None],
        boxes: Mapping[int, tuple[object, Box]],
        edges: Mapping[int, tuple[object, Edge]],
    ) -> None:
        self._boxes = {
            laid.ids[row]: (laid.plans[row], array(laid.ids[row]), box)
            for row, (_key, box) in boxes.items()
            if not laid.plans[row].gradient and box.kind != "seed"
        }
        self._still = _still(laid, now)
        self._edges = {edge.id: edge for _key, edge in edges.values() if edge.label is None}

    def box(self, picture: Picture, row: int, state: int, selected: bool) -> Box | None:
        """The box of a row, the very one from before where nothing of it changed."""
        laid = picture.geometry
        key = laid.ids[row]
        found = self._boxes.get(key)
        if found is None or found[0] is not laid.plans[row] or found[1] is not picture.array(key):
            return None
        box = found[2]
        x, y = laid.rects[row, :2].tolist()
        tracked, badges = bool(picture.tracked[row]), picture.marks.get(key, ())
        level = laid.levels[row] if laid.levels else 0
        error = picture.errors.get(key)
        same = (box.x, box.y, box.state, box.tracked, box.selected, box.level) == (
            (x, y, STATES[state], tracked, selected, level)
        )
        if same and box.error == error and box.badges == badges:
            return box
        return replace(
            box,
            x=x,
            y=y,
            state=STATES[state],
            error=error,
            tracked=tracked,
            selected=selected,
            badges=badges,
            level=level,
        )

    def edge(self, picture: Picture, row: int, state: int, tracked: bool) -> Edge | None:
        """The edge of a row, where it runs and looks as before."""
        laid = picture.geometry
        edge = self._edges.get(laid.edge_ids[row])
        if edge is None or not self._still[row] or edge.slot != laid.slots[row]:
            return None
        same = edge.state == STATES[state] and edge.tracked == tracked
        return edge if same and int(laid.targets[row]) != laid.seed_row else None


def _still(old: Geometry, new: Geometry) -> list[bool]:
    """For every edge, whether the old geometry has it too and it runs as it did there."""
    rows = np.array([old.edge_rows.get(key, -1) for key in new.edge_ids], np.intp)
    if not len(rows) or not len(old.curves):
        return [False] * len(rows)
    same = (rows >= 0) & (old.curves[rows] == new.curves).all(axis=(1, 2))
    return list(same.tolist())
