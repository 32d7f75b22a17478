"""The dots of the ground that the picture lies on."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from gradviz import look
from gradviz.look import STROKE, Palette
from gradviz.ui.canvas.bulk import draw_rects
from gradviz.ui.canvas.spatial import Floats
from gradviz.ui.theme import colour

_GRID = 24.0  # px between two dots at zoom 1


def paint_grid(painter: QPainter, area: QRectF, zoom: float, colours: Palette) -> None:
    """Dots on the ground, one or two rhythms apart; none where they would run together."""
    step = _GRID if zoom >= 0.6 else 2 * _GRID if zoom >= 0.3 else 4 * _GRID
    if step * zoom < 12.0:
        return
    x = np.arange(np.floor(area.left() / step), np.ceil(area.right() / step) + 1) * step
    y = np.arange(np.floor(area.top() / step), np.ceil(area.bottom() / step) + 1) * step
    side = max(STROKE.hair * 2, 1.0 / zoom)
    across, down = np.meshgrid(x, y)
    dots: Floats = np.stack(
        [across.ravel(), down.ravel(), np.full(across.size, side), np.full(across.size, side)], 1
    )
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(look.mix(colours.grid, colours.line, 0.5)))
    draw_rects(painter, dots)
