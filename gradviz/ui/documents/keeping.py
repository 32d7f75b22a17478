"""`Keeper`: keeps a changed document where a killed process leaves it for the next one."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from gradviz.language import N_, _
from gradviz.ui.documents.aside import Aside
from gradviz.ui.documents.document import Document
from gradviz.ui.documents.files import Files
from gradviz.ui.documents.session import Session

if TYPE_CHECKING:
    from gradviz.diagram import Diagram
    from gradviz.files.kept import Head, Kept

NOT_KEPT = N_("Changes cannot be kept against a crash; save often. {sentence}")
DELAY_MS = 1500  # from the first change that is not kept
_SHARE = 20  # of the time, at the most, goes into keeping


class Keeper(QObject):
    """Writes the document a moment after it changed, and again while it goes on changing.

    The file goes when the document is saved, undone to what was saved, or given up.
    `failed(sentence)` comes once, where nothing can be kept.
    """

    failed = Signal(str)

    def __init__(self, document: Document, files: Files, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._document, self._files, self._session = document, files, session
        self._aside = Aside("keeper", self)
        self._file: Path | None = None
        self._kept: object = None  # the diagram in the file
        self._told = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY_MS)
        self._timer.timeout.connect(self.keep)
        document.changed.connect(self._changed)
        document.history.cleanChanged.connect(self._changed)
        files.settled.connect(self._settled)

    @property
    def busy(self) -> bool:
        """Whether a change is not in the file yet."""
        return self._timer.isActive() or self._aside.busy

    def keep(self) -> None:
        """Write the document now."""
        document = self._document
        self._timer.stop()
        if not document.modified or document.diagram is self._kept:
            return
        from gradviz.files.kept import VERSION, Head

        if self._file is None:
            self._file = self._session.new_file()
        path = str(document.path.absolute()) if document.path else None
        head = Head(VERSION, self._files.name, path, self._files.disk.digest, time.time())
        file, diagram, session = self._file, document.diagram, self._session
        self._kept = diagram
        self._aside.run(lambda: _write(session, file, head, diagram), self._written)

    def adopt(self, kept: Kept) -> None:
        """The document is the one that was found in this file: the file is ours from now on."""
        file, session = self._session.new_file(), self._session
        self._file, self._kept = file, self._document.diagram
        self._aside.run(lambda: _move(session, kept.file, file), self._moved)

    def close(self) -> None:
        """The document is done with: nothing of it is kept."""
        self._timer.stop()
        self._document.changed.disconnect(self._changed)
        self._drop()
        self._aside.close()

    def _changed(self) -> None:
        if not self._document.modified:
            self._drop()
        elif not self._timer.isActive() and self._document.diagram is not self._kept:
            self._timer.start()

    def _settled(self) -> None:
        """Another document, or another file: the header is no longer true."""
        self._kept = None
        self._changed()

    def _drop(self) -> None:
        self._timer.stop()
        if self._file is not None:
            file, session = self._file, self._session
            self._file = self._kept = None
            self._aside.run(lambda: session.forget(file))

    def _moved(self, done: bool) -> None:
        if not done:
            self._kept = None
            self._changed()

    def _written(self, result: str | float) -> None:
        if isinstance(result, str):
            self._kept = None
            if not self._told:
                self._told = True
                self.failed.emit(_(NOT_KEPT).format(sentence=result))
            return
        self._timer.setInterval(max(DELAY_MS, round(1000 * result * _SHARE)))


def _write(session: Session, file: Path, head: Head, diagram: Diagram) -> str | float:
    """The seconds that it took, or why nothing was kept."""
    from gradviz import storage
    from gradviz.files import kept

    begin = time.perf_counter()
    try:
        session.begin()
        kept.write(file, head, diagram)
    except (storage.FileProblem, ValueError) as problem:
        return str(problem)
    return time.perf_counter() - begin


def _move(session: Session, before: Path, after: Path) -> bool:
    """Take over a file that another process left, in one step."""
    from gradviz import storage

    try:
        session.begin()
        before.replace(after)
    except (OSError, storage.FileProblem):
        return False
    session.tidy(before.parent)
    return True
