"""`Window`: puts document, player, selection, panels and actions together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QSplitter

from gradviz.ui.asking import preferences
from gradviz.ui.asking.actions import Actions
from gradviz.ui.asking.clipboard import Clipboard
from gradviz.ui.asking.commands import Commands
from gradviz.ui.asking.node_finder import NodeFinder
from gradviz.ui.asking.palette import Palette
from gradviz.ui.asking.settings import Settings
from gradviz.ui.asking.tour import Tour
from gradviz.ui.dialogs import Dialogs
from gradviz.ui.docking.calls_dock import CallsDock
from gradviz.ui.docking.dictionaries import Dictionaries
from gradviz.ui.docking.docks import Docks
from gradviz.ui.docking.doctors import Doctors
from gradviz.ui.docking.guiding import Guide
from gradviz.ui.docking.jacobians import Jacobians
from gradviz.ui.docking.proving import Proving
from gradviz.ui.docking.sides import SideLists
from gradviz.ui.documents.document import Document
from gradviz.ui.documents.files import Files
from gradviz.ui.documents.filing import Filing
from gradviz.ui.documents.recent import Recent
from gradviz.ui.documents.remembered import remember, restore
from gradviz.ui.panels.code import CodePane
from gradviz.ui.panels.console import Console
from gradviz.ui.panels.inspector import Inspector
from gradviz.ui.panels.seed_editor import SeedEditor
from gradviz.ui.panels.start_bar import StartBar
from gradviz.ui.panels.status import Status
from gradviz.ui.panels.timeline import Timeline
from gradviz.ui.panes import lay_out
from gradviz.ui.player import Player
from gradviz.ui.running.evaluator import Evaluator
from gradviz.ui.running.live import Live
from gradviz.ui.running.thumbnails import Thumbnails
from gradviz.ui.selection import Selection
from gradviz.ui.stage import Stage
from gradviz.ui.start_page import StartPage
from gradviz.ui.starting import Starting
from gradviz.ui.style import app_sheet
from gradviz.ui.theme import ThemeSource, qt_palette

if TYPE_CHECKING:
    from gradviz.ui.documents.windows import Windows
    from gradviz.ui.drawing.board import Drawing
    from gradviz.ui.drawing.hands import Hands

_WIDE = 1600  # px from which two canvases leave the inspector its place


class Window(QMainWindow):
    """A main window. `painted` comes once, when it is on screen for the first time."""

    painted = Signal()
    closed = Signal()
    document: Document
    player: Player
    live: Live
    starting: Starting
    files: Files
    commands: Commands
    stage: Stage
    theme: ThemeSource
    docks: Docks
    filing: Filing
    proving: Proving
    jacobians: Jacobians
    calls: CallsDock
    guide: Guide
    doctors: Doctors
    palette_of_actions: Palette
    start_bar: StartBar
    timeline: Timeline
    tour: Tour
    node_finder: NodeFinder
    selection: Selection
    code: CodePane
    seed_editor: SeedEditor
    panes: QSplitter
    left_panes: QSplitter

    def __init__(
        self,
        evaluator: Evaluator,
        settings: Settings,
        theme: ThemeSource,
        *,
        dialogs: Dialogs | None = None,
        windows: Windows | None = None,
    ) -> None:
        super().__init__()
        self.number = windows.place_of_new() if windows else 0
        self.settings, self.theme, self.evaluator = settings, theme, evaluator
        self.document, self.player = Document(self), Player(self)
        self.selection, self.clipboard = Selection(self), Clipboard(self)
        self.live = Live(self.document, self.player, evaluator, self)
        self.starting = Starting(self.document, self.player)
        self.files = Files(self.document, settings, dialogs or Dialogs(self), self)
        self.commands = Commands(self)
        self._painted = self._leaving = self._closed = False
        self._drawing: Drawing | None = None
        self.start_bar = StartBar(self.document, self.player, self.starting, theme)
        start = self.document, self.player, self.starting
        self.seed_editor = SeedEditor(*start, self.live, self.files.dialogs, theme)
        self.code = CodePane(self.document, self.player, self.selection, theme)
        self.console = Console(self.player, theme)
        self.stage = Stage(self.document, self.player, self.selection, theme)
        self.inspector = Inspector(self.player, self.selection, theme)
        self.sides = SideLists(self.player, self.live, self.stage.twin, self)
        self.timeline, self.status = Timeline(self.player, theme), Status()
        self.thumbnails = Thumbnails(evaluator, self.stage.gallery, theme, self)
        lay_out(self)
        self.docks = Docks(self)
        self.jacobians, self.proving = Jacobians(self), Proving(self)
        self.calls, self.guide = CallsDock(self), Guide(self)
        self.doctors, self.dictionaries = Doctors(self), Dictionaries(self)
        self.filing = Filing(self, windows)
        self._actions = Actions(self)
        self.recent = Recent(self, self._actions.recent)
        self.palette_of_actions, self.node_finder = Palette(self), NodeFinder(self)
        self.tour = Tour(self)
        self.start_page = StartPage(self)
        self._connect()
        self.player.set_speed(settings["speed"])
        restore(self, windows.all[-1] if windows and windows.all else None)
        preferences.apply_all(self)
        self._recolour()
        self._retitle()
        self.sync_actions()

    @property
    def drawing(self) -> Drawing:
        """Drawing by hand. It knows every op, so that the first window does not wait for it."""
        if self._drawing is None:
            from gradviz.ui.drawing.board import Drawing

            self._drawing = Drawing(self)
        return self._drawing

    @property
    def hands(self) -> Hands:
        """What is done to the selected nodes."""
        return self.drawing.hands

    def action(self, key: str) -> QAction:
        """The action of this id."""
        return self._actions.made[key]

    def sync_actions(self) -> None:
        self._actions.sync()

    def retake_shortcuts(self) -> None:
        """The actions' shortcuts as the settings have them now."""
        self._actions.retake_shortcuts()

    def tell(self, sentence: str) -> None:
        """Of something amiss: a notice that stops nothing and stays until it is closed."""
        self.stage.banner.say(sentence)

    def note(self, sentence: str) -> None:
        """Of something to know: a calm notice that stays until it is closed."""
        self.stage.banner.say(sentence, wrong=False)

    def retranslate(self) -> None:
        """Say everything anew, in the current language."""
        self._actions.retranslate()
        for panel in (self.start_bar, self.code, self.console, self.inspector, self.timeline):
            panel.retranslate()
        self.stage.retranslate()
        self.sides.retranslate()
        self.seed_editor.retranslate()
        self.docks.retranslate()
        self.guide.retranslate()
        self.tour.retranslate()
        self.filing.retranslate()
        self.status.retranslate()
        if self._drawing is not None:
            self._drawing.retranslate()
        self._retitle()
        self.sync_actions()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.document.modified and not self._leaving:
            event.ignore()
            self.files.leave(self.leave)
            return
        remember(self)
        self.hide()  # what is under way may take a moment to end
        self.player.pause()
        self.evaluator.close()
        for part in (self.stage, self.docks, self.proving, self.guide):
            part.close_down()
        if not self._closed:
            self._closed = True
            self.filing.close_down()
            self.document.close()
            self.closed.emit()

    def leave(self) -> None:
        """Close without a question: it has been answered."""
        self._leaving = True
        QTimer.singleShot(0, self.close)  # Qt ignores a close within a close

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.Paint and not self._painted:
            self._painted = True
            QTimer.singleShot(0, self._first_painted)
        return done

    def _first_painted(self) -> None:
        self.painted.emit()
        QTimer.singleShot(0, self, lambda: self.drawing.listen())  # if it is still there

    def _connect(self) -> None:
        self.document.changed.connect(self._keep_selection)
        self.document.changed.connect(self.sync_actions)
        self.selection.changed.connect(self.sync_actions)
        self.clipboard.changed.connect(self.sync_actions)
        self.document.history.cleanChanged.connect(self._retitle)
        self.document.history.indexChanged.connect(self.sync_actions)
        self.document.changed.connect(self._retitle)
        self.player.moved.connect(self.sync_actions)
        self.player.moved.connect(self._player_moved)
        self.files.opening.connect(self._opening)
        self.files.problem.connect(self.tell)
        self.live.refused.connect(self.status.say)
        self.live.unrolled.connect(self.note)
        self.evaluator.failed.connect(self.tell)
        self.evaluator.slow.connect(self.status.show_busy)
        self.status.cancelled.connect(self.evaluator.cancel)
        self.start_bar.twin_asked.connect(self.commands.set_twin)
        self.start_bar.edit.clicked.connect(self.seed_editor.set_shown)
        self.seed_editor.shown.connect(self.start_bar.edit.setChecked)
        self.start_bar.reset_asked.connect(self._reset_start)
        self.start_bar.theme_asked.connect(self.commands.toggle_theme)
        self.start_bar.language_asked.connect(self.commands.toggle_language)
        self.stage.banner.repair.connect(self.commands.repair)
        self.theme.changed.connect(self._recolour)
        self.settings.changed.connect(self._setting_changed)
        self.stage.pages.currentChanged.connect(self._page_changed)
        self.stage.set_motion(self.commands.motion == "full")
        self._page_changed()

    def _page_changed(self) -> None:
        page = self.stage.pages.currentWidget()
        gallery = page is self.stage.gallery
        self.inspector.setVisible(page is self.stage.canvas or self.width() >= _WIDE)
        if gallery and self._painted:
            self.thumbnails.start()

    def _reset_start(self) -> None:
        self.starting.reset(self.live.own)

    def _keep_selection(self) -> None:
        done, nodes = self.player.current, self.document.diagram.nodes
        beyond = {node.id for node in done.beyond} if done else set()

        def there(key: str) -> bool:
            plain = key.removeprefix("seed:")
            return plain in nodes or plain in beyond

        self.selection.keep(there)

    def _opening(self) -> None:
        self.status.clearMessage()
        self.live.opening()
        self.selection.select()
        self.code.opening()
        self.stage.opening()

    def _player_moved(self) -> None:
        if self.player.speed != self.settings["speed"]:
            self.settings["speed"] = self.player.speed

    def _recolour(self) -> None:
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.setPalette(qt_palette(self.theme.colours))
        self.setStyleSheet(app_sheet(self.theme.colours))

    def _retitle(self) -> None:
        self.setWindowTitle(f"{self.files.name}[*] — gradviz")
        self.setWindowModified(self.document.modified)

    def _setting_changed(self, key: str) -> None:
        preferences.apply(self, key)
