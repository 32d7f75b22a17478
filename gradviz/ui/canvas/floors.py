"""Storeys: the ground under the boxes of a level, and its heading."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from gradviz.figure import Figure, Storey, ground_rects
from gradviz.look import NODE, RADIUS, STROKE, Palette
from gradviz.scene.storey_look import BASELINE, storey_ground, storey_line
from gradviz.ui.canvas import text
from gradviz.ui.theme import colour

_READABLE = 0.3  # the zoom from which headings are written


def paint_storeys(
    painter: QPainter, storeys: Sequence[Storey], colours: Palette, zoom: float
) -> None:
    """Draw all of them; a gradient computation has a ground, what is computed from it has none."""
    for one in storeys:
        pen = QPen(colour(storey_line(colours)), STROKE.hair)
        pen.setCosmetic(True)
        painter.setPen(pen)
        odd = one.level % 2 == 1
        painter.setBrush(colour(storey_ground(colours)) if odd else Qt.BrushStyle.NoBrush)
        rect = QRectF(one.x, one.y, one.width, one.height)
        painter.drawRoundedRect(rect, RADIUS.panel, RADIUS.panel)
        if zoom >= _READABLE:
            painter.setPen(colour(colours.soft))
            left, right = one.x + NODE.pad, one.x + one.width - NODE.pad
            at = (right if odd else left, one.y + BASELINE)
            # Gradients of leaves go up on the left.
            side: text.Align = "right" if odd else "left"
            face = text.STRONG_LABEL
            text.draw(painter, one.title, at, face, width=right - left, align=side)


def with_grounds(area: QRectF, figure: Figure) -> QRectF:
    """The area widened to hold all that lies under boxes and edges."""
    for rect in ground_rects(*figure.storeys, *figure.frames, *figure.notes):
        area = area.united(QRectF(*rect))
    return area
