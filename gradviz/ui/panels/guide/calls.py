"""The page "Which call?": needs and the calls that meet them, and one of them run."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

from gradviz.guide.needs import NEEDS, Need
from gradviz.language import _
from gradviz.look import TYPE
from gradviz.ui.panels.guide.desk import Desk
from gradviz.ui.panels.guide.parts import ScriptCard, breakable, scrolling
from gradviz.ui.theme import font
from gradviz.ui.widgets.labels import Field, named

_WIDTHS = (23, 41, 21, 23)  # shares of the four columns


class NeedRow(QFrame):
    """A need, its call, the result's shape and the cost; `picked(name)` when it is chosen."""

    picked = Signal(str)
    moved = Signal(int)

    def __init__(self, need: Need) -> None:
        super().__init__()
        self.setObjectName("NeedRow")
        self.need = need
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.cells = [QLabel() for _column in range(4)]
        self.cells[1].setFont(font(TYPE.label, mono=True))
        grid = QGridLayout(self)
        grid.setContentsMargins(10, 3, 10, 3)
        grid.setHorizontalSpacing(12)
        for column, cell in enumerate(self.cells):
            cell.setWordWrap(True)
            cell.setMinimumWidth(60)
            grid.addWidget(cell, 0, column)
            grid.setColumnStretch(column, _WIDTHS[column])

    def set_on(self, on: bool) -> None:
        self.setProperty("on", on)
        self.style().polish(self)

    def describe(self) -> None:
        need = self.need
        texts = (_(need.need), breakable(need.call), _(need.shape), _(need.cost))
        for cell, text in zip(self.cells, texts, strict=True):
            cell.setText(text)
        self.setAccessibleName(", ".join((texts[0], need.call, *texts[2:])))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.picked.emit(self.need.name)
        super().mousePressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.picked.emit(self.need.name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Up:
                self.moved.emit(-1)
            case Qt.Key.Key_Down:
                self.moved.emit(1)
            case _:
                super().keyPressEvent(event)


class CallsPage(QWidget):
    """The table above; the script of the row that is picked below."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.name = NEEDS[0].name
        self.heads = [Field() for _column in range(4)]
        self.rows = {need.name: NeedRow(need) for need in NEEDS}
        self.text = named(QLabel(), "Soft")
        self.text.setWordWrap(True)
        self.card = ScriptCard(desk, wide=True)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(24, 0, 24, 16)
        column.setSpacing(2)
        head = QGridLayout()
        head.setContentsMargins(10, 0, 10, 0)
        head.setHorizontalSpacing(12)
        for at, field in enumerate(self.heads):
            field.setMinimumWidth(60)
            head.addWidget(field, 0, at)
            head.setColumnStretch(at, _WIDTHS[at])
        column.addLayout(head)
        for row in self.rows.values():
            row.picked.connect(self.pick)
            row.moved.connect(self._move)
            column.addWidget(row)
        column.addSpacing(8)
        column.addWidget(self.text)
        column.addSpacing(4)
        column.addWidget(self.card)
        column.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        self.area = scrolling(inner)
        outer.addWidget(self.area)
        self.setFocusProxy(self.rows[self.name])

    def pick(self, name: str) -> None:
        """Show the script of this row."""
        self.name = name
        self._describe()
        self.card.sync()

    def sync(self) -> None:
        self.card.sync()

    def retranslate(self) -> None:
        heads = (_("need"), _("call"), _("result's shape"), _("cost"))
        for field, text in zip(self.heads, heads, strict=True):
            field.setText(text)
        for row in self.rows.values():
            row.describe()
        self._describe()

    def _describe(self) -> None:
        need = self.rows[self.name].need
        for name, row in self.rows.items():
            row.set_on(name == self.name)
        self.text.setText(_(need.text))
        self.card.describe(need.name, _("What it prints"))

    def _move(self, by: int) -> None:
        names = list(self.rows)
        at = min(max(names.index(self.name) + by, 0), len(names) - 1)
        self.rows[names[at]].setFocus()
