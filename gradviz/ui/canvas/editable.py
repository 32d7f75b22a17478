"""`EditableCanvas`: a canvas on which wires are led, cut and dropped on; it changes nothing."""

from __future__ import annotations

from collections.abc import Container, Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QToolTip, QWidget

from gradviz.diagram import NodeId, Point
from gradviz.edit.align import Guide, snap
from gradviz.figure import Figure
from gradviz.ui.canvas.gestures import Mouse
from gradviz.ui.canvas.overlay import paint_cut, paint_guides, paint_loose, paint_ports
from gradviz.ui.canvas.overview import Overview
from gradviz.ui.canvas.painter import Detail, Marks
from gradviz.ui.canvas.ports import Port, Ports, Rules
from gradviz.ui.canvas.rectangles import area_of
from gradviz.ui.canvas.spatial import Floats, flatten
from gradviz.ui.canvas.view import CanvasView
from gradviz.ui.canvas.wiring import GRAB, EditingMouse, Loose, Wire
from gradviz.ui.canvas.zoom_label import ZoomLabel
from gradviz.ui.theme import ThemeSource

_PIECES = 16  # of a curve, where a cut is looked for
_PORTS_FROM = 0.3  # zoom from which ports can be told apart
_SIDE = 24.0  # scene px that a port takes at most: a small box is still dragged by its middle
_SHOWN = 16.0  # px around a port in which its node's ports are shown


