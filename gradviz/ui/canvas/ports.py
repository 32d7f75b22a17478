"""Where wires may be taken and plugged in: each box's output, and its inputs slot by slot."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gradviz.diagram import NodeId, Point
from gradviz.figure import Figure
from gradviz.sockets import slot_offset
from gradviz.ui.canvas.spatial import Floats, Spatial


@dataclass(frozen=True, slots=True)
class Port:
    """A place of a node: `slot` of an input, None for its output; `edge` is what ends there."""

    node: NodeId
    slot: int | None
    at: Point
    edge: str | None = None


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

    def of(self, node: NodeId) -> list[Port]:
        """The ports of one node."""
        return [port for port in self.ports if port.node == node]
