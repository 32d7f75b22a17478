"""A window whose questions are answered by the test, over the real sandbox."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gradviz import language
from gradviz.ui.app import make_app
from gradviz.ui.dialogs import Choice, Decision, Dialogs
from gradviz.ui.evaluator import Evaluator
from gradviz.ui.settings import Settings
from gradviz.ui.theme import ThemeSource
from gradviz.ui.window import Window


class Answers(Dialogs):
    """Takes the place of every dialog: `decision`, `choice` and `path` answer, `asked` logs."""

    def __init__(self) -> None:
        QObject.__init__(self)
        self.decision: Decision = "cancel"
        self.choice: Choice = "cancel"
        self.path: Path | None = None
        self.asked: list[str] = []

    def ask_save(self, name: str, then: Callable[[Decision], None]) -> None:
        self.asked.append(f"save {name}?")
        then(self.decision)

    def ask_replace(self, name: str, then: Callable[[Choice], None]) -> None:
        self.asked.append(f"replace {name}?")
        then(self.choice)

    def ask_script(
        self, name: str, parts: list[str], then: Callable[[Choice], None], *, script: bool
    ) -> None:
        self.asked.append(f"{name} without {', '.join(parts)}?")
        then(self.choice)

    def open_file(self, folder: str, then: Callable[[Path], None]) -> None:
        self.asked.append("open")
        if self.path is not None:
            then(self.path)

    def open_numbers(self, folder: str, then: Callable[[Path], None]) -> None:
        self.open_file(folder, then)

    def save_file(
        self, title: str, start: str, kinds: tuple[str, ...], then: Callable[[Path], None]
    ) -> None:
        self.asked.append(title)
        if self.path is not None:
            then(self.path)

    def tell(self, title: str, text: str) -> None:
        self.asked.append(f"{title}: {text}")


class App:
    """A window and how to wait for it."""

    def __init__(self, qtbot: QtBot, window: Window, answers: Answers) -> None:
        self.qtbot, self.window, self.answers = qtbot, window, answers

    def settle(self) -> None:
        """Wait until everything asked for is on screen."""
        window = self.window
        self.qtbot.waitUntil(
            lambda: not (window.files.busy or window.evaluator.busy), timeout=20_000
        )

    def open(self, source: str) -> None:
        self.window.files.open(source)
        self.settle()

    def write(self, text: str) -> None:
        """Put a text into the editor as typing does."""
        self.window.code.editor.selectAll()
        self.window.code.editor.insertPlainText(text)
        self.settle()


@pytest.fixture
def app(qtbot: QtBot, tmp_path: Path) -> Iterator[App]:
    from gradviz.script.sandbox import Sandbox

    make_app()
    answers = Answers()
    settings = Settings(tmp_path / "settings.ini")
    window = Window(Evaluator(Sandbox), settings, ThemeSource("light"), dialogs=answers)
    window.resize(1280, 800)
    window.show()
    yield App(qtbot, window, answers)
    answers.decision = "discard"
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible())
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    language.use("en")
    QApplication.processEvents()
    gc.collect()
