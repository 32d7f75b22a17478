"""`Finder`: a line to type in and the rows that fit it; Enter takes the one that is marked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import (
    QEvent,
    QObject,
    QPoint,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gradviz.ui.theme import ThemeSource
from gradviz.ui.widgets.field import Field
from gradviz.ui.widgets.found import ROW, Found, FoundRows
from gradviz.ui.widgets.labels import named

_WIDTH, _ROWS = 460, 11  # px, rows
_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class Finder(QFrame):
    """Lies over its window after `ask`; `chosen(key)` comes at most once for each time.

    It goes when the cursor leaves it.

    `search` gives the rows for what is typed, best first.
    """

    chosen = Signal(str)

    def __init__(self, theme: ThemeSource, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("Finder")
        self._window = parent
        self._before: QWidget | None = None  # what had the cursor
        self._search: Callable[[str], Sequence[Found]] = _none
        self.line = Field()
        self.rows = QListWidget()
        self.nothing = named(QLabel(), "Soft")
        self.rows.setItemDelegate(FoundRows(theme, self.rows))
        self.rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.rows.setUniformItemSizes(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(6)
        for part in (self.line, self.nothing, self.rows):
            column.addWidget(part)
        self.line.installEventFilter(self)
        self.line.textChanged.connect(self._fill)
        self.line.returnPressed.connect(self._take)
        self.rows.itemClicked.connect(self._clicked)

    def ask(
        self,
        search: Callable[[str], Sequence[Found]],
        at: QPoint | None = None,
        *,
        placeholder: str = "",
        nothing: str = "",
    ) -> None:
        """Show it at a place of the window, or near its top; nothing is typed yet.

        `nothing` is said where no row fits.
        """
        self._search = search
        self.line.setPlaceholderText(placeholder)
        self.line.setAccessibleName(placeholder)
        self.nothing.setText(nothing)
        self.line.clear()
        self._fill("")
        self.move(self._place(at))
        if not self.isVisible():
            self._before = QApplication.focusWidget()
        self.show()
        self.raise_()
        self.line.setFocus(Qt.FocusReason.PopupFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up and down move the mark while the line keeps the cursor."""
        if event.type() == QEvent.Type.FocusOut:
            self.close()
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in _MOVES:
                self._move(event.key())
                return True
            if event.key() == Qt.Key.Key_Escape:
                self._leave()
                return True
        return super().eventFilter(watched, event)

    def _fill(self, typed: str) -> None:
        found = self._search(typed)
        self.rows.clear()
        for row in found:
            item = QListWidgetItem(row.text)
            item.setData(Qt.ItemDataRole.UserRole, row)
            if not row.enabled:
                item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.rows.addItem(item)
        first = next((n for n, row in enumerate(found) if row.enabled), -1)
        self.rows.setCurrentRow(first)
        self.nothing.setVisible(not found)
        self.rows.setVisible(bool(found))
        self.rows.setFixedHeight(min(len(found), _ROWS) * ROW)
        self.setFixedWidth(min(_WIDTH, max(self._window.width() - 32, 200)))
        self.adjustSize()

    def _place(self, at: QPoint | None) -> QPoint:
        """Within the window, so that no part of it is cut off."""
        frame = self._window.rect().adjusted(8, 8, -8, -8)
        tallest = QSize(self.width(), self.line.sizeHint().height() + _ROWS * ROW + 24)
        if at is None:
            at = QPoint(frame.center().x() - tallest.width() // 2, frame.top() + 72)
        x = max(frame.left(), min(at.x(), frame.right() - tallest.width()))
        y = max(frame.top(), min(at.y(), frame.bottom() - tallest.height()))
        return QPoint(x, y)

    def _move(self, key: int) -> None:
        by = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -_ROWS}
        step = by.get(Qt.Key(key), _ROWS)
        count, at = self.rows.count(), self.rows.currentRow()
        able = [n for n in range(count) if self._row(n).enabled]
        if not able:
            return
        if abs(step) == 1:
            place = able.index(at) if at in able else -1
            self.rows.setCurrentRow(able[(place + step) % len(able)])
        else:
            wanted = max(0, min(at + step, count - 1))
            self.rows.setCurrentRow(min(able, key=lambda n: abs(n - wanted)))

    def _row(self, at: int) -> Found:
        row: Found = self.rows.item(at).data(Qt.ItemDataRole.UserRole)
        return row

    def _clicked(self, item: QListWidgetItem) -> None:
        self.rows.setCurrentItem(item)
        self._take()

    def _take(self) -> None:
        at = self.rows.currentRow()
        if at < 0 or not self._row(at).enabled:
            return
        key = self._row(at).key
        self._leave()
        self.chosen.emit(key)

    def _leave(self) -> None:
        """Give the cursor back to where it was."""
        if self._before is not None:
            self._before.setFocus()
        self.close()


def _none(typed: str) -> Sequence[Found]:
    return ()
