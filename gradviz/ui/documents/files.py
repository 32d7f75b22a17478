"""`Files`: opening, saving and leaving documents, with nothing lost on the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from gradviz.diagram import Diagram
from gradviz.files.beyond import NODES, beyond_script
from gradviz.files.sources import PREFIX, Loaded, SourceProblem, load
from gradviz.language import N_, _
from gradviz.ui.asking.settings import Settings
from gradviz.ui.dialogs import Decision, Dialogs
from gradviz.ui.documents.aside import Aside
from gradviz.ui.documents.document import Document
from gradviz.ui.documents.notices import Notice
from gradviz.ui.documents.saving import Changed, Disk, Outcome, Refused, fitting, is_script, write

SAVE_ELSEWHERE = N_("Save As…")


class Others(Protocol):
    """The other windows."""

    def raise_open(self, path: Path) -> bool:
        """Bring a window to the front that has the file open, if any has."""

    def open_apart(self, source: str) -> None:
        """Open SRC in a window of its own."""


class Files(QObject):
    """`opening` comes just before another document is put in, `problem(sentence)` if not.

    `settled` comes when a document and its file have come together: opened, saved, begun anew.
    `noticed(Notice)` says what is to be answered.
    """

    opening = Signal()
    problem = Signal(str)
    settled = Signal()
    noticed = Signal(object)

    def __init__(
        self, document: Document, settings: Settings, dialogs: Dialogs, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._document, self._settings, self.dialogs = document, settings, dialogs
        self.aside = Aside("files", self)
        self.disk = Disk()
        self.others: Others | None = None
        self._agreed: frozenset[str] = frozenset()  # what may be missing from the script
        self._writing = 0

    @property
    def name(self) -> str:
        """What the document is called in a question or a title."""
        return self._document.filename or _("Untitled")

    @property
    def busy(self) -> bool:
        """Whether a file is being read or written."""
        return self.aside.busy

    def new(self) -> None:
        self.leave(self._put_empty)

    def ask_open(self) -> None:
        self.dialogs.open_file(self._settings["folder"], self._open_path)

    def open(self, source: str) -> None:
        """Open SRC: a script, a diagram or example:NAME; beside a document with changes."""
        if self.others is not None:
            if not source.startswith(PREFIX) and self.others.raise_open(Path(source)):
                return
            if self._document.modified:
                self.others.open_apart(source)
                return

        def put() -> None:
            self._read(source)

        self.leave(put)

    def leave(self, then: Callable[[], None]) -> None:
        """Go on with `then`, having asked first where there is something unsaved."""
        if not self._document.modified:
            then()
            return

        def decided(decision: Decision) -> None:
            if decision == "save":
                self.save(then)
            elif decision == "discard":
                then()

        self.dialogs.ask_save(self.name, decided)

    def save(self, then: Callable[[], None] | None = None) -> None:
        path = self._document.path
        if path is None:
            self.save_as(then)
        else:
            self._save_to(path, then)

    def save_as(self, then: Callable[[], None] | None = None, *, whole: bool = False) -> None:
        """Ask where to save; `whole` proposes the kind of file that keeps everything."""
        script, diagram = _("Script (*.py)"), _("Diagram (*.gradviz)")
        whole = whole or bool(beyond_script(self._document.diagram))
        kinds = (diagram, script) if whole else (script, diagram)
        path = self._document.path or Path(self._settings["folder"]) / self._bare_name()
        if whole and is_script(path):
            path = path.with_suffix(".gradviz")

        def chosen(found: Path) -> None:
            full = fitting(found)
            if full != found and full.exists():  # the dialog asked about the other name
                self._ask_replace(full, then)
            else:
                self._save_to(full, then, over=True)

        self.dialogs.save_file(_("Save As"), str(path), kinds, chosen)

    def restore(self, diagram: Diagram, path: Path | None, name: str, digest: str | None) -> None:
        """Put in a document that is not in any file; `digest` is of the file that it began as."""
        self.opening.emit()
        self._begin(Disk(digest))
        self._document.load(diagram, path, filename=name, modified=True)
        self.settled.emit()

    def read_again(self) -> None:
        """Take what the file holds now, as a step that can be undone."""
        path = self._document.path
        if path is not None:
            self.aside.run(lambda: _attempt(str(path)), self._take)

    def close(self) -> None:
        """Let what is being written be written; a slow disk that is only read is left alone."""
        self.aside.close(wait=self._writing > 0)

    def _bare_name(self) -> str:
        return (
            "".join(c if c.isalnum() or c in "-_. " else "-" for c in self.name).strip(" .")
            or "script"
        )

    def _open_path(self, path: Path) -> None:
        self.open(str(path))

    def _put_empty(self) -> None:
        self.opening.emit()
        self._begin(Disk())
        self._document.load(Diagram(source=""), None)
        self.settled.emit()

    def _begin(self, disk: Disk) -> None:
        self.disk, self._agreed = disk, frozenset()

    def _read(self, source: str) -> None:
        before = self._document.state

        def put(loaded: Loaded | SourceProblem) -> None:
            if isinstance(loaded, SourceProblem):
                self.problem.emit(str(loaded))
            elif self._document.state is before:
                self._put(loaded)
            else:  # edited while the file was being read
                self.leave(lambda: self._put(loaded))

        self.aside.run(lambda: _attempt(source), put)

    def _put(self, loaded: Loaded) -> None:
        self.opening.emit()
        self._begin(Disk(loaded.digest or None))
        if loaded.diagram is not None:
            self._document.load(loaded.diagram, loaded.path)
        else:
            diagram = Diagram(source=loaded.text, title=loaded.title)
            self._document.load(diagram, loaded.path, filename=Path(loaded.filename).name)
        if loaded.path is not None:
            self._settings.remember(loaded.path)
        self.settled.emit()

    def _take(self, loaded: Loaded | SourceProblem) -> None:
        if isinstance(loaded, SourceProblem):
            self._document.unsaved()
            self.problem.emit(str(loaded))
            return
        if loaded.path != self._document.path or loaded.path is None:
            return
        now = self._document.diagram
        diagram = loaded.diagram or replace(now, source=loaded.text, drawn=False)
        self._document.edit(_("Reload"), diagram)
        self.disk.digest = loaded.digest
        self._document.saved(loaded.path)
        self.settled.emit()

    def _save_to(self, path: Path, then: Callable[[], None] | None, *, over: bool = False) -> None:
        """Write the document; `over` whatever the file holds now."""
        lost = frozenset(beyond_script(self._document.diagram)) if is_script(path) else frozenset()
        if lost <= self._agreed:
            self._write(path, then, over=over)
            return

        def decided(decision: str) -> None:
            if decision == "script":
                self._agreed |= lost
                self._write(path, then, over=over)
            elif decision == "diagram":
                self.save_as(then, whole=True)

        parts = [_(text) for text in beyond_script(self._document.diagram)]
        self.dialogs.ask_script(path.name, parts, decided, script=NODES not in lost)

    def _write(self, path: Path, then: Callable[[], None] | None, *, over: bool) -> None:
        document, disk = self._document, self.disk
        diagram, state = document.diagram, document.state
        same = path == document.path
        known = disk if same and not over else None

        def done(outcome: Outcome) -> None:
            self._writing -= 1
            if isinstance(outcome, Changed):
                self._ask_replace(path, then)
            elif isinstance(outcome, Refused):
                answers = ((SAVE_ELSEWHERE, self.save_as),)
                self.noticed.emit(Notice("refused", outcome.sentence, answers=answers))
            elif self.disk is disk:  # else another document has come meanwhile
                written = not is_script(path) or document.diagram.source == diagram.source
                document.saved(path, state if written else diagram)
                self._settings.remember(path)
                self.settled.emit()
                if then is not None:
                    then()

        self._writing += 1
        self.aside.run(lambda: write(path, diagram, disk, known), done)

    def _ask_replace(self, path: Path, then: Callable[[], None] | None) -> None:
        def decided(decision: str) -> None:
            if decision == "replace":
                self._save_to(path, then, over=True)
            elif decision == "elsewhere":
                self.save_as(then)

        self.dialogs.ask_replace(path.name, decided)


def _attempt(source: str) -> Loaded | SourceProblem:
    try:
        return load(source)
    except SourceProblem as problem:
        return problem
