"""`FindBar`: a line under the editor to find a text in it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QWidget

from gradviz.language import _
from gradviz.ui.widgets.field import Field
from gradviz.ui.widgets.labels import named
from gradviz.ui.widgets.positions import characters


class FindBar(QWidget):
    """Finds while one types, round the end and back; `left` says that the cursor goes back."""

    left = Signal()

    def __init__(self, editor: QPlainTextEdit) -> None:
        super().__init__()
        self._editor = editor
        self.line = Field()
        self.count = named(QLabel(), "Soft")
        self.before, self.after, self.close_button = (QPushButton() for _n in range(3))
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 6, 8, 6)
        row.setSpacing(4)
        row.addWidget(self.line, 1)
        row.addWidget(self.count)
        for button, sign in ((self.before, "↑"), (self.after, "↓"), (self.close_button, "×")):
            button.setText(sign)
            button.setProperty("kind", "quiet")
            row.addWidget(button)
        self.line.textChanged.connect(self._typed)
        self.line.returnPressed.connect(self.find_next)
        self.before.clicked.connect(self.find_previous)
        self.after.clicked.connect(self.find_next)
        self.close_button.clicked.connect(self.leave)
        self.retranslate()
        self.hide()

    def retranslate(self) -> None:
        self.line.setPlaceholderText(_("Find in the script"))
        self.line.setAccessibleName(_("Find in the script"))
        for button, name in (
            (self.before, _("Previous")),
            (self.after, _("Next")),
            (self.close_button, _("Close")),
        ):
            button.setToolTip(name)
            button.setAccessibleName(name)

    def ask(self) -> None:
        """Show it, with what is selected as what to find."""
        chosen = self._editor.textCursor().selectedText()
        self.show()
        if chosen and "\u2029" not in chosen:  # Qt's end of a line
            self.line.setText(chosen)
        self.line.setFocus()
        self.line.selectAll()
        self._tell()

    def leave(self) -> None:
        self.hide()
        self._editor.setFocus()
        self.left.emit()

    def find_next(self) -> None:
        self._find(QTextDocument.FindFlag(0))

    def find_previous(self) -> None:
        self._find(QTextDocument.FindFlag.FindBackward)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and event.modifiers():
            self.find_previous()
        else:
            super().keyPressEvent(event)

    def _typed(self, text: str) -> None:
        """From where the present find began, so that a longer text stays at its place."""
        cursor = self._editor.textCursor()
        cursor.setPosition(cursor.selectionStart())
        self._editor.setTextCursor(cursor)
        if text:
            self.find_next()
        self._tell()

    def _find(self, flags: QTextDocument.FindFlag) -> None:
        text = self.line.text()
        if not text:
            return
        if not self._editor.find(text, flags):
            cursor = self._editor.textCursor()
            backward = bool(flags & QTextDocument.FindFlag.FindBackward)
            end, start = QTextCursor.MoveOperation.End, QTextCursor.MoveOperation.Start
            was = cursor.position()
            cursor.movePosition(end if backward else start)
            self._editor.setTextCursor(cursor)
            if not self._editor.find(text, flags):
                cursor.setPosition(was)
                self._editor.setTextCursor(cursor)
        self._tell()

    def _tell(self) -> None:
        """Which of how many, or that there is none."""
        text, cursor = self.line.text(), self._editor.textCursor()
        if not text:
            self.count.setText("")
            return
        places = _places(self._editor.toPlainText(), text)
        start = characters(self._editor.toPlainText(), cursor.selectionStart())
        at = places.index(start) + 1 if start in places and cursor.hasSelection() else 0
        self.count.setText(f"{at} / {len(places)}" if places else _("none"))


def _places(text: str, wanted: str) -> list[int]:
    """Where it stands, whatever the case."""
    text, wanted = text.lower(), wanted.lower()
    found, at = [], text.find(wanted)
    while at >= 0:
        found.append(at)
        at = text.find(wanted, at + len(wanted))
    return found
