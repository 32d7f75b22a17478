"""`Course`: what has happened to each box and edge of a pass at any position in time, as arrays."""

from __future__ import annotations

from bisect import bisect_right

import numpy as np
import numpy.typing as npt

from gradviz.diagram import NodeId, Upper
from gradviz.figure import State
from gradviz.run import Array, Pass
from gradviz.scene.geometry import Geometry

STATES: tuple[State, ...] = ("idle", "waiting", "done", "current")
_IDLE, _WAITING, _DONE, CURRENT = range(4)
NEVER = np.iinfo(np.int64).max
_FEW = 8  # parts of a sum that can be seen at once
Codes = npt.NDArray[np.uint8]


class Times:
    """When the nodes of a pass's second storey are made, by the step's position."""

    def __init__(self, done: Pass) -> None:
        self._root = done.root
        self._sent: dict[NodeId, list[int]] = {}
        self._came: dict[NodeId, list[int]] = {}
        self._on: dict[tuple[NodeId, NodeId], int] = {}
        for at, step in enumerate(done.steps, 1):
            self._sent.setdefault(step.node, []).append(at)
            self._came.setdefault(step.input, []).append(at)
            self._on.setdefault((step.node, step.input), at)

    def of(self, place: Upper) -> tuple[int, int] | None:
        """The first and the last position of the step, or steps, that make it."""
        origin, gradient = place.origin, place.gradient
        if gradient is not None and gradient == self._root:
            return 0, 0
        if origin is None:
            return None
        if gradient is not None and (origin, gradient) in self._on:
            at = self._on[origin, gradient]
            return at, at
        summed = origin == gradient or origin not in self._sent
        found = self._came.get(origin, [])[-1:] if summed else self._sent[origin]
        return (found[0], found[-1]) if found else None


class Course:
    """The pass `done` over a geometry: when each box is reached and through, each edge used.

    `tracked` says which boxes a gradient reaches; `used` is each edge's position, or NEVER.
    """

    def __init__(self, laid: Geometry, done: Pass | None) -> None:
        self.geometry, self.done = laid, done
        self.length = len(done.steps) if done is not None else 0
        boxes, edges = len(laid.ids), len(laid.edge_ids)
        self._arrivals: dict[int, list[int]] = {}
        self._first = np.full(boxes, NEVER)  # the position from which a gradient is there
        self._through = np.full(boxes, NEVER)  # from which the box has done its part
        self.used = np.full(edges, NEVER)  # the position of the edge's step
        self.tracked = np.zeros(boxes, bool)
        self._ends = np.full(boxes, -1)  # of what the pass makes: the last step that adds to it
        self._edge_of_step: list[int] = []
        self._gathered: tuple[int, frozenset[int]] = (0, frozenset())
        if done is None:
            return
        for at, step in enumerate(done.steps, 1):
            source, target = laid.rows.get(step.node), laid.rows.get(step.input)
            edge = laid.edge_rows.get(f"{step.input}->{step.node}:{step.slot}", -1)
            self._edge_of_step.append(edge)
            if edge >= 0:
                self.used[edge] = at
            if target is not None:
                self._arrivals.setdefault(target, []).append(at)
                self._first[target] = min(self._first[target], at)
                self._through[target] = at
        for at, step in enumerate(done.steps, 1):
            source = laid.rows.get(step.node)
            if source is not None:
                self._through[source] = at
        self._place_seed()
        self.tracked = self._first < NEVER
        self._raise_storey(done)

    def _raise_storey(self, done: Pass) -> None:
        """What a pass with create_graph makes appears with the steps that make it."""
        laid = self.geometry
        if not laid.raised:
            return
        times = Times(done)
        for key, place in laid.raised.items():
            row, span = laid.rows[key], times.of(place)
            if span is not None:
                self._through[row], self._ends[row] = span
                self.tracked[row] = True
        made = self._through[laid.targets]
        new = (self.used == NEVER) & (self._ends[laid.targets] >= 0)
        self.used[new] = made[new]

    def is_made(self, row: int, k: int) -> bool:
        """Whether the box has its value: what the pass itself makes has it from a step on."""
        return bool(self._ends[row] < 0 or self._through[row] <= k)

    def _place_seed(self) -> None:
        laid, done = self.geometry, self.done
        if done is None or done.seed is None:
            return
        root = laid.rows.get(done.root)
        if root is not None:
            self._first[root] = 0
            if self._through[root] == NEVER:
                self._through[root] = 0
        if laid.seed_row is not None:
            self._first[laid.seed_row] = self._through[laid.seed_row] = 0
            self.used[laid.edge_rows[laid.ids[laid.seed_row]]] = 0

    def at(self, position: int | None) -> int:
        """The position within 0..length; None is the last."""
        return self.length if position is None else min(max(position, 0), self.length)

    def box_states(self, position: int | None) -> Codes:
        """For each box a code into `STATES`: waiting for a gradient, or through with its own."""
        k = self.at(position)
        states = np.where(self.tracked, _WAITING, _IDLE)
        states[self.tracked & (self._through <= k)] = _DONE
        states[(self._through <= k) & (self._ends >= k)] = CURRENT
        current_row = self.current_row(k)
        if current_row is not None:
            states[current_row] = CURRENT
        return states.astype(np.uint8)

    def edge_states(self, position: int | None) -> Codes:
        """For each edge a code into `STATES`."""
        k = self.at(position)
        states = np.where(self.used < NEVER, _WAITING, _IDLE)
        states[self.used <= k] = _DONE
        current_edge = self.current_edge(k)
        if current_edge is not None:
            states[current_edge] = CURRENT
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

    def gathered(self, k: int) -> frozenset[int]:
        """The edges that brought what the step's contribution is added to, where they are few."""
        if self._gathered[0] != k:
            found: list[int] = []
            if k and self.done is not None:
                target = self.geometry.rows.get(self.done.steps[k - 1].input, -1)
                arrivals = self._arrivals.get(target, [])
                found = arrivals[: bisect_right(arrivals, k - 1)]
            edges = (self._edge_of_step[at - 1] for at in found if len(found) <= _FEW)
            self._gathered = (k, frozenset(edge for edge in edges if edge >= 0))
        return self._gathered[1]

    def cotangent(self, row: int, position: int | None) -> Array | None:
        """What has arrived at a box so far; None before the first arrival."""
        k = self.at(position)
        at = self.arrived(row, k)
        if self.done is None or at is None:
            return None
        return self.done.seed if at == 0 else self.done.steps[at - 1].after

    def arrived(self, row: int, k: int) -> int | None:
        """The position of the last arrival up to k."""
        arrivals = self._arrivals.get(row)
        count = bisect_right(arrivals, k) if arrivals else 0
        if arrivals and count:
            return arrivals[count - 1]
        return 0 if self._first[row] == 0 else None
