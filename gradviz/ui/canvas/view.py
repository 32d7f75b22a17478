"""`CanvasView`: a figure on screen, to look at, to point at and to move about in."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QGraphicsScene, QGraphicsView, QToolTip, QWidget

from gradviz.diagram import NodeId
from gradviz.figure import Box, Edge, Figure
from gradviz.language import _
from gradviz.ui.canvas import keys, shown, words
from gradviz.ui.canvas.camera import Camera
from gradviz.ui.canvas.captions import Heading
from gradviz.ui.canvas.gestures import Mouse
from gradviz.ui.canvas.painter import REACH, Marks, Painter, detail_at, paint_grid
from gradviz.ui.canvas.pulse import Pulse
from gradviz.ui.canvas.spatial import Area, Spatial
from gradviz.ui.canvas.strips import CaptionStrip, LegendStrip
from gradviz.ui.theme import ThemeSource, colour

_WORLD = QRectF(-1e6, -1e6, 2e6, 2e6)  # the ground one can move about on
_MARGIN = 28.0  # px around the picture when it is fitted
_REACH = 6.0  # px from the pointer to an edge that it means
_LABEL_REACH = 90.0  # px from an edge to the end of the pill on it
_log = logging.getLogger(__name__)


class CanvasView(QGraphicsView):
    """Shows a `Figure`. It tells what the user does by signals and never changes the diagram.

    Signals: `picked` (ids of the selected nodes, a tuple), `edge_picked` (id), `activated` (id of a
    node that was double-clicked or entered), `moved` ({id: (x, y)} once, when a drag ends),
    `menu_asked` (id of a node or None, global position), `space_tapped`, `looked` (zoom or pan).
    """

    picked = Signal(object)
    edge_picked = Signal(str)
    activated = Signal(str)
    moved = Signal(object)
    menu_asked = Signal(object, QPoint)
    space_tapped = Signal()
    looked = Signal()

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._camera = Camera(self)
        self._mouse = Mouse(self)
        self._pulse = Pulse(self)
        self._describe_box: Callable[[Box], str] = words.box_tooltip
        self._describe_edge: Callable[[Edge], str] = words.edge_tooltip
        self._value_text: Callable[[Box], str] = words.value_text
        figure = Figure((), (), 0.0, 0.0)
        self._painter = Painter(figure, Spatial(figure), theme.colours)
        self._selected: tuple[NodeId, ...] = ()
        self._hovered: NodeId | None = None
        self._by_keyboard = False
        self._fitted = True  # until the user moves about; then the view is left alone
        self._caption = CaptionStrip(self, theme.colours)
        self._legend = LegendStrip(self, theme.colours)
        self._set_up()
        theme.changed.connect(self._recolour)
        self._pulse.moved.connect(self._repaint_current)

    def _set_up(self) -> None:
        self.setScene(QGraphicsScene(self))
        self.setSceneRect(_WORLD)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.SmartViewportUpdate)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontAdjustForAntialiasing)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.setAccessibleName(_("Diagram"))
        self._recolour()

    # What is shown

    @property
    def figure(self) -> Figure:
        return self._painter.figure

    @property
    def selected(self) -> tuple[NodeId, ...]:
        return self._selected

    @property
    def spatial(self) -> Spatial:
        """Where boxes and edges are now, a drag included."""
        return self._painter.spatial

    def show_figure(self, figure: Figure) -> None:
        """Show another figure; where only states differ, only what looks different is repainted."""
        before, edge_before = self.figure, self._current_id()
        still = shown.same_places(before, figure) and self._mouse.gesture is None
        spatial = self.spatial if still else Spatial(figure)
        self._painter = Painter(figure, spatial, self._theme.colours)
        self._caption.show_figure(figure)
        self._legend.show_figure(figure)
        if still:
            self._repaint_changes(before, figure)
        else:
            self._mouse.cancel()
            self._hovered = None
            self.viewport().update()
        self._lay_out_strips()
        self._follow_extent(before)
        if self._current_id() != edge_before and self.isVisible():
            self._pulse.start()
        self.setAccessibleDescription(words.summary(figure))

    def set_heading(self, heading: Heading) -> None:
        """Name what this one of two canvases shows."""
        self._caption.heading = heading
        self._caption.update()
        self._lay_out_strips(shrink=True)

    def set_motion(self, motion: bool) -> None:
        """Whether the pulse moves; without motion it is drawn at its rest place at once."""
        self._pulse.motion = motion
        if not motion:
            self._pulse.rest()

    def set_wheel_zooms(self, zooms: bool) -> None:
        """Whether a wheel zooms by itself and pans with Ctrl, instead of the other way round."""
        self._mouse.wheel_zooms = zooms

    def set_texts(
        self,
        *,
        box: Callable[[Box], str] | None = None,
        edge: Callable[[Edge], str] | None = None,
        value: Callable[[Box], str] | None = None,
    ) -> None:
        """Who writes the tooltips (rich text) and the value that Ctrl+C copies (plain)."""
        self._describe_box = box or self._describe_box
        self._describe_edge = edge or self._describe_edge
        self._value_text = value or self._value_text

    # Selecting

    def select(self, ids: Sequence[NodeId]) -> None:
        """Mark these nodes as selected, without a signal. Ids that are not shown are kept."""
        before, self._selected = self._selected, tuple(ids)
        for key in {*before, *self._selected}:
            self._repaint_box(key)

    def pick(self, ids: Sequence[NodeId]) -> None:
        """Select as the user: `picked` follows."""
        self.select(ids)
        self.picked.emit(self._selected)

    def pick_at(self, at: QPointF, *, adding: bool = False) -> bool:
        """Select the node under a point of the viewport; False where there is none."""
        self._by_keyboard = False
        key = self.node_at(at)
        if key is None:
            return False
        if adding:
            kept = tuple(other for other in self._selected if other != key)
            self.pick(kept if key in self._selected else (*kept, key))
        elif key not in self._selected:
            self.pick((key,))
        return True

    def pick_edge_at(self, at: QPointF) -> bool:
        """Tell of a click on an edge; False where there is none."""
        edge = self._edge_at(at)
        if edge is not None:
            self.edge_picked.emit(edge.id)
        return edge is not None

    def walk_to(self, key: NodeId) -> None:
        """Select a node by the keyboard and bring it into view."""
        self._by_keyboard = True
        self.pick((key,))
        self.reveal(key)

    def node_at(self, at: QPointF) -> NodeId | None:
        """The node under a point of the viewport."""
        point = self._camera.scene_at(at)
        row = self.spatial.box_at(point.x(), point.y())
        return None if row is None else self.figure.boxes[row].id

    def ids_in(self, rect: QRect) -> tuple[NodeId, ...]:
        """The nodes that a rectangle of the viewport touches."""
        rows = self.spatial.boxes_in(self._area_of(QRectF(rect)))
        return tuple(self.figure.boxes[row].id for row in rows.tolist())

    def copy_value(self) -> None:
        """Put the value of the node selected last on the clipboard."""
        box = self._box(self._selected[-1]) if self._selected else None
        if box is not None:
            QGuiApplication.clipboard().setText(self._value_text(box))

    def ask_menu(self, at: QPointF) -> None:
        """Tell that the menu of what is under a point is wanted."""
        key = self.node_at(at)
        if key is not None and key not in self._selected:
            self.pick((key,))
        self.menu_asked.emit(key, self.viewport().mapToGlobal(at.toPoint()))

    # Moving about

    @property
    def zoom(self) -> float:
        return self._camera.zoom

    @property
    def centre(self) -> QPointF:
        """The scene point in the middle of the viewport."""
        return self._camera.centre

    @property
    def fitted(self) -> bool:
        """Whether the view still shows all of the picture because nobody moved it."""
        return self._fitted

    def fit(self) -> None:
        """Show the whole picture; until the user moves about it stays whole when it changes."""
        self._camera.fit(self.extent(), _MARGIN)
        self._fitted = True
        self._tell_looked()

    def frame(self, ids: Sequence[NodeId]) -> None:
        """Show these nodes as large as is comfortable."""
        rows = [self.spatial.row[key] for key in ids if key in self.spatial.row]
        if rows:
            area = self.spatial.area_of(np.array(rows, np.intp))
            self._camera.fit(_rect(area), 4 * _MARGIN, largest=1.25)
            self._moved_about()

    def reveal(self, key: NodeId) -> None:
        """Move no farther than needed to have the node in view."""
        row = self.spatial.row.get(key)
        if row is None:
            return
        x, y, width, height = self.spatial.rects[row].tolist()
        corners = self.viewportTransform().mapRect(QRectF(x, y, width, height))
        room = QRectF(self.viewport().rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        dx = min(room.right() - corners.right(), 0.0) or max(room.left() - corners.left(), 0.0)
        dy = min(room.bottom() - corners.bottom(), 0.0) or max(room.top() - corners.top(), 0.0)
        if dx or dy:
            self.pan(dx, dy)

    def zoom_by(self, units: float, at: QPointF) -> None:
        """Zoom by wheel units about a point of the viewport."""
        self._camera.zoom_by(units, at)
        self._moved_about()

    def zoom_to(self, zoom: float, at: QPointF | None = None) -> None:
        """Set the zoom about a point of the viewport, or its middle."""
        self._camera.zoom_to(zoom, at)
        self._moved_about()

    def pan(self, dx: float, dy: float) -> None:
        """Move the picture by px."""
        self._camera.pan(dx, dy)
        self._moved_about()

    def look_at(self, centre: QPointF, zoom: float, *, fitted: bool = False) -> None:
        """Show another canvas's place, without a signal."""
        self._camera.look_at(centre, zoom)
        self._fitted = fitted

    def extent(self) -> QRectF:
        """The rectangle of the scene that holds all boxes and edges."""
        area = _rect(self.spatial.area)
        if len(self.figure.edges):
            rows = np.arange(len(self.figure.edges))
            area = area.united(_rect(self.spatial.edge_area(rows)))
        return area

    def zoom_that_fits(self, area: QRectF) -> float:
        """The zoom at which an area of the scene would just fit."""
        return self._camera.zoom_that_fits(area, _MARGIN)

    # Dragging

    def shift_selected(self, dx: float, dy: float) -> None:
        """Move the selected boxes on screen, in scene px; seeds go with their targets."""
        rows = self._dragged()
        if len(rows):
            self._repaint_moving(rows)
            self.spatial.move(rows, dx, dy)
            self._repaint_moving(rows)

    def tell_moved(self) -> None:
        """Tell where the dragged boxes are now."""
        self.moved.emit(
            {
                self.figure.boxes[row].id: tuple(self.spatial.rects[row, :2].tolist())
                for row in self._dragged().tolist()
                if self.figure.boxes[row].kind != "seed"
            }
        )

    def _dragged(self) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        keys = {*self._selected, *(f"seed:{key}" for key in self._selected)}
        rows = sorted(self.spatial.row[key] for key in keys if key in self.spatial.row)
        return np.array(rows, np.intp)
