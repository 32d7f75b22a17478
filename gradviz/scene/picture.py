"""`Picture`: one backward pass at any position in time, box by box, over a fixed `Geometry`.

    whole = picture(diagram, run, index=0, positions=corners)
    whole.geometry.rects, whole.geometry.curves     # arrays, the same at every position
    whole.box_states(k), whole.edge_states(k)       # codes into STATES, arrays, cheap
    whole.box(row, k), whole.edge(row, k)           # one Box, one Edge: for what is looked at
    whole.figure(k)                                 # the whole Figure; unchanged boxes are reused

Position 0: the seed has been placed; k: the first k steps are done; None: all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import replace
from functools import lru_cache

from gradviz.accumulation import contribution_text
from gradviz.cells import Scale, Wording, scale_of, wording
from gradviz.diagram import Diagram, NodeId, Point
from gradviz.figure import Badges, Box, Edge, Figure, LegendEntry, Row
from gradviz.labels import added_titles, sentence, titles
from gradviz.memo import Memo
from gradviz.run import Array, Pass, Run, Value
from gradviz.scene.content import gradient_row, pending_row, seed_row, value_row
from gradviz.scene.course import CURRENT, NEVER, STATES, Course
from gradviz.scene.earlier import Earlier, Kept, after_move
from gradviz.scene.faults import faults
from gradviz.scene.geometry import Geometry, geometry
from gradviz.scene.legend import legend


def picture(
    diagram: Diagram,
    run: Run,
    *,
    index: int = 0,
    positions: Mapping[NodeId, Point] | None = None,
    opened: bool = True,
    bare: bool = False,
) -> Picture:
    """The picture of the pass `index`; of the values alone where there is no such pass.

    `opened` says whether second storeys are shown whole, `bare` that what takes no gradient is
    left out.

    Asked for again with the same objects, it is the same picture.
    """
    made = _picture(
        geometry(diagram, run, index=index, positions=positions, opened=opened, bare=bare),
        diagram,
        run,
        index,
        wording(),
    )
    return _asked.keep(made, run)


def picture_of(run: Run) -> Picture | None:
    """The picture of this run that was asked for last; None where none is known any more."""
    return _asked.find(run)


@lru_cache(maxsize=16)
def _picture(laid: Geometry, diagram: Diagram, run: Run, index: int, _wording: Wording) -> Picture:
    done = run.passes[index] if 0 <= index < len(run.passes) else None
    return Picture(laid, diagram, run, done)


_asked: Memo[Picture] = Memo(16)


class Picture(Course):
    """A pass drawn; `done` is None where only values are shown. See the module."""

    def __init__(self, laid: Geometry, diagram: Diagram, run: Run, done: Pass | None) -> None:
        super().__init__(laid, done)
        self.diagram, self.run = diagram, run
        self.titles: Mapping[NodeId, str] = dict(titles(diagram))
        if done is not None:
            self.titles = {**self.titles, **added_titles(done, self.titles)}
        self._boxes: dict[int, tuple[object, Box]] = {}
        self._stale: dict[int, tuple[object, Box]] = {}  # with the gradients of an earlier run
        self._edges: dict[int, tuple[object, Edge]] = {}
        self._earlier: Earlier | None = None
        self.kept: Kept | None = None  # the last figure's boxes and edges
        self._scale: Scale | None = None
        self.marks: Badges = {}
        self.errors = faults(run, done)
        self.wording = wording()

    def shows(self, diagram: Diagram, run: Run, index: int) -> bool:
        """Whether it is that of the pass `index` of this very run, in the words of now."""
        done = run.passes[index] if 0 <= index < len(run.passes) else None
        same = self.diagram is diagram and self.run is run and self.done is done
        return same and self.wording == wording()

    def with_run(self, diagram: Diagram, run: Run, done: Pass) -> Picture:
        """The picture of a run that differs in the numbers of gradients alone."""
        made = copy(self)
        made.diagram, made.run, made.done, made._scale = diagram, run, done, None
        made.kept = None
        made._stale, made._boxes = {**self._stale, **self._boxes}, {}
        made._edges = {row: kept for row, kept in self._edges.items() if kept[1].label is None}
        return made

    def follow(self, before: Picture) -> None:
        """Take over the boxes and edges of an earlier picture that look the same in this one."""
        if before is not self and before.wording == self.wording:
            self.kept = self.kept or after_move(before, self)
            if self.kept is None:
                kept = dict(before._boxes), dict(before._edges)  # another thread may add to them
                found = before.geometry, before.array, *kept
                self._earlier = Earlier(self.geometry, *found)

    def with_marks(self, marks: Badges) -> Picture:
        """The same picture with these badges on its nodes. Boxes that are made are shared."""
        if marks == self.marks:
            return self
        made = copy(self)
        made.marks, made._scale, made.kept = marks, self.scale, None
        return made

    def with_scale(self, scale: Scale) -> Picture:
        """The same picture with colours that follow this scale, as when two are compared."""
        made = copy(self)
        made._scale, made._boxes, made._stale, made.kept = scale, {}, {}, None
        return made

    @property
    def scale(self) -> Scale:
        """How sizes of gradients become strengths of colour, the same over the whole pass."""
        if self._scale is None:
            arrays: list[Array] = []
            if self.done is not None:
                arrays = [step.after for step in self.done.steps]
                arrays += [] if self.done.seed is None else [self.done.seed]
            self._scale = scale_of(arrays)
        return self._scale

    def box(self, row: int, position: int | None, *, selected: bool = False) -> Box:
        """One box as it is at this position."""
        return self._box(row, self.at(position), int(self.box_states(position)[row]), selected)

    def _box(self, row: int, k: int, state: int, selected: bool) -> Box:
        badges = self.marks.get(self.geometry.ids[row], ())
        key = (self.arrived(row, k), state, selected, badges)
        known = self._boxes.get(row)
        if known is not None and known[0] == key:
            return known[1]
        made = self._make_box(row, k, state, selected)
        self._boxes[row] = (key, made)
        return made

    def _make_box(self, row: int, k: int, state: int, selected: bool) -> Box:
        laid = self.geometry
        key, plan = laid.ids[row], laid.plans[row]
        x, y, width, height = (float(number) for number in laid.rects[row])
        known = self._boxes.get(row) or self._stale.get(row)
        if self._earlier is not None and not known:
            again = self._earlier.box(self, row, state, selected)
            if again is not None:
                return again
        rows: tuple[Row, ...] = ()
        if plan.grid is None:
            pass
        elif plan.kind == "seed":
            done = self.done
            array = None if done is None else done.seed
            if array is None and done is not None:
                array = done.call.start.values
            rows = (seed_row(plan, array, self.scale),)
        else:
            value = known[1].rows[0] if known else value_row(plan, self.array(key))
            if key in laid.raised:
                made = self.is_made(row, k)
                value = value_row(plan, self.array(key)) if made else pending_row(plan)
            rows = (value,)
            if plan.gradient:
                rows = (value, gradient_row(plan, self.cotangent(row, k), self.scale))
        return Box(
            key,
            plan.kind,
            x,
            y,
            width,
            height,
            plan.title,
            plan.flag,
            rows,
            STATES[state],
            self.errors.get(key),
            bool(self.tracked[row]),
            selected,
            self.marks.get(key, ()),
            laid.levels[row] if laid.levels else 0,
            plan.slots,
            plan.open,
        )

    def array(self, key: NodeId) -> Array | None:
        """The value of a node, or of one that the pass added; None where there is none."""
        found: Value | None = self.run.values.get(key)
        if found is None and self.done is not None:
            found = self.done.values.get(key)
        return None if found is None else found.array

    def edge(self, row: int, position: int | None) -> Edge:
        """One edge as it is at this position."""
        return self._edge(row, self.at(position), int(self.edge_states(position)[row]))

    def _edge(self, row: int, k: int, state: int) -> Edge:
        told = state == CURRENT or row in self.gathered(k)
        key = (state, k if told else None)
        known = self._edges.get(row)
        if known is not None and known[0] == key:
            return known[1]
        laid, tracked = self.geometry, bool(self.used[row] < NEVER)
        if self._earlier is not None and not told:
            again = self._earlier.edge(self, row, state, tracked)
            if again is not None:
                self._edges[row] = (key, again)
                return again
        source, target = int(laid.sources[row]), int(laid.targets[row])
        is_seed = target == laid.seed_row
        label = None
        if told and self.done is not None and not is_seed:
            at = k if state == CURRENT else int(self.used[row])
            label = contribution_text(self.done.steps[at - 1])
        made = Edge(
            laid.edge_ids[row],
            laid.ids[source],
            laid.ids[target],
            laid.slots[row],
            laid.points(row),
            STATES[state],
            label,
            "seed" if is_seed else "data",
            tracked,
        )
        self._edges[row] = (key, made)
        return made

    def caption(self, position: int | None) -> str:
        """The sentence of this position; empty where there is no pass."""
        return "" if self.done is None else sentence(self.done, self.at(position), self.titles)

    def legend(self) -> tuple[LegendEntry, ...]:
        """An entry for each kind of box and badge that there is."""
        kinds = {plan.kind for plan in self.geometry.plans}
        added = self.done is not None and bool(self.done.added)
        rows = self.geometry.rows
        return legend(kinds, (each for key, each in self.marks.items() if key in rows), added)

    def figure(self, position: int | None = None, *, selection: NodeId | None = None) -> Figure:
        """Everything at this position. Boxes that did not change are the same objects as before."""
        k, laid = self.at(position), self.geometry
        states = self.box_states(k).tolist()
        chosen = -1 if selection is None else laid.rows.get(selection, -1)
        kept = self.kept
        if kept is not None and kept.position == k:
            boxes = list(kept.boxes)
            for row in {kept.chosen, chosen} - {-1}:
                boxes[row] = self._box(row, k, states[row], row == chosen)
            edges = kept.edges
        else:
            boxes = [self._box(row, k, state, row == chosen) for row, state in enumerate(states)]
            codes = enumerate(self.edge_states(k).tolist())
            edges = tuple(self._edge(row, k, state) for row, state in codes)
        self.kept = kept = Kept(k, chosen, tuple(boxes), edges)
        return Figure(
            kept.boxes,
            kept.edges,
            laid.width,
            laid.height,
            self.caption(k),
            self.legend(),
            laid.left,
            laid.top,
            self.scale.text(),
            laid.storeys,
            laid.frames,
            laid.notes,
        )

    def renewed(self, before: Figure, position: int, rows: Iterable[int]) -> Figure:
        """A figure of this position from another run, with these boxes as they are in this one."""
        k = self.at(position)
        states, edge = self.box_states(k), self.current_edge(k)
        boxes, edges = list(before.boxes), list(before.edges)
        for row in rows:
            boxes[row] = self._box(row, k, int(states[row]), boxes[row].selected)
        if edge is not None:
            edges[edge] = self._edge(edge, k, CURRENT)
        codes = self.edge_states(k) if self.gathered(k) else ()
        for row in self.gathered(k):
            edges[row] = self._edge(row, k, int(codes[row]))
        made = replace(before, boxes=tuple(boxes), edges=tuple(edges))
        return replace(made, caption=self.caption(k), scale=self.scale.text())
