"""Lines of text laid out once and drawn many times."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QStaticText, QTextLayout

from gradviz.look import TYPE
from gradviz.ui import theme

Align = Literal["left", "centre", "right"]


@dataclass(frozen=True, slots=True)
class Face:
    """A size in px at zoom 1, in which family and weight."""

    size: float
    mono: bool = False
    bold: bool = False

    @property
    def font(self) -> QFont:
        return theme.font(self.size, mono=self.mono, bold=self.bold)

    @property
    def metrics(self) -> QFontMetricsF:
        return theme.metrics(self.size, mono=self.mono, bold=self.bold)

    def width(self, text: str) -> float:
        """The width of a line in px at zoom 1."""
        return self.metrics.horizontalAdvance(text)


TITLE = Face(TYPE.title, mono=True, bold=True)
CELL = Face(TYPE.cell, mono=True)
LABEL = Face(TYPE.label)
STRONG_LABEL = Face(TYPE.label, bold=True)
SMALL = Face(TYPE.small)
STRONG_SMALL = Face(TYPE.small, bold=True)
CAPTION = Face(TYPE.caption)
HEADING = Face(TYPE.caption, mono=True, bold=True)


def draw(
    painter: QPainter,
    text: str,
    at: tuple[float, float],
    face: Face,
    width: float = 1e9,
    align: Align = "left",
) -> float:
    """Draw one line whose baseline begins, is centred or ends at a point; answer its width.

    A line that is wider than `width` px loses its end to an ellipsis. The pen gives the colour.
    """
    laid, wide, ascent = _laid(text, face)
    if wide > width + 0.5:
        laid, wide, ascent = _laid(_cut(text, face, width), face)
    x = at[0] - (0.0 if align == "left" else wide / 2 if align == "centre" else wide)
    painter.setFont(face.font)
    painter.drawStaticText(QPointF(x, at[1] - ascent), laid)
    return wide


@lru_cache(maxsize=20_000)
def _laid(text: str, face: Face) -> tuple[QStaticText, float, float]:
    laid = QStaticText(text)
    laid.setTextFormat(Qt.TextFormat.PlainText)
    return laid, face.width(text), _ascent(text, face)


def _ascent(text: str, face: Face) -> float:
    """From the top of the laid out line to its baseline: fonts that step in may rise higher."""
    if text.isascii():
        return face.metrics.ascent()
    layout = QTextLayout(text, face.font)
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    return line.ascent()


@lru_cache(maxsize=5_000)
def _cut(text: str, face: Face, limit: float) -> str:
    return face.metrics.elidedText(text, Qt.TextElideMode.ElideRight, limit)
