"""`Assistant`: names that complete what is typed, what a call takes, what a word is."""

from __future__ import annotations

import threading
from html import escape

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QKeyEvent, QTextCursor
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QToolTip,
    QVBoxLayout,
)

from gradviz.assist.calls import call_at, known_at
from gradviz.assist.completion import Completion, complete
from gradviz.language import N_, _
from gradviz.ui.theme import ThemeSource
from gradviz.ui.widgets.found import ROW, Found, FoundRows
from gradviz.ui.widgets.labels import named
from gradviz.ui.widgets.positions import characters, units

_WIDTH, _ROWS, _GAP = 380, 8, 4  # px, rows, px
_ENOUGH = 2  # letters from which names are offered by themselves
_KINDS = {
    "module": N_("module"),
    "function": N_("function"),
    "class": N_("class"),
    "value": N_("value"),
    "keyword": N_("keyword"),
    "name": "",
}
_TAKES = (Qt.Key.Key_Tab, Qt.Key.Key_Return, Qt.Key.Key_Enter)
_MOVES = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -8, Qt.Key.Key_PageDown: 8}


_ready = threading.Event()  # the library is loaded


def warm() -> None:
    """Load what is asked for first, which takes a moment; may be called from any thread."""
    for text in ("import torch\ntorch.", "import torch.nn.functional as F\nF.", "x."):
        complete(text, len(text))
    _ready.set()


