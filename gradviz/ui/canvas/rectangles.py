"""Between Qt's rectangles and the areas of `spatial`, which are plain numbers."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from gradviz.ui.canvas.spatial import Area


def rect_of(area: Area) -> QRectF:
    """The area as Qt's rectangle."""
    left, top, right, bottom = area
    return QRectF(left, top, right - left, bottom - top)


def area_of(rect: QRectF) -> Area:
    """Left, top, right and bottom of Qt's rectangle."""
    return (rect.left(), rect.top(), rect.right(), rect.bottom())
