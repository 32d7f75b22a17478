"""`ChoiceDelegate`: cells of a table that are chosen from a list, with the chevron of one."""

from __future__ import annotations

from collections.abc import Callable, Collection

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QPainter, QPalette, QPen, QPolygonF
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gradviz.ui.theme import ThemeSource, colour
from gradviz.ui.widgets.choice import Choice

Index = QModelIndex | QPersistentModelIndex
Rows = Callable[[int, int], tuple[list[tuple[str, str]], str | None]]
_CHEVRON, _POPUP = 20, 44  # px at the right end of a cell, and around the rows of a list


class ChoiceDelegate(QStyledItemDelegate):
    """`rows(row, column)` are the choices (key, text) and the present key.

    `chosen(row, column, key)` tells of a choice. Cells of the selected row in `columns` carry a
    chevron; one without rows is opened by whoever owns the table.
    """

    chosen = Signal(int, int, str)

    def __init__(
        self, theme: ThemeSource, rows: Rows, columns: Collection[int], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._theme, self._rows, self._columns = theme, rows, columns

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """A selected cell keeps its own ink."""
        super().initStyleOption(option, index)
        ink = index.data(Qt.ItemDataRole.ForegroundRole)
        if isinstance(ink, QColor):
            option.palette.setColor(QPalette.ColorRole.HighlightedText, ink)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        option.state &= ~QStyle.StateFlag.State_HasFocus
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if index.column() not in self._columns or not selected:
            super().paint(painter, option, index)
            return
        super().paint(painter, option, index)
        rect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(colour(self._theme.colours.soft), 1.6)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        x, y = rect.right() - _CHEVRON / 2, rect.center().y() + 0.5
        corners = [QPointF(x - 4, y - 2), QPointF(x, y + 2), QPointF(x + 4, y - 2)]
        painter.drawPolyline(QPolygonF(corners))
        painter.restore()

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = Choice(self._theme, mono=True, parent=parent)
        rows, key = self._rows(index.row(), index.column())
        editor.set_rows(rows, key)
        editor.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        editor.view().setMinimumWidth(editor.view().sizeHintForColumn(0) + _POPUP)
        row, column = index.row(), index.column()

        def take() -> None:
            found = editor.key
            self.closeEditor.emit(editor)
            if found is not None and found != key:
                self.chosen.emit(row, column, found)

        editor.activated.connect(take)
        QTimer.singleShot(0, editor, editor.showPopup)
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """It was filled when it was made."""

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        """What is chosen is told by `chosen`."""
