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
    """All ports of a figure, in scene px, as the boxes stand when this is made."""

    def __init__(self, figure: Figure, spatial: Spatial) -> None:
        self.ports: list[Port] = []
        for row, box in enumerate(figure.boxes):
            if box.kind == "seed":
                continue
            x, y, width, height = spatial.rects[row].tolist()
            self.ports.append(Port(box.id, None, (x + width, y + height / 2)))
            for slot in box.open:
                offset = slot_offset(height, slot, box.slots)
                self.ports.append(Port(box.id, slot, (x, y + height / 2 + offset)))
        for row, edge in enumerate(figure.edges):
            if edge.kind == "data":
                end = spatial.curves[row, 3].tolist()
                self.ports.append(Port(edge.target, edge.slot, (end[0], end[1]), edge.id))
        self._points: Floats = np.array([port.at for port in self.ports], np.float64)
        self._points = self._points.reshape(-1, 2)
        self._outputs = np.array([port.slot is None for port in self.ports], bool)

    def near(self, at: Point, reach: float, *, outputs: bool | None = None) -> Port | None:
        """The nearest port within `reach`; with `outputs` only outputs, or only inputs."""
        if not self.ports:
            return None
        gaps = np.hypot(*(self._points - np.array(at)).T)
        if outputs is not None:
            gaps = np.where(self._outputs == outputs, gaps, np.inf)
        best = int(gaps.argmin())
        return self.ports[best] if gaps[best] <= reach else None

    def within(self, area: Area) -> list[Port]:
        """The ports in an area of the scene."""
        left, top, right, bottom = area
        x, y = self._points.T
        inside = (x >= left) & (x <= right) & (y >= top) & (y <= bottom)
        return [self.ports[row] for row in np.flatnonzero(inside).tolist()]

    def of(self, node: NodeId) -> list[Port]:
        """The ports of one node."""
        return [port for port in self.ports if port.node == node]
