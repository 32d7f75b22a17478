"""Where wires may be taken and plugged in: each box's output, and its inputs slot by slot."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from gradviz.diagram import NodeId, Point
from gradviz.figure import Figure
from gradviz.scene.sockets import slot_offset
from gradviz.ui.canvas.spatial import Area, Floats, Spatial


@dataclass(frozen=True, slots=True)
class Port:
    """A place of a node: `slot` of an input, None for its output; `edge` is what ends there."""

    node: NodeId
    slot: int | None
    at: Point
    edge: str | None = None


class Rules(Protocol):
    """Who knows which wires may be led, and what a port is."""

    def objection(self, source: NodeId, target: NodeId, slot: int) -> str:
        """Why a wire may not, or should not, be plugged in; "" where it may."""

    def barred(self, fixed: Port) -> Container[NodeId]:
        """The nodes at which a wire from this port cannot end, whatever the slot."""

    def describe(self, port: Port) -> str:
        """What the port is, for its tool tip."""


class Ports:
    """All ports of a figure, in scene px, as the boxes stand when this is made.

    They are numbers: outputs, open inputs, and inputs at the ends of edges; a `Port` is made of
    one when it is asked for.
    """

    def __init__(self, figure: Figure, spatial: Spatial) -> None:
        boxes, edges = figure.boxes, figure.edges
        self._figure, self._spatial = figure, spatial
        self._boxes = [row for row, box in enumerate(boxes) if box.kind != "seed"]
        self._open = [(row, slot) for row, box in enumerate(boxes) for slot in box.open]
        self._edges = [row for row, edge in enumerate(edges) if edge.kind == "data"]
        x, y, width, height = spatial.rects[self._boxes].T
        outputs = np.stack([x + width, y + height / 2], axis=1)
        left = np.array([self._open_at(*each) for each in self._open], np.float64)
        ends = spatial.curves[self._edges, 3]
        self._points: Floats = np.concatenate([outputs, left.reshape(-1, 2), ends])
        self._is_output = np.arange(len(self._points)) < len(outputs)

    def _open_at(self, row: int, slot: int) -> Point:
        x, y, _width, height = self._spatial.rects[row].tolist()
        return x, y + height / 2 + slot_offset(height, slot, self._figure.boxes[row].slots)

    def _port(self, at: int) -> Port:
        x, y = self._points[at].tolist()
        if at < len(self._boxes):
            return Port(self._figure.boxes[self._boxes[at]].id, None, (x, y))
        at -= len(self._boxes)
        if at < len(self._open):
            row, slot = self._open[at]
            return Port(self._figure.boxes[row].id, slot, (x, y))
        edge = self._figure.edges[self._edges[at - len(self._open)]]
        return Port(edge.target, edge.slot, (x, y), edge.id)

    def near(self, at: Point, reach: float, *, outputs: bool | None = None) -> Port | None:
        """The nearest port within `reach`; with `outputs` only outputs, or only inputs."""
        if not len(self._points):
            return None
        gaps = np.hypot(*(self._points - np.array(at)).T)
        if outputs is not None:
            gaps = np.where(self._is_output == outputs, gaps, np.inf)
        best = int(gaps.argmin())
        return self._port(best) if gaps[best] <= reach else None

    def within(self, area: Area) -> list[Port]:
        """The ports in an area of the scene."""
        left, top, right, bottom = area
        x, y = self._points.T
        inside = (x >= left) & (x <= right) & (y >= top) & (y <= bottom)
        return [self._port(row) for row in np.flatnonzero(inside).tolist()]

    def of(self, node: NodeId) -> list[Port]:
        """The ports of one node."""
        row = self._spatial.row.get(node, -1)
        mine = [at for at, box in enumerate(self._boxes) if box == row]
        first = len(self._boxes)
        mine += [first + at for at, (box, _slot) in enumerate(self._open) if box == row]
        first += len(self._open)
        ends = self._spatial.targets[self._edges]
        mine += [first + int(at) for at in np.flatnonzero(ends == row)]
        return [self._port(at) for at in mine] if row >= 0 else []
