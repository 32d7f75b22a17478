"""What stands around a picture: the sentence of the step above it, the legend below it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPolygonF, QTextLayout, QTextOption

from gradviz.figure import Figure, LegendEntry
from gradviz.look import SPACE, STROKE, Palette
from gradviz.ui.canvas import text
from gradviz.ui.canvas.text import Face
from gradviz.ui.theme import colour

HeadingKind = Literal["reduction", "seed", "plain"]
SIDE = SPACE.two  # from the left and right edges to the text
_MARK, _MARK_HEIGHT = 22.0, 14.0
_ROW = 22.0
_LINE = 18.0


@dataclass(frozen=True, slots=True)
class Heading:
    """A line of code over one of two pictures, in the colour of how that one begins."""

    text: str = ""
    kind: HeadingKind = "plain"


def caption_height(caption: str, heading: Heading, width: float) -> float:
    """The height of the strip over a picture of this width; 0 where there is nothing to say."""
    lines = len(_wrapped(caption, text.CAPTION, width - 2 * SIDE)) + bool(heading.text)
    return lines * _LINE + 2 * SPACE.more if lines else 0.0


def paint_caption(
    painter: QPainter, caption: str, heading: Heading, rect: QRectF, colours: Palette
) -> None:
    """Draw heading and sentence from the top left of the rectangle."""
    left, baseline = rect.left() + SIDE, rect.top() + SPACE.more + 13.0
    if heading.text:
        inks = {"reduction": colours.reduction, "seed": colours.seed, "plain": colours.ink}
        painter.setPen(colour(inks[heading.kind]))
        room = rect.width() - 2 * SIDE
        text.draw(painter, heading.text, (left, baseline), text.HEADING, room)
        baseline += _LINE
    painter.setPen(colour(colours.soft if heading.text else colours.ink))
    for line in _wrapped(caption, text.CAPTION, rect.width() - 2 * SIDE):
        text.draw(painter, line, (left, baseline), text.CAPTION)
        baseline += _LINE


def legend_height(figure: Figure, width: float) -> float:
    """The height of the legend under a picture of this width; 0 where it has no entries."""
    rows = _legend_rows(figure.legend, figure.scale, width - 2 * SIDE)
    return len(rows) * _ROW + SPACE.one if rows else 0.0


def paint_legend(painter: QPainter, figure: Figure, rect: QRectF, colours: Palette) -> None:
    """Draw the kinds of marks with their words, and how colours follow sizes."""
    y = rect.top() + _ROW / 2
    for row in _legend_rows(figure.legend, figure.scale, rect.width() - 2 * SIDE):
        for x, entry in row:
            left = rect.left() + SIDE + x
            if isinstance(entry, LegendEntry):
                _mark(
                    painter, entry, QRectF(left, y - _MARK_HEIGHT / 2, _MARK, _MARK_HEIGHT), colours
                )
                left += _MARK + SPACE.one
            painter.setPen(colour(colours.soft))
            words = entry.text if isinstance(entry, LegendEntry) else entry
            text.draw(painter, words, (left, y + 4.0), text.LABEL)
        y += _ROW


@lru_cache(maxsize=64)
def _legend_rows(
    entries: tuple[LegendEntry, ...], scale: str, width: float
) -> tuple[tuple[tuple[float, LegendEntry | str], ...], ...]:
    rows: list[list[tuple[float, LegendEntry | str]]] = []
    x = width + 1.0
    for entry in (*entries, *((scale,) if scale else ())):
        words = entry.text if isinstance(entry, LegendEntry) else entry
        wide = text.LABEL.width(words)
        wide += _MARK + SPACE.one if isinstance(entry, LegendEntry) else 0.0
        if x + wide > width or not rows:
            rows.append([])
            x = 0.0
        rows[-1].append((x, entry))
        x += wide + SPACE.three
    return tuple(tuple(row) for row in rows)


def _mark(painter: QPainter, entry: LegendEntry, rect: QRectF, colours: Palette) -> None:
    """A small likeness of a node of the kind."""
    inks = {"leaf": colours.leaf, "reduction": colours.reduction, "seed": colours.seed}
    grounds = {
        "leaf": colours.leaf_ground,
        "reduction": colours.reduction_ground,
        "seed": colours.seed_ground,
    }
    pen = QPen(colour(inks.get(entry.kind, colours.edge)), STROKE.node_marked)
    painter.setBrush(colour(grounds.get(entry.kind, colours.node)))
    if entry.kind == "reduction":
        pen.setDashPattern([2.0, 1.4])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    painter.drawPath(_mark_outline(entry, rect))
    if entry.kind == "reduction":
        painter.setPen(colour(colours.reduction))
        at = (rect.center().x(), rect.center().y() + 3.5)
        text.draw(painter, "Σ", at, Face(9.0, mono=True, bold=True), align="centre")


def _mark_outline(entry: LegendEntry, rect: QRectF) -> QPainterPath:
    path = QPainterPath()
    if entry.kind == "seed":
        shoulder = rect.left() + 6.0
        path.addPolygon(
            QPolygonF(
                [
                    QPointF(rect.left(), rect.center().y()),
                    QPointF(shoulder, rect.top()),
                    rect.topRight(),
                    rect.bottomRight(),
                    QPointF(shoulder, rect.bottom()),
                ]
            )
        )
        path.closeSubpath()
    else:
        radius = rect.height() / 2 if entry.kind == "leaf" else 3.0
        path.addRoundedRect(rect, radius, radius)
    return path


@lru_cache(maxsize=64)
def _wrapped(sentence: str, face: Face, width: float) -> tuple[str, ...]:
    """The lines of a sentence broken at this width, by Unicode's rules, Chinese included."""
    if not sentence:
        return ()
    layout = QTextLayout(sentence, face.font)
    layout.setTextOption(QTextOption(Qt.AlignmentFlag.AlignLeft))
    lines: list[str] = []
    layout.beginLayout()
    while True:
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(max(width, 40.0))
        start = line.textStart()
        lines.append(sentence[start : start + line.textLength()].rstrip())
    layout.endLayout()
    return tuple(lines)
