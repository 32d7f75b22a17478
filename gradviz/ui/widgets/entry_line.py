"""`EntryLine`: a line to type in, and under it what is wrong with what was typed."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from gradviz.look import TYPE
from gradviz.ui.theme import font
from gradviz.ui.widgets.field import Field


class _Line(Field):
    escaped = Signal()
    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in (
            Qt.FocusReason.PopupFocusReason,
            Qt.FocusReason.ActiveWindowFocusReason,
        ):
            self.left.emit()


class EntryLine(QWidget):
    """Shows a value until something else is typed; Enter, or leaving it, enters that.

    `edited(text)` follows every keystroke, `entered(text)` comes once at the end, where the text
    differs from the value. Who finds it wrong says so by `fail`: it stays then, to be mended.
    `put_back` follows Esc, `done` Esc where nothing was typed.
    """

    edited = Signal(str)
    entered = Signal(str)
    put_back = Signal()
    done = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line, self.note = _Line(), QLabel()
        self.line.setFont(font(TYPE.cell, mono=True))
        self.note.setWordWrap(True)
        self.note.setObjectName("Field")
        self._value = self._hint = ""
        self._typing = self._telling = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.line)
        column.addWidget(self.note)
        self.setFocusProxy(self.line)
        self.note.hide()
        self.line.textEdited.connect(self._edited)
        self.line.returnPressed.connect(self._entered)
        self.line.left.connect(self._left)
        self.line.escaped.connect(self._escaped)

    @property
    def wrong(self) -> str:
        """What is wrong with what stands there."""
        return self.note.text() if self.line.property("invalid") else ""

    def describe(self, name: str, tip: str = "") -> None:
        self.line.setAccessibleName(name)
        self.line.setToolTip(tip)

    def hint(self, text: str) -> None:
        """What may be typed, said where nothing is wrong."""
        self._hint = text
        if not self.wrong:
            self._say(text, wrong=False)

    def show_text(self, text: str, *, fresh: bool = False) -> None:
        """The value is this; what is being typed stays, unless the value is another or `fresh`."""
        if self._telling and not fresh:
            self._value = text
            return
        if self._typing and text == self._value and not fresh:
            return
        self._value, self._typing = text, False
        self._say(self._hint, wrong=False)
        if text != self.line.text():
            self.line.setText(text)
        self.line.setCursorPosition(0)

    def fail(self, sentence: str) -> None:
        """Say what is wrong with what is typed; "" that nothing is."""
        self._typing = self._typing or bool(sentence)
        self._say(sentence or self._hint, wrong=bool(sentence))

    def take(self) -> None:
        """Have the cursor here."""
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)
        self.line.selectAll()

    def _say(self, text: str, *, wrong: bool) -> None:
        if wrong != bool(self.line.property("invalid")):
            self.line.setProperty("invalid", wrong)
            self.line.style().polish(self.line)
            self.note.setObjectName("FieldError" if wrong else "Field")
            self.note.style().polish(self.note)
        self.line.setAccessibleDescription(text)
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def _edited(self, text: str) -> None:
        self._typing, self._telling = True, True
        self.edited.emit(text)
        self._telling = False

    def _entered(self) -> None:
        self._enter()
        if not self._typing:
            self.line.selectAll()

    def _left(self) -> None:
        if self._typing and not self.wrong:
            self._enter()

    def _enter(self) -> None:
        if not self._typing and self.line.text() == self._value:
            return
        self._typing = False
        self.entered.emit(self.line.text())
        if not self._typing:
            self.line.setText(self._value)

    def _escaped(self) -> None:
        if not self._typing:
            self.done.emit()
            return
        self._typing = False
        self.put_back.emit()
        self.show_text(self._value, fresh=True)
        self.line.selectAll()
