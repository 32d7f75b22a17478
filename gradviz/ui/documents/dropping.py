"""Files that are dropped on the window: which can be opened, and what is wrong with the others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from gradviz.language import _

if TYPE_CHECKING:
    from gradviz.ui.window import Window

_LIMIT = 10  # windows that one drop opens


class Dropping(QObject):
    """Takes files wherever they are dropped, also where texts could be."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        window.setAcceptDrops(True)
        window.installEventFilter(self)
        for area in window.findChildren(QAbstractScrollArea):
            area.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kinds = (QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop)
        if event.type() not in kinds or not isinstance(event, QDropEvent):
            return False
        if not event.mimeData().hasUrls():
            return False
        event.acceptProposedAction()
        if event.type() == QEvent.Type.Drop:
            within = watched if isinstance(watched, QWidget) else self._window
            self.take(event.mimeData(), within.mapToGlobal(event.position().toPoint()))
        return True

    def take(self, dropped: QMimeData, at: QPoint | None = None) -> None:
        """Open the files, the first in this window; say why the rest is not opened.

        Numbers and images become nodes at the point of the screen that they are dropped at.
        """
        local = [url.toLocalFile() for url in dropped.urls() if url.isLocalFile()]
        if at is not None:
            local = self._without_values(local, at)
        other = [url.toString() for url in dropped.urls() if not url.isLocalFile()]
        files = self._window.files
        if other:
            sentence = _("{url}: only files of this computer can be opened; save it first.")
            files.problem.emit(sentence.format(url=other[0]))
        if len(local) > _LIMIT:
            sentence = _("{count} files at once are too many; {limit} can be opened.")
            files.problem.emit(sentence.format(count=len(local), limit=_LIMIT))
            return
        for number, source in enumerate(local):
            if number and files.others is not None:
                files.others.open_apart(source)
            else:
                files.open(source)

    def _without_values(self, files: list[str], at: QPoint) -> list[str]:
        from gradviz.edit.importing import SUFFIXES  # drawing is not there before the first window

        values = [Path(file) for file in files if Path(file).suffix.lower() in SUFFIXES]
        if values:
            self._window.drawing.dropped.take(values[:_LIMIT], at)
        return [file for file in files if Path(file) not in values]
