"""`Geometry`: where the boxes and edges of a pass lie, as arrays, at every position in time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.diagram import Diagram, Node, NodeId, Point
from gradviz.labels import added_titles, start_name, titles
from gradviz.language import _, current
from gradviz.layout import Link, beside, free, links_of
from gradviz.layout import positions as lay_out
from gradviz.look import NODE
from gradviz.plan import Plan, plan, plans, seed_plan
from gradviz.routes import route
from gradviz.run import Pass, Run

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.intp]
Curve = tuple[Point, Point, Point, Point]


@dataclass(frozen=True, slots=True, eq=False)
class Geometry:
    """Rows of boxes and of edges; `rects` (n, 4) are x, y, width, height in canvas px.

    `sources` and `targets` are rows of boxes; `curves` (m, 4, 2) the control points of the edges,
    from the right side of the source to the left side of the target. The nodes that the pass adds
    and its seed come last.
    """

    ids: tuple[NodeId, ...]
    rows: Mapping[NodeId, int]
    plans: tuple[Plan, ...]
    rects: Floats
    edge_ids: tuple[str, ...]
    edge_rows: Mapping[str, int]
    sources: Rows
    targets: Rows
    slots: tuple[int, ...]
    curves: Floats
    points: tuple[Curve, ...]  # the same curves as plain numbers
    seed_row: int | None
    left: float
    top: float
    width: float
    height: float

    def positions(self) -> dict[NodeId, Point]:
        """The corner of every box, as `positions` of another geometry may take them."""
        return {
            key: (float(x), float(y))
            for key, (x, y) in zip(self.ids, self.rects[:, :2], strict=True)
        }


def geometry(
    diagram: Diagram,
    run: Run,
    *,
    index: int = 0,
    positions: Mapping[NodeId, Point] | None = None,
) -> Geometry:
    """The geometry of the pass `index`. Corners in `positions` and `diagram.positions` stay.

    Without `positions` a layout is found here and kept; a large diagram's takes seconds.
    """
    key = None if positions is None else tuple(positions.items())
    return _geometry(diagram, run, index if index < len(run.passes) else -1, key, current())


@lru_cache(maxsize=16)
def _geometry(
    diagram: Diagram,
    run: Run,
    index: int,
    known: tuple[tuple[NodeId, Point], ...] | None,
    _language: str,
) -> Geometry:
    planned = dict(plans(diagram, run))
    corners = placed(diagram, run, None if known is None else dict(known))
    links = list(links_of(diagram))
    if index >= 0:
        _start(diagram, run.passes[index], planned, corners, links)
    return _assemble(planned, corners, links)


def sizes(diagram: Diagram, run: Run) -> dict[NodeId, tuple[float, float]]:
    """Width and height of every node's box, for a layout."""
    return {key: (one.width, one.height) for key, one in plans(diagram, run).items()}


def placed(
    diagram: Diagram, run: Run, known: Mapping[NodeId, Point] | None = None
) -> dict[NodeId, Point]:
    """The corners of all nodes of the diagram: the known ones, and a layout's for the others."""
    pinned = {**(known or {}), **diagram.positions}
    if all(key in pinned for key in diagram.nodes):
        return {key: pinned[key] for key in diagram.nodes}
    return dict(lay_out(diagram, sizes(diagram, run), pinned))


def _start(
    diagram: Diagram,
    done: Pass,
    planned: dict[NodeId, Plan],
    corners: dict[NodeId, Point],
    links: list[Link],
) -> None:
    """Set what the pass adds to the right of its target, nothing else being moved."""
    words = added_titles(done, titles(diagram))
    anchor = done.call.target
    taken = _rectangles(planned, corners)
    for node in done.added:
        planned[node.id] = _added_plan(node, done, words[node.id])
        known = [key for key in node.inputs if key in corners]
        sources = [key for key in known if planned[key].kind != "constant"] or known
        if sources:
            anchor = max(sources, key=lambda key: corners[key][0] + planned[key].width)
        if node.is_source:
            _below(node.id, done.call.target, planned, corners, taken)
        else:
            _beside(node.id, anchor, planned, corners, taken)
        links += [Link(key, node.id, slot) for slot, key in enumerate(node.inputs) if key]
    if done.call.start.kind == "seed" and done.call.target in corners:
        key = f"seed:{done.call.target}"
        title = _("seed {name}").format(name=start_name(done))
        planned[key] = seed_plan(
            title, done.seed if done.seed is not None else done.call.start.values
        )
        _beside(key, done.call.target, planned, corners, taken, gap=NODE.seed_gap)


def _added_plan(node: Node, done: Pass, title: str) -> Plan:
    value = done.values.get(node.id)
    word = None if node.is_source else _("added")
    return plan(node, value, title=title, passes=True, reduction=word)


