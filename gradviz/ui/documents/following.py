"""`Following`: keeps a document and its file together while other programs write to the file."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from gradviz.language import N_
from gradviz.ui.documents.document import Document
from gradviz.ui.documents.files import SAVE_ELSEWHERE, Files
from gradviz.ui.documents.notices import Notice
from gradviz.ui.documents.saving import Look, look
from gradviz.ui.documents.watching import Watch
from gradviz.ui.panels.notice_bar import NoticeBar

CHANGED = N_("{name} has changed on disk; this document has changes of its own.")
GONE = N_("{name} is no longer on disk. The document is kept here, unsaved.")
_AGAIN_MS = 700  # a file that is gone may be about to be put back


class Following(QObject):
    """A file that changed is read again where nothing is lost by it, and asked about elsewhere."""

    def __init__(self, document: Document, files: Files, bar: NoticeBar, parent: QObject) -> None:
        super().__init__(parent)
        self._document, self._files, self._bar = document, files, bar
        self._gone = False
        self.watch = Watch(self)
        self.watch.touched.connect(self.look)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(_AGAIN_MS)
        self._again.timeout.connect(self.look)
        files.settled.connect(self._settled)
        files.noticed.connect(bar.say)

    def look(self) -> None:
        """See whether the file still holds what it did."""
        path, disk = self._document.path, self._files.disk
        if path is None:
            return

        def found(seen: Look) -> None:
            if path == self._document.path and disk is self._files.disk:
                self._found(seen)

        self._files.aside.run(lambda: look(path, disk), found)

    def _settled(self) -> None:
        self._gone = False
        self._again.stop()
        self.watch.follow(self._document.path)
        self._bar.withdraw("changed", "gone", "refused")

    def _found(self, seen: Look) -> None:
        if seen.state == "gone":
            self._tell_gone()
            return
        if self._gone and seen.state:
            self._gone = False
            self._bar.withdraw("gone")
        if seen.state == "same":
            self._bar.withdraw("changed")
        elif seen.state == "other" and not self._document.modified:
            self._files.read_again()
        elif seen.state == "other":
            self._ask(seen.digest)

    def _tell_gone(self) -> None:
        """Only a file that stays away is told of: it may be being replaced."""
        if not self._gone:
            self._gone = True
            self._again.start()
        elif not self._again.isActive() and not self._told("gone"):
            self._document.unsaved()
            answers = ((N_("Save"), self._files.save), (SAVE_ELSEWHERE, self._files.save_as))
            self._bar.say(Notice("gone", GONE, {"name": self._files.name}, answers))

    def _ask(self, digest: str | None) -> None:
        def keep() -> None:
            self._files.disk.digest = digest  # known now: saving need not ask
            self._document.unsaved()

        if not self._told("changed"):
            answers = ((N_("Reload"), self._files.read_again), (N_("Keep mine"), keep))
            self._bar.say(Notice("changed", CHANGED, {"name": self._files.name}, answers))

    def _told(self, kind: str) -> bool:
        return self._bar.notice is not None and self._bar.notice.kind == kind
