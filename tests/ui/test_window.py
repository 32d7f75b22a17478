"""The window over the real sandbox: from a script to gradients, and nothing lost on the way."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from gradviz.examples import examples
from gradviz.ui.asking.actions import TABLE
from tests.ui.conftest import App

_SQUARE = """import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x ** 2 + 3 * x
y.backward()
"""


def _grad(app: App) -> list[float] | None:
    done = app.window.player.current
    found = done.grads.get("x") if done else None
    return None if found is None else found.tolist()


@pytest.mark.parametrize("name", [example.name for example in examples()])
def test_every_example_opens_steps_and_undoes(app: App, name: str) -> None:
    app.open(f"example:{name}")
    window = app.window
    assert window.player.diagram.nodes
    assert window.document.filename == f"{name}.py"
    for key in ("first", "forward", "last", "back"):
        window.action(key).trigger()
    assert not window.document.modified


def test_the_error_is_underlined_on_its_line_and_said(app: App) -> None:
    app.open("example:nonscalar")
    code = app.window.code
    source = app.window.document.diagram.source or ""
    line = code.editor.error_line
    assert line is not None
    assert source.splitlines()[line - 1] == "y.backward()"
    assert code.error.isVisible()
    assert "grad can be implicitly created only for scalar outputs" in code.error.text()
    assert app.window.stage.banner.isVisible()


@pytest.mark.parametrize(
    ("repair", "grad"), [("sum", [7, 9]), ("mean", [3.5, 4.5]), ("ones", [7, 9])]
)
def test_a_repair_applies_at_once_and_is_undone(app: App, repair: str, grad: list[float]) -> None:
    app.open("example:nonscalar")
    before = app.window.document.diagram
    app.window.stage.banner.buttons[repair].click()
    app.settle()
    assert _grad(app) == grad
    assert not app.window.stage.banner.isVisible()
    assert app.window.code.editor.error_line is None
    app.window.action("undo").trigger()
    app.settle()
    assert app.window.document.diagram is before
    assert _grad(app) is None
    assert app.window.stage.banner.isVisible()


def test_typing_shows_new_gradients_and_undoes_as_one(app: App) -> None:
    app.write(_SQUARE.replace("y.backward()", "y.sum().backward()"))
    assert _grad(app) == [7, 9]
    app.write(_SQUARE.replace("y.backward()", "y.mean().backward()"))
    assert _grad(app) == [3.5, 4.5]


def test_a_script_that_cannot_be_read_leaves_the_last_picture(app: App) -> None:
    app.write(_SQUARE.replace("y.backward()", "y.sum().backward()"))
    app.window.code.editor.appendPlainText("z = (x")
    app.settle()
    assert _grad(app) == [7, 9]
    assert app.window.code.editor.error_line == 7
    app.window.action("undo").trigger()
    app.settle()
    assert app.window.code.editor.error_line is None


def test_a_chosen_start_is_carried_over_while_typing(app: App) -> None:
    app.write(_SQUARE)
    app.window.starting.type_in("[1, 0.5]")
    app.settle()
    assert _grad(app) == [7, 4.5]
    app.write("# a line more\n" + _SQUARE.replace("3 * x", "5 * x"))
    assert _grad(app) == [9, 5.5]
    app.write(_SQUARE.replace("y.backward()", "y.sum().backward()"))
    assert _grad(app) == [7, 9]


def test_a_bad_seed_is_refused_in_place_and_the_old_one_kept(app: App) -> None:
    app.open("example:weighted")
    bar = app.window.start_bar
    before, grad = app.window.document.diagram, _grad(app)
    bar.entry.setText("")
    QTest.keyClicks(bar.entry, "[1, 2, 3]")
    QTest.keyClick(bar.entry, Qt.Key.Key_Return)
    assert "torch.Size([3])" in bar.error.text()
    assert bar.error.isVisible()
    assert app.window.document.diagram is before
    assert _grad(app) == grad
    QTest.keyClick(bar.entry, Qt.Key.Key_Backspace)
    assert not bar.error.isVisible()


def test_the_position_is_kept_when_the_seed_changes(app: App) -> None:
    app.open("example:ones")
    app.window.player.go(2)
    app.window.starting.choose("onehot:0")
    app.settle()
    assert app.window.player.position == 2
    app.window.starting.choose("onehot:1")
    app.settle()
    assert (app.window.player.position, _grad(app)) == (2, [0, 9])


def test_the_two_ways_switch_with_equal_gradients(app: App) -> None:
    app.open("example:mean")
    bar = app.window.start_bar
    assert bar.way.on == {"reduction"}
    bar.way.activated.emit("seed")
    app.settle()
    assert (bar.way.on, bar.choice.key, bar.entry.text()) == (
        frozenset({"seed"}),
        "1/N",
        "[0.5, 0.5]",
    )
    assert _grad(app) == [3.5, 4.5]


def test_side_by_side_shows_both_and_their_difference(app: App) -> None:
    app.open("example:ones")
    app.window.action("twin").trigger()
    app.settle()
    window = app.window
    assert window.player.twin is not None
    assert window.player.twin.largest == 0
    assert (window.player.last, window.player.done, window.player.done_beside) == (5, 5, 4)
    assert window.stage.table.isVisible()
    assert window.stage.twin_figure is not None
    window.player.go(1)
    assert window.player.done_beside == 0
    window.action("twin").trigger()
    assert window.player.twin is None


def test_the_chips_are_named_by_what_they_do(app: App) -> None:
    app.open("example:ones")
    assert app.window.timeline.chips.texts == (
        "v",
        "y → x ** 2",
        "y → 3 * x",
        "3 * x → x",
        "x ** 2 → x",
    )
    assert app.window.timeline.count.text() == "4 / 4"


def test_the_inspector_tells_the_step_and_the_sum(app: App) -> None:
    app.open("example:ones")
    inspector = app.window.inspector
    assert inspector.title.text() == "x ** 2"
    assert inspector.value.texts == ("4", "9")
    assert inspector.cotangent.texts == ("1", "1")
    assert inspector.numbers.text().endswith("[4, 6]")
    assert inspector.sums.rows == [
        ("  3 * x", "[3, 3]"),
        ("+ x ** 2", "[4, 6]"),
        ("= x.grad", "[7, 9]"),
    ]
    app.window.selection.select("y")
    assert inspector.title.text() == "y"
    assert app.window.code.editor.marked_line == app.window.player.diagram.nodes["y"].line


def test_the_grads_of_every_pass_are_listed(app: App) -> None:
    app.open("example:accumulate")
    app.window.selection.select("x")
    rows = app.window.inspector.grads.rows
    assert len(rows) == len(app.window.player.run.passes)
    assert rows == [
        ("pass 1", "[7, 9]"),
        ("pass 2  + [7, 9]", "[14, 18]"),
        ("pass 3  + [7, 9]", "[21, 27]"),
        ("pass 4, cleared before", "[7, 9]"),
    ]


def test_the_language_switches_everywhere(app: App) -> None:
    app.open("example:ones")
    app.window.commands.set_language("zh")
    app.settle()
    window = app.window
    assert window.code.heading.text() == "代码"
    assert window.action("open").text() != "Open…"
    assert window.stage.gallery.title.text() != "See how a gradient comes about"
    assert window.stage.figure is not None
    assert window.stage.figure.caption.startswith("第")
    window.commands.set_language("en")
    app.settle()
    assert window.code.heading.text() == "Code"


def test_the_theme_switches_and_is_remembered(app: App) -> None:
    app.window.commands.toggle_theme()
    assert (app.window.theme.name, app.window.settings["theme"]) == ("dark", "dark")


def test_closing_with_changes_asks_and_may_be_called_off(app: App) -> None:
    app.open("example:nonscalar")
    app.window.starting.choose("sum")
    app.settle()
    app.window.close()
    assert app.answers.asked == ["save nonscalar.py?"]
    assert app.window.isVisible()


def test_a_diagram_is_saved_and_opened_again_with_its_start(app: App, tmp_path: Path) -> None:
    app.write(_SQUARE)
    app.window.starting.type_in("[1, 0.5]")
    app.settle()
    app.answers.path = tmp_path / "work.gradviz"
    app.window.action("save_as").trigger()
    app.settle()
    assert not app.window.document.modified
    assert app.window.settings["recent"] == [str(tmp_path / "work.gradviz")]
    app.window.files.new()
    app.settle()
    app.open(str(tmp_path / "work.gradviz"))
    assert _grad(app) == [7, 4.5]
    assert app.window.document.diagram.source == _SQUARE


def test_a_recent_file_opens_from_the_menu(app: App, tmp_path: Path) -> None:
    app.write(_SQUARE)
    app.answers.path = tmp_path / "s.py"
    app.window.action("save").trigger()
    app.settle()
    app.window.files.new()
    app.settle()
    menu = app.window.findChild(QMenu, "recent")
    assert menu is not None
    menu.actions()[0].trigger()
    app.settle()
    assert app.window.document.path == tmp_path / "s.py"


def test_a_script_is_saved_as_text(app: App, tmp_path: Path) -> None:
    app.write(_SQUARE)
    app.answers.path = tmp_path / "s.py"
    app.window.action("save").trigger()
    app.settle()
    assert (tmp_path / "s.py").read_text(encoding="utf-8") == _SQUARE
    assert app.window.windowTitle() == "s.py[*] — gradviz"


def test_a_file_that_cannot_be_read_is_a_notice(app: App, tmp_path: Path) -> None:
    app.open("example:ones")
    app.open(str(tmp_path / "none.py"))
    assert app.window.stage.banner.isVisible()
    assert "none.py" in app.window.stage.banner.text.text()
    assert _grad(app) == [7, 9]


def test_an_error_of_the_app_is_a_notice(app: App, capsys: pytest.CaptureFixture[str]) -> None:
    app.window.commands.report(ValueError, ValueError("odd"), None)
    assert "ValueError: odd" in app.window.stage.banner.text.text()
    assert "ValueError: odd" in capsys.readouterr().err


def test_what_is_shown_is_exported(app: App, tmp_path: Path) -> None:
    app.open("example:sum")
    app.answers.path = tmp_path / "a.svg"
    app.window.action("export").trigger()
    assert (tmp_path / "a.svg").read_text(encoding="utf-8").startswith(("<svg", "<?xml"))


def test_a_moved_node_stays_where_it_was_put(app: App) -> None:
    app.open("example:ones")
    app.window.stage.canvas.moved.emit({"x": (-50.0, 40.0)})
    app.window.starting.choose("1/N")
    app.settle()
    assert app.window.stage.figure is not None
    box = next(box for box in app.window.stage.figure.boxes if box.id == "x")
    assert (box.x, box.y) == (-50.0, 40.0)
    app.window.action("undo").trigger()
    app.window.action("undo").trigger()
    assert not app.window.document.modified


def test_cells_of_nan_say_so(app: App) -> None:
    app.write("import torch\nx = torch.tensor([0.0, 1.0], requires_grad=True)\n"
              "y = (x / x).sum()\ny.backward()\n")  # fmt: skip
    done = app.window.player.current
    assert done is not None
    assert np.isnan(done.grads["x"][0])
    app.window.selection.select("x")
    assert app.window.inspector.cotangent.texts[0] == "nan"


def test_every_action_has_an_id_and_keys_of_its_own() -> None:
    ids = [row.id for row in TABLE]
    keys = [key for row in TABLE for key in row.keys]
    assert len(set(ids)) == len(ids)
    assert len(set(keys)) == len(keys)


def test_every_card_of_the_gallery_gets_its_picture(app: App) -> None:
    gallery = app.window.stage.gallery
    app.window.thumbnails.start()
    thumbnails = [card.thumbnail for card in gallery.cards.values()]
    app.qtbot.waitUntil(lambda: all(one.drawn for one in thumbnails), timeout=20_000)
    grounds = {one.grab().toImage().pixelColor(1, 1).name() for one in thumbnails}
    assert len(grounds) == 1
    assert all(_colours(one.grab().toImage()) > 3 for one in thumbnails)


def _colours(image: QImage) -> int:
    return len({image.pixel(x, image.height() // 2) for x in range(image.width())})


def test_what_was_said_of_one_document_is_not_said_of_the_next(app: App) -> None:
    app.open("example:sum")
    app.window.status.say("11 tests passed")
    app.open("example:mean")
    assert app.window.status.currentMessage() == ""


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_a_narrow_start_bar_leaves_out_what_the_menu_has(app: App) -> None:
    window, bar = app.window, app.window.start_bar
    app.open("example:sum")
    window.setMinimumWidth(400)
    high = bar.sizeHint().height()
    for wide, shown in ((1000, True), (820, False), (1000, True)):
        window.setGeometry(0, 0, wide, 700)
        app.settle()
        assert bar.width() == wide
        assert [bar.language.isHidden(), bar.theme.isHidden()] == [not shown] * 2
        assert bar.sizeHint().height() == high
