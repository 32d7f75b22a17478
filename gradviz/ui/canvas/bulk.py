"""Thousands of rectangles or lines in one call: NumPy rows read by Qt where they lie."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import shiboken6
from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QPainter

Floats = npt.NDArray[np.float64]


def draw_rects(painter: QPainter, rects: Floats) -> None:
    """Draw rows of x, y, width, height with the painter's pen and brush."""
    if len(rects):
        rows = np.ascontiguousarray(rects, np.float64)
        painter.drawRects(_seen_as(rows, QRectF), len(rows))


def draw_lines(painter: QPainter, lines: Floats) -> None:
    """Draw rows of x1, y1, x2, y2 with the painter's pen."""
    if len(lines):
        rows = np.ascontiguousarray(lines, np.float64)
        painter.drawLines(_seen_as(rows, QLineF), len(rows))


def _seen_as(rows: Floats, kind: type[Any]) -> Any:
    """The first row as a Qt value in place; the caller keeps `rows` alive while Qt reads on."""
    return shiboken6.wrapInstance(rows.ctypes.data, kind)
