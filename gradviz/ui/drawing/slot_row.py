"""`SlotRow`: one input of an op: what fills it, or what is missing and may be typed or chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QStringListModel, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QCompleter,
    QHBoxLayout,
    QListView,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gradviz.language import _
from gradviz.look import TYPE
from gradviz.ui.drawing.form import field
from gradviz.ui.theme import ThemeSource, font
from gradviz.ui.widgets.entry_line import EntryLine
from gradviz.ui.widgets.glyph_button import GlyphButton
from gradviz.ui.widgets.said import Said

_SIDE = 28  # px


class Link(QPushButton):
    """The title of a node; a click goes to it. A long one loses its end."""

    def __init__(self) -> None:
        super().__init__()
        self._title = ""
        self.setFont(font(TYPE.cell, mono=True))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    @property
    def title(self) -> str:
        return self._title

    def show_title(self, title: str) -> None:
        self._title = title
        self.setToolTip(_("Go to {name}").format(name=title))
        self.setAccessibleName(self.toolTip())
        self._elide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        room = self.width() - 26
        self.setText(QFontMetrics(self.font()).elidedText(
            self._title, Qt.TextElideMode.ElideRight, room))  # fmt: skip


class SlotRow(QWidget):
    """`followed`, `swapped`, `unplugged` follow its buttons; `entered(text)` what is to fill it."""

    followed = Signal()
    swapped = Signal()
    unplugged = Signal()
    entered = Signal(str)
    done = Signal()

    def __init__(self, theme: ThemeSource, offered: Callable[[], Sequence[str]]) -> None:
        super().__init__()
        self._offered = offered
        self.name, self.link, self.line, self.said = field(), Link(), EntryLine(), Said()
        self.swap, self.unplug = GlyphButton(theme, "swap"), GlyphButton(theme, "close")
        self._titles = QStringListModel(self)
        self._completer, self._list = QCompleter(self._titles, self), QListView()
        self._lay_out()
        self._complete()
        self.link.clicked.connect(self.followed)
        self.swap.clicked.connect(self.swapped)
        self.unplug.clicked.connect(self.unplugged)
        self.line.entered.connect(self.entered)
        self.line.done.connect(self.done)
        self.line.line.installEventFilter(self)

    def stops(self) -> list[QWidget]:
        """What Tab goes through."""
        return [self.line.line, self.link, self.swap, self.unplug]

    def show_slot(self, name: str, title: str | None, *, swaps: bool, fresh: bool) -> None:
        """`title` is what fills it; `swaps`, whether there is another one after it."""
        self.name.setText(name)
        self.name.setToolTip(name)
        self.link.setVisible(title is not None)
        self.unplug.setVisible(title is not None)
        self.swap.setVisible(swaps)
        self.line.setVisible(title is None)
        self.swap.describe(_("Swap with the next input"))
        self.unplug.describe(_("Unplug"))
        if title is not None:
            self.link.show_title(title)
        else:
            self.line.show_text("", fresh=fresh)
            self.line.describe(_("What fills {name}").format(name=name),
                               _("A number, or a node that closes no loop"))  # fmt: skip

    def hint(self, text: str) -> None:
        """What stands in the open slot."""
        self.line.line.setPlaceholderText(text)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The nodes that may go there are found when they are needed.

        The arrow down shows them all, and so does a click where nothing is typed yet.
        """
        if event.type() == QEvent.Type.FocusIn:
            self._titles.setStringList(list(self._offered()))
        down = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Down
        asked = down and event.type() == QEvent.Type.KeyPress
        if event.type() == QEvent.Type.MouseButtonRelease and not self.line.line.text():
            self._show_all()
        if asked and not self._list.isVisible():
            self._show_all()
            return True
        return super().eventFilter(watched, event)

    def _show_all(self) -> None:
        self._completer.setCompletionPrefix("")
        self._completer.complete()

    def _complete(self) -> None:
        completer = self._completer
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setPopup(self._list)
        self._list.setFont(font(TYPE.cell, mono=True))
        completer.activated.connect(self._chosen)
        self.line.line.setCompleter(completer)

    def _chosen(self, title: str) -> None:
        self.entered.emit(title)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.name, 0, Qt.AlignmentFlag.AlignTop)
        row.addSpacing(4)
        row.addWidget(self.line, 1)
        row.addWidget(self.link, 1)
        for button in (self.swap, self.unplug):
            button.setFixedSize(_SIDE, _SIDE)
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(row)
        column.addWidget(self.said)
