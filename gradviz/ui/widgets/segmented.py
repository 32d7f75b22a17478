"""`Segmented`: a few words in one frame of which some are on."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gradviz.look import TYPE
from gradviz.ui.theme import ThemeSource, colour, font

_HEIGHT, _PAD, _INSET = 30, 16, 3


@dataclass(frozen=True, slots=True)
class Segment:
    """A key, its word, and the token that colours it while it is on."""

    key: str
    text: str
    tone: str
    tip: str = ""


class Segmented(QWidget):
    """Shows which of its segments are on; a click or Space asks for one by `activated(key)`.

    It changes nothing by itself: whoever listens says what is on, with `set_on`.
    """

    activated = Signal(str)

    def __init__(
        self, theme: ThemeSource, parent: QWidget | None = None, *, pad: int = _PAD
    ) -> None:
        super().__init__(parent)
        self._theme, self._pad = theme, pad
        self._segments: tuple[Segment, ...] = ()
        self._on: frozenset[str] = frozenset()
        self._at = 0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        theme.changed.connect(self.update)

    @property
    def on(self) -> frozenset[str]:
        return self._on

    def set_segments(self, *segments: Segment) -> None:
        self._segments = segments
        self.updateGeometry()
        self.update()

    def set_on(self, *keys: str) -> None:
        if frozenset(keys) != self._on:
            self._on = frozenset(keys)
            self._describe()
            self.update()

    def rects(self) -> list[QRectF]:
        """Where each segment is."""
        found, left = [], float(_INSET)
        for width in self._widths():
            found.append(QRectF(left, _INSET, width, _HEIGHT - 2 * _INSET))
            left += width + 2
        return found

    def sizeHint(self) -> QSize:
        width = sum(self._widths()) + 2 * max(0, len(self._segments) - 1) + 2 * _INSET
        return QSize(round(width), _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self._theme.colours
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.setPen(QPen(colour(colours.line), 1))
            painter.setBrush(colour(colours.zero))
            painter.drawRoundedRect(frame, _HEIGHT / 2, _HEIGHT / 2)
            for at, (segment, rect) in enumerate(zip(self._segments, self.rects(), strict=True)):
                on = segment.key in self._on
                if on:
                    painter.setPen(QPen(colour(getattr(colours, segment.tone)), 1.5))
                    painter.setBrush(colour(getattr(colours, f"{segment.tone}_ground")))
                    radius = rect.height() / 2
                    painter.drawRoundedRect(rect.adjusted(0.75, 0.75, -0.75, -0.75), radius, radius)
                if self.hasFocus() and at == self._at:
                    painter.setPen(QPen(colour(colours.selection), 1, Qt.PenStyle.DotLine))
                    painter.setBrush(Qt.BrushStyle.NoBrush)
                    painter.drawRoundedRect(rect.adjusted(3, 3, -3, -3), 9, 9)
                painter.setFont(font(TYPE.body, bold=on))
                ink = getattr(colours, segment.tone) if on else colours.ink
                painter.setPen(colour(ink if self.isEnabled() else colours.edge))
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, segment.text)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = self._index_at(event)
        if event.button() is Qt.MouseButton.LeftButton and at is not None:
            self._at = at
            self.activated.emit(self._segments[at].key)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = self._index_at(event)
        self.setToolTip("" if at is None else self._segments[at].tip)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Left:
                self._at = max(0, self._at - 1)
            case Qt.Key.Key_Right:
                self._at = min(len(self._segments) - 1, self._at + 1)
            case Qt.Key.Key_Space | Qt.Key.Key_Return:
                self.activated.emit(self._segments[self._at].key)
            case _:
                super().keyPressEvent(event)
                return
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.EnabledChange:
            self.update()
        super().changeEvent(event)

    def _widths(self) -> list[float]:
        metrics = QFontMetricsF(font(TYPE.body, bold=True))
        return [metrics.horizontalAdvance(s.text) + 2 * self._pad for s in self._segments]

    def _index_at(self, event: QMouseEvent) -> int | None:
        for at, rect in enumerate(self.rects()):
            if rect.contains(event.position()):
                return at
        return None

    def _describe(self) -> None:
        words = [s.text for s in self._segments if s.key in self._on]
        self.setAccessibleDescription(", ".join(words))
