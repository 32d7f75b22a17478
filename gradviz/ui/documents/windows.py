"""`Windows`: the windows of the app, each with a document of its own."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject

from gradviz.files.sources import PREFIX
from gradviz.ui.asking.settings import Settings
from gradviz.ui.documents.recovery import Recovery
from gradviz.ui.documents.session import Session
from gradviz.ui.running.evaluator import Evaluator
from gradviz.ui.theme import ThemeSource
from gradviz.ui.window import Window


class Windows(QObject):
    """Keeps them alive, and lets them share settings and theme; a closed one goes."""

    def __init__(
        self,
        settings: Settings,
        theme: ThemeSource,
        evaluator: Callable[[], Evaluator],
        session: Session,
    ) -> None:
        super().__init__()
        self.settings, self.theme, self.session = settings, theme, session
        self._evaluator = evaluator
        self.all: list[Window] = []
        self.recovery = Recovery(self, session)

    def add(self, source: str | None = None) -> Window:
        """A new window, on SRC or on its start page."""
        window = Window(self._evaluator(), self.settings, self.theme, windows=self)
        self.all.append(window)
        window.closed.connect(self._closed)
        if source is not None:
            window.stage.opening()
            window.files.open(source)
        return window

    def open_apart(self, source: str) -> None:
        """Open SRC in a window of its own; a window that holds nothing will do."""
        if source.startswith(PREFIX) or not self.raise_open(Path(source)):
            free = next((window for window in self.all if _blank(window)), None)
            if free is not None:
                free.files.open(source)
            self.bring(free or self.add(source))

    def fit_for(self, path: Path | None) -> Window:
        """The window for a document of this file: where it is open unchanged, or an empty one."""
        for window in self.all:
            mine = window.document.path
            if mine is not None and path is not None and _same(mine, path):
                if not window.document.modified:
                    return window
                break
        return next((window for window in self.all if _blank(window)), None) or self.add()

    def place_of_new(self) -> int:
        """The number of the next window: the lowest that no window has."""
        taken = {window.number for window in self.all}
        return next(n for n in range(len(taken) + 1) if n not in taken)

    def raise_open(self, path: Path) -> bool:
        """Bring the window to the front that has the file open, if any has."""
        for window in self.all:
            mine = window.document.path
            if mine is not None and _same(mine, path):
                self.bring(window)
                return True
        return False

    def bring(self, window: Window) -> None:
        """Bring a window to the front."""
        if window.isMinimized():
            window.showNormal()
        window.show()
        window.raise_()
        window.activateWindow()

    def quit(self) -> None:
        """Close all, having asked for each; called off at any of them, all stay."""
        self._ask([window for window in self.all if window.document.modified])

    def report(self, kind: type[BaseException], error: BaseException, trace: Any) -> None:
        """An error of the app itself, said in the window in use; all work is kept at once."""
        for window in self.all:
            if window.filing.keeper is not None:
                window.filing.keeper.keep()
        active = [window for window in self.all if window.isActiveWindow()]
        for window in [*active, *self.all][:1]:
            window.commands.report(kind, error, trace)
        if not self.all:
            sys.__excepthook__(kind, error, trace)

    def end(self) -> None:
        """The app is over."""
        for window in list(self.all):
            window.evaluator.close()
        self.recovery.end()
        self.session.end()

    def _ask(self, rest: list[Window]) -> None:
        if not rest:
            for window in list(self.all):
                window.leave()
            return
        self.bring(rest[0])
        rest[0].files.leave(lambda: self._ask(rest[1:]))

    def _closed(self) -> None:
        window = self.sender()
        if isinstance(window, Window) and window in self.all:
            self.all.remove(window)
            window.deleteLater()


def _blank(window: Window) -> bool:
    document = window.document
    return (
        not document.modified
        and document.path is None
        and document.diagram.source is None
        and not document.diagram.nodes
        and not window.files.busy
    )


def _same(a: Path, b: Path) -> bool:
    with contextlib.suppress(OSError):
        return a.samefile(b)
    return a.absolute() == b.absolute()
