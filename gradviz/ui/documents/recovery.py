"""`Recovery`: offers what ended processes left unsaved, and puts it into windows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gradviz.ui.documents.aside import Aside
from gradviz.ui.documents.session import Session
from gradviz.ui.panels.left_bar import Left

if TYPE_CHECKING:
    from gradviz.files.kept import Kept
    from gradviz.ui.documents.windows import Windows
    from gradviz.ui.window import Window


class Recovery(QObject):
    """What is discarded is removed only when the app ends, so that it can be taken back."""

    def __init__(self, windows: Windows, session: Session) -> None:
        super().__init__(windows)
        self._windows, self._session = windows, session
        self._aside = Aside("recovery", self)
        self._discarded: set[Path] = set()
        self._window: Window | None = None

    @property
    def busy(self) -> bool:
        """Whether the files are still being looked for."""
        return self._aside.busy

    def offer(self, window: Window) -> None:
        """Look for what was left, and offer it in this window."""
        self._window = window
        window.filing.left.restored.connect(self._restore)
        window.filing.left.discarded.connect(self._discard)
        session = self._session
        self._aside.run(lambda: _found(session), self._show)

    def end(self) -> None:
        """Remove what was discarded."""
        self._aside.close()
        for file in self._discarded:
            self._session.forget(file)

    def _show(self, found: list[Left]) -> None:
        if self._window in self._windows.all and self._window is not None:
            self._window.filing.left.offer(found)

    def _restore(self, kept: Kept) -> None:
        window = self._windows.fit_for(kept.path)
        window.files.restore(kept.diagram, kept.path, kept.head.name, kept.head.digest)
        if window.filing.keeper is not None:
            window.filing.keeper.adopt(kept)
        self._windows.bring(window)

    def _discard(self, key: Kept | Path, on: bool) -> None:
        file = key if isinstance(key, Path) else key.file
        (self._discarded.add if on else self._discarded.discard)(file)


def _found(session: Session) -> list[Left]:
    """Every file that was left; one that cannot be read is shown with the reason."""
    from gradviz import storage
    from gradviz.files import kept

    rows = []
    for file in session.left():
        try:
            found = kept.read(file)
        except storage.FileProblem as problem:
            rows.append(Left(file, file.name, str(file), 0.0, str(problem), good=False))
            continue
        head = found.head
        rows.append(Left(found, head.name, head.path or "", head.time, found.difference))
    return rows
