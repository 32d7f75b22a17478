"""`Cells`: an array as the canvas shows it, for the panels."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gradviz import look
from gradviz.cells import (
    Scale,
    array_text,
    gradient_cells,
    number,
    pooled,
    scale_of,
    summary,
    value_cells,
)
from gradviz.figure import Cell
from gradviz.look import FULL_NUMBERS, NODE, RADIUS, TYPE
from gradviz.scene.plan import Grid, grid_of
from gradviz.ui.theme import ThemeSource, colour, font, metrics

Array = npt.NDArray[Any]
_GAP, _HEIGHT, _MIN_WIDTH, _NOTE = 3.0, 24.0, 44.0, 20.0
_CHARS = 8  # of a number, where there is room
_PAD = 3.0  # at least, to the left and right of a number


class Cells(QWidget):
    """Paints values or gradients as cells, a strip or a map, and their shape under the latter.

    Where it is narrow a vector takes more lines, and the numbers of a matrix give up digits.
    """

    def __init__(
        self, theme: ThemeSource, kind: Literal["value", "gradient"], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme, self._kind = theme, kind
        self._array: Array | None = None
        self._grid = Grid()
        self._scale: Scale | None = None
        self._columns, self._chars = 1, _CHARS
        self._cells: tuple[Cell, ...] = ()
        self._note = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    @property
    def texts(self) -> tuple[str, ...]:
        """What stands in the cells."""
        return tuple(cell.text for cell in self._cells)

    def show_array(
        self, array: Array | None, *, scale: Scale | None = None, flat: bool = False
    ) -> None:
        """Show it; None shows one empty cell. `flat` makes a strip of what would be a map."""
        if array is None:
            self._array, self._grid, self._note = None, Grid(), ""
            self._cells, self._columns = (Cell("·", "empty"),), 1
        elif array is not self._array:
            shape = array.shape if array.size <= FULL_NUMBERS or not flat else (1, array.size)
            self._array, self._scale = array, scale
            self._grid = grid_of(array.reshape(shape))
            self._columns, self._chars = self._grid.columns, _CHARS
            self._cells = self._made()
            self._fit()
            shown = self._grid.form == "cells" and array.size > 0
            self._note = "" if shown else summary(array)
        self.setToolTip("" if array is None else array_text(array))
        self.setFixedHeight(round(self._height()))
        self.updateGeometry()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()
        self.setFixedHeight(round(self._height()))

    def sizeHint(self) -> QSize:
        wide = _MIN_WIDTH + _GAP if self._grid.form == "cells" else self._grid.cell_width
        note = metrics(TYPE.label).horizontalAdvance(self._note)
        return QSize(round(max(self._grid.columns * wide, note)), round(self._height()))

    def minimumSizeHint(self) -> QSize:
        return QSize(40, round(self._height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self._theme.colours
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for at, cell in enumerate(self._cells):
                row, column = divmod(at, self._columns)
                self._paint(painter, cell, self._rect(row, column), colours)
            if self._note:
                painter.setPen(colour(colours.soft))
                painter.setFont(font(TYPE.label))
                painter.drawText(QPointF(0, self._height() - 5), self._note)

    def _made(self) -> tuple[Cell, ...]:
        array, grid = self._array, self._grid
        if array is None or array.size == 0:
            return (Cell("∅", "empty"),)
        plain = grid.form == "cells"
        shown = array if plain else pooled(array, grid.rows, grid.columns)
        chars = self._chars if plain else None
        if self._kind == "value":
            return value_cells(np.asarray(shown), chars=chars)
        return gradient_cells(np.asarray(shown), self._scale or scale_of([array]), chars=chars)

    def _fit(self) -> None:
        """Choose lines and digits for the width there is."""
        array = self._array
        if array is None or array.size == 0 or self._grid.form != "cells":
            return
        letter = metrics(TYPE.cell, mono=True).horizontalAdvance("0")
        longest = max(len(number(item, chars=_CHARS)) for item in array.ravel().tolist())
        wanted = max(longest * letter + 2 * _PAD, _MIN_WIDTH)
        columns, chars = self._grid.columns, _CHARS
        if array.ndim < 2:
            room = max(1, int((self.width() + _GAP) // (wanted + _GAP)))
            lines = -(-array.size // min(columns, room))
            columns = -(-array.size // lines)
        else:
            wide = (self.width() + _GAP) / columns - _GAP
            chars = min(_CHARS, max(1, int((wide - 2 * _PAD) // letter)))
        if (columns, chars) != (self._columns, self._chars):
            self._columns, self._chars = columns, chars
            self._cells = self._made()
            self.update()

    def _height(self) -> float:
        note = _NOTE if self._note else 0.0
        if self._grid.form == "cells":
            lines = max(1, -(-len(self._cells) // self._columns))
            return lines * (_HEIGHT + _GAP) - _GAP + note
        return self._grid.rows * self._side() + note

    def _side(self) -> float:
        return 16.0 if self._grid.form == "strip" else NODE.swatch

    def _rect(self, row: int, column: int) -> QRectF:
        if self._grid.form == "cells":
            room = (self.width() + _GAP) / self._columns - _GAP
            wide = max(24.0, min(max(_MIN_WIDTH, self._grid.cell_width + 12), room))
            return QRectF(column * (wide + _GAP), row * (_HEIGHT + _GAP), wide, _HEIGHT)
        wide = min(self._grid.cell_width, self.width() / self._grid.columns)
        side = self._side()
        return QRectF(column * wide, row * side, wide, side)

    def _paint(self, painter: QPainter, cell: Cell, rect: QRectF, colours: look.Palette) -> None:
        if self._grid.form != "cells":
            painter.fillRect(rect, colour(look.swatch(colours, cell.tone, cell.level)))
            return
        painter.setPen(Qt.PenStyle.NoPen)
        if cell.tone == "empty":
            painter.setPen(QPen(colour(colours.line), 1, Qt.PenStyle.DashLine))
            rect = rect.adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setBrush(colour(look.cell_ground(colours, cell.tone, cell.level)))
        painter.drawRoundedRect(rect, RADIUS.cell, RADIUS.cell)
        painter.setPen(colour(look.cell_ink(colours, cell.tone)))
        painter.setFont(font(TYPE.cell, mono=True))
        face = metrics(TYPE.cell, mono=True)
        text = face.elidedText(cell.text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
