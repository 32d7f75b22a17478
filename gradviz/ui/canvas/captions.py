"""What stands around a picture: the sentence of the step above it, the legend below it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPolygonF

from gradviz.export.sheet import SIDE, HeadingKind, legend_rows
from gradviz.figure import LegendEntry
from gradviz.look import SPACE, STROKE, TYPE, Palette
from gradviz.scene.badges import GLYPHS, badge_look, tone_of
from gradviz.scene.measure import wrapped
from gradviz.ui.canvas import text
from gradviz.ui.canvas.boxes import paint_pill_ground
from gradviz.ui.canvas.text import Face
from gradviz.ui.theme import colour

_MARK, _MARK_HEIGHT = 22.0, 14.0
_ROW = 22.0
_LINE = 18.0


@dataclass(frozen=True, slots=True)
class Heading:
    """A line of code over one of two pictures, in the colour of how that one begins.

    `spare` px at its end are kept free for what stands there.
    """

    text: str = ""
    kind: HeadingKind = "plain"
    spare: float = 0.0


def caption_height(caption: str, heading: Heading, width: float) -> float:
    """The height of the strip over a picture of this width; 0 where there is nothing to say."""
    lines = len(_lines(caption, width)) + bool(heading.text)
    return lines * _LINE + 2 * SPACE.more if lines else 0.0


def paint_caption(
    painter: QPainter, caption: str, heading: Heading, rect: QRectF, colours: Palette
) -> None:
    """Draw heading and sentence from the top left of the rectangle."""
    left, baseline = rect.left() + SIDE, rect.top() + SPACE.more + 13.0
    if heading.text:
        inks = {"reduction": colours.reduction, "seed": colours.seed, "plain": colours.ink}
        painter.setPen(colour(inks[heading.kind]))
        room = rect.width() - 2 * SIDE - heading.spare
        text.draw(painter, heading.text, (left, baseline), text.HEADING, room)
        baseline += _LINE
    painter.setPen(colour(colours.soft if heading.text else colours.ink))
    for line in _lines(caption, rect.width()):
        text.draw(painter, line, (left, baseline), text.CAPTION)
        baseline += _LINE


@lru_cache(maxsize=64)
def legend_lines(
    entries: tuple[LegendEntry, ...], scale: str, width: float, aside: float = 0.0
) -> list[list[tuple[float, LegendEntry | str]]]:
    """The marks and words of a legend this wide, line by line; the last leaves `aside` free."""
    room = max(width - 2 * SIDE, 80.0)
    rows = legend_rows(entries, scale, room)
    if rows and len(rows[-1]) > 1:
        x, entry = rows[-1][-1]
        words, mark = (entry, 0.0) if isinstance(entry, str) else (entry.text, _MARK + SPACE.one)
        if x + mark + text.LABEL.width(words) > room - aside:
            rows.append([(0.0, rows[-1].pop()[1])])
    return rows


def paint_legend(
    painter: QPainter,
    lines: list[list[tuple[float, LegendEntry | str]]],
    at: tuple[float, float],
    colours: Palette,
) -> None:
    """Draw the kinds of marks with their words, and how colours follow sizes."""
    y = at[1] + _ROW / 2
    for line in lines:
        for x, entry in line:
            left = at[0] + SIDE + x
            if isinstance(entry, LegendEntry):
                frame = QRectF(left, y - _MARK_HEIGHT / 2, _MARK, _MARK_HEIGHT)
                _mark(painter, entry, frame, colours)
                left += _MARK + SPACE.one
            painter.setPen(colour(colours.soft))
            words = entry.text if isinstance(entry, LegendEntry) else entry
            text.draw(painter, words, (left, y + 4.0), text.LABEL)
        y += _ROW


def _mark(painter: QPainter, entry: LegendEntry, rect: QRectF, colours: Palette) -> None:
    """A small likeness of a node of the kind, or of a badge."""
    tone = tone_of(entry.kind)
    if tone is not None:
        frame = (rect.x(), rect.y(), rect.width(), rect.height())
        paint_pill_ground(painter, tone, frame, colours)
        painter.setPen(colour(badge_look(colours, tone).ink))
        middle = (rect.center().x(), rect.center().y() + 3.5)
        text.draw(painter, GLYPHS[tone], middle, text.STRONG_SMALL, align="centre")
        return
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
def _lines(sentence: str, width: float) -> tuple[str, ...]:
    return tuple(wrapped(sentence, max(width - 2 * SIDE, 80.0), TYPE.caption))