def _rectangles(planned: Mapping[NodeId, Plan], corners: Mapping[NodeId, Point]) -> list[Any]:
    return [(*corners[key], planned[key].width, planned[key].height) for key in corners]


def _beside(
    key: NodeId,
    anchor: NodeId,
    planned: Mapping[NodeId, Plan],
    corners: dict[NodeId, Point],
    taken: list[Any],
    *,
    gap: float = NODE.column_gap,
) -> None:
    if anchor not in corners:
        corners[key] = (0.0, 0.0)
    else:
        own = (planned[key].width, planned[key].height)
        rect = (*corners[anchor], planned[anchor].width, planned[anchor].height)
        corners[key] = beside(rect, own, taken, gap=gap)
    taken.append((*corners[key], planned[key].width, planned[key].height))


def _below(
    key: NodeId,
    anchor: NodeId,
    planned: Mapping[NodeId, Plan],
    corners: dict[NodeId, Point],
    taken: list[Any],
) -> None:
    """Set a source under a box, its right side level with the box's."""
    own = (planned[key].width, planned[key].height)
    x, y = corners.get(anchor, (0.0, 0.0))
    if anchor in corners:
        x += planned[anchor].width - own[0]
        y += planned[anchor].height + NODE.lane_gap
    corners[key] = free((x, y), own, taken)
    taken.append((*corners[key], *own))


def _assemble(
    planned: Mapping[NodeId, Plan], corners: Mapping[NodeId, Point], links: Sequence[Link]
) -> Geometry:
    ids = tuple(planned)
    rows = {key: row for row, key in enumerate(ids)}
    rects = np.array(
        [(*corners[key], planned[key].width, planned[key].height) for key in ids], np.float64
    ).reshape(-1, 4)
    seed_row = next((row for row, key in enumerate(ids) if planned[key].kind == "seed"), None)
    sources = [rows[link.source] for link in links]
    targets = [rows[link.target] for link in links]
    order = [link.slot if link.ordered else -1 for link in links]
    curves, points = _routes(rects.tobytes(), tuple(sources), tuple(targets), tuple(order))
    edge_ids = [f"{link.source}->{link.target}:{link.slot}" for link in links]
    slots = [link.slot for link in links]
    if seed_row is not None:
        target = rows[ids[seed_row].removeprefix("seed:")]
        sources, targets, slots = [*sources, target], [*targets, seed_row], [*slots, 0]
        edge_ids.append(ids[seed_row])
        curves = np.concatenate([curves, _seed_curve(rects[target], rects[seed_row])[None]])
        points = (*points, _as_points(curves[-1:])[0])
    left, top, right, bottom = _bounds(rects)
    return Geometry(
        ids,
        rows,
        tuple(planned.values()),
        rects,
        tuple(edge_ids),
        {key: row for row, key in enumerate(edge_ids)},
        np.array(sources, np.intp),
        np.array(targets, np.intp),
        tuple(slots),
        curves,
        points,
        seed_row,
        left - NODE.margin,
        top - NODE.margin,
        right - left + 2 * NODE.margin,
        bottom - top + 2 * NODE.margin,
    )


@lru_cache(maxsize=8)
def _routes(
    rects: bytes, sources: tuple[int, ...], targets: tuple[int, ...], order: tuple[int, ...]
) -> tuple[Floats, tuple[Curve, ...]]:
    """The same boxes and links have the same curves, whatever else has changed."""
    boxes = np.frombuffer(rects, np.float64).reshape(-1, 4)
    curves = route(boxes, np.array(sources, np.intp), np.array(targets, np.intp), order)
    return curves, _as_points(curves)


def _as_points(curves: Floats) -> tuple[Curve, ...]:
    return tuple(((*a,), (*b,), (*c,), (*d,)) for a, b, c, d in curves.tolist())


def _seed_curve(target: Floats, seed: Floats) -> Floats:
    """From the target's right side to the tip of the seed's flag."""
    x0, x1 = target[0] + target[2], seed[0]
    y1 = seed[1] + seed[3] / 2
    y0 = min(max(y1, target[1] + NODE.header), target[1] + target[3] - NODE.pad)
    third = (x1 - x0) / 3
    return np.array([(x0, y0), (x0 + third, y0), (x1 - third, y1), (x1, y1)])


def _bounds(rects: Floats) -> tuple[float, float, float, float]:
    if not len(rects):
        return (0.0, 0.0, 0.0, 0.0)
    left, top = rects[:, :2].min(axis=0)
    right, bottom = (rects[:, :2] + rects[:, 2:]).max(axis=0)
    return (float(left), float(top), float(right), float(bottom))
