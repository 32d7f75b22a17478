"""`Files`: opening, saving and leaving documents, with nothing lost on the way."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QDropEvent

from gradviz.diagram import Diagram
from gradviz.language import _
from gradviz.sources import PREFIX, SourceProblem, load
from gradviz.ui.dialogs import Decision, Dialogs
from gradviz.ui.document import Document
from gradviz.ui.settings import Settings


class Files(QObject):
    """`opening` comes just before another document is put in, `problem(sentence)` if not."""

    opening = Signal()
    problem = Signal(str)

    def __init__(
        self, document: Document, settings: Settings, dialogs: Dialogs, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._document, self._settings, self.dialogs = document, settings, dialogs

    @property
    def name(self) -> str:
        """What the document is called in a question or a title."""
        return self._document.filename or _("Untitled")

    def new(self) -> None:
        self.leave(self._put_empty)

    def ask_open(self) -> None:
        self.dialogs.open_file(self._settings["folder"], self._open_path)

    def open(self, source: str) -> None:
        """Open SRC: a script, a diagram or example:NAME."""

        def put() -> None:
            self._put(source)

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
            self._write(path, then)

    def save_as(self, then: Callable[[], None] | None = None) -> None:
        script, diagram = _("Script (*.py)"), _("Diagram (*.gradviz)")
        edited = any(call.edited for call in self._document.diagram.calls)
        kinds = (diagram, script) if edited else (script, diagram)
        path = self._document.path
        start = str(path or Path(self._settings["folder"]) / self._bare_name())

        def chosen(chosen_path: Path) -> None:
            self._write(chosen_path, then)

        self.dialogs.save_file(_("Save As"), start, kinds, chosen)

    def _bare_name(self) -> str:
        return (
            "".join(c if c.isalnum() or c in "-_ " else "-" for c in self.name).strip() or "script"
        )

    def _open_path(self, path: Path) -> None:
        self.open(str(path))

    def _put_empty(self) -> None:
        self.opening.emit()
        self._document.load(Diagram(source=""), None)

    def _put(self, source: str) -> None:
        try:
            loaded = load(source)
        except SourceProblem as problem:
            self.problem.emit(str(problem))
            return
        self.opening.emit()
        if loaded.diagram is not None:
            self._document.load(loaded.diagram, loaded.path)
        else:
            diagram = Diagram(source=loaded.text, title=loaded.title)
            self._document.load(diagram, loaded.path, filename=Path(loaded.filename).name)
        if loaded.path is not None and not source.startswith(PREFIX):
            self._settings.remember(loaded.path)

    def _write(self, path: Path, then: Callable[[], None] | None) -> None:
        from gradviz import storage

        diagram = self._document.diagram
        try:
            if path.suffix.lower() == ".py":
                _write_text(path, diagram.source or "")
            else:
                path = path if path.suffix else path.with_suffix(".gradviz")
                storage.write(path, diagram)
        except storage.FileProblem as problem:
            self.problem.emit(str(problem))
            return
        except OSError as problem:
            reason = problem.strerror or str(problem)
            sentence = _("{path}: cannot be written: {reason}")
            self.problem.emit(sentence.format(path=path, reason=reason))
            return
        self._document.saved(path)
        self._settings.remember(path)
        if then is not None:
            then()


def _write_text(path: Path, text: str) -> None:
    """Write all of it or nothing. Raises OSError."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            Path(name).chmod(path.stat().st_mode & 0o777)
        else:
            Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def dropped(event: QDropEvent) -> str | None:
    """The first local file that a drop brings and that can be opened."""
    for url in event.mimeData().urls():
        if url.isLocalFile() and Path(url.toLocalFile()).suffix.lower() in (".py", ".gradviz"):
            return url.toLocalFile()
    return None
