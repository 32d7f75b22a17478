"""What is changed in the settings holds at once; shortcuts are the user's to choose."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QSpinBox

from gradviz import cells, palettes
from gradviz.edit import nodes
from gradviz.ui.asking.actions import TABLE as ACTIONS
from gradviz.ui.asking.settings import TABLE, Settings
from gradviz.ui.asking.settings_dialog import PAGES, SettingsDialog
from gradviz.ui.widgets.choice import Choice
from tests.ui.conftest import App

# Of windows, which the offscreen screen has no manager for.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """The reader's choices are the process's."""
    yield
    cells.write_as(cells.Style())
    palettes.use_signs("orange-blue")


@pytest.fixture
def dialog(app: App) -> SettingsDialog:
    app.window.action("settings").trigger()
    return SettingsDialog.of(app.window)


def choose(dialog: SettingsDialog, key: str, value: object) -> None:
    """As a person does in the dialog."""
    control = dialog.controls[key]
    if isinstance(control, QSpinBox):
        control.setValue(int(str(value)))
        return
    assert isinstance(control, Choice)
    at = control.findData(str(value))
    control.setCurrentIndex(at)
    control.activated.emit(at)


def test_every_setting_with_a_group_is_there_and_named(dialog: SettingsDialog) -> None:
    assert dialog.isVisible()
    assert set(dialog.controls) == {row.key for row in TABLE if row.group}
    assert {row.group for row in TABLE if row.group} == set(PAGES) - {"keys"}
    for row in TABLE:
        assert len(row.names) == (len(row.choices) if row.group else 0), row.key


def test_the_theme_and_the_signs_follow(app: App, dialog: SettingsDialog) -> None:
    choose(dialog, "theme", "dark")
    assert app.window.theme.name == "dark"
    dark = app.window.theme.colours
    choose(dialog, "signs", "blue-orange")
    assert app.window.theme.colours.positive == dark.negative
    dialog.tabs.setCurrentIndex(0)
    dialog.reset.click()
    assert (app.window.settings["theme"], app.window.settings["signs"]) == ("auto", "orange-blue")


def test_numbers_are_written_anew(app: App, dialog: SettingsDialog) -> None:
    app.write(
        "import torch\nx = torch.tensor([1.0, 3.0], requires_grad=True)\n(x / 3).sum().backward()"
    )
    assert cells.number(1 / 3) == "0.3333"
    assert written(app, "x") == ["1", "3"]
    choose(dialog, "digits", 7)
    app.settle()
    assert cells.number(1 / 3) == "0.3333333"
    choose(dialog, "notation", "scientific")
    app.settle()
    assert cells.number(0.125) == "1.25e-1"
    assert cells.number(12.0) == "12"  # whole numbers stay


@pytest.mark.parametrize("drawn", [False, True])
def test_numbers_on_screen_follow(app: App, dialog: SettingsDialog, *, drawn: bool) -> None:
    app.write(
        "import torch\nx = torch.tensor([1.0, 3.0], requires_grad=True)\n"
        "y = (x / 3.14159) ** 0.12345\ny.sum().backward()"
    )
    if drawn:
        made = nodes.add(app.window.document.diagram, "exp", at=(0.0, 300.0), sources=["y"])
        app.window.drawing.editing.make("Add", made)
        app.settle()
    figure = app.window.stage.figure
    assert figure is not None
    titled = next(box.id for box in figure.boxes if box.title == "x / 3.142")
    quotient, gradients = written(app, titled), written(app, titled, 1)
    wide = next(box.width for box in figure.boxes if box.id == titled)
    assert (quotient, gradients) == (["0.3183", "0.9549"], ["0.3367", "0.1285"])
    choose(dialog, "digits", 2)
    app.settle()
    figure = app.window.stage.figure
    assert figure is not None
    box = next(box for box in figure.boxes if box.id == titled)
    assert box.title == "x / 3.1"
    assert (written(app, titled), written(app, titled, 1)) == (["0.32", "0.95"], ["0.34", "0.13"])
    assert box.width < wide  # cells are as wide as their numbers
    choose(dialog, "digits", 4)
    app.settle()
    assert (written(app, titled), written(app, titled, 1)) == (quotient, gradients)


def written(app: App, key: str, row: int = 0) -> list[str]:
    """The texts of a node's value, or with 1 of its gradient, as the canvas has them."""
    figure = app.window.stage.figure
    assert figure is not None
    box = next(box for box in figure.boxes if box.id == key)
    return [cell.text for cell in box.rows[row].cells]


def test_another_language_changes_the_words_of_the_dialog(app: App, dialog: SettingsDialog) -> None:
    choose(dialog, "language", "zh")
    assert dialog.done_button.text() == "关闭"
    assert app.window.settings["language"] == "zh"
    choose(dialog, "language", "en")
    assert dialog.done_button.text() == "Close"


def test_the_wheel_zooms_where_it_is_to(app: App, dialog: SettingsDialog) -> None:
    choose(dialog, "wheel", "zoom")
    stage = app.window.stage
    views = stage.canvas, stage.twin.first, stage.twin.second
    assert [view.wheel_zooms for view in views] == [True] * 3


def test_limits_hold_for_the_next_script(app: App, dialog: SettingsDialog) -> None:
    choose(dialog, "elements", 1)
    app.write("import torch\nx = torch.zeros(1001, 1001)")
    assert app.window.player.run.error is not None
    assert "more than 1,000,000 elements" in app.window.player.run.error.message
    choose(dialog, "elements", 64)
    app.write("import torch\nx = torch.zeros(1001, 1001) + 1")
    assert app.window.player.run.error is None


def test_a_shortcut_is_chosen_kept_and_given_back(app: App, dialog: SettingsDialog) -> None:
    window, panel = app.window, dialog.shortcuts
    row = next(row for row in ACTIONS if row.id == "jacobian")
    assert panel.take(row, QKeySequence("Ctrl+Alt+J")) == ""
    assert window.action("jacobian").shortcut() == QKeySequence("Ctrl+Alt+J")
    assert window.settings["keys"] == {"jacobian": ["Ctrl+Alt+J"]}
    assert panel.take(row, QKeySequence("Ctrl+J")) == ""
    assert window.settings["keys"] == {}
    assert window.action("jacobian").shortcut() == QKeySequence("Ctrl+J")


def test_a_shortcut_that_is_taken_is_refused_with_the_name(
    app: App, dialog: SettingsDialog
) -> None:
    row = next(row for row in ACTIONS if row.id == "jacobian")
    said = dialog.shortcuts.take(row, QKeySequence("Ctrl+S"))
    assert said == "Ctrl+S is the shortcut of “Save”."
    assert app.window.action("jacobian").shortcut() == QKeySequence("Ctrl+J")
    assert dialog.shortcuts.take(row, QKeySequence()) == ""  # none at all
    assert app.window.action("jacobian").shortcuts() == []


def test_no_two_actions_share_a_shortcut() -> None:
    keys = [key for row in ACTIONS for key in row.keys]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize(
    ("key", "value"),
    [("digits", 0), ("digits", "4"), ("digits", 99), ("theme", "pink"), ("seconds", -1),
     ("keys", []), ("elements", True)],
)  # fmt: skip
def test_a_value_that_is_not_allowed_is_the_default(app: App, key: str, value: object) -> None:
    settings: Settings = app.window.settings
    default = settings[key]
    settings[key] = value
    assert settings[key] == default