class Assistant(QObject):
    """Of one editor. What it says comes from the text alone; nothing of the script is run.

    Until the library is loaded, by `warm`, it is silent.
    """

    def __init__(self, editor: QPlainTextEdit, theme: ThemeSource) -> None:
        super().__init__(editor)
        self._editor = editor
        self._typed = False  # the last change of the text was a key
        self._rows: list[Completion] = []
        self._start = 0
        self.list = QListWidget()
        self.list.setItemDelegate(FoundRows(theme, self.list, mono=True))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.about = named(QLabel(), "Soft")
        self.about.setWordWrap(True)
        self.popup = named(QFrame(), "Finder")
        self.tip = named(QLabel(), "CallTip")
        self.tip.setTextFormat(Qt.TextFormat.RichText)
        column = QVBoxLayout(self.popup)
        column.setContentsMargins(6, 6, 6, 6)
        column.setSpacing(4)
        column.addWidget(self.list)
        column.addWidget(self.about)
        for floating in (self.popup, self.tip):
            floating.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
            floating.hide()
        editor.installEventFilter(self)
        editor.viewport().installEventFilter(self)
        editor.textChanged.connect(self._changed)
        editor.cursorPositionChanged.connect(self._moved)
        editor.destroyed.connect(self.popup.deleteLater)
        editor.destroyed.connect(self.tip.deleteLater)
        self.list.itemClicked.connect(self._take)
        self.list.currentRowChanged.connect(self._tell)

    def offer(self, *, asked: bool = True) -> None:
        """Show what may stand at the cursor; unless it was `asked` for, only where it helps."""
        cursor = self._editor.textCursor()
        if not _ready.is_set() or cursor.hasSelection():
            self.hide()
            return
        text = self._editor.toPlainText()
        at = characters(text, cursor.position())
        self._start, self._rows = complete(text, at)
        dotted = self._start > 0 and text[self._start - 1] == "."
        if not self._rows or not (asked or dotted or at - self._start >= _ENOUGH):
            self.hide()
            return
        self.list.clear()
        for row in self._rows:
            item = QListWidgetItem(row.name)
            hint = _(_KINDS[row.kind]) if _KINDS[row.kind] else ""
            item.setData(Qt.ItemDataRole.UserRole, Found(row.name, row.name, hint))
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.list.setFixedHeight(min(len(self._rows), _ROWS) * ROW)
        self.popup.setFixedWidth(_WIDTH)
        self._tell()
        self._place(self.popup, below=True)

    def hide(self) -> None:
        """Say nothing any more."""
        self.popup.hide()
        self.tip.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._pressed(event)
        if event.type() == QEvent.Type.FocusOut and watched is self._editor:
            self.hide()
        if isinstance(event, QHelpEvent) and watched is self._editor.viewport():
            return self._hovered(event)
        return super().eventFilter(watched, event)

    def _pressed(self, event: QKeyEvent) -> bool:
        key, control = Qt.Key(event.key()), Qt.KeyboardModifier.ControlModifier
        if key == Qt.Key.Key_Space and event.modifiers() == control:
            self.offer()
            return True
        if key == Qt.Key.Key_Escape and (self.popup.isVisible() or self.tip.isVisible()):
            self.hide()
            return True
        if self.popup.isVisible() and not event.modifiers():
            if key in _TAKES:
                self._take()
                return True
            if key in _MOVES:
                last = self.list.count() - 1
                row = self.list.currentRow() + _MOVES[key]
                self.list.setCurrentRow(max(0, min(row, last)))
                return True
        self._typed = bool(event.text()) and event.text().isprintable()
        return False

    def _changed(self) -> None:
        """Offer names while one types; what another hand changed is not typing."""
        typed, self._typed = self._typed, False
        if typed or (self.popup.isVisible() and self._editor.hasFocus()):
            self.offer(asked=False)
        self._tell_call(typed)

    def _moved(self) -> None:
        cursor = self._editor.textCursor()
        at = characters(self._editor.toPlainText(), cursor.position())
        if self.popup.isVisible() and not self._start <= at:
            self.popup.hide()
        if self.tip.isVisible():
            self._tell_call(True)

    def _tell_call(self, typed: bool) -> None:
        """The call that the cursor is in, with the parameter that is written in bold."""
        text, cursor = self._editor.toPlainText(), self._editor.textCursor()
        wanted = _ready.is_set() and (typed or self.tip.isVisible())
        call = call_at(text, characters(text, cursor.position())) if wanted else None
        if call is None or call.known is None:
            self.tip.hide()
            return
        parts = [
            f"<b>{escape(one)}</b>" if at == call.parameter else escape(one)
            for at, one in enumerate(call.known.parameters or ())
        ]
        self.tip.setText(f"{escape(call.known.name)}({', '.join(parts)})")
        self._place(self.tip, below=False)

    def _tell(self) -> None:
        """What the marked name is."""
        at = self.list.currentRow()
        known = self._rows[at].known if 0 <= at < len(self._rows) else None
        self.about.setText("" if known is None else f"{known.signature}\n{known.text}".strip())
        self.about.setVisible(known is not None)
        self.popup.adjustSize()

    def _take(self) -> None:
        at = self.list.currentRow()
        if not 0 <= at < len(self._rows):
            return
        text, cursor = self._editor.toPlainText(), self._editor.textCursor()
        cursor.setPosition(units(text, self._start), QTextCursor.MoveMode.KeepAnchor)
        self.popup.hide()
        cursor.insertText(self._rows[at].name)
        self._editor.setTextCursor(cursor)

    def _hovered(self, event: QHelpEvent) -> bool:
        """The signature of the word under the pointer; False where there is none to tell."""
        if not _ready.is_set():
            return False
        text = self._editor.toPlainText()
        at = self._editor.cursorForPosition(event.pos()).position()
        known = known_at(text, characters(text, at))
        if known is None:
            return False
        words = f"<p><b>{escape(known.signature)}</b></p><p>{escape(known.text)}</p>"
        QToolTip.showText(event.globalPos(), words, self._editor.viewport())
        return True

    def _place(self, floating: QFrame | QLabel, *, below: bool) -> None:
        """Under the cursor, or over it, within the window."""
        window, line = self._editor.window(), self._editor.cursorRect()
        if floating.parentWidget() is not window:
            floating.setParent(window)
        floating.adjustSize()
        origin = self._editor.viewport().mapTo(window, line.topLeft())
        under = origin.y() + line.height() + _GAP
        over = origin.y() - floating.height() - _GAP
        fits = under + floating.height() <= window.height() - _GAP
        y = (under if fits or over < 0 else over) if below else (over if over >= 0 else under)
        x = max(_GAP, min(origin.x(), window.width() - floating.width() - _GAP))
        floating.move(QPoint(x, y))
        floating.show()
        floating.raise_()
