"""Several windows over one set of settings, and what another run of the app left."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from gradviz.diagram import Diagram
from gradviz.files import kept
from gradviz.script.sandbox import Sandbox
from gradviz.ui.asking.settings import Settings
from gradviz.ui.documents.session import SUFFIX, Session
from gradviz.ui.documents.windows import Windows
from gradviz.ui.running.evaluator import Evaluator
from gradviz.ui.theme import ThemeSource
from gradviz.ui.window import Window
from tests.ui.answers import Answers


class Apps:
    """The windows of the app, and what another run of it left."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.qtbot, self.root = qtbot, folder / "unsaved"
        self.windows = Windows(
            Settings(folder / "settings.ini"),
            ThemeSource("light"),
            lambda: Evaluator(Sandbox),
            Session(self.root),
        )

    def window(self, source: str | None = None) -> Window:
        window = self.windows.add(source)
        window.show()
        self.settle()
        return window

    def answer(self, window: Window) -> Answers:
        """What answers the window's questions instead of a person."""
        answers = window.files.dialogs = Answers()
        return answers

    def write(self, window: Window, text: str) -> None:
        window.code.editor.selectAll()
        window.code.editor.insertPlainText(text)
        self.settle()

    def settle(self) -> None:
        """Wait until files are read and written, and everything is kept."""

        def rest() -> bool:
            return not any(
                window.files.busy
                or window.evaluator.busy
                or (window.filing.keeper is not None and window.filing.keeper.busy)
                for window in self.windows.all
            )

        self.qtbot.waitUntil(rest, timeout=30_000)

    def leave(self, head: kept.Head, diagram: Diagram, *, run: str = "1-dead") -> Path:
        """What a run of the app that was ended would have left."""
        folder = self.root / run
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{len(list(folder.iterdir()))}{SUFFIX}"
        kept.write(file, head, diagram)
        return file

    def offer(self, window: Window) -> list[tuple[str, str]]:
        self.windows.recovery.offer(window)
        self.qtbot.waitUntil(lambda: not self.windows.recovery.busy, timeout=10_000)
        return [(row.left.name, row.left.about) for row in window.filing.left.rows]

    @property
    def files(self) -> list[str]:
        """The names of the files of this run."""
        return sorted(file.name for file in self.windows.session.folder.glob("*"))
