"""`Recent`: the menu of the files opened lately; those that are gone cannot be chosen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

if TYPE_CHECKING:
    from gradviz.ui.window import Window


class Recent(QObject):
    """Of one window; it follows the settings, which all windows share."""

    def __init__(self, window: Window, menu: QMenu) -> None:
        super().__init__(window)
        self._window, self._menu = window, menu
        menu.triggered.connect(self._open)
        window.settings.changed.connect(self._changed)
        self.fill()

    def fill(self) -> None:
        self._menu.clear()
        names = self._window.settings["recent"]
        for name in names:
            self._menu.addAction(name).setData(name)
        self._menu.setEnabled(bool(names))
        self._window.files.aside.run(lambda: [Path(name).exists() for name in names], self._grey)

    def _grey(self, there: list[bool]) -> None:
        """Switch off what is not there; a disk that is slow to tell was not waited for."""
        for action, found in zip(self._menu.actions(), there, strict=False):
            action.setEnabled(found)

    def _changed(self, key: str) -> None:
        if key == "recent":
            self.fill()

    def _open(self, action: QAction) -> None:
        self._window.files.open(str(action.data()))
