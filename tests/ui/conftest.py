"""A window whose questions are answered by the test, over the real sandbox."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gradviz import language
from gradviz.ui.app import make_app
from gradviz.ui.asking.settings import Settings
from gradviz.ui.documents import keeping
from gradviz.ui.running.evaluator import Evaluator
from gradviz.ui.theme import ThemeSource
from gradviz.ui.window import Window
from tests.ui.answers import Answers
from tests.ui.apps import Apps


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


@pytest.fixture
def apps(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Apps]:
    make_app()
    monkeypatch.setattr(keeping, "DELAY_MS", 50)
    apps = Apps(qtbot, tmp_path)
    yield apps
    for window in list(apps.windows.all):
        window.leave()
    qtbot.waitUntil(lambda: not apps.windows.all)
    apps.windows.end()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    language.use("en")
    gc.collect()
