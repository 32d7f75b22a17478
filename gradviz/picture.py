"""`Picture`: one backward pass at any position in time, box by box, over a fixed `Geometry`.

    whole = picture(diagram, run, index=0, positions=corners)
    whole.geometry.rects, whole.geometry.curves     # arrays, the same at every position
    whole.box_states(k), whole.edge_states(k)       # codes into STATES, arrays, cheap
    whole.box(row, k), whole.edge(row, k)           # one Box, one Edge: for what is looked at
    whole.figure(k)                                 # the whole Figure; unchanged boxes are reused

Position 0: the seed has been placed; k: the first k steps are done; None: all of them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from gradviz.cells import Scale, label_text, scale_of
from gradviz.content import gradient_row, seed_row, value_row
from gradviz.diagram import Diagram, NodeId, Point
from gradviz.figure import Box, Edge, Figure, Kind, LegendEntry, Row, State
from gradviz.geometry import Geometry, geometry
from gradviz.labels import added_titles, sentence, step_name, titles
from gradviz.language import N_, _, current
from gradviz.run import Array, Failure, Pass, Run, Value

STATES: tuple[State, ...] = ("idle", "waiting", "done", "current")
_IDLE, _WAITING, _DONE, _CURRENT = range(4)
_NEVER = np.iinfo(np.int64).max
_WORDS: Mapping[Kind, str] = {
    "leaf": N_("leaf"),
    "constant": N_("constant"),
    "op": N_("operation"),
    "reduction": N_("reduction to a scalar"),
    "seed": N_("injected seed"),
}
Codes = npt.NDArray[np.uint8]


def picture(
    diagram: Diagram,
    run: Run,
    *,
    index: int = 0,
    positions: Mapping[NodeId, Point] | None = None,
) -> Picture:
    """The picture of the pass `index`; of the values alone where there is no such pass.

    Asked for again with the same objects, it is the same picture.
    """
    return _picture(
        geometry(diagram, run, index=index, positions=positions), diagram, run, index, current()
    )


@lru_cache(maxsize=16)
def _picture(laid: Geometry, diagram: Diagram, run: Run, index: int, _language: str) -> Picture:
    done = run.passes[index] if 0 <= index < len(run.passes) else None
    return Picture(laid, diagram, run, done)


class Picture:
    """See the module. `done` is the pass shown, None where there is none."""

    def __init__(self, laid: Geometry, diagram: Diagram, run: Run, done: Pass | None) -> None:
        self.geometry, self.diagram, self.run, self.done = laid, diagram, run, done
        self.titles: Mapping[NodeId, str] = dict(titles(diagram))
        if done is not None:
            self.titles = {**self.titles, **added_titles(done, self.titles)}
        self.length = len(done.steps) if done else 0
        self._boxes: dict[int, tuple[object, Box]] = {}
        self._edges: dict[int, tuple[object, Edge]] = {}
        self._scale: Scale | None = None
        self._errors = self._find_errors()
        self._index()

    def _index(self) -> None:
        """When each box is reached and is through, and in which step each edge is used."""
        laid = self.geometry
        boxes, edges = len(laid.ids), len(laid.edge_ids)
        self._arrivals: dict[int, list[int]] = {}
        self._first = np.full(boxes, _NEVER)  # the position from which a gradient is there
        self._through = np.full(boxes, _NEVER)  # from which the box has done its part
        self._used = np.full(edges, _NEVER)  # the position of the edge's step
        self._tracked = np.zeros(boxes, bool)
        self._edge_of_step: list[int] = []
        if self.done is None:
            return
        for at, step in enumerate(self.done.steps, 1):
            source, target = laid.rows.get(step.node), laid.rows.get(step.input)
            edge = laid.edge_rows.get(f"{step.input}->{step.node}:{step.slot}", -1)
            self._edge_of_step.append(edge)
            if edge >= 0:
                self._used[edge] = at
            if target is not None:
                self._arrivals.setdefault(target, []).append(at)
                self._first[target] = min(self._first[target], at)
                self._through[target] = at
        for at, step in enumerate(self.done.steps, 1):
            source = laid.rows.get(step.node)
            if source is not None:
                self._through[source] = at
        self._place_seed()
        self._tracked = self._first < _NEVER

    def _place_seed(self) -> None:
        laid, done = self.geometry, self.done
        if done is None or done.seed is None:
            return
        root = laid.rows.get(done.root)
        if root is not None:
            self._first[root] = 0
            if self._through[root] == _NEVER:
                self._through[root] = 0
        if laid.seed_row is not None:
            self._first[laid.seed_row] = self._through[laid.seed_row] = 0
            self._used[laid.edge_rows[laid.ids[laid.seed_row]]] = 0

    def _find_errors(self) -> dict[NodeId, str]:
        """Sentences by node: of the run's own failure, and of a refused backward call."""
        found: dict[NodeId, str] = {}
        failures: list[tuple[Failure | None, NodeId | None]] = [(self.run.error, None)]
        if self.done is not None:
            failures.append((self.done.error, self.done.call.target))
        for failure, place in failures:
            node = (failure.node or place) if failure is not None else None
            if failure is not None and node is not None and failure.message:
                found[node] = f"{failure.type}: {failure.message}"
        return found

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

    def at(self, position: int | None) -> int:
        """The position within 0..length; None is the last."""
        return self.length if position is None else min(max(position, 0), self.length)

    def box_states(self, position: int | None) -> Codes:
        """For each box a code into `STATES`: waiting for a gradient, or through with its own."""
        k = self.at(position)
        states = np.where(self._tracked, _WAITING, _IDLE)
        states[self._tracked & (self._through <= k)] = _DONE
        current_row = self.current_row(k)
        if current_row is not None:
            states[current_row] = _CURRENT
        return states.astype(np.uint8)

    def edge_states(self, position: int | None) -> Codes:
        """For each edge a code into `STATES`."""
        k = self.at(position)
        states = np.where(self._used < _NEVER, _WAITING, _IDLE)
        states[self._used <= k] = _DONE
        current_edge = self.current_edge(k)
        if current_edge is not None:
            states[current_edge] = _CURRENT
        return states.astype(np.uint8)

    def current_row(self, position: int | None) -> int | None:
        """The box that acts at this position: the step's node; at 0 the one that is seeded."""
        if self.done is None:
            return None
        k = self.at(position)
        if k:
            return self.geometry.rows.get(self.done.steps[k - 1].node)
        return None if self.done.seed is None else self.geometry.rows.get(self.done.root)

    def current_edge(self, position: int | None) -> int | None:
        """The edge that carries this step's contribution; at 0 the seed's, if it has one."""
        k = self.at(position)
        if k:
            edge = self._edge_of_step[k - 1]
            return edge if edge >= 0 else None
        laid = self.geometry
        if laid.seed_row is None or self.done is None or self.done.seed is None:
            return None
        return laid.edge_rows[laid.ids[laid.seed_row]]

    def cotangent(self, row: int, position: int | None) -> Array | None:
        """What has arrived at a box so far; None before the first arrival."""
        k = self.at(position)
        at = self._arrived(row, k)
        if self.done is None or at is None:
            return None
        return self.done.seed if at == 0 else self.done.steps[at - 1].after

    def _arrived(self, row: int, k: int) -> int | None:
        """The position of the last arrival up to k."""
        arrivals = self._arrivals.get(row)
        count = bisect_right(arrivals, k) if arrivals else 0
        if arrivals and count:
            return arrivals[count - 1]
        return 0 if self._first[row] == 0 else None

    def box(self, row: int, position: int | None, *, selected: bool = False) -> Box:
        """One box as it is at this position."""
        return self._box(row, self.at(position), int(self.box_states(position)[row]), selected)

    def _box(self, row: int, k: int, state: int, selected: bool) -> Box:
        key = (self._arrived(row, k), state, selected)
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
        known = self._boxes.get(row)
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
            value = known[1].rows[0] if known else value_row(plan, self._array(key))
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
            self._errors.get(key),
            bool(self._tracked[row]),
            selected,
        )

    def _array(self, key: NodeId) -> Array | None:
        found: Value | None = self.run.values.get(key)
        if found is None and self.done is not None:
            found = self.done.values.get(key)
        return None if found is None else found.array

    def edge(self, row: int, position: int | None) -> Edge:
        """One edge as it is at this position."""
        return self._edge(row, self.at(position), int(self.edge_states(position)[row]))

    def _edge(self, row: int, k: int, state: int) -> Edge:
        key = (state, k if state == _CURRENT else None)
        known = self._edges.get(row)
        if known is not None and known[0] == key:
            return known[1]
        laid = self.geometry
        a, b, c, d = ((float(x), float(y)) for x, y in laid.curves[row])
        source, target = int(laid.sources[row]), int(laid.targets[row])
        is_seed = target == laid.seed_row
        label = None
        if state == _CURRENT and self.done is not None and not is_seed:
            label = label_text(self.done.steps[k - 1].contribution)
        made = Edge(
            laid.edge_ids[row],
            laid.ids[source],
            laid.ids[target],
            laid.slots[row],
            (a, b, c, d),
            STATES[state],
            label,
            "seed" if is_seed else "data",
            bool(self._used[row] < _NEVER),
        )
        self._edges[row] = (key, made)
        return made

    def caption(self, position: int | None) -> str:
        """The sentence of this position; empty where there is no pass."""
        return "" if self.done is None else sentence(self.done, self.at(position), self.titles)

    def step_names(self) -> list[str]:
        """The steps by what they do, first to last."""
        return [step_name(step, self.titles) for step in self.done.steps] if self.done else []

    def legend(self) -> tuple[LegendEntry, ...]:
        """An entry for each kind of box that is there; the appended reduction by its own word."""
        kinds = {plan.kind for plan in self.geometry.plans}
        words = dict(_WORDS)
        if self.done is not None and self.done.added:
            words["reduction"] = N_("reduction added by gradviz")
        order: tuple[Kind, ...] = ("leaf", "constant", "op", "reduction", "seed")
        return tuple(LegendEntry(kind, _(words[kind])) for kind in order if kind in kinds)

    def figure(self, position: int | None = None, *, selection: NodeId | None = None) -> Figure:
        """Everything at this position. Boxes that did not change are the same objects as before."""
        k, laid = self.at(position), self.geometry
        states = self.box_states(k).tolist()
        chosen = -1 if selection is None else laid.rows.get(selection, -1)
        boxes = tuple(self._box(row, k, state, row == chosen) for row, state in enumerate(states))
        edges = tuple(
            self._edge(row, k, state) for row, state in enumerate(self.edge_states(k).tolist())
        )
        return Figure(
            boxes,
            edges,
            laid.width,
            laid.height,
            self.caption(k),
            self.legend(),
            laid.left,
            laid.top,
            self.scale.text(),
        )
