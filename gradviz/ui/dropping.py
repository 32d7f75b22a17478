"""Files that are dropped on the window: which can be opened, and what is wrong with the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QObject
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QAbstractScrollArea

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
            self.take(event.mimeData())
        return True

    def take(self, dropped: QMimeData) -> None:
        """Open the files, the first in this window; say why the rest is not opened."""
        local = [url.toLocalFile() for url in dropped.urls() if url.isLocalFile()]
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
