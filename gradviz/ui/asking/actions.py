"""The table of actions: menus, shortcuts, tool tips and the command names come from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QMenu

from gradviz.language import N_, _, current
from gradviz.storeys import has_storey
from gradviz.ui.asking.action import Action
from gradviz.ui.drawing.table import EDIT, NODE

if TYPE_CHECKING:
    from gradviz.ui.window import Window

MENUS = (N_("File"), N_("Edit"), N_("Node"), N_("View"), N_("Play"), N_("Help"))


def _played(window: Window) -> bool:
    return window.player.last > 0


def _drawn(window: Window) -> bool:
    return bool(window.player.diagram.nodes)


def _has_calls(window: Window) -> bool:
    return bool(window.player.run.passes)


def _has_storey(window: Window) -> bool:
    return has_storey(window.player.scene[0], window.player.current)


TABLE = (
    Action("new", N_("New"), lambda w: w.files.new(), "File", ("Ctrl+N",)),
    Action("new_window", N_("New window"), lambda w: w.filing.new_window(), "File",
           ("Ctrl+Shift+N",)),
    Action("open", N_("Open…"), lambda w: w.files.ask_open(), "File", ("Ctrl+O",)),
    Action("examples", N_("Examples…"), lambda w: w.stage.show_gallery(), "File", ("Ctrl+Shift+O",),
           ends_group=True),
    Action("save", N_("Save"), lambda w: w.files.save(), "File", ("Ctrl+S",)),
    Action("save_as", N_("Save As…"), lambda w: w.files.save_as(), "File", ("Ctrl+Shift+S",)),
    Action("export", N_("Export…"), lambda w: w.commands.ask_export(), "File", ("Ctrl+Shift+E",),
           enabled=_drawn, ends_group=True),
    Action("as_pytorch", N_("Write as PyTorch…"), lambda w: w.commands.ask_program("pytorch"),
           "File", enabled=_drawn),
    Action("as_jax", N_("Write as JAX…"), lambda w: w.commands.ask_program("jax"), "File",
           enabled=_drawn),
    Action("as_numpy", N_("Write as NumPy, step by step…"),
           lambda w: w.commands.ask_program("numpy"), "File", enabled=_drawn, ends_group=True),
    Action("close", N_("Close window"), lambda w: w.close(), "File", ("Ctrl+W",)),
    Action("quit", N_("Quit"), lambda w: w.filing.quit(), "File", ("Ctrl+Q",)),
    Action("undo", N_("Undo"), lambda w: w.document.history.undo(), "Edit", ("Ctrl+Z",),
           enabled=lambda w: w.document.history.canUndo()),
    Action("redo", N_("Redo"), lambda w: w.document.history.redo(), "Edit",
           ("Ctrl+Y", "Ctrl+Shift+Z"), enabled=lambda w: w.document.history.canRedo(),
           ends_group=True),
    *EDIT,
    Action("find", N_("Find…"), lambda w: w.commands.find(), "Edit", ("Ctrl+F",), ends_group=True),
    Action("way_sum", N_("Append sum"), lambda w: w.starting.choose("sum"), "Edit",
           enabled=lambda w: w.starting.output is not None),
    Action("way_mean", N_("Append mean"), lambda w: w.starting.choose("mean"), "Edit",
           enabled=lambda w: w.starting.output is not None),
    Action("way_ones", N_("Use a seed of ones"), lambda w: w.starting.choose("ones"), "Edit",
           enabled=lambda w: w.starting.output is not None),
    Action("seed_editor", N_("Seed editor"),
           lambda w: w.commands.toggle_seed_editor(), "Edit", ("Ctrl+E",),
           checked=lambda w: w.seed_editor.isVisible(), ends_group=True),
    Action("tidy", N_("Forget the places of moved nodes"), lambda w: w.commands.tidy(), "Edit",
           ("Ctrl+L",), enabled=lambda w: bool(w.document.diagram.positions), ends_group=True),
    Action("settings", N_("Settings…"), lambda w: w.commands.ask_settings(), "Edit",
           ("Ctrl+Alt+S",)),
    Action("shortcuts", N_("Shortcuts…"), lambda w: w.commands.ask_shortcuts(), "Help"),
    *NODE,
    Action("fit", N_("Fit the picture"), lambda w: w.stage.fit(), "View", ("A",)),
    Action("zoom_in", N_("Zoom in"), lambda w: w.stage.zoom(1.25), "View", ("Ctrl++", "Ctrl+=")),
    Action("zoom_out", N_("Zoom out"), lambda w: w.stage.zoom(0.8), "View", ("Ctrl+-",)),
    Action("zoom_one", N_("Actual size"), lambda w: w.stage.zoom_one(), "View", ("Ctrl+0",)),
    Action("overview", N_("Overview"), lambda w: w.commands.toggle_overview(), "View",
           ("Alt+M",), checked=lambda w: w.stage.canvas.overview.wanted, ends_group=True),
    Action("twin", N_("Side by side"), lambda w: w.commands.set_twin(not w.live.twin), "View",
           ("Ctrl+T",), checked=lambda w: w.live.twin, enabled=_has_calls),
    Action("storey", N_("Second storey"), lambda w: w.commands.toggle_storey(), "View", ("Ctrl+U",),
           checked=lambda w: w.stage.opened, enabled=_has_storey),
    Action("reductions", N_("Reductions and seeds"), lambda w: w.docks.toggle("reductions"), "View",
           ("Ctrl+R",), checked=lambda w: w.docks.shown("reductions")),
    Action("calls", N_("Backward calls"), lambda w: w.docks.toggle("calls"), "View",
           ("Ctrl+B",), checked=lambda w: w.docks.shown("calls")),
    Action("jacobian", N_("Jacobian"), lambda w: w.docks.toggle("jacobian"), "View",
           ("Ctrl+J",), checked=lambda w: w.docks.shown("jacobian")),
    Action("check", N_("Check the gradients"), lambda w: w.proving.check(), "View", ("Ctrl+G",),
           enabled=lambda w: w.proving.possible),
    Action("doctor", N_("Doctor"), lambda w: w.docks.toggle("doctor"), "View", ("Ctrl+Shift+D",),
           checked=lambda w: w.docks.shown("doctor"), ends_group=True),
    Action("bare", N_("Only what takes a gradient"), lambda w: w.commands.toggle_bare(), "View",
           ("Ctrl+Shift+H",), checked=lambda w: w.stage.bare),
    Action("next_pane", N_("Next pane"), lambda w: w.commands.next_pane(), "View", ("F6",),
           ends_group=True),
    Action("theme_auto", N_("Theme of the system"), lambda w: w.commands.set_theme("auto"), "View",
           checked=lambda w: w.theme.choice == "auto"),
    Action("theme_light", N_("Light"), lambda w: w.commands.set_theme("light"), "View",
           checked=lambda w: w.theme.choice == "light"),
    Action("theme_dark", N_("Dark"), lambda w: w.commands.set_theme("dark"), "View",
           checked=lambda w: w.theme.choice == "dark", ends_group=True),
    Action("language_en", "English", lambda w: w.commands.set_language("en"), "View",
           checked=lambda w: current() == "en"),
    Action("language_zh", "简体中文", lambda w: w.commands.set_language("zh"), "View",
           checked=lambda w: current() == "zh", ends_group=True),
    Action("motion", N_("Less motion"), lambda w: w.commands.toggle_motion(), "View",
           checked=lambda w: w.commands.motion == "reduced"),
    Action("play", N_("Play or pause"), lambda w: w.player.toggle(), "Play", ("P", "K"),
           enabled=_played),
    Action("back", N_("Step back"), lambda w: w.commands.step(-1), "Play", (",",), enabled=_played),
    Action("forward", N_("Step forward"), lambda w: w.commands.step(1), "Play", (".",),
           enabled=_played),
    Action("first", N_("To the seed"), lambda w: w.player.go(0), "Play", ("Ctrl+Home",),
           enabled=_played),
    Action("last", N_("To the end"), lambda w: w.player.go(w.player.last), "Play",
           ("Ctrl+End",), enabled=_played, ends_group=True),
    Action("next_pass", N_("Next pass"), lambda w: w.player.choose(w.player.index + 1), "Play",
           ("Ctrl+.",), enabled=lambda w: w.player.index + 1 < len(w.player.run.passes)),
    Action("previous_pass", N_("Previous pass"),
           lambda w: w.player.choose(w.player.index - 1), "Play", ("Ctrl+,",),
           enabled=lambda w: w.player.index > 0),
    Action("palette", N_("Find an action…"), lambda w: w.palette_of_actions.ask(), "Help",
           ("Ctrl+Shift+P",)),
    Action("tour", N_("A tour in five steps"), lambda w: w.tour.start(), "Help", ends_group=True),
    Action("guide", N_("Guide"), lambda w: w.guide.open(), "Help", ("F1",)),
    Action("which_way", N_("Which way?"), lambda w: w.guide.open("decision"), "Help",
           ("Shift+F1",)),
    Action("mistakes", N_("Mistakes"), lambda w: w.guide.open("mistakes"), "Help"),
    Action("which_call", N_("Which call?"), lambda w: w.guide.open("calls"), "Help"),
    Action("elsewhere", N_("Elsewhere"), lambda w: w.guide.open("elsewhere"), "Help"),
    Action("scalar_or_not", N_("Scalar or not"), lambda w: w.guide.open("vjp"), "Help",
           ends_group=True),
    Action("environment", N_("Environment"), lambda w: w.commands.tell_environment(), "Help"),
    Action("about", N_("About gradviz"), lambda w: w.commands.tell_about(), "Help"),
)  # fmt: skip


def keys_of(row: Action, chosen: Mapping[str, Any]) -> tuple[str, ...]:
    """The shortcuts of an action; `chosen` are the user's own, by the action's id."""
    own = chosen.get(row.id)
    if isinstance(own, list) and all(isinstance(key, str) for key in own):
        return tuple(own)
    return row.keys


class Actions:
    """The actions of a window as Qt's, by id."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self.made: dict[str, QAction] = {row.id: self._make(row) for row in TABLE}
        self._menus = {menu: window.menuBar().addMenu(menu) for menu in MENUS}
        for row in TABLE:
            menu = self._menus[row.menu]
            menu.addAction(self.made[row.id])
            if row.ends_group:
                menu.addSeparator()
        self.recent = QMenu(window)
        self.recent.setObjectName("recent")
        self._menus["File"].insertMenu(self.made["examples"], self.recent)
        self._lead(window.start_bar.storey, "storey")
        self.retake_shortcuts()
        self.retranslate()

    def _lead(self, button: QAbstractButton, key: str) -> None:
        """Have a button do what the action does, and look as it is."""
        button.clicked.connect(self.made[key].trigger)
        self.made[key].toggled.connect(button.setChecked)

    def retake_shortcuts(self) -> None:
        """Those of the table, or what the user chose instead."""
        chosen = self._window.settings["keys"]
        for row in TABLE:
            self.made[row.id].setShortcuts([QKeySequence(key) for key in keys_of(row, chosen)])

    def retranslate(self) -> None:
        for menu, made in self._menus.items():
            made.setTitle(_(menu))
        self.recent.setTitle(_("Open recent"))
        for row in TABLE:
            action = self.made[row.id]
            action.setText(_(row.text))
            keys = ", ".join(key.toString() for key in action.shortcuts())
            action.setToolTip(f"{_(row.text)} ({keys})" if keys else _(row.text))

    def sync(self) -> None:
        """Enable and check each as its row says."""
        for row in TABLE:
            action = self.made[row.id]
            action.setEnabled(row.enabled(self._window))
            if row.checked is not None:
                action.setChecked(row.checked(self._window))

    def _make(self, row: Action) -> QAction:
        action = QAction(self._window)
        action.setObjectName(row.id)
        action.setCheckable(row.checked is not None)
        if row.id == "quit":
            action.setMenuRole(QAction.MenuRole.QuitRole)
        if row.id == "about":
            action.setMenuRole(QAction.MenuRole.AboutRole)

        def triggered() -> None:
            self.trigger(row)

        action.triggered.connect(triggered)
        return action

    def trigger(self, row: Action) -> None:
        """Do what the row says; a switch shows what came of it."""
        row.run(self._window)
        self.sync()
