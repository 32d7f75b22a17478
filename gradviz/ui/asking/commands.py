"""`Commands`: what the actions of the window do, beyond a single call of a part of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLibraryInfo, Qt, QTranslator
from PySide6.QtWidgets import QApplication, QStyle, QWidget

import gradviz
from gradviz import language
from gradviz.language import _

if TYPE_CHECKING:
    from gradviz.diagram import Diagram
    from gradviz.program.writing import Target
    from gradviz.run import Run
    from gradviz.ui.theme import Choice
    from gradviz.ui.window import Window

_QT_NAMES = {"zh": "qtbase_zh_CN"}
_translators: list[QTranslator] = []


def use_language(name: str) -> None:
    """Everything in this language from now on, Qt's own texts included."""
    language.use(name)
    app = QApplication.instance()
    if app is None:
        return
    while _translators:
        app.removeTranslator(_translators.pop())
    if name in _QT_NAMES:
        translator = QTranslator(app)
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        if translator.load(_QT_NAMES[name], folder):
            app.installTranslator(translator)
            _translators.append(translator)


class Commands:
    """Bound to one window."""

    def __init__(self, window: Window) -> None:
        self._window = window

    @property
    def motion(self) -> str:
        """Either "full" or "reduced": as chosen, else as the system has it."""
        chosen: str = self._window.settings["motion"]
        if chosen != "auto":
            return chosen
        duration = QStyle.StyleHint.SH_Widget_Animation_Duration
        return "full" if QApplication.style().styleHint(duration) else "reduced"

    def open_example(self, name: str) -> None:
        self._window.files.open(f"example:{name}")

    def step(self, by: int) -> None:
        player = self._window.player
        player.pause()
        player.go(player.position + by)

    def set_twin(self, on: bool) -> None:
        self._window.live.set_twin(on)
        self._window.sync_actions()

    def toggle_bare(self) -> None:
        """Leave out what takes no gradient, or show it again."""
        self._window.stage.set_bare(not self._window.stage.bare)

    def toggle_storey(self) -> None:
        """Open second storeys, or close them."""
        stage = self._window.stage
        stage.open_storeys(not stage.opened)

    def toggle_theme(self) -> None:
        self.set_theme("dark" if self._window.theme.name == "light" else "light")

    def set_theme(self, choice: Choice) -> None:
        self._window.settings["theme"] = choice
        self._window.sync_actions()

    def toggle_language(self) -> None:
        self.set_language("en" if language.current() == "zh" else "zh")

    def set_language(self, name: str) -> None:
        """Show everything in this language, now and the next time."""
        self._window.settings["language"] = name

    def toggle_motion(self) -> None:
        self._window.settings["motion"] = "full" if self.motion == "reduced" else "reduced"

    def toggle_overview(self) -> None:
        self._window.settings["overview"] = not self._window.settings["overview"]

    def find(self) -> None:
        """In the script while one writes there, else among the nodes."""
        focused = QApplication.focusWidget()
        if focused is not None and self._window.code.isAncestorOf(focused):
            self._window.code.find_bar.ask()
        else:
            self._window.node_finder.ask()

    def next_pane(self) -> None:
        """Put the cursor into the next pane that is seen: from the script on, and round."""
        window = self._window
        panes = [window.code, self._shown_canvas(), window.inspector, window.timeline]
        panes += [window.docks.dock, window.seed_editor]
        focused = QApplication.focusWidget()
        inside = [focused is not None and pane.isAncestorOf(focused) for pane in panes]
        inside[1] = inside[1] or focused is panes[1]
        start = inside.index(True) if True in inside else -1
        for step in range(1, len(panes) + 1):
            pane = panes[(start + step) % len(panes)]
            if pane.isVisible():
                _enter(pane)
                return

    def toggle_seed_editor(self) -> None:
        """Show it with the cursor in its formula, or put it away and go back to the canvas."""
        editor = self._window.seed_editor
        editor.set_shown(not editor.isVisible())
        _enter(editor.tools.formula if editor.isVisible() else self._shown_canvas())

    def _shown_canvas(self) -> QWidget:
        stage = self._window.stage
        return stage.twin.first if stage.twin.isVisible() else stage.canvas

    def ask_settings(self) -> None:
        from gradviz.ui.asking.settings_dialog import SettingsDialog

        SettingsDialog.of(self._window).show_page()

    def ask_shortcuts(self) -> None:
        from gradviz.ui.asking.settings_dialog import SettingsDialog

        SettingsDialog.of(self._window).show_page("keys")

    def tidy(self) -> None:
        """Lay the nodes out anew, those the user moved included."""
        self._window.stage.forget_places()
        document = self._window.document
        document.edit(_("Tidy"), replace(document.diagram, positions={}))

    def repair(self, key: str) -> None:
        """Do what a button of the banner says about the call that failed."""
        document, player = self._window.document, self._window.player
        failed = next((n for n, done in enumerate(player.run.passes) if done.error), player.index)
        player.choose(failed)
        if key != "retain":
            self._window.starting.choose(key)
            return
        calls = tuple(
            replace(call, retain_graph=True, edited=True) if n < failed else call
            for n, call in enumerate(document.diagram.calls)
        )
        document.edit("retain_graph", replace(document.diagram, calls=calls))

    def tell_about(self) -> None:
        text = _("See how a gradient comes about: reductions, seeds and every step between.")
        self._window.files.dialogs.tell(f"gradviz {gradviz.__version__}", text)

    def tell_environment(self) -> None:
        from gradviz.surroundings import facts

        lines = []
        for fact in facts():
            remedy = f"  ({fact.remedy})" if fact.remedy else ""
            lines.append(f"{fact.label}: {fact.value}{remedy}")
        self._window.files.dialogs.tell(_("Environment"), "\n".join(lines))

    def ask_export(self) -> None:
        """Ask where to, and write what the canvas shows."""
        window = self._window
        kinds = (
            _("SVG picture (*.svg)"),
            _("PNG picture (*.png)"),
            _("Run as JSON (*.json)"),
        )
        name = Path(window.files.name).stem or "gradviz"
        start = str(Path(window.settings["folder"]) / f"{name}.svg")
        window.files.dialogs.save_file(_("Export"), start, kinds, self.export)

    def export(self, path: Path) -> None:
        """Write what the canvas shows; the suffix says as what."""
        from gradviz.export import ExportProblem, export

        diagram, run, index = self._window.player.scene
        try:
            export(
                diagram,
                run,
                path,
                index=index,
                position=self._window.player.position,
                twin=self._window.player.twin,
                theme=self._window.theme.name,
                positions=self._window.stage.places(),
                marks=(self._window.stage.marks,),
                opened=self._window.stage.opened,
            )
        except ExportProblem as problem:
            self._window.tell(str(problem))
            return
        self._window.status.say(_("Written: {path}").format(path=path))
        self._window.tour.exported()

    def ask_program(self, library: Target) -> None:
        """Ask where to, and write the diagram as a program that prints the same gradients."""
        window = self._window
        name = Path(window.files.name).stem or "gradviz"
        start = str(Path(window.settings["folder"]) / f"{name}_{library}.py")
        kinds = (_("Python program (*.py)"),)

        def write(path: Path) -> None:
            diagram, run = window.player.diagram, window.player.run
            window.files.aside.run(lambda: _written(diagram, run, library, path), self._tell)

        window.files.dialogs.save_file(_("Write as a program"), start, kinds, write)

    def _tell(self, sentence: str) -> None:
        self._window.status.say(sentence)

    def report(self, kind: type[BaseException], error: BaseException, trace: Any) -> None:
        """An error of the app itself: said without stopping anything."""
        import sys

        sys.__excepthook__(kind, error, trace)
        text = _("Something went wrong inside gradviz; your work is kept. {error}")
        self._window.tell(text.format(error=f"{kind.__name__}: {error}"))


def _enter(pane: QWidget) -> None:
    """Give a pane the cursor: itself, or the first of its parts that takes it."""
    strong = Qt.FocusPolicy.StrongFocus
    if pane.focusProxy() is not None or pane.focusPolicy() & strong == strong:
        pane.setFocus(Qt.FocusReason.ShortcutFocusReason)
        return
    for part in pane.findChildren(QWidget):
        if part.isVisible() and part.isEnabled() and part.focusPolicy() & strong == strong:
            part.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return


def _written(diagram: Diagram, run: Run, library: Target, path: Path) -> str:
    """Write the program; a sentence that says so, or why there is none."""
    from gradviz.program.call import NotWritten
    from gradviz.program.writing import program
    from gradviz.storage import FileProblem, write_text

    try:
        write_text(path, program(diagram, run, library).text)
    except (NotWritten, FileProblem) as problem:
        return str(problem)
    return _("Written: {path}").format(path=path)
