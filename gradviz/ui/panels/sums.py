"""`Sums`: named arrays under one another, as a sum is written."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gradviz.cells import array_text
from gradviz.look import TYPE
from gradviz.run import Array
from gradviz.ui.theme import ThemeSource, colour, font

_ROW = 24.0
SumRow = tuple[str, Array | None, bool | None]


class Sums(QWidget):
    """Rows of (name, array, mark): True is the row of this step, None the total."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: list[tuple[str, str, bool | None]] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    @property
    def rows(self) -> list[tuple[str, str]]:
        """Names and numbers as they are shown."""
        return [(name, text) for name, text, _mark in self._rows]

    def show_rows(self, rows: Sequence[SumRow]) -> None:
        self._rows = [
            (name, "None" if array is None else array_text(array), mark)
            for name, array, mark in rows
        ]
        self.setFixedHeight(round(len(rows) * _ROW))
        self.setAccessibleName("; ".join(f"{name} {text}" for name, text, _m in self._rows))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, round(len(self._rows) * _ROW))

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self._theme.colours
        with QPainter(self) as painter:
            for at, (name, text, mark) in enumerate(self._rows):
                strong = mark is None or mark
                inks = {None: colours.ink, True: colours.positive, False: colours.soft}
                face = font(TYPE.cell, mono=True, bold=strong)
                painter.setFont(face)
                painter.setPen(colour(inks[mark]))
                metrics = QFontMetricsF(face)
                row = QRectF(0, at * _ROW, self.width(), _ROW)
                wide = min(metrics.horizontalAdvance(text) + 12, row.width() * 0.72)
                middle = Qt.AlignmentFlag.AlignVCenter
                mode = Qt.TextElideMode.ElideRight
                left = row.adjusted(0, 0, -wide, 0)
                painter.drawText(
                    left,
                    middle | Qt.AlignmentFlag.AlignLeft,
                    metrics.elidedText(name, mode, left.width()),
                )
                painter.drawText(
                    row,
                    middle | Qt.AlignmentFlag.AlignRight,
                    metrics.elidedText(text, mode, wide),
                )
