"""`Chips`: the steps of a pass as a row that is clicked, dragged over and walked by keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gradviz.look import RADIUS, TYPE
from gradviz.ui.theme import ThemeSource, colour, font

_HEIGHT, _GAP, _MIN, _MAX, _PAD = 30.0, 6.0, 72.0, 176.0, 12.0
_LANE = 22.0  # the height of one of two lanes
Lane = Literal["both", "upper", "lower"]


@dataclass(frozen=True, slots=True)
class Chip:
    """A position: what it is called, and the token of its ink while it is the current one.

    Where two passes are in step there are two lanes: a step of one alone is in its `lane` and
    `waits` is said in the other. `below` is what the lower lane says where it is another thing.
    """

    text: str
    tone: str = "positive"
    lane: Lane = "both"
    waits: str = ""
    below: tuple[str, str] | None = None  # text and tone

    @property
    def told(self) -> str:
        """All of it in one line."""
        return " · ".join(
            [self.text, *(self.below or ())[:1], *([self.waits] if self.waits else [])]
        )


@dataclass(frozen=True, slots=True)
class _Part:
    rect: QRectF
    text: str
    tone: str
    ghost: bool = False  # nothing happens there


class Chips(QWidget):
    """Only what is in sight is painted, so that passes of many thousand steps scroll freely."""

    chosen = Signal(int)

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("Chips")
        self._theme = theme
        self._chips: tuple[Chip, ...] = ()
        self._position = 0
        self._offset = 0.0
        self._widest = _MIN
        self._laned = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(chip.text for chip in self._chips)

    @property
    def chips(self) -> tuple[Chip, ...]:
        return self._chips

    @property
    def position(self) -> int:
        return self._position

    @property
    def lanes(self) -> bool:
        """Whether two passes are in step here."""
        return self._laned

    def set_chips(self, chips: tuple[Chip, ...]) -> None:
        if chips != self._chips:
            self._chips = chips
            laned = any(chip.lane != "both" or chip.below for chip in chips)
            if laned != self._laned:
                self._laned = laned
                self.updateGeometry()
            metrics = QFontMetricsF(font(TYPE.cell, mono=True, bold=True))
            widths = [metrics.horizontalAdvance(chip.text) for chip in chips[:400]]
            self._widest = min(_MAX, max([_MIN, *(wide + 2 * _PAD for wide in widths)]))
            self._reveal()
            self.update()

    def set_position(self, position: int) -> None:
        if position != self._position:
            self._position = position
            self._reveal()
            self.setAccessibleDescription(self._chips[position].told if self._chips else "")
            self.update()

    def rect_of(self, position: int) -> QRectF:
        """Where a chip is, scrolling included."""
        wide = self._width() + _GAP
        high = self._high()
        top = (self.height() - high) / 2
        return QRectF(position * wide - self._offset, top, wide - _GAP, high)

    def sizeHint(self) -> QSize:
        return QSize(400, round(self._high()) + 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        wide = self._width() + _GAP
        first = max(0, int(self._offset // wide))
        last = min(len(self._chips), int((self._offset + self.width()) // wide) + 1)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for at in range(first, last):
                self._paint(painter, at)
            self._paint_thumb(painter)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._choose_at(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._choose_at(event.position().x())

    def wheelEvent(self, event: QWheelEvent) -> None:
        delta = event.pixelDelta().x() or event.angleDelta().x() or event.angleDelta().y()
        self._scroll_to(self._offset - delta)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        page = max(1, int(self.width() // (self._width() + _GAP)))
        steps = {
            Qt.Key.Key_Left: self._position - 1,
            Qt.Key.Key_Right: self._position + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: len(self._chips) - 1,
            Qt.Key.Key_PageUp: self._position - page,
            Qt.Key.Key_PageDown: self._position + page,
        }
        wanted = steps.get(Qt.Key(event.key()))
        if wanted is None:
            super().keyPressEvent(event)
        elif self._chips:
            self.chosen.emit(max(0, min(wanted, len(self._chips) - 1)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._reveal()

    def event(self, event: QEvent) -> bool:
        override = event.type() == QEvent.Type.ShortcutOverride
        walks = (Qt.Key.Key_Home, Qt.Key.Key_End)
        if override and isinstance(event, QKeyEvent) and event.key() in walks:
            event.accept()  # here these keys walk the steps, whatever they do in the window
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            at = self._index_at(event.pos().x())
            words = self._chips[at].told if at is not None else ""
            QToolTip.showText(event.globalPos(), words, self)
            return True
        return super().event(event)

    def _paint(self, painter: QPainter, at: int) -> None:
        rect = self.rect_of(at).adjusted(0.75, 0.75, -0.75, -0.75)
        for part in self._parts(self._chips[at], rect):
            if part.ghost:
                self._paint_ghost(painter, part)
            else:
                self._paint_part(painter, part, at)
        if at == self._position and self.hasFocus():
            painter.setPen(QPen(colour(self._theme.colours.selection), 1, Qt.PenStyle.DotLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(rect.adjusted(3, 3, -3, -3), 4, 4)

    def _parts(self, chip: Chip, rect: QRectF) -> list[_Part]:
        """The chip as a whole, or what either lane has of it."""
        if not self._laned or (chip.lane == "both" and chip.below is None):
            return [_Part(rect, chip.text, chip.tone)]
        middle = rect.center().y()
        upper, lower = QRectF(rect), QRectF(rect)
        upper.setBottom(middle - 1)
        lower.setTop(middle + 1)
        if chip.below is not None:
            return [_Part(upper, chip.text, chip.tone), _Part(lower, *chip.below)]
        here, there = (upper, lower) if chip.lane == "upper" else (lower, upper)
        return [_Part(here, chip.text, chip.tone), _Part(there, chip.waits, "", ghost=True)]

    def _paint_part(self, painter: QPainter, part: _Part, at: int) -> None:
        colours, current, done = self._theme.colours, at == self._position, at <= self._position
        ink, ground = colours.ink if done else colours.soft, colours.zero
        border = QPen(Qt.PenStyle.NoPen)
        if current or at == 0:
            ink = getattr(colours, part.tone)
            ground = getattr(colours, f"{part.tone}_ground")
        if current:
            border = QPen(colour(ink), 1.5)
        elif not done:
            ground = colours.panel
            border = QPen(colour(colours.line), 1)
        painter.setPen(border)
        painter.setBrush(colour(ground))
        painter.drawRoundedRect(part.rect, RADIUS.node - 2, RADIUS.node - 2)
        self._write(painter, part, ink, font(TYPE.cell, mono=True, bold=current or at == 0))

    def _paint_ghost(self, painter: QPainter, part: _Part) -> None:
        """A lane where nothing happens: a broken outline and the word for it."""
        pen = QPen(colour(self._theme.colours.edge), 1)
        pen.setDashPattern([3.0, 3.0])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(part.rect, RADIUS.node - 2, RADIUS.node - 2)
        self._write(painter, part, self._theme.colours.soft, font(TYPE.label))

    def _write(self, painter: QPainter, part: _Part, ink: str, face: QFont) -> None:
        painter.setFont(face)
        painter.setPen(colour(ink))
        room = part.rect.width() - _PAD
        words = QFontMetricsF(face).elidedText(part.text, Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(part.rect, Qt.AlignmentFlag.AlignCenter, words)

    def _paint_thumb(self, painter: QPainter) -> None:
        """How much of the row is in sight, where it is not all of it."""
        total = self._total()
        if total <= self.width():
            return
        share, at = self.width() / total, self._offset / total
        wide = max(24.0, share * self.width())
        left = at * self.width() if share * self.width() >= 24 else at * (self.width() - wide)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(self._theme.colours.line))
        painter.drawRoundedRect(QRectF(left, self.height() - 4, wide, 3), 1.5, 1.5)

    def _high(self) -> float:
        return 2 * _LANE if self._laned else _HEIGHT

    def _width(self) -> float:
        """Of one chip: as wide as the widest text asks, or less where all then fit."""
        count = max(1, len(self._chips))
        fair = (self.width() + _GAP) / count - _GAP
        return self._widest if fair < self._widest * 0.8 else min(fair, max(self._widest, 112.0))

    def _total(self) -> float:
        return len(self._chips) * (self._width() + _GAP) - _GAP

    def _index_at(self, x: float) -> int | None:
        at = int((x + self._offset) // (self._width() + _GAP))
        return at if 0 <= at < len(self._chips) else None

    def _choose_at(self, x: float) -> None:
        if self._chips:
            at = int((x + self._offset) // (self._width() + _GAP))
            self.chosen.emit(max(0, min(at, len(self._chips) - 1)))

    def _scroll_to(self, offset: float) -> None:
        offset = max(0.0, min(offset, self._total() - self.width()))
        if offset != self._offset:
            self._offset = offset
            self.update()

    def _reveal(self) -> None:
        """Scroll so that the current chip and its neighbours are in sight."""
        wide = self._width() + _GAP
        left = self._position * wide - wide
        right = left + 3 * wide
        offset = min(self._offset, left)
        offset = max(offset, right - self.width())
        self._scroll_to(offset)
