"""`Watch`: notices that something may have happened to a file outside the app."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication

_REST_MS = 250  # a file that is being written is left alone until it rests


class Watch(QObject):
    """`touched` comes when a look at the file is due.

    The folder is watched too: a program that saves by putting a new file in the place of the old
    one ends the watch of the file itself. Folders on a network tell nothing, so the app's coming
    to the front is also a reason to look.
    """

    touched = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._watcher = QFileSystemWatcher(self)
        self._path: Path | None = None
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self._look)
        self._watcher.fileChanged.connect(self._happened)
        self._watcher.directoryChanged.connect(self._happened)
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.applicationStateChanged.connect(self._came_back)

    def follow(self, path: Path | None) -> None:
        """Watch this file from now on, and no other."""
        self._rest.stop()
        self._path = path
        old = [*self._watcher.files(), *self._watcher.directories()]
        if old:
            self._watcher.removePaths(old)
        self._watch()

    def _watch(self) -> None:
        if self._path is None:
            return
        real = Path(os.path.realpath(self._path))
        known = {*self._watcher.files(), *self._watcher.directories()}
        wanted = [str(found) for found in (real, real.parent) if found.exists()]
        missing = [name for name in wanted if name not in known]
        if missing:
            self._watcher.addPaths(missing)

    def _happened(self) -> None:
        self._rest.start()

    def _came_back(self, state: Qt.ApplicationState) -> None:
        if self._path is not None and state == Qt.ApplicationState.ApplicationActive:
            self._rest.start()

    def _look(self) -> None:
        self._watch()
        self.touched.emit()
