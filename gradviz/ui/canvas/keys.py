"""Walking the picture by arrow keys."""

from __future__ import annotations

from PySide6.QtCore import Qt

from gradviz.ui.canvas.spatial import Spatial

ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)


def neighbour(spatial: Spatial, row: int | None, key: Qt.Key) -> int | None:
    """The box that an arrow leads to: along an edge, or the nearest above or below.

    From nowhere (None) every arrow leads to the last box.
    """
    if row is None:
        return len(spatial.rects) - 1 if len(spatial.rects) else None
    if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
        return spatial.above(row, up=key == Qt.Key.Key_Up)
    beside = spatial.beside(row, forward=key == Qt.Key.Key_Right)
    return beside[0] if beside else None
