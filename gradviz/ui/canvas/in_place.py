"""`InPlace`: a text written where it stands on the canvas."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from gradviz.look import TYPE
from gradviz.ui.theme import font

_LEAST, _MOST = 11.0, 32.0  # px of the letters, whatever the zoom
_ROOM = 14  # px around the lines
_KEYS = "ACVXZY", ("Left", "Right", "Up", "Down", "Home", "End"), ("Backspace", "Delete", "Insert")
_OWN = frozenset(  # with Ctrl, what one writes with
    Qt.Key[f"Key_{name}"] for names in (*_KEYS, ("Return", "Enter", "Control")) for name in names
)


class InPlace(QPlainTextEdit):
    """Gone once `take` has taken the text, or Esc is pressed; a text it refuses stays.

    Leaving it is the end of writing. Enter is too with `single`; else Ctrl+Enter, and Enter
    begins a line.
    """

    gone = Signal()

    def __init__(
        self, parent: QWidget, text: str, take: Callable[[str], bool], *, single: bool, zoom: float
    ) -> None:
        super().__init__(parent)
        self.setObjectName("InPlace")
        self._take, self._single, self._over = take, single, False
        size = round(min(max(TYPE.caption * zoom, _LEAST), _MOST))
        self.setFont(font(size, bold=single))
        self.setStyleSheet(f"font-size: {size}px;")  # the window's sheet knows one size only
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabChangesFocus(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        if single:
            self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setPlainText(text)
        self.selectAll()
        self.textChanged.connect(self._grow)

    def open(self, place: QRect) -> None:
        """Show it there, as high as its lines."""
        self.setGeometry(place)
        self._grow()
        self.show()
        self.raise_()
        self.setFocus()
        self.window().installEventFilter(self)

    def finish(self) -> None:
        """Hand the text over."""
        if not self._over:
            text = self.toPlainText()
            self._over = True
            self._over = self._take(" ".join(text.split()) if self._single else text.strip())
            if self._over:
                self._leave()

    def give_up(self) -> None:
        """Leave everything as it was."""
        self._over = True
        self._leave()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() == Qt.Key.Key_Escape:
            self.give_up()
        elif enter and (control or self._single):
            self.finish()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """While one writes letters mean nothing else; any other shortcut ends the writing first."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            if control and event.key() not in _OWN:
                self.finish()
                return False
            event.accept()
            return True
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Close:  # what is written now has to be asked about as well
            self.finish()
        return super().eventFilter(watched, event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.finish()

    def _leave(self) -> None:
        self.gone.emit()
        self.hide()
        self.deleteLater()

    def _grow(self) -> None:
        lines = 1.0 if self._single else max(self.document().size().height(), 1.0)
        self.resize(self.width(), round(lines * self.fontMetrics().lineSpacing()) + _ROOM)