class EditableCanvas(CanvasView):
    """Tells what every canvas tells, and what is done with wires.

    `wired(Loose)`: a wire was plugged in. `released(Loose)`: one was let go over empty ground.
    `cut_through(((target, slot), …))`. `dropped_on(node, edge id, places)`: a node without wires
    was dropped on a wire. `copied_by((dx, dy))`: the selected ones were dragged as a copy.
    `palette_asked(scene point)`. `rerouted(old, new)`: what reads one node is to read another.
    """

    wired = Signal(object)
    released = Signal(object)
    cut_through = Signal(object)
    dropped_on = Signal(str, str, object)
    copied_by = Signal(object)
    palette_asked = Signal(object)
    rerouted = Signal(str, str)

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        self.editable = True
        self.loose: Loose | None = None
        self.crossed: tuple[tuple[NodeId, int], ...] = ()
        self.wire_under: str | None = None
        self._rules: Rules | None = None
        self._asked: tuple[object, str] = (None, "")  # ends of a wire, and what is against it
        self._barred: Container[NodeId] = ()
        self._cut: list[Point] = []
        self._guides: tuple[Guide, ...] = ()
        self._ports: Ports | None = None
        self._pointed: NodeId | None = None
        super().__init__(theme, parent)
        self.zoom_label = ZoomLabel(self)
        self._legend.aside = self.zoom_label.widest
        self.overview = Overview(self, theme)

    def _make_mouse(self) -> Mouse:
        return EditingMouse(self)

    def set_rules(self, rules: Rules) -> None:
        """Who says which wires may be led."""
        self._rules = rules

    def show_figure(self, figure: Figure) -> None:
        self._ports = None
        super().show_figure(figure)
        self.overview.renew()

    def hold(self) -> None:
        """From now on the view stays where it is when the picture changes."""
        self._fitted = False

    def shows(self, key: NodeId) -> bool:
        """Whether the whole box of a node is in the viewport."""
        x, y, width, height = self.spatial.rects[self.spatial.row[key]].tolist()
        box = self.viewportTransform().mapRect(QRectF(x, y, width, height))
        return QRectF(self.viewport().rect()).contains(box)

    # For the overview

    def go_to(self, centre: QPointF) -> None:
        """Put a point of the scene in the middle."""
        self._camera.look_at(centre)
        self._moved_about()

    def paint_far(self, painter: QPainter, area: QRectF, zoom: float) -> None:
        """Draw an area of the scene as from far away, whatever the zoom of the view is."""
        self._painter.paint(painter, [area_of(area)], zoom, Marks(), detail=Detail.FAR)

    # Ports

    @property
    def ports(self) -> Ports:
        if self._ports is None or self.spatial.moved:
            self._ports = Ports(self.figure, self.spatial)
        return self._ports

    def scene_point(self, at: QPointF) -> Point:
        """A point of the viewport in scene px."""
        point = self._camera.scene_at(at)
        return point.x(), point.y()

    def port_at(self, at: QPointF, reach: float) -> Port | None:
        """The port under a point of the viewport."""
        return self.ports.near(self.scene_point(at), min(reach / self.zoom, _SIDE))

    def source_of(self, edge_id: str) -> Port:
        """The output that an edge comes from."""
        edge = next(edge for edge in self.figure.edges if edge.id == edge_id)
        return next(port for port in self.ports.of(edge.source) if port.slot is None)

    def accepts(self, source: NodeId, target: NodeId, slot: int) -> str:
        """Why a wire may not, or should not, be plugged in; "" where it may."""
        ends = source, target, slot
        if self._asked[0] != ends:  # the pointer moves on over the same port
            said = "" if self._rules is None else self._rules.objection(*ends)
            self._asked = ends, said
        return self._asked[1]

    # What gestures show

    def show_loose(self, loose: Loose | None) -> None:
        """Draw the wire in the hand; why it may not be plugged in is said beside it."""
        before, self.loose = self.loose, loose
        if loose is None:
            self._asked = None, ""
        elif before is None and self._rules is not None:
            self._barred = self._rules.barred(loose.fixed)
        if loose is not None and loose.reason and (before is None or before.reason != loose.reason):
            at = self.viewport().mapToGlobal(self.mapFromScene(QPointF(*loose.at)))
            QToolTip.showText(at, loose.reason, self.viewport())
        elif before is not None and before.reason and (loose is None or not loose.reason):
            QToolTip.hideText()
        self.viewport().update()

    def show_cut(self, line: Sequence[Point]) -> None:
        """Draw the line of a cut, and find the wires that it crosses."""
        self._cut = list(line)
        self.crossed = self._crossed() if len(self._cut) > 1 else ()
        self.viewport().update()

    def snapped(self, wanted: Point, gone: Point) -> Point:
        """How far to go instead of `wanted`, so that the dragged boxes stand in line."""
        rows = self._dragged()
        others = np.ones(len(self.spatial.rects), bool)
        others[rows] = False
        near = self.spatial.boxes_in(self._area_of(QRectF(self.viewport().rect())))
        near = near[others[near]]
        left, top, right, bottom = self.spatial.area_of(rows)
        step = wanted[0] - gone[0], wanted[1] - gone[1]
        moved = (left + step[0], top + step[1], right - left, bottom - top)
        boxes = [tuple(rect) for rect in self.spatial.rects[near].tolist()]
        found = snap(moved, boxes, tolerance=6.0 / self.zoom)
        self._guides = found.guides
        self.viewport().update()
        return wanted[0] + found.dx, wanted[1] + found.dy

    def clear_guides(self) -> None:
        self._guides = ()
        self.viewport().update()

    def mark_under(self, at: Point) -> None:
        """Find the wire that the one dragged node lies on; a node with wires goes on none.

        `at` is where the pointer is.
        """
        self.wire_under = None
        rows = self._dragged()
        if len(self.selected) != 1 or len(rows) != 1 or len(self.spatial.edges_of(rows.tolist())):
            return
        x, y, width, height = self.spatial.rects[rows[0]].tolist()
        row = self.spatial.edge_at(x + width / 2, y + height / 2, height / 2)
        if row is not None and self.figure.edges[row].kind == "data":
            self.wire_under = self.figure.edges[row].id

    def forget_under(self) -> None:
        self.wire_under = None

    def dragged_places(self) -> dict[NodeId, Point]:
        """Where the dragged boxes are now."""
        return {
            self.figure.boxes[row].id: (x, y)
            for row in self._dragged().tolist()
            for x, y in [self.spatial.rects[row, :2].tolist()]
        }

    def _crossed(self) -> tuple[tuple[NodeId, int], ...]:
        """The ends of the wires that the line crosses."""
        found = []
        line = np.array(self._cut)
        begin, along = line[:-1], np.diff(line, axis=0)
        for row, edge in enumerate(self.figure.edges):
            if edge.kind != "data":
                continue
            pieces = flatten(self.spatial.curves[row : row + 1], _PIECES)[0]
            if _meet(begin, along, pieces[:, :2], pieces[:, 2:] - pieces[:, :2]):
                found.append((edge.target, edge.slot))
        return tuple(found)

    def _paint_wiring(self, painter: QPainter, loose: Loose) -> None:
        """The wire in the hand, and the ports that are seen and of the kind that it wants."""
        colours = self._theme.colours
        if self.zoom >= _PORTS_FROM:
            outputs = loose.fixed.slot is not None
            seen = self.ports.within(self._area_of(QRectF(self.viewport().rect())))
            wanted = [port for port in seen if (port.slot is None) == outputs]
            paint_ports(painter, wanted, colours, faint=self._barred, drawn=loose.port)
        paint_loose(painter, loose, colours)

    # Qt's events

    def hover(self, at: QPointF | None) -> None:
        """Show the ports of the node under the pointer as well."""
        super().hover(at)
        key = None
        if at is not None and self.editable:
            port = self.port_at(at, _SHOWN)
            key = port.node if port is not None else self.node_at(at)
        if key != self._pointed:
            self._pointed = key
            self.viewport().update()

    def _show_tooltip(self, event: QHelpEvent) -> None:
        port = self.port_at(QPointF(event.pos()), GRAB) if self.editable else None
        if port is None or self._rules is None:
            super()._show_tooltip(event)
            return
        QToolTip.showText(event.globalPos(), self._rules.describe(port), self.viewport())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        left = event.button() == Qt.MouseButton.LeftButton
        if left and self.editable and self.node_at(event.position()) is None:
            self.palette_asked.emit(self.scene_point(event.position()))
            return
        super().mouseDoubleClickEvent(event)

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        """What is in the hand, above everything else."""
        super().drawForeground(painter, rect)
        if not self.editable:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = self._theme.colours
        if self.loose is not None:
            self._paint_wiring(painter, self.loose)
        elif self._pointed is not None and not isinstance(self._mouse.gesture, Wire):
            paint_ports(painter, self.ports.of(self._pointed), colours)
        if self.wire_under is not None:
            row = next(n for n, e in enumerate(self.figure.edges) if e.id == self.wire_under)
            paint_cut(painter, [], [self.spatial.curves[row]], colours, joins=True)
        if self._cut:
            ends = set(self.crossed)
            rows = [
                self.spatial.curves[row]
                for row, edge in enumerate(self.figure.edges)
                if (edge.target, edge.slot) in ends
            ]
            paint_cut(painter, self._cut, rows, colours)
        paint_guides(painter, self._guides, colours)


def _meet(begin: Floats, along: Floats, other: Floats, other_along: Floats) -> bool:
    """Whether any segment of one chain crosses any of another."""
    offset = other[None, :, :] - begin[:, None, :]
    x, y = along[:, None, 0], along[:, None, 1]
    across, down = other_along[None, :, 0], other_along[None, :, 1]
    cross = x * down - y * across
    safe = np.where(np.abs(cross) < 1e-12, np.nan, cross)
    t = (offset[..., 0] * down - offset[..., 1] * across) / safe
    u = (offset[..., 0] * y - offset[..., 1] * x) / safe
    return bool(np.any((t >= 0) & (t <= 1) & (u >= 0) & (u <= 1)))
