"""`Overview`: the whole picture, small, while one looks at a part of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QWheelEvent
from PySide6.QtWidgets import QWidget

from gradviz.language import _
from gradviz.look import RADIUS, STROKE
from gradviz.ui.theme import ThemeSource, colour

if TYPE_CHECKING:
    from gradviz.ui.canvas.editable import EditableCanvas

_WIDEST, _HIGHEST = 190.0, 130.0  # px of the picture in it
_PAD = 6.0  # px around the picture
_AWAY, _ABOVE = 10, 30  # px from the canvas's right and lower edges; the zoom stands under it
_LEAST = 3  # times its own width and height that the viewport has, or it would be in the way
_LATER = 120  # ms after the last change until it is drawn anew
_VEIL = 0.5  # of the ground over what is out of sight


class Overview(QWidget):
    """Stands still at the canvas's lower right; a rectangle says what is in sight.

    A click goes there, a drag takes the view along, the wheel zooms. It is shown where it is
    `wanted` and the picture is not in sight as a whole.
    """

    def __init__(self, view: EditableCanvas, theme: ThemeSource) -> None:
        super().__init__(view)
        self._view, self._theme = view, theme
        self.wanted = True
        self._whole = QRectF()  # the picture, in scene px
        self._picture = QPixmap()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_LATER)
        self._later.timeout.connect(self._draw)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.retranslate()
        self.hide()
        view.looked.connect(self.follow)
        view.installEventFilter(self)
        theme.changed.connect(self.renew)

    def retranslate(self) -> None:
        self.setAccessibleName(_("Overview"))
        self.setToolTip(_("The whole picture; a click goes there, the wheel zooms"))

    def set_wanted(self, wanted: bool) -> None:
        self.wanted = wanted
        self.renew()

    def renew(self) -> None:
        """The picture looks different now."""
        self._whole = self._view.extent()
        self.follow()
        if self.isVisible():
            self._later.start()

    def follow(self) -> None:
        """The view shows another part of the picture, or has another size."""
        whole, room = self._whole, self._view.viewport().geometry()
        wide = round(whole.width() * self._scale + 2 * _PAD)
        high = round(whole.height() * self._scale + 2 * _PAD)
        fits = room.width() >= _LEAST * wide and room.height() >= _LEAST * high
        shown = self.wanted and fits and not whole.isEmpty() and not self._seen().contains(whole)
        if shown:
            left, top = room.right() - wide - _AWAY, room.bottom() - high - _ABOVE
            self.setGeometry(left, top, wide, high)
            if not self.isVisible():
                self._later.start()
        self.setVisible(shown)
        self.update()

    def _seen(self) -> QRectF:
        """What is in sight, in scene px."""
        inverse = self._view.viewportTransform().inverted()[0]
        return inverse.mapRect(QRectF(self._view.viewport().rect()))

    @property
    def _scale(self) -> float:
        whole = self._whole
        return min(_WIDEST / max(whole.width(), 1.0), _HIGHEST / max(whole.height(), 1.0))

    def _draw(self) -> None:
        """Draw the picture, which is copied until it looks different."""
        ratio = self.devicePixelRatioF()
        made = QPixmap(self.size() * ratio)
        made.setDevicePixelRatio(ratio)
        made.fill(Qt.GlobalColor.transparent)
        with QPainter(made) as painter:
            painter.translate(_PAD, _PAD)
            painter.scale(self._scale, self._scale)
            painter.translate(-self._whole.topLeft())
            self._view.paint_far(painter, self._whole, self._scale)
        self._picture = made
        self.update()

    # Qt's events

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self.follow()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours, whole, seen, scale = self._theme.colours, self._whole, self._seen(), self._scale
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(colour(colours.line), STROKE.hair))
            painter.setBrush(colour(colours.canvas))
            painter.drawRoundedRect(frame, RADIUS.cell, RADIUS.cell)
            painter.drawPixmap(0, 0, self._picture)
            part = QRectF(
                (seen.x() - whole.x()) * scale + _PAD,
                (seen.y() - whole.y()) * scale + _PAD,
                seen.width() * scale,
                seen.height() * scale,
            ).intersected(frame.adjusted(1, 1, -1, -1))
            veil = QColor(colour(colours.canvas))
            veil.setAlphaF(_VEIL)
            painter.setClipRect(frame)
            for strip in _around(frame, part):
                painter.fillRect(strip, veil)
            painter.setPen(QPen(colour(colours.selection), STROKE.node_marked))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(part, 2, 2)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._go(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event.position())

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.pixelDelta().y() or event.angleDelta().y()
        if turned:
            size = self._view.viewport().size()
            self._view.zoom_by(turned, QPointF(size.width() / 2, size.height() / 2))
        event.accept()

    def _go(self, at: QPointF) -> None:
        self._view.go_to(self._whole.topLeft() + (at - QPointF(_PAD, _PAD)) / self._scale)


def _around(frame: QRectF, part: QRectF) -> tuple[QRectF, ...]:
    """What of the frame is above, below, left and right of the part."""
    top, bottom = max(part.top(), frame.top()), min(part.bottom(), frame.bottom())
    return (
        QRectF(frame.left(), frame.top(), frame.width(), top - frame.top()),
        QRectF(frame.left(), bottom, frame.width(), frame.bottom() - bottom),
        QRectF(frame.left(), top, part.left() - frame.left(), bottom - top),
        QRectF(part.right(), top, frame.right() - part.right(), bottom - top),
    )
