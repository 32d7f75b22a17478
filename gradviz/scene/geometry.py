"""`Geometry`: where the boxes and edges of a pass lie, as arrays, at every position in time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from gradviz.cells import Wording, wording
from gradviz.diagram import Diagram, NodeId, Point, Upper
from gradviz.figure import FrameBox, NoteBox, Storey, ground_rects
from gradviz.gradient_nodes import gradient_nodes
from gradviz.labels import added_titles, titles
from gradviz.layout import Link, links_of
from gradviz.layout import positions as lay_out
from gradviz.look import NODE
from gradviz.memo import Memo
from gradviz.run import Pass, Run
from gradviz.scene.appended import added_plan, append_start, seed_room, set_beside
from gradviz.scene.framing import framed, noted
from gradviz.scene.plan import Plan, plan, plans
from gradviz.scene.quiet import without_quiet
from gradviz.scene.rising import rise
from gradviz.scene.roster import Roster, roster
from gradviz.scene.routes import route
from gradviz.scene.upstairs import build, ground
from gradviz.storeys import Storeys, storeys

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
    seed_row: int | None
    left: float
    top: float
    width: float
    height: float
    storeys: tuple[Storey, ...] = ()
    levels: tuple[int, ...] = ()  # of the boxes
    raised: Mapping[NodeId, Upper] = field(default_factory=dict)  # what the pass itself makes
    frames: tuple[FrameBox, ...] = ()
    notes: tuple[NoteBox, ...] = ()

    def positions(self) -> dict[NodeId, Point]:
        """The corner of every box, as `positions` of another geometry may take them."""
        corners = self.rects[:, :2].tolist()
        return {key: (x, y) for key, (x, y) in zip(self.ids, corners, strict=True)}

    def points(self, row: int) -> Curve:
        """The curve of an edge as plain numbers."""
        a, b, c, d = self.curves[row].tolist()
        return (*a,), (*b,), (*c,), (*d,)


def geometry(
    diagram: Diagram,
    run: Run,
    *,
    index: int = 0,
    positions: Mapping[NodeId, Point] | None = None,
    opened: bool = True,
    bare: bool = False,
) -> Geometry:
    """The geometry of the pass `index`. Corners in `positions` and `diagram.positions` stay.

    `opened` says whether second storeys are shown whole, `bare` that what takes no gradient is
    left out. Without `positions` a layout is found here; a large diagram's takes seconds.
    """
    places = diagram.positions
    key = tuple((one, at) for one, at in (positions or {}).items() if one not in places)
    at = index if index < len(run.passes) else -1
    return _geometry(diagram, run, at, key, wording(), opened, bare)


@lru_cache(maxsize=16)
def _geometry(
    diagram: Diagram,
    run: Run,
    index: int,
    known: tuple[tuple[NodeId, Point], ...],
    _wording: Wording,
    opened: bool,
    bare: bool,
) -> Geometry:
    done = run.passes[index] if index >= 0 else None
    found = storeys(diagram, run, done, opened=opened)
    if bare:
        found = without_quiet(diagram, run, found)
    planned = _planned(diagram, run, done, found)
    corners = placed(diagram, run, dict(known))
    corners = {key: at for key, at in corners.items() if key in planned}
    links = list(links_of(replace(diagram, nodes=found.nodes)))
    levels: Mapping[NodeId, int] = {}
    built: tuple[Storey, ...] = ()
    if found.bands:
        levels = found.levels
        corners = {key: at for key, at in corners.items() if found.levels.get(key) == 0}
        set_beside(found, planned, corners)
        room, crest = seed_room(diagram, done, found), _crest(planned, corners, links)
        built = build(found, diagram, planned, corners, room, crest)
    if done is not None:
        append_start(diagram, done, planned, corners, links, levels)
    of = found.nodes, diagram.calls, run, done, *_wording
    listed = _rosters.find(*of) or roster(planned, links, levels, raised=bool(built))
    if found.nodes is diagram.nodes:
        _rosters.keep(listed, *of)
    made = _with_remarks(_assemble(listed, corners, built), diagram)
    upper = ((node.id, node.upper) for node in gradient_nodes(found.nodes))
    raised = {key: place for key, place in upper if place is not None and place.call == index}
    return replace(made, raised=raised) if raised else made


# Of a diagram's own nodes, which many diagrams share: only places differ while boxes are moved.
_rosters: Memo[Roster] = Memo(8)


def _crest(
    planned: Mapping[NodeId, Plan], corners: Mapping[NodeId, Point], links: Sequence[Link]
) -> float:
    """How high the edges among these boxes reach."""
    rows = {key: row for row, key in enumerate(corners)}
    rects = np.array(
        [(*at, planned[key].width, planned[key].height) for key, at in corners.items()], np.float64
    ).reshape(-1, 4)
    own = [link for link in links if link.source in rows and link.target in rows]
    pairs = np.array([(rows[one.source], rows[one.target]) for one in own], np.intp).reshape(-1, 2)
    order = [link.slot if link.ordered else -1 for link in own]
    y = route(rects, pairs[:, 0], pairs[:, 1], order)[:, :, 1]
    return float(
        np.min(0.25 * y[:, (0, 3)].min(axis=1) + 0.75 * y[:, (1, 2)].min(axis=1), initial=np.inf)
    )


def _planned(diagram: Diagram, run: Run, done: Pass | None, found: Storeys) -> dict[NodeId, Plan]:
    """The plans of all that is shown of the diagram and of storeys above it."""
    known = plans(diagram, run)
    if found.nodes is diagram.nodes:
        return dict(known)
    if done is None:
        return {key: known[key] for key in found.nodes}
    words = added_titles(done, titles(diagram))
    under, added = ({node.id for node in nodes} for nodes in (done.under, done.added))
    made: dict[NodeId, Plan] = {}
    for key, node in found.nodes.items():
        if key in known:
            made[key] = known[key]
        elif key in added:
            made[key] = added_plan(node, done, words[key])
        else:
            made[key] = plan(node, done.values.get(key), title=words[key], passes=key in under)
    return made


def sizes(diagram: Diagram, run: Run) -> dict[NodeId, tuple[float, float]]:
    """Width and height of every node's box, for a layout."""
    return {key: (one.width, one.height) for key, one in plans(diagram, run).items()}


