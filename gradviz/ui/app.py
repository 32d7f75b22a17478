"""`start`: the application object, its window, and everything that may wait for the first paint."""

from __future__ import annotations

import signal
import sys
import threading

from PySide6.QtCore import QLocale, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from gradviz import resources
from gradviz.language import detect
from gradviz.look import TYPE
from gradviz.script.limits import Limits
from gradviz.ui.asking.commands import use_language
from gradviz.ui.asking.preferences import limits_of
from gradviz.ui.asking.settings import Settings
from gradviz.ui.documents.session import Session, data_folder
from gradviz.ui.documents.windows import Windows
from gradviz.ui.running.evaluator import Evaluator
from gradviz.ui.running.fluency import Fluency
from gradviz.ui.running.work import Worker
from gradviz.ui.theme import ThemeSource, font, load_fonts
from gradviz.ui.widgets import assistant, formula

_LOCALES = {"en": "en_US", "zh": "zh_CN"}


def start(*sources: str, lang: str | None = None, quit_when_painted: bool = False) -> int:
    """Run the app, with a window for each SRC, until all are closed; the exit status.

    `quit_when_painted` ends it after the first paint, for measuring how long that takes.
    """
    app = make_app()
    fluency = Fluency(app)
    settings = Settings()
    name = lang or detect(setting=settings["language"])
    use_language(name)
    QLocale.setDefault(QLocale(_LOCALES.get(name, "en_US")))
    windows = make_windows(settings)
    window = windows.add()
    if sources:
        window.stage.opening()

    def painted() -> None:
        if quit_when_painted:
            app.quit()
            return
        import engine  # noqa: F401  whole: threads that ask for its parts at once would trip

        fluency.started()
        warm_up()
        for number, source in enumerate(sources):
            if number:
                windows.open_apart(source)
            else:
                window.files.open(source)
        if not sources:
            window.thumbnails.start()
        windows.recovery.offer(window)

    window.painted.connect(painted)
    window.show()
    window.code.editor.setFocus()
    sys.excepthook = windows.report
    interrupted = QTimer()  # lets Python see Ctrl+C while Qt waits
    interrupted.start(500)
    interrupted.timeout.connect(_nothing)
    signal.signal(signal.SIGINT, _quit)
    status = app.exec()
    sys.excepthook = sys.__excepthook__
    windows.end()
    return status


def make_app() -> QApplication:
    """The application object with the product's name, style, fonts and icon."""
    found = QApplication.instance()
    app = found if isinstance(found, QApplication) else QApplication(["gradviz"])
    app.setApplicationName("gradviz")
    app.setApplicationDisplayName("gradviz")
    app.setDesktopFileName("gradviz")
    app.setStyle("Fusion")
    load_fonts()
    app.setFont(font(TYPE.body))
    icon = resources.path("icons", "gradviz.svg")
    if icon.exists():
        app.setWindowIcon(QIcon(str(icon)))
    return app


def make_windows(settings: Settings) -> Windows:
    """No window yet; each will start a sandbox of its own when it first needs it."""

    def evaluator() -> Evaluator:
        return Evaluator(_hire, limits=limits_of(settings))

    theme = ThemeSource(settings["theme"])
    return Windows(settings, theme, evaluator, Session(data_folder()))


def _hire(limits: Limits) -> Worker:
    from gradviz.script.sandbox import Sandbox

    return Sandbox(limits)


def warm_up() -> threading.Thread:
    """Import beside the event loop what the first window did not need."""

    def load() -> None:
        from gradviz.doctor import drawn, examine  # noqa: F401  a later import would be waited for
        from gradviz.edit import search  # it brings the engine in

        formula.load()
        search.warm()
        assistant.warm()

    thread = threading.Thread(target=load, daemon=True)
    thread.start()
    return thread


def _nothing() -> None:
    """Only the return to Python matters."""


def _quit(number: int, frame: object) -> None:
    QApplication.closeAllWindows()
