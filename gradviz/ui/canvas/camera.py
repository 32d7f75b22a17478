"""Zoom and pan of a graphics view: to the cursor, to an area, kept within bounds."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QTransform
from PySide6.QtWidgets import QGraphicsView

MIN_ZOOM, MAX_ZOOM = 0.05, 4.0
_PER_UNIT = 1.0015  # of zoom for each unit of wheel movement; a notch is 120 units
_LARGEST_FIT = 1.6  # small pictures are not blown up beyond this


class Camera:
    """Moves the view over the scene. Positions `at` are in px of the viewport."""

    def __init__(self, view: QGraphicsView) -> None:
        self._view = view
        self._anchor: tuple[QPointF, QPointF] | None = None

    @property
    def zoom(self) -> float:
        return self._view.transform().m11()

    @property
    def centre(self) -> QPointF:
        """The point of the scene in the middle of the viewport."""
        return self.scene_at(self._middle())

    def scene_at(self, at: QPointF) -> QPointF:
        """The point of the scene under a point of the viewport."""
        return self._view.viewportTransform().inverted()[0].map(at)

    def zoom_by(self, units: float, at: QPointF) -> None:
        """Zoom by wheel units, so that what is under `at` stays there."""
        self.zoom_to(self.zoom * _PER_UNIT**units, at)

    def zoom_to(self, zoom: float, at: QPointF | None = None) -> None:
        """Set the zoom, clamped, so that what is under `at` (the middle) stays there.

        Scroll bars count whole px: what is under `at` is remembered while `at` stays the same,
        or a long gesture would drift.
        """
        at = self._middle() if at is None else at
        if self._anchor is None or self._anchor[0] != at:
            self._anchor = (at, self.scene_at(at))
        self._show(min(max(zoom, MIN_ZOOM), MAX_ZOOM), self._anchor[1], at)

    def look_at(self, centre: QPointF, zoom: float | None = None) -> None:
        """Put a point of the scene in the middle."""
        self.release()
        self._show(self.zoom if zoom is None else zoom, centre, self._middle())

    def fit(self, area: QRectF, margin: float, largest: float = _LARGEST_FIT) -> None:
        """Show the whole area with a margin in px around it, enlarged at most to `largest`."""
        zoom = 1.0  # of nothing
        if not area.isEmpty():
            zoom = min(max(self.zoom_that_fits(area, margin), MIN_ZOOM), largest)
        self.look_at(area.center(), zoom)

    def zoom_that_fits(self, area: QRectF, margin: float) -> float:
        """The zoom at which the area and its margin just fit."""
        size = self._view.viewport().size()
        wide = max(size.width() - 2 * margin, 1.0) / max(area.width(), 1.0)
        high = max(size.height() - 2 * margin, 1.0) / max(area.height(), 1.0)
        return min(wide, high)

    def pan(self, dx: float, dy: float) -> None:
        """Move the picture by px of the viewport."""
        self.release()
        across, down = self._view.horizontalScrollBar(), self._view.verticalScrollBar()
        across.setValue(across.value() - round(dx))
        down.setValue(down.value() - round(dy))

    def release(self) -> None:
        """Forget what the zoom gesture holds on to."""
        self._anchor = None

    def _show(self, zoom: float, point: QPointF, at: QPointF) -> None:
        if zoom != self.zoom:
            self._view.setTransform(QTransform.fromScale(zoom, zoom))
        off = self._view.viewportTransform().map(point) - at
        across, down = self._view.horizontalScrollBar(), self._view.verticalScrollBar()
        across.setValue(across.value() + round(off.x()))
        down.setValue(down.value() + round(off.y()))

    def _middle(self) -> QPointF:
        size = self._view.viewport().size()
        return QPointF(size.width() / 2, size.height() / 2)
