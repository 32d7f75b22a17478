"""Where the windows were and how their panes stood: kept from one start to the next."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QPoint, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QSplitter

if TYPE_CHECKING:
    from gradviz.ui.window import Window

_SIZE = QSize(1280, 800)  # the first time
_STEP = QPoint(32, 32)  # from one window to the next, where that was never placed
_MOST = 8  # windows whose places are kept


def restore(window: Window, before: Window | None = None) -> None:
    """Put the window as the one of its number was, within the screens that there are now.

    One that never was there stands a step beside the window `before` it.
    """
    screen = QGuiApplication.primaryScreen()
    room = screen.availableSize() if screen else _SIZE
    window.resize(_SIZE.boundedTo(room))
    small = room.width() <= _SIZE.width() or room.height() <= _SIZE.height()
    if small:
        window.setWindowState(Qt.WindowState.WindowMaximized)
    places = window.settings["places"]
    saved = places[window.number] if window.number < len(places) else ""
    if isinstance(saved, str) and saved:
        window.restoreGeometry(QByteArray(base64.b64decode(saved)))
    elif before is not None and not small:
        window.resize(before.size())
        window.move(before.pos() + _STEP)
    _bring_on_screen(window)
    _share(window.panes, window.settings["panes"])
    _share(window.left_panes, window.settings["code_panes"])


def remember(window: Window) -> None:
    """Keep how it is now."""
    settings = window.settings
    places = list(settings["places"])
    places += [""] * (window.number + 1 - len(places))
    places[window.number] = base64.b64encode(bytes(window.saveGeometry().data())).decode()
    settings["places"] = places[:_MOST]
    for key, panes in (("panes", window.panes), ("code_panes", window.left_panes)):
        if all(panes.sizes()):  # else one of them is not shown, and keeps the size it had
            settings[key] = panes.sizes()
    if window.docks.height:
        settings["dock"] = window.docks.height
    settings.sync()


def _bring_on_screen(window: Window) -> None:
    """The upper edge, by which a window is moved, is on a screen that is there."""
    screens = QGuiApplication.screens()
    edge = window.geometry().adjusted(40, 0, -40, 0)
    edge.setHeight(1)
    if screens and not any(screen.availableGeometry().intersects(edge) for screen in screens):
        window.move(screens[0].availableGeometry().topLeft())


def _share(panes: QSplitter, sizes: list[Any]) -> None:
    if len(sizes) == panes.count() and all(isinstance(n, int) and n > 0 for n in sizes):
        panes.setSizes(sizes)
