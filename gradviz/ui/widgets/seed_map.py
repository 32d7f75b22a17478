"""`SeedMap`: a matrix as coloured squares; one can be chosen, and dragged up and down."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from gradviz.cells import number
from gradviz.look import TYPE, Tone, swatch
from gradviz.run import Array
from gradviz.ui.theme import ThemeSource, colour, font
from gradviz.ui.widgets.seed_steps import rounded, top_of

_LEVELS = 128  # shades on each side of zero
_REACH = 90.0  # px of a drag that stand for the largest number


class SeedMap(pg.PlotWidget):  # type: ignore[misc]  # pyqtgraph ships no types
    """`picked(k)` follows a click, k counting row by row.

    With `drags`, `pressed(k)`, `dragged(k, value)` and `released()` follow a drag. Gradients are
    coloured by sign about zero, values by size.
    """

    pressed = Signal(int)
    dragged = Signal(int, float)
    released = Signal()
    picked = Signal(int)

    def __init__(
        self,
        theme: ThemeSource,
        kind: Literal["value", "gradient"],
        *,
        drags: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, background=None)
        self._theme, self._kind, self._drags = theme, kind, drags
        self._matrix: Array | None = None
        self._codes: Array | None = None
        self._held: tuple[int, float, float] | None = None  # component, its number, pointer's y
        self._top = 1.0
        self._image = pg.ImageItem(axisOrder="row-major")
        self._mark = pg.PlotDataItem()
        self.addItem(self._image)
        self.addItem(self._mark)
        self.invertY(True)
        self.setMenuEnabled(False)
        self.setMouseEnabled(False, False)
        self.hideButtons()
        self.setMouseTracking(True)
        for name in ("bottom", "left"):
            axis = self.getAxis(name)
            axis.setStyle(tickLength=0, tickFont=font(TYPE.label, mono=True))
        self.getAxis("left").setWidth(34)
        self.getPlotItem().setContentsMargins(0, 6, 6, 0)  # the first row's label is whole
        shape = Qt.CursorShape.SizeVerCursor if drags else Qt.CursorShape.PointingHandCursor
        self.viewport().setCursor(shape)
        theme.changed.connect(self._recolour)
        self._recolour()

    def show_matrix(self, matrix: Array, chosen: int) -> None:
        """Show the numbers, with a frame about one of them."""
        self._matrix = matrix
        if self._held is None:
            self._top = top_of(matrix)
            rows, columns = matrix.shape
            self.setXRange(0, columns, padding=0.01)
            self.setYRange(0, rows, padding=0.01)
            self.getAxis("bottom").setTicks([_ticks(columns)])
            self.getAxis("left").setTicks([_ticks(rows)])
        self._codes = self._coded(matrix.astype(np.float64))
        self._image.setImage(self._table[self._codes], autoLevels=False)
        row, column = divmod(chosen, matrix.shape[1])
        self._mark.setData(np.array([0, 1, 1, 0, 0]) + column, np.array([0, 0, 1, 1, 0]) + row)

    def point(self, k: int) -> QPointF:
        """The middle of a square, in the widget's coordinates."""
        assert self._matrix is not None
        row, column = divmod(k, self._matrix.shape[1])
        at = self.getViewBox().mapViewToScene(QPointF(column + 0.5, row + 0.5))
        return QPointF(self.mapFromScene(at))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        k = self._at(event)
        if event.button() != Qt.MouseButton.LeftButton or k is None or self._matrix is None:
            return
        self.picked.emit(k)
        if self._drags:
            self._held = k, float(self._matrix.reshape(-1)[k]), event.position().y()
            self.pressed.emit(k)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held is None:
            self._tell(self._at(event))
            return
        k, value, start = self._held
        moved = (start - event.position().y()) / _REACH * self._top
        self.dragged.emit(k, rounded(value + moved, self._top))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._held is not None:
            self._held = None
            self.released.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the whole matrix is on screen

    def _coded(self, matrix: Array) -> Array:
        """For each number the row of its colour."""
        top = self._top if self._kind == "gradient" else float(np.abs(matrix).max(initial=0)) or 1.0
        with np.errstate(invalid="ignore"):
            shown = np.clip(matrix / top, -1, 1)
        if self._kind == "value":
            shown = np.abs(shown)
        finite = np.isfinite(matrix)
        codes: Array = np.rint(np.where(finite, shown, 0) * _LEVELS).astype(np.int16) + _LEVELS
        codes[~finite] = 2 * _LEVELS + 1
        return codes

    def _tell(self, k: int | None) -> None:
        if k is None or self._matrix is None:
            self.setToolTip("")
            return
        row, column = divmod(k, self._matrix.shape[1])
        self.setToolTip(f"[{row}, {column}]  {number(self._matrix[row, column])}")

    def _at(self, event: QMouseEvent) -> int | None:
        if self._matrix is None:
            return None
        at = self.getViewBox().mapSceneToView(self.mapToScene(event.position().toPoint()))
        rows, columns = self._matrix.shape
        row, column = int(np.floor(at.y())), int(np.floor(at.x()))
        return row * columns + column if 0 <= row < rows and 0 <= column < columns else None

    def _recolour(self) -> None:
        colours = self._theme.colours
        for name in ("bottom", "left"):
            axis = self.getAxis(name)
            axis.setPen(colour(colours.line))
            axis.setTextPen(colour(colours.soft))
        low: Tone = "negative" if self._kind == "gradient" else "value"
        high: Tone = "positive" if self._kind == "gradient" else "value"
        codes = [swatch(colours, low, 1 - k / _LEVELS) for k in range(_LEVELS)]
        codes += [swatch(colours, high, k / _LEVELS) for k in range(_LEVELS + 1)]
        codes.append(colours.error)
        table = [[int(code[at : at + 2], 16) for at in (1, 3, 5)] for code in codes]
        self._table = np.array(table, np.uint8)
        self._mark.setPen(pg.mkPen(colour(colours.selection), width=2))
        if self._codes is not None:
            self._image.setImage(self._table[self._codes], autoLevels=False)


def _ticks(count: int) -> list[tuple[float, str]]:
    """The numbers of rows or columns: about eight of them, in the middle of theirs."""
    step = max(1, -(-count // 8))
    return [(k + 0.5, str(k)) for k in range(0, count, step)]
