"""`GlyphButton`: a button that paints a sign from a path, in the ink of the theme."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QAbstractButton, QWidget

from gradviz.ui.theme import ThemeSource, colour

_SIDE, _ROUND = 32, 36
# Triangles as (shift, direction, half their height), bars as (x, y, width, height).
_ARROWS = {
    "play": (0.0, 1, 7.0),
    "forward": (0.0, 1, 5.5),
    "back": (0.0, -1, 5.5),
    "first": (1.0, -1, 5.5),
    "last": (-1.0, 1, 5.5),
}
_BARS = {
    "pause": ((-6.0, -7.0, 4.5, 14.0), (1.5, -7.0, 4.5, 14.0)),
    "first": ((-6.5, -6.0, 2.0, 12.0),),
    "last": ((4.5, -6.0, 2.0, 12.0),),
}


class GlyphButton(QAbstractButton):
    """A sign with a tool tip and an accessible name; `primary` fills a disc under it."""

    def __init__(
        self,
        theme: ThemeSource,
        glyph: str,
        *,
        primary: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._glyph, self._primary = theme, glyph, primary
        side = _ROUND if primary else _SIDE
        self.setFixedSize(QSize(side, side))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.changed.connect(self.update)

    @property
    def glyph(self) -> str:
        return self._glyph

    def set_glyph(self, glyph: str) -> None:
        if glyph != self._glyph:
            self._glyph = glyph
            self.update()

    def describe(self, name: str, keys: str = "") -> None:
        """Name it for people who hear, and in the tool tip with its shortcut."""
        self.setAccessibleName(name)
        self.setToolTip(f"{name} ({keys})" if keys else name)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self._theme.colours
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            area = QRectF(self.rect())
            painter.setPen(Qt.PenStyle.NoPen)
            if self._primary:
                enabled = self.isEnabled()
                painter.setBrush(colour(colours.selection if enabled else colours.line))
                painter.drawEllipse(area.adjusted(1, 1, -1, -1))
            elif self.isEnabled() and (self.underMouse() or self.isDown()):
                painter.setBrush(colour(colours.zero))
                painter.drawRoundedRect(area, 8, 8)
            if self.hasFocus():
                painter.setPen(QPen(colour(colours.selection), 1.5))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), 8, 8)
            ink = colours.on_selection if self._primary else colours.ink
            if not self.isEnabled() and not self._primary:
                ink = colours.edge
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(ink))
            painter.translate(area.center())
            painter.drawPath(_path(self._glyph))


def _path(glyph: str) -> QPainterPath:
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    if glyph in _ARROWS:
        shift, way, half = _ARROWS[glyph]
        _triangle(path, shift, way, half=half)
    for bar in _BARS.get(glyph, ()):
        path.addRect(QRectF(*bar))
    if glyph == "close":
        for turn in (math.pi / 4, 3 * math.pi / 4):
            path.addPath(_bar(turn))
    elif glyph == "swap":
        for way in (-1, 1):
            path.addPath(_pointer(way))
    elif glyph == "sun":
        path.addEllipse(QPointF(0, 0), 4, 4)
        for ray in range(8):
            path.addPath(_ray(ray * math.pi / 4))
    elif glyph == "moon":
        bite = QPainterPath()
        path.addEllipse(QPointF(0, 0), 7, 7)
        bite.addEllipse(QPointF(3.5, -2.5), 6, 6)
        return path.subtracted(bite)
    return path


def _triangle(path: QPainterPath, shift: float, way: int, *, half: float = 7) -> None:
    tip, base = shift + way * half * 0.95, shift - way * half * 0.7
    points = [QPointF(base, -half), QPointF(tip, 0), QPointF(base, half)]
    path.addPolygon(QPolygonF(points))
    path.closeSubpath()


def _pointer(way: int) -> QPainterPath:
    """An arrow up, to the left, or down, to the right."""
    arrow = QPainterPath()
    x, tip = 3.0 * way, 5.5 * way
    arrow.addRect(QRectF(x - 0.8, -4.5, 1.6, 9.0))
    points = [QPointF(x - 3, tip - 3 * way), QPointF(x, tip), QPointF(x + 3, tip - 3 * way)]
    arrow.addPolygon(QPolygonF(points))
    arrow.closeSubpath()
    return arrow


def _bar(angle: float) -> QPainterPath:
    """A line through the middle."""
    stroke = QPainterPath()
    along, across = (
        QPointF(math.cos(angle), math.sin(angle)) * 5.5,
        QPointF(-math.sin(angle), math.cos(angle)) * 0.8,
    )
    corners = [across - along, across + along, along - across, -along - across]
    stroke.addPolygon(QPolygonF(corners))
    stroke.closeSubpath()
    return stroke


def _ray(angle: float) -> QPainterPath:
    stroke = QPainterPath()
    across = QPointF(-math.sin(angle), math.cos(angle)) * 0.8
    near, far = (QPointF(math.cos(angle), math.sin(angle)) * r for r in (6.0, 8.5))
    stroke.addPolygon(QPolygonF([near + across, far + across, far - across, near - across]))
    stroke.closeSubpath()
    return stroke
