"""Where the window was and how its panes stood: kept from one start to the next."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtGui import QGuiApplication

if TYPE_CHECKING:
    from gradviz.ui.window import Window

_SIZE = QSize(1280, 800)  # the first time


def restore(window: Window) -> None:
    """Put the window as it was, within the screens that there are now."""
    screen = QGuiApplication.primaryScreen()
    room = screen.availableSize() if screen else _SIZE
    window.resize(_SIZE.boundedTo(room))
    if room.width() <= _SIZE.width() or room.height() <= _SIZE.height():
        window.setWindowState(Qt.WindowState.WindowMaximized)
    saved = base64.b64decode(window.settings["geometry"] or b"")
    if saved:
        window.restoreGeometry(QByteArray(saved))
    screens = QGuiApplication.screens()
    if screens and not any(s.availableGeometry().intersects(window.geometry()) for s in screens):
        window.move(screens[0].availableGeometry().topLeft())
    widths = window.settings["panes"]
    if len(widths) == window.panes.count() and all(isinstance(n, int) and n > 0 for n in widths):
        window.panes.setSizes(widths)


def remember(window: Window) -> None:
    """Keep how it is now."""
    settings = window.settings
    settings["geometry"] = base64.b64encode(bytes(window.saveGeometry().data())).decode()
    settings["panes"] = window.panes.sizes()
    if window.docks.height:
        settings["dock"] = window.docks.height
    settings.sync()
