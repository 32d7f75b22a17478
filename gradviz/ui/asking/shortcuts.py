"""`Shortcuts`: every action with its keys, to be read, searched and changed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gradviz.fuzzy import best
from gradviz.language import _
from gradviz.ui.asking.action import Action
from gradviz.ui.asking.actions import TABLE, keys_of
from gradviz.ui.asking.settings import Settings
from gradviz.ui.widgets.field import Field
from gradviz.ui.widgets.labels import named

_KEYS = 150  # px for the shortcut


class Shortcuts(QWidget):
    """What is typed into the field at the bottom becomes the shortcut of the marked action.

    One that another action has is refused, with the name of that action.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self.search = Field()
        self.table = QTreeWidget()
        self.table.setColumnCount(2)
        self.table.setRootIsDecorated(False)
        self.table.setUniformRowHeights(True)
        header = self.table.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        self.table.setColumnWidth(1, _KEYS)
        self.keys = QKeySequenceEdit()
        self.keys.setMaximumSequenceLength(1)
        self.keys.setClearButtonEnabled(True)
        self.keys.setFixedWidth(_KEYS)
        self.own = QPushButton()
        self.label = QLabel()
        self.said = named(QLabel(), "FieldError")
        self.said.setWordWrap(True)
        row = QHBoxLayout()
        row.addWidget(self.label)
        row.addWidget(self.keys)
        row.addWidget(self.own)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 16, 8, 8)
        for part in (self.search, self.table):
            column.addWidget(part)
        column.addLayout(row)
        column.addWidget(self.said)
        self.search.textChanged.connect(self.sync)
        self.table.currentItemChanged.connect(self._marked)
        self.keys.editingFinished.connect(self._entered)
        self.own.clicked.connect(self._give_back)

    @property
    def action(self) -> Action | None:
        """The action that is marked."""
        item = self.table.currentItem()
        return None if item is None else item.data(0, Qt.ItemDataRole.UserRole)

    def retranslate(self) -> None:
        self.search.setPlaceholderText(_("Search"))
        self.table.setHeaderLabels([_("Action"), _("Shortcut")])
        self.label.setText(_("New shortcut"))
        self.keys.setAccessibleName(_("New shortcut"))
        self.own.setText(_("As it was"))
        self.own.setToolTip(_("The shortcut that gradviz gives this action"))
        self.sync()

    def sync(self) -> None:
        """List the actions that are searched for, with the keys that they have now."""
        marked = self.action
        chosen = self._settings["keys"]
        self.table.clear()
        for row in best(self.search.text(), TABLE, _names):
            keys = ", ".join(_shown(key) for key in keys_of(row, chosen))
            item = QTreeWidgetItem([f"{_(row.menu)} · {_(row.text)}", keys])
            item.setData(0, Qt.ItemDataRole.UserRole, row)
            if row.id in chosen:
                face = item.font(1)
                face.setBold(True)
                item.setFont(1, face)
            self.table.addTopLevelItem(item)
            if marked is not None and row.id == marked.id:
                self.table.setCurrentItem(item)
        first = self.table.topLevelItem(0)
        if self.table.currentItem() is None and first is not None:
            self.table.setCurrentItem(first)
        self._marked()

    def take(self, row: Action, keys: QKeySequence) -> str:
        """Give the action this shortcut, or none where it is empty; a sentence where it is taken.

        An action that is given its own shortcut back is no longer the user's.
        """
        chosen = dict(self._settings["keys"])
        text = keys.toString(QKeySequence.SequenceFormat.PortableText)
        for other in TABLE:
            if other.id == row.id or not text:
                continue
            if any(QKeySequence(key) == keys for key in keys_of(other, chosen)):
                return _("{keys} is the shortcut of “{action}”.").format(
                    keys=_shown(text), action=_(other.text)
                )
        chosen[row.id] = [text] if text else []
        if tuple(chosen[row.id]) == row.keys:
            del chosen[row.id]
        self._settings["keys"] = chosen
        return ""

    def _marked(self) -> None:
        row = self.action
        able = row is not None
        self.keys.setEnabled(able)
        self.own.setEnabled(row is not None and row.id in self._settings["keys"])
        self.said.setText("")
        if row is not None:
            keys = keys_of(row, self._settings["keys"])
            self.keys.setKeySequence(QKeySequence(keys[0]) if keys else QKeySequence())

    def _entered(self) -> None:
        row = self.action
        if row is not None:
            said = self.take(row, self.keys.keySequence())
            self.said.setText(said)

    def _give_back(self) -> None:
        row = self.action
        if row is not None:
            chosen = dict(self._settings["keys"])
            chosen.pop(row.id, None)
            self._settings["keys"] = chosen


def _shown(key: str) -> str:
    """A shortcut as the system writes it."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)


def _names(row: Action) -> tuple[str, ...]:
    return _(row.text), row.text
