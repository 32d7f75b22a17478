"""`CallTable`: backward calls as rows that are chosen, dragged, and edited where they stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QItemSelectionModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from gradviz.language import _
from gradviz.look import TYPE
from gradviz.ui.docking.call_rows import CallRow
from gradviz.ui.theme import ThemeSource, colour, font
from gradviz.ui.widgets.choice_delegate import ChoiceDelegate

NUMBER, TARGET, START, FLAGS, OUTCOME = range(5)
Index = QModelIndex | QPersistentModelIndex
Rows = Callable[[int, int], tuple[list[tuple[str, str]], str | None]]
_ROOT = QModelIndex()
_ALT, _CONTROL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier
_KEYS = {
    (Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier),
    (Qt.Key.Key_Backspace, Qt.KeyboardModifier.NoModifier),
    (Qt.Key.Key_Up, _ALT),
    (Qt.Key.Key_Down, _ALT),
    (Qt.Key.Key_D, _CONTROL),
    (Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier),
    (Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier),
    (Qt.Key.Key_Enter, Qt.KeyboardModifier.NoModifier),
    (Qt.Key.Key_F2, Qt.KeyboardModifier.NoModifier),
}


class CallModel(QAbstractTableModel):
    """Shows rows; what a person does to one is asked for, never done here."""

    switched = Signal(int, bool)
    moved = Signal(int, int)

    def __init__(self, theme: ThemeSource, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: list[CallRow] = []

    def show_rows(self, rows: Sequence[CallRow]) -> None:
        """Show these in place of those before."""
        rows = list(rows)
        common = min(len(rows), len(self.rows))
        if len(rows) < len(self.rows):
            self.beginRemoveRows(_ROOT, len(rows), len(self.rows) - 1)
            del self.rows[len(rows) :]
            self.endRemoveRows()
        changed = [at for at in range(common) if rows[at] != self.rows[at]]
        self.rows[:common] = rows[:common]
        for at in changed:
            self.dataChanged.emit(self.index(at, 0), self.index(at, OUTCOME))
        if len(rows) > common:
            self.beginInsertRows(_ROOT, common, len(rows) - 1)
            self.rows += rows[common:]
            self.endInsertRows()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else OUTCOME + 1

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        if orientation is not Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        return ("", _("from"), _("by"), _("flags"), _("what came of it"))[section]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row, column = self.rows[index.row()], index.column()
        texts = (str(index.row() + 1), row.target, row.start, row.flags, row.outcome)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return texts[column]
            case Qt.ItemDataRole.ToolTipRole:
                return texts[column] if column else _("Off: the call stays in its place")
            case Qt.ItemDataRole.CheckStateRole if column == NUMBER:
                return Qt.CheckState.Checked if row.enabled else Qt.CheckState.Unchecked
            case Qt.ItemDataRole.ForegroundRole:
                return self._ink(row, column)
            case Qt.ItemDataRole.FontRole if column:
                return font(TYPE.body if column < FLAGS else TYPE.cell, mono=True)
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{self.headerData(column, Qt.Orientation.Horizontal)} {texts[column]}"
        return None

    def _ink(self, row: CallRow, column: int) -> QColor:
        colours = self._theme.colours
        if not row.enabled or (column == OUTCOME and row.came in ("off", "waiting")):
            return colour(colours.edge)
        if column == OUTCOME and row.came in ("failed", "refused"):
            return colour(colours.error)
        if column == START:
            tones = {"Σ": colours.reduction, "–": colours.soft}
            return colour(tones.get(row.start[:1], colours.seed))
        return colour(colours.soft if column == FLAGS else colours.ink)

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role == Qt.ItemDataRole.CheckStateRole and index.column() == NUMBER:
            self.switched.emit(index.row(), not self.rows[index.row()].enabled)
            return True
        return False

    def flags(self, index: Index) -> Qt.ItemFlag:
        found = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled
        if not index.isValid():
            return Qt.ItemFlag.ItemIsDropEnabled
        found |= Qt.ItemFlag.ItemIsDragEnabled
        if index.column() == NUMBER:
            found |= Qt.ItemFlag.ItemIsUserCheckable
        return found | Qt.ItemFlag.ItemIsEditable if index.column() in (TARGET, START) else found

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def dropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index
    ) -> bool:
        """Ask for the move; the rows follow when it is made, so nothing is taken from here."""
        source = _row_of(data)
        if source is None:
            return False
        to = row if row >= 0 else parent.row() if parent.isValid() else len(self.rows)
        to -= source < to
        if to != source:
            self.moved.emit(source, to)
        return False


def _row_of(data: QMimeData) -> int | None:
    """The first row that is dragged, as Qt writes it."""
    from PySide6.QtCore import QDataStream

    kind = "application/x-qabstractitemmodeldatalist"
    if not data.hasFormat(kind):
        return None
    row = QDataStream(data.data(kind)).readInt32()
    return row if isinstance(row, int) else None


class CallTable(QTableView):
    """Tells what is done to the rows; `asked(key row)` etc. are for whoever edits the list.

    Signals: `picked(row)`, `switched(row, on)`, `moved(row, to)`, `chosen(row, column, key)`,
    `flags_asked(row, global point)`, `removed`, `doubled(row)`, `selected`.
    """

    picked = Signal(int)
    switched = Signal(int, bool)
    moved = Signal(int, int)
    chosen = Signal(int, int, str)
    flags_asked = Signal(int, QPoint)
    removed = Signal()
    doubled = Signal(int)
    selected = Signal()

    def __init__(self, theme: ThemeSource, rows: Rows, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("CallTable")
        self.calls = CallModel(theme, self)
        self.setModel(self.calls)
        self._settled: int | None = None  # the row that was current before a click
        delegate = ChoiceDelegate(theme, rows, (TARGET, START, FLAGS), self)
        delegate.chosen.connect(self.chosen)
        self.setItemDelegate(delegate)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDragDropOverwriteMode(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(30)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setStretchLastSection(True)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        for column, width in ((NUMBER, 64), (TARGET, 130), (START, 190), (FLAGS, 210)):
            self.setColumnWidth(column, width)
        self.calls.switched.connect(self.switched)
        self.calls.moved.connect(self.moved)
        self.clicked.connect(self._clicked)
        self.selectionModel().selectionChanged.connect(lambda *_both: self.selected.emit())
        self.selectionModel().currentRowChanged.connect(self._current_changed)
        self._showing = False

    def chosen_rows(self) -> list[int]:
        """The selected rows, in order."""
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def show_rows(self, rows: Sequence[CallRow], current: int) -> None:
        """Show these, one of them being on screen."""
        self._showing = True
        self.calls.show_rows(rows)
        at = self.currentIndex()
        if at.row() != current and current < len(rows):
            column = max(at.column(), 0)
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self.selectionModel().setCurrentIndex(
                self.calls.index(current, column), flags | QItemSelectionModel.SelectionFlag.Rows
            )
            self.scrollTo(self.currentIndex())
        self._showing = False

    def edit_cell(self, index: Index) -> None:
        """Open the list of choices of a cell, or ask for its flags."""
        if index.column() == FLAGS:
            rect = self.visualRect(index)
            self.flags_asked.emit(index.row(), self.viewport().mapToGlobal(rect.bottomLeft()))
        elif index.column() in (TARGET, START):
            self.edit(index)

    def mousePressEvent(self, event: object) -> None:
        self._settled = self.currentIndex().row()
        super().mousePressEvent(event)  # type: ignore[arg-type]

    def event(self, event: QEvent) -> bool:
        wanted = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if wanted and isinstance(event, QKeyEvent) and _pressed(event) in _KEYS:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        at = self.currentIndex()
        if not at.isValid() or _pressed(event) not in _KEYS:
            super().keyPressEvent(event)
            return
        row = at.row()
        match Qt.Key(event.key()):
            case Qt.Key.Key_Delete | Qt.Key.Key_Backspace:
                self.removed.emit()
            case Qt.Key.Key_Up:
                self.moved.emit(row, row - 1)
            case Qt.Key.Key_Down:
                self.moved.emit(row, row + 1)
            case Qt.Key.Key_D:
                self.doubled.emit(row)
            case Qt.Key.Key_Space:
                self.switched.emit(row, not self.calls.rows[row].enabled)
            case _:
                self.edit_cell(at)

    def _clicked(self, index: QModelIndex) -> None:
        """A click on a cell of the row that was current already opens it."""
        if index.row() == self._settled and len(self.chosen_rows()) == 1:
            self.edit_cell(index)

    def _current_changed(self, now: QModelIndex, _before: QModelIndex) -> None:
        if not self._showing and now.isValid():
            self.picked.emit(now.row())


def _pressed(event: QKeyEvent) -> tuple[Qt.Key, Qt.KeyboardModifier]:
    keypad = Qt.KeyboardModifier.KeypadModifier
    return Qt.Key(event.key()), event.modifiers() & ~keypad
