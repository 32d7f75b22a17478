"""The seed editor: every way to say what v is, each an edit that can be undone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from gradviz import storage
from gradviz.ui.panels.seed_editor import SeedEditor
from gradviz.ui.widgets.seed_plot import SeedPlot
from tests.ui.conftest import App

_VECTOR = """import torch

x = torch.tensor([2.0, 3.0, 4.0], requires_grad=True)
y = x ** 2
y.backward(gradient=torch.tensor([1.0, 0.5, 2.0]))
"""
_MATRIX = """import torch

x = torch.ones(4, 12, requires_grad=True)
y = x * 2
y.backward(gradient=torch.ones(4, 12))
"""


@pytest.fixture
def editor(app: App) -> SeedEditor:
    app.write(_VECTOR)
    app.window.action("seed_editor").trigger()
    app.qtbot.waitExposed(app.window)
    return app.window.seed_editor


def _plot(editor: SeedEditor) -> SeedPlot:
    assert editor.plot is not None
    return editor.plot


def _seed(app: App) -> list[float]:
    app.settle()
    done = app.window.player.current
    assert done is not None
    assert done.seed is not None
    found: list[float] = done.seed.tolist()
    return found


def _grad(app: App) -> list[float]:
    done = app.window.player.current
    assert done is not None
    found: list[float] = done.grads["x"].tolist()
    return found


def _drag(app: App, widget: QWidget, way: list[QPointF]) -> None:
    """Press at the first point, move along the others, release at the last."""
    port = widget.viewport()  # type: ignore[attr-defined]
    points = [at.toPoint() for at in way]
    left = Qt.MouseButton.LeftButton
    QTest.mousePress(port, left, pos=points[0])
    app.qtbot.waitUntil(lambda: not app.window.live.recombiner.waiting, timeout=20_000)
    for at in points[1:]:
        QTest.mouseMove(port, at)
    QTest.mouseRelease(port, left, pos=points[-1])


def test_it_comes_and_goes(app: App, editor: SeedEditor) -> None:
    assert editor.isVisible()
    assert app.window.start_bar.edit.isChecked()
    assert app.window.action("seed_editor").isChecked()
    app.window.start_bar.edit.click()
    assert not editor.isVisible()
    app.window.start_bar.edit.click()
    assert editor.isVisible()
    assert _plot(editor).bars.texts == ["1", "0.5", "2"]


def test_a_bar_is_dragged_and_the_drag_undone(app: App, editor: SeedEditor) -> None:
    bars = _plot(editor).bars
    app.qtbot.wait(50)
    _drag(app, bars, [bars.point(1, 0.5), bars.point(1, -1.0), bars.point(1, 1.5)])
    seed = _seed(app)
    assert seed[0] == 1.0
    assert seed[1] == pytest.approx(1.5, abs=0.1)
    assert seed[2] == 2.0
    assert _grad(app) == pytest.approx([4.0, 6.0 * seed[1], 16.0])
    app.window.action("undo").trigger()
    assert _seed(app) == [1.0, 0.5, 2.0]
    assert bars.texts == ["1", "0.5", "2"]
    app.window.action("redo").trigger()
    assert _seed(app) == seed


def test_a_component_of_the_output_is_clicked(app: App, editor: SeedEditor) -> None:
    bars = _plot(editor).bars
    app.qtbot.wait(50)
    QTest.mouseClick(bars.viewport(), Qt.MouseButton.LeftButton, pos=bars.label(1).toPoint())
    assert _seed(app) == [0.0, 1.0, 0.0]
    assert app.window.document.diagram.calls[0].start.preset == "onehot:1"
    assert editor.tools.presets["onehot"].isChecked()


def test_keys_choose_and_change_a_component(app: App, editor: SeedEditor) -> None:
    bars = _plot(editor).bars
    QTest.keyClick(bars, Qt.Key.Key_Right)
    QTest.keyClick(bars, Qt.Key.Key_Up)
    assert _seed(app) == pytest.approx([1.0, 0.7, 2.0])
    QTest.keyClick(bars, Qt.Key.Key_Down)
    QTest.keyClick(bars, Qt.Key.Key_Down)
    assert _seed(app) == pytest.approx([1.0, 0.3, 2.0])
    QTest.keyClick(bars, Qt.Key.Key_Return)
    assert _seed(app) == [0.0, 1.0, 0.0]


def test_presets_are_one_click(app: App, editor: SeedEditor) -> None:
    presets = editor.tools.presets
    presets["ones"].click()
    assert _seed(app) == [1.0, 1.0, 1.0]
    assert [key for key, button in presets.items() if button.isChecked()] == ["ones"]
    presets["1/N"].click()
    assert _seed(app) == pytest.approx([1 / 3] * 3)
    presets["onehot"].click()
    assert _seed(app) == [1.0, 0.0, 0.0]
    presets["random"].click()
    first = _seed(app)
    assert set(np.abs(first).tolist()) == {1.0}
    editor.tools.number.setValue(7)
    assert app.window.document.diagram.calls[0].start.preset == "random:7"
    presets["normal"].click()
    expected = np.random.default_rng(7).standard_normal(3).astype(np.float32)
    assert _seed(app) == expected.tolist()
    presets["normal"].click()
    app.settle()
    assert app.window.document.diagram.calls[0].start.preset == "normal:8"


def test_a_formula_is_typed(app: App, editor: SeedEditor) -> None:
    QTest.keyClicks(editor.tools.formula, "1/(1+i)")
    QTest.keyClick(editor.tools.formula, Qt.Key.Key_Return)
    assert _seed(app) == pytest.approx([1, 1 / 2, 1 / 3])
    app.window.action("undo").trigger()
    assert _seed(app) == [1.0, 0.5, 2.0]


def test_a_wrong_seed_is_said_in_place_and_loses_nothing(app: App, editor: SeedEditor) -> None:
    before, count = app.window.document.diagram, app.window.document.history.count()
    tools = editor.tools
    QTest.keyClicks(tools.formula, "[1, 2]")
    QTest.keyClick(tools.formula, Qt.Key.Key_Return)
    assert tools.message.text() == (
        "Mismatch in shape: grad_output[0] has a shape of torch.Size([2]) "
        "and output[0] has a shape of torch.Size([3])."
    )
    assert tools.message.objectName() == "FieldError"
    assert tools.formula.text() == "[1, 2]"
    assert app.window.document.diagram is before
    assert app.window.document.history.count() == count
    assert _seed(app) == [1.0, 0.5, 2.0]
    QTest.keyClicks(tools.formula, ",")
    assert tools.message.objectName() == "Field"
    assert "(3,)" in tools.message.text()


def test_cells_of_a_spreadsheet_are_pasted(app: App, editor: SeedEditor) -> None:
    QGuiApplication.clipboard().setText("3\t2\t1\n")
    editor.tools.paste.click()
    assert _seed(app) == [3.0, 2.0, 1.0]
    QGuiApplication.clipboard().setText("3\tx\t1\n")
    editor.tools.paste.click()
    assert editor.tools.message.text() == "Line 1: “x” is not a number."
    assert _seed(app) == [3.0, 2.0, 1.0]


def test_files_are_read(app: App, editor: SeedEditor, tmp_path: Path) -> None:
    np.save(tmp_path / "v.npy", np.array([5, 6, 7]))
    (tmp_path / "v.csv").write_text("1\n2\n3\n")
    app.answers.path = tmp_path / "v.npy"
    editor.tools.file.click()
    assert _seed(app) == [5.0, 6.0, 7.0]
    assert editor.tools.message.text() == "int64 was cast to float32, as PyTorch does."
    app.answers.path = tmp_path / "v.csv"
    editor.tools.file.click()
    assert _seed(app) == [1.0, 2.0, 3.0]
    app.answers.path = tmp_path / "none.csv"
    editor.tools.file.click()
    assert editor.tools.message.text().startswith("none.csv cannot be read")
    assert _seed(app) == [1.0, 2.0, 3.0]


def test_seeds_are_kept_under_names(app: App, editor: SeedEditor) -> None:
    tools = editor.tools
    tools.keep.click()
    assert tools.message.text() == "Give the seed a name first."
    QTest.keyClicks(tools.name, "mine")
    tools.keep.click()
    kept = app.window.document.diagram.seeds
    assert {name: seed.tolist() for name, seed in kept.items()} == {"mine": [1.0, 0.5, 2.0]}
    tools.presets["ones"].click()
    assert _seed(app) == [1.0, 1.0, 1.0]
    app.write(_VECTOR.replace("x ** 2", "x ** 3"))
    tools.saved.setCurrentIndex(0)
    tools.saved.activated.emit(0)
    assert _seed(app) == [1.0, 0.5, 2.0]
    read = storage.loads(storage.dumps(app.window.document.diagram), "a.gradviz")
    assert read.seeds["mine"].tolist() == [1.0, 0.5, 2.0]
    tools.drop.click()
    assert app.window.document.diagram.seeds == {}
    app.window.action("undo").trigger()
    assert list(app.window.document.diagram.seeds) == ["mine"]


def test_a_kept_seed_is_laid_over_to_see_the_difference(app: App, editor: SeedEditor) -> None:
    tools = editor.tools
    QTest.keyClicks(tools.name, "mine")
    QTest.keyClick(tools.name, Qt.Key.Key_Return)
    assert editor.tools.other is None
    tools.over.setCurrentIndex(1)
    tools.over.activated.emit(1)
    assert tools.other == "mine"
    assert _plot(editor).bars.texts == ["1", "0.5", "2"]
    tools.presets["ones"].click()
    app.settle()
    assert _plot(editor).bars.texts == ["1", "1 (+0.5)", "1 (-1)"]
    app.write(_MATRIX)
    assert tools.other is None  # it does not fit


def test_a_matrix_is_a_map_and_a_table(app: App, editor: SeedEditor) -> None:
    app.write(_MATRIX)
    plot = _plot(editor)
    app.qtbot.wait(50)
    assert plot.currentWidget() is plot.pages[1]
    QTest.mouseClick(
        plot.output.viewport(), Qt.MouseButton.LeftButton, pos=plot.output.point(14).toPoint()
    )
    onehot = np.zeros(48)
    onehot[14] = 1
    np.testing.assert_array_equal(np.ravel(_seed(app)), onehot)
    assert plot.table.currentIndex().row() == 1
    assert plot.table.currentIndex().column() == 2
    model = plot.table.numbers
    model.setData(model.index(0, 1), "0.25")
    onehot[1] = 0.25
    np.testing.assert_array_equal(np.ravel(_seed(app)), onehot)
    model.setData(model.index(0, 1), "much")
    assert "much is not known" in editor.tools.message.text()
    np.testing.assert_array_equal(np.ravel(_seed(app)), onehot)


def test_a_square_of_the_map_is_dragged(app: App, editor: SeedEditor) -> None:
    app.write(_MATRIX)
    seed = _plot(editor).seed
    app.qtbot.wait(50)
    start = seed.point(17)
    _drag(app, seed, [start, start + QPointF(0, -20), start + QPointF(0, -45)])
    wanted = np.ones(48)
    wanted[17] = 1.5
    np.testing.assert_allclose(np.ravel(_seed(app)), wanted)
    np.testing.assert_allclose(np.ravel(_grad(app)), wanted * 2)


def test_a_reduction_shows_the_seed_that_it_comes_to(app: App, editor: SeedEditor) -> None:
    app.window.starting.choose("mean")
    app.settle()
    assert _plot(editor).bars.texts == ["0.3333"] * 3
    assert "reduction" in editor.tools.message.text()
    QTest.keyClick(_plot(editor).bars, Qt.Key.Key_Up)
    assert _seed(app) == pytest.approx([1 / 3 + 0.1, 1 / 3, 1 / 3], abs=0.01)
    assert app.window.starting.way == "seed"


def test_without_an_output_there_is_nothing_to_edit(app: App, editor: SeedEditor) -> None:
    app.window.files.new()
    app.write("x = 1")
    assert not editor.tools.isEnabled()
    assert editor.tools.message.text() == "There is no output to start from."
    app.write(_VECTOR)
    assert editor.tools.isEnabled()
    app.window.commands.set_language("zh")
    app.settle()
    assert _plot(editor).bars.texts == ["1", "0.5", "2"]


def test_what_is_not_finite_is_said_over_its_bar(app: App, editor: SeedEditor) -> None:
    assert editor.take_text("[1, inf, nan]")
    app.settle()
    assert _plot(editor).bars.texts == ["1", "inf", "nan"]
    heights = _plot(editor).bars._bars.opts["height"]
    assert heights == [1.0, 1.0, 0.0]


@pytest.mark.parametrize(
    ("tensor", "said"),
    [
        ("torch.tensor([1 + 2j, 3j], requires_grad=True)", "Complex seeds are not drawn."),
        ("torch.ones(0, 3, requires_grad=True)", "The output has no elements"),
    ],
)
def test_a_seed_that_cannot_be_drawn_says_why(
    app: App, editor: SeedEditor, tensor: str, said: str
) -> None:
    app.write(f"import torch\nx = {tensor}\ny = x * 2\ny.backward(torch.ones_like(y))\n")
    assert _plot(editor).nothing.isVisible()
    assert _plot(editor).nothing.text().startswith(said)
