"""Which keys a line to type in leaves to the window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent

from tests.ui.conftest import App

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.mark.parametrize(
    ("key", "keys", "kept"),
    [
        (Qt.Key.Key_E, CONTROL, False),  # the seed editor
        (Qt.Key.Key_U, CONTROL, False),  # the second storey
        (Qt.Key.Key_C, CONTROL, True),
        (Qt.Key.Key_Z, CONTROL | SHIFT, True),
        (Qt.Key.Key_K, CONTROL, True),  # nobody's
        (Qt.Key.Key_E, Qt.KeyboardModifier.NoModifier, True),
    ],
)
def test_the_window_s_shortcuts_work_in_a_line(
    app: App, key: Qt.Key, keys: Qt.KeyboardModifier, *, kept: bool
) -> None:
    app.open("example:sum")  # with a pass, whose seed can be edited
    app.window.action("storey").setEnabled(True)
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key, keys)
    event.accept()  # as where Qt's own line would keep it
    app.window.seed_editor.tools.formula.event(event)
    assert event.isAccepted() is kept
