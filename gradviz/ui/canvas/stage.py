"""`Stage`: a figure on screen, painted in bulk, and moving about over it."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QGraphicsScene, QGraphicsView, QWidget

from gradviz.diagram import NodeId
from gradviz.figure import Figure
from gradviz.ui.canvas import shown
from gradviz.ui.canvas.camera import Camera
from gradviz.ui.canvas.captions import Heading
from gradviz.ui.canvas.cards import Cards
from gradviz.ui.canvas.floors import with_grounds
from gradviz.ui.canvas.grid import paint_grid
from gradviz.ui.canvas.painter import REACH, Marks, Painter, detail_at
from gradviz.ui.canvas.pulse import Pulse
from gradviz.ui.canvas.rectangles import area_of, rect_of
from gradviz.ui.canvas.spatial import Area, Spatial
from gradviz.ui.canvas.strips import CaptionStrip, LegendStrip
from gradviz.ui.theme import ThemeSource, colour

_WORLD = QRectF(-1e6, -1e6, 2e6, 2e6)  # the ground one can move about on
_MARGIN = 28.0  # px around the picture when it is fitted
_LABEL_REACH = 120.0  # px from the current edge to the end of the label on it
_SETTLED = 90  # ms after the last turn of the wheel
_PARTS = 6  # of an exposed region, beyond which its rectangle is drawn
_MANY = 64  # changed boxes and edges from which all is painted anew
_log = logging.getLogger(__name__)


class Stage(QGraphicsView):
    """Shows a `Figure`; `looked` follows every zoom and pan.

    The scene is empty: everything is painted in bulk behind it, in scene px. Caption and legend
    stand in the margins, so that scrolling moves pixels and nothing covers a node.
    """

    looked = Signal()

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._camera = Camera(self)
        self._pulse = Pulse(self)
        figure = Figure((), (), 0.0, 0.0)
        self._painter = Painter(figure, Spatial(figure), theme.colours)
        self._fitted = True  # until the user moves about; then the view is left alone
        self._broken: Figure | None = None
        self._exposed: list[QRect] = []
        self._cards = Cards()
        self._settle = QTimer(self)  # runs while the zoom is changing
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLED)
        self._settle.timeout.connect(self.viewport().update)
        self._caption = CaptionStrip(self, theme.colours)
        self._legend = LegendStrip(self, theme.colours)
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
        theme.changed.connect(self._recolour)
        self._pulse.moved.connect(self._repaint_current)
        self._recolour()

    @property
    def figure(self) -> Figure:
        return self._painter.figure

    @property
    def spatial(self) -> Spatial:
        """Where boxes and edges are now, a drag included."""
        return self._painter.spatial

    def marks(self) -> Marks:
        """What is drawn on top of the figure itself."""
        return Marks(pulse=self._pulse.share, hurried=self._settle.isActive())

    def show_figure(self, figure: Figure) -> None:
        """Show another figure; where only states differ, only what looks different is repainted."""
        before, edge_before = self.figure, self._current_id()
        still = shown.same_places(before, figure) and not self.spatial.moved
        spatial = self.spatial if still else Spatial(figure, self.spatial)
        self._painter = Painter(figure, spatial, self._theme.colours, self._cards)
        self._caption.show_figure(figure)
        self._legend.show_figure(figure)
        self._lay_out_strips()
        if still:
            self._repaint_changes(before, figure)
        else:
            self.viewport().update()
        if self._fitted and not (still and shown.has_badges(before) == shown.has_badges(figure)):
            self.fit()
        if self._current_id() != edge_before and self.isVisible():
            self._pulse.start()

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
        self._camera.fit(self.extent(), self._margin())
        self._fitted = True
        self.looked.emit()

    def frame(self, ids: Sequence[NodeId]) -> None:
        """Show these nodes as large as is comfortable."""
        rows = [self.spatial.row[key] for key in ids if key in self.spatial.row]
        if rows:
            area = self.spatial.area_of(np.array(rows, np.intp))
            self._camera.fit(rect_of(area), 4 * _MARGIN, largest=1.25)
            self._moved_about()

    def reveal(self, key: NodeId) -> None:
        """Move no farther than needed to have the node in view."""
        row = self.spatial.row.get(key)
        if row is None:
            return
        x, y, width, height = self.spatial.rects[row].tolist()
        box = self.viewportTransform().mapRect(QRectF(x, y, width, height))
        room = QRectF(self.viewport().rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        dx = max(room.left() - box.left(), 0.0) or min(room.right() - box.right(), 0.0)
        dy = max(room.top() - box.top(), 0.0) or min(room.bottom() - box.bottom(), 0.0)
        if dx or dy:
            self.pan(dx, dy)

    def zoom_by(self, units: float, at: QPointF) -> None:
        """Zoom by wheel units about a point of the viewport."""
        self._settle.start()
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
        area = rect_of(self.spatial.area)
        if self.figure.edges:
            area = area.united(rect_of(self.spatial.edge_area(np.arange(len(self.figure.edges)))))
        return with_grounds(shown.with_badges(area, self.figure), self.figure)

    def zoom_that_fits(self, area: QRectF) -> float:
        """The zoom at which an area of the scene would just fit."""
        return self._camera.zoom_that_fits(area, self._margin())

    def _margin(self) -> float:
        """Less room around the picture where there is little for it."""
        size = self.viewport().size()
        return min(_MARGIN, 0.05 * min(size.width(), size.height()))

    def _moved_about(self) -> None:
        self._fitted = False
        self.looked.emit()

    # Painting

    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        """Paint what is exposed. A figure that cannot be drawn is logged once, not every frame."""
        painter.fillRect(rect, colour(self._theme.colours.canvas))
        if self.figure is self._broken:
            return
        painter.save()
        try:
            zoom = self.zoom
            count = len(self.spatial.boxes_in(self._area_of(QRectF(self.viewport().rect()))))
            paint_grid(painter, QRectF(rect), zoom, self._theme.colours)
            detail = detail_at(zoom, count)
            areas = [self._area_of(QRectF(part)) for part in self._exposed] or [
                area_of(QRectF(rect))
            ]
            self._painter.paint(painter, areas, zoom, self.marks(), detail=detail)
        except Exception:  # noqa: BLE001 - Qt would meet it again at every frame
            self._broken = self.figure
            _log.exception("this figure cannot be drawn")
        finally:
            painter.restore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Remember the parts: a scroll in both directions exposes an L, not its whole rectangle."""
        region = event.region()
        parts = list(region) if region.rectCount() <= _PARTS else [region.boundingRect()]  # type: ignore[call-overload]
        self._exposed = parts
        super().paintEvent(event)
        self._exposed = []

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out_strips(shrink=True)
        if self._fitted:
            self.fit()

    def _lay_out_strips(self, *, shrink: bool = False) -> None:
        """Give the strips their heights. They grow with a longer sentence and stay so."""
        width, margins = self.width(), self.viewportMargins()
        over, under = self._caption.wanted(width), self._legend.wanted(width)
        if not shrink:
            over, under = max(over, margins.top()), max(under, margins.bottom())
        if (over, under) != (margins.top(), margins.bottom()):
            self.setViewportMargins(0, over, 0, under)
        self._caption.setGeometry(0, 0, width, over)
        self._legend.setGeometry(0, self.height() - under, width, under)

    def _recolour(self) -> None:
        colours = self._theme.colours
        self._painter = Painter(self.figure, self.spatial, colours, self._cards)
        for strip in (self._caption, self._legend):
            strip.colours = colours
            strip.update()
        self.viewport().update()

    def _repaint_changes(self, before: Figure, after: Figure) -> None:
        boxes, edges = shown.changed_boxes(before, after), shown.changed_edges(before, after)
        if len(boxes) + len(edges) > _MANY:
            self.viewport().update()
            return
        self._repaint_boxes(boxes)
        self._repaint_edges(edges, before)

    def _repaint_boxes(self, rows: Iterable[int]) -> None:
        for row in rows:
            self._repaint(self.spatial.area_of(np.array([row], np.intp)), REACH)

    def _repaint_edges(self, rows: Iterable[int], before: Figure | None = None) -> None:
        current = self._painter.current_edge()
        for row in rows:
            texts = [figure.edges[row].label for figure in (self.figure, before) if figure]
            labelled = row == current or any(texts)
            self._repaint(
                self.spatial.edge_area(np.array([row], np.intp)),
                _LABEL_REACH if labelled else REACH,
            )

    def _repaint_current(self) -> None:
        row = self._painter.current_edge()
        if row is not None:
            self._repaint_edges((row,))

    def _repaint(self, area: Area, reach: float) -> None:
        rect = rect_of(area).adjusted(-reach, -reach, reach, reach)
        device = self.viewportTransform().mapRect(rect).toAlignedRect()
        self.viewport().update(device.adjusted(-2, -2, 2, 2))

    def _current_id(self) -> str | None:
        row = self._painter.current_edge()
        return None if row is None else self.figure.edges[row].id

    def _area_of(self, rect: QRectF) -> Area:
        """The area of the scene under a rectangle of the viewport."""
        return area_of(self.viewportTransform().inverted()[0].mapRect(rect))
