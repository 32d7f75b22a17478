"""`Field`: a line to type in, in which the window's shortcuts work as everywhere else."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit

_EDITING = "ACVXYZ"  # with Ctrl, what everyone expects to be about the text


class Field(QLineEdit):
    """Qt's line keeps some keys for itself on some desktops, as Ctrl+E for the end of the line.

    A letter with Ctrl that an action of the window has goes to that action; Ctrl+C and its like
    stay with the text.
    """

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._is_the_window_s(event)
        ):
            event.ignore()
            return False
        return super().event(event)

    def _is_the_window_s(self, event: QKeyEvent) -> bool:
        key = event.key()
        letter = Qt.Key.Key_A <= key <= Qt.Key.Key_Z and chr(key) not in _EDITING
        if not letter or not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return False
        pressed = QKeySequence(event.keyCombination())
        actions = self.window().findChildren(QAction)
        return any(pressed in action.shortcuts() for action in actions if action.isEnabled())
