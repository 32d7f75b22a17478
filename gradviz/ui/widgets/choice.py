"""`Choice`: a combo box with a quiet chevron, set only by whoever knows the value."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF, QWheelEvent
from PySide6.QtWidgets import QComboBox, QListView, QWidget

from gradviz.look import TYPE
from gradviz.ui.theme import ThemeSource, colour, font


class Choice(QComboBox):
    """Rows of (key, text). Listen to `activated`: it speaks only when a person chooses."""

    def __init__(
        self, theme: ThemeSource, *, mono: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: tuple[tuple[str, str], ...] = ()
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setMaxVisibleItems(20)
        self.setView(QListView())  # the style's own popup knows no rules
        self.view().setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        if mono:
            self.setFont(font(TYPE.body, mono=True))
        theme.changed.connect(self.update)

    @property
    def key(self) -> str | None:
        data = self.currentData()
        return data if isinstance(data, str) else None

    def set_rows(self, rows: Sequence[tuple[str, str]], key: str | None) -> None:
        """Offer these rows with `key` shown; None, or a key that is not there, shows none."""
        if tuple(rows) != self._rows:
            self._rows = tuple(rows)
            self.clear()
            for row_key, text in rows:
                self.addItem(text, row_key)
        at = next((n for n, row in enumerate(self._rows) if row[0] == key), -1)
        if at != self.currentIndex():
            self.setCurrentIndex(at)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        colours = self._theme.colours
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            ink = colours.soft if self.isEnabled() else colours.line
            pen = QPen(colour(ink), 1.6)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            painter.setPen(pen)
            x, y = self.width() - 14.0, self.height() / 2
            corners = [QPointF(x - 4, y - 2), QPointF(x, y + 2), QPointF(x + 4, y - 2)]
            painter.drawPolyline(QPolygonF(corners))

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # a scroll over the bar must not change the gradients
