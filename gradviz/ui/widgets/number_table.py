"""`NumberTable`: a matrix as a table in which numbers are typed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from gradviz.cells import number
from gradviz.look import TYPE, Tone, cell_ink
from gradviz.run import Array
from gradviz.ui.theme import ThemeSource, colour, font

Index = QModelIndex | QPersistentModelIndex
_WIDE = 68  # px of a column


class _Numbers(QAbstractTableModel):
    """The model: whoever shows it puts another matrix in when a number was typed."""

    typed = Signal(int, str)

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self._theme = theme
        self.signed = True  # whether signs have their colours, as those of gradients
        self.matrix: Array = np.zeros((0, 0))
        self.front: tuple[int, ...] = ()  # the axes that the rows count, where there are several

    def put(self, matrix: Array, front: tuple[int, ...] = ()) -> None:
        same = matrix.shape == self.matrix.shape and front == self.front
        if not same:
            self.beginResetModel()
        self.matrix, self.front = matrix, front
        if not same:
            self.endResetModel()
        elif matrix.size:
            last = self.index(matrix.shape[0] - 1, matrix.shape[1] - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  Qt's signature
        return 0 if parent.isValid() else self.matrix.shape[0]

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  Qt's signature
        return 0 if parent.isValid() else self.matrix.shape[1]

    def flags(self, index: Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        value = self.matrix[index.row(), index.column()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return number(value, chars=8)
            case Qt.ItemDataRole.EditRole:
                return repr(value.item())
            case Qt.ItemDataRole.TextAlignmentRole:
                return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            case Qt.ItemDataRole.ForegroundRole:
                tone = _tone(value) if self.signed else "value"
                return colour(cell_ink(self._theme.colours, tone))
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        self.typed.emit(index.row() * self.matrix.shape[1] + index.column(), str(value))
        return True

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation == Qt.Orientation.Vertical and len(self.front) > 1:
            return ", ".join(str(at) for at in np.unravel_index(section, self.front))
        return str(section)


def _tone(value: Any) -> Tone:
    if not math.isfinite(value):
        return "error"
    return "positive" if value > 0 else "negative" if value < 0 else "zero"


class NumberTable(QTableView):
    """`typed(k, text)` follows a number that was typed, `picked(k)` another current cell."""

    typed = Signal(int, str)
    picked = Signal(int)

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.numbers = _Numbers(theme)
        self.numbers.typed.connect(self.typed)
        self.setModel(self.numbers)
        self._told = QModelIndex()  # the cell that was made the current one from outside
        self.setFont(font(TYPE.cell, mono=True))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setFont(font(TYPE.label, mono=True))
        self.horizontalHeader().setDefaultSectionSize(_WIDE)
        self.verticalHeader().setDefaultSectionSize(22)
        self.verticalHeader().setMinimumWidth(30)
        self.selectionModel().currentChanged.connect(self._moved)
        theme.changed.connect(self.viewport().update)

    def show_matrix(self, matrix: Array, front: tuple[int, ...] = ()) -> None:
        """Show it; `front` are the axes that its rows count, where there are several."""
        self.numbers.put(matrix, front)

    def choose(self, k: int) -> None:
        """Make the k-th number the current one, without telling."""
        columns = self.numbers.matrix.shape[1]
        index = self.numbers.index(*divmod(k, columns)) if columns else QModelIndex()
        if index != self.currentIndex():
            self._told = index
            self.setCurrentIndex(index)
            self._told = QModelIndex()
            self.scrollTo(index)
            self.viewport().update()

    def _moved(self, now: QModelIndex, _before: QModelIndex) -> None:
        if now.isValid() and now != self._told:
            self.picked.emit(now.row() * self.numbers.matrix.shape[1] + now.column())
