"""`ValueTable`: the numbers of a value, typed in cells, pasted from and copied to a spreadsheet."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QWidget

from gradviz.edit.tables import as_table, front_of
from gradviz.run import Array
from gradviz.ui.theme import ThemeSource
from gradviz.ui.widgets.number_table import NumberTable

_ROWS, _ROW, _BAR = 7, 22, 12  # rows seen at most, px


class ValueTable(NumberTable):
    """`pasted(k, text)`: cells from the k-th number on; `cleared(ks)`: numbers that are to be 0.

    Tab leaves it, arrows move in it, Enter types in a cell, Esc on it gives the cursor back by
    `done`.
    """

    pasted = Signal(int, str)
    cleared = Signal(object)
    done = Signal()

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.numbers.signed = False
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)

    def show_value(self, array: Array) -> None:
        table = as_table(array)
        if table is not self.numbers.matrix:
            self.show_matrix(table, front_of(array.shape))
            bar = _BAR if table.shape[1] > 2 else 0
            head = self.horizontalHeader().sizeHint().height()
            self.setFixedHeight(head + _ROW * min(_ROWS, max(1, table.shape[0])) + bar)
            if not self.currentIndex().isValid() and table.size:
                self.choose(0)

    def event(self, event: QEvent) -> bool:
        """Keys of the table come before the shortcuts of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            others = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
            plain = not event.modifiers() & others and event.key() != Qt.Key.Key_F1
            if plain or event.matches(QKeySequence.StandardKey.Copy) or _pastes(event):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _pastes(event):
            self.pasted.emit(self._first(), QGuiApplication.clipboard().text())
        elif event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self._text())
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.cleared.emit(tuple(self._chosen()))
        elif event.key() == Qt.Key.Key_Escape:
            self.done.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.state() != QAbstractItemView.State.EditingState:  # else its cell has ended
                self.edit(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _chosen(self) -> list[int]:
        """The numbers of the selected cells, counted row by row."""
        columns = self.numbers.matrix.shape[1]
        return sorted(at.row() * columns + at.column() for at in self.selectedIndexes())

    def _first(self) -> int:
        return next(iter(self._chosen()), 0)

    def _text(self) -> str:
        """The selected cells as a spreadsheet takes them."""
        matrix, rows = self.numbers.matrix, dict[int, list[str]]()
        for k in self._chosen():
            row, column = divmod(k, matrix.shape[1])
            rows.setdefault(row, []).append(str(matrix[row, column].item()))
        return "\n".join("\t".join(cells) for cells in rows.values())


def _pastes(event: QKeyEvent) -> bool:
    return event.matches(QKeySequence.StandardKey.Paste)