def placed(
    diagram: Diagram, run: Run, known: Mapping[NodeId, Point] | None = None
) -> dict[NodeId, Point]:
    """The corners of the nodes on the ground: the known ones, and a layout's for the others."""
    diagram = ground(diagram)
    pinned = {**(known or {}), **diagram.positions}
    if all(key in pinned for key in diagram.nodes):
        return {key: pinned[key] for key in diagram.nodes}
    return dict(lay_out(diagram, sizes(diagram, run), pinned))


def _assemble(
    listed: Roster, corners: Mapping[NodeId, Point], built: tuple[Storey, ...]
) -> Geometry:
    places = np.array([corners[key] for key in listed.ids], np.float64).reshape(-1, 2)
    rects = np.concatenate([places, listed.sizes], axis=1)
    curves = _routes(rects.tobytes(), *listed.ends, listed.order, listed.heights, listed.counts)
    if listed.seed_row is not None:
        flag = _seed_curve(rects[listed.seed_target], rects[listed.seed_row])
        curves = np.concatenate([curves, flag[None]])
    left, top, right, bottom = _bounds(_with_storeys(rects, built))
    return Geometry(
        listed.ids,
        listed.rows,
        listed.plans,
        rects,
        listed.edge_ids,
        listed.edge_rows,
        listed.sources,
        listed.targets,
        listed.slots,
        curves,
        listed.seed_row,
        left - NODE.margin,
        top - NODE.margin,
        right - left + 2 * NODE.margin,
        bottom - top + 2 * NODE.margin,
        built,
        listed.heights,
    )


def _with_remarks(made: Geometry, diagram: Diagram) -> Geometry:
    """The geometry with the diagram's frames and notes, and room for them."""
    if not diagram.frames and not diagram.notes:
        return made
    inside = (key for frame in diagram.frames for key in frame.members if key in made.rows)
    boxes = {key: (*made.rects[made.rows[key]].tolist(),) for key in inside}
    edge = NODE.margin
    whole = made.left + edge, made.top + edge, made.width - 2 * edge, made.height - 2 * edge
    frames, notes = framed(diagram, boxes), noted(diagram, whole[0], whole[1] + whole[3])
    rects = [*([whole] if made.ids else []), *ground_rects(*frames, *notes)]
    left, top, right, bottom = _bounds(np.array(rects, np.float64).reshape(-1, 4))
    return replace(
        made,
        left=left - NODE.margin,
        top=top - NODE.margin,
        width=right - left + 2 * NODE.margin,
        height=bottom - top + 2 * NODE.margin,
        frames=frames,
        notes=notes,
    )


def _with_storeys(rects: Floats, built: Sequence[Storey]) -> Floats:
    return np.concatenate([rects, np.array(ground_rects(*built), np.float64).reshape(-1, 4)])


@lru_cache(maxsize=8)
def _routes(
    rects: bytes,
    sources: tuple[int, ...],
    targets: tuple[int, ...],
    order: tuple[int, ...],
    heights: tuple[int, ...],
    counts: tuple[int, ...],
) -> Floats:
    """The same boxes and links have the same curves, whatever else has changed."""
    boxes = np.frombuffer(rects, np.float64).reshape(-1, 4)
    rows = np.array(sources, np.intp), np.array(targets, np.intp)
    if heights:
        return rise(boxes, *rows, order, heights)
    return route(boxes, *rows, order, counts=counts if any(counts) else ())


def _seed_curve(target: Floats, seed: Floats) -> Floats:
    """From the target's side to the tip of the seed's flag."""
    x0, x1 = target[0] + target[2], seed[0]
    if seed[0] < target[0]:  # in a gradient computation, which goes from right to left
        x0, x1 = target[0], seed[0] + seed[2]
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
