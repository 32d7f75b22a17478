"""The Jacobian in the app: panel, matrix, background work, over the real sandbox."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from gradviz import language
from gradviz.cells import Scale, scale_of
from gradviz.look import LIGHT, swatch
from gradviz.ui.panels.jacobian import JacobianPanel
from gradviz.ui.widgets.heat import heat_image
from tests.ui.conftest import App


@pytest.fixture
def panel(app: App) -> JacobianPanel:
    app.window.action("jacobian").trigger()
    return app.window.jacobians.panel


def settle(app: App, panel: JacobianPanel) -> None:
    app.settle()
    app.qtbot.waitUntil(lambda: not panel.busy, timeout=20_000)


def opened(app: App, panel: JacobianPanel, source: str) -> dict[str, str]:
    """Open it and wait for its matrix; the ids of its variables."""
    app.open(source)
    settle(app, panel)
    nodes = app.window.document.diagram.nodes
    return {node.name: key for key, node in nodes.items() if node.name}


def written(folder: Path, text: str) -> str:
    path = folder / "a.py"
    path.write_text("import torch\n" + text)
    return str(path)


def test_it_is_there_when_asked_for(app: App) -> None:
    window = app.window
    action = window.action("jacobian")
    assert not window.jacobians.panel.isVisible()
    app.open("example:onehot")
    assert window.jacobians.panel.matrix.found is None  # nothing is computed for no one
    action.trigger()
    assert window.jacobians.panel.isVisible()
    assert action.isChecked()
    settle(app, window.jacobians.panel)
    assert window.jacobians.panel.matrix.found is not None
    window.jacobians.panel.close_button.click()
    assert not window.jacobians.panel.isVisible()
    assert not action.isChecked()


def test_matrix_seed_and_product_under_the_current_seed(app: App, panel: JacobianPanel) -> None:
    opened(app, panel, "example:onehot")
    matrix = panel.matrix
    assert matrix.texts() == [["7", "0"], ["0", "9"]]
    assert (panel.badge.text(), matrix.row) == ("diagonal", 0)
    assert matrix.seed is not None
    assert matrix.product is not None
    assert (matrix.seed.tolist(), matrix.product.tolist()) == ([1, 0], [7, 0])
    assert panel.pulled.text() == "In pass 1: vᵀ · J = [7, 0], which is what arrived at x."
    assert not panel.warning.isVisible()
    app.window.player.choose(1)
    assert (matrix.row, matrix.product.tolist()) == (1, [0, 9])


def test_a_new_seed_needs_no_new_matrix(app: App, panel: JacobianPanel) -> None:
    opened(app, panel, "example:weighted")
    matrix = panel.matrix
    before = matrix.found
    assert matrix.product is not None
    assert (matrix.product.tolist(), matrix.row) == ([7, 4.5], None)
    app.window.starting.choose("onehot:1")
    app.settle()
    assert matrix.found is before
    assert not panel.busy
    assert (matrix.product.tolist(), matrix.row) == ([0, 9], 1)


def test_an_edited_script_brings_a_new_matrix(app: App, panel: JacobianPanel) -> None:
    opened(app, panel, "example:weighted")
    source = app.window.document.diagram.source or ""
    app.write(source.replace("2.0, 3.0", "5.0, 6.0"))
    settle(app, panel)
    assert panel.matrix.texts() == [["13", "0"], ["0", "15"]]


def test_other_nodes_are_chosen_in_the_lists_or_on_the_canvas(
    app: App, panel: JacobianPanel
) -> None:
    ids = opened(app, panel, "example:crossentropy")
    assert (panel.of.currentText(), panel.wrt.currentText()) == ("loss", "logits")
    panel.of.setCurrentIndex(panel.of.findData(ids["p"]))
    panel.of.activated.emit(panel.of.currentIndex())
    settle(app, panel)
    assert panel.matrix.found is not None
    assert (panel.matrix.found.of, panel.matrix.found.rows) == ("p", 6)
    assert panel.warning.text().startswith("A seed of ones is not the elementwise derivative here")
    app.window.selection.select(ids["picked"], ids["scores"])
    settle(app, panel)
    assert (panel.of.key, panel.wrt.key) == (ids["picked"], ids["scores"])
    assert panel.matrix.found is not None
    assert (panel.matrix.found.of, panel.matrix.found.wrt) == ("picked", "scores")


def test_an_edge_shows_the_matrix_of_its_op(app: App, panel: JacobianPanel) -> None:
    ids = opened(app, panel, "example:broadcast")
    steps = app.window.player.current.steps if app.window.player.current else ()
    at = next(n for n, s in enumerate(steps) if s.input == ids["scale"])
    edge = next(
        e
        for e in (app.window.stage.figure.edges if app.window.stage.figure else ())
        if e.source == ids["scale"] and e.target == steps[at].node
    )
    app.window.stage.canvas.edge_picked.emit(edge.id)
    settle(app, panel)
    assert panel.way.on == {"edge"}
    assert app.window.player.position == at + 1
    found = panel.matrix.found
    assert found is not None
    assert (found.of, found.wrt, found.kind) == ("table", "scale", "broadcast")
    assert panel.badge.text() == "broadcast"
    assert panel.warning.text().endswith("it adds up the rows, [[28], [28], [28]].")
    app.window.player.go(1)
    settle(app, panel)
    assert panel.matrix.found is not None
    assert panel.matrix.found.kind == "reduction"
    app.window.player.go(0)
    assert panel.matrix.found is None
    assert panel.meaning.text() == "Go to a step, or click an edge, to see the matrix of its op."


def test_one_op_of_a_node_used_twice(app: App, panel: JacobianPanel) -> None:
    opened(app, panel, "example:fanout")
    panel.show_edge()
    app.window.player.go(4)
    settle(app, panel)
    assert panel.matrix.found is not None
    assert (panel.matrix.found.of, panel.matrix.texts()) == ("square", [["4", "0"], ["0", "6"]])
    assert panel.pulled.text().endswith("[7, 9] arrived at x, the rest by other ways.")


OWN = """
class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, g):
        return 2 * g

x = torch.tensor([1., 2.], requires_grad=True)
n = torch.tensor([1, 0])
y = Twice.apply(x)[n]
y.sum().backward()
"""


def test_what_has_no_jacobian_is_said(app: App, panel: JacobianPanel, tmp_path: Path) -> None:
    ids = opened(app, panel, written(tmp_path, OWN))
    assert panel.of.findData(ids["n"]) == -1  # whole numbers have no derivatives
    assert panel.matrix.found is None
    assert panel.warning.text().endswith(
        " is a function of the script's own: only the script can run it."
    )


LARGE = (
    "x = torch.linspace(-3, 3, 64 * 784).reshape(64, 784).requires_grad_()\n"
    "y = torch.relu(x)\ny.backward(torch.ones_like(y))\n"
)


def test_a_large_one_tells_its_progress_and_can_be_stopped(
    app: App, panel: JacobianPanel, tmp_path: Path
) -> None:
    app.open(written(tmp_path, LARGE))
    app.qtbot.waitUntil(panel.cancel.isVisible, timeout=20_000)
    assert panel.progress.maximum() == 50_176
    assert panel.meaning.text().endswith(" of 50,176 rows are there.")
    panel.cancel.click()
    assert not panel.busy
    assert not panel.cancel.isVisible()
    assert panel.again.isVisible()
    assert panel.meaning.text() == "The computation was stopped."
    before = panel.matrix.found
    assert before is None
    panel.again.click()
    assert panel.busy
    assert not panel.again.isVisible()
    opened(app, panel, "example:sum")  # gives up what is under way
    assert panel.matrix.texts() == [["7", "0"], ["0", "9"]]


def test_the_limit_is_stated_where_it_counts(
    app: App, panel: JacobianPanel, tmp_path: Path
) -> None:
    text = "x = torch.linspace(-3, 3, 6000).requires_grad_()\ny = torch.relu(x)\n"
    opened(app, panel, written(tmp_path, text + "y.backward(torch.ones(6000))\n"))
    found = panel.matrix.found
    assert found is not None
    assert (found.matrix.shape, found.rows, found.kind) == ((512, 512), 6000, "diagonal")
    assert panel.matrix.seed is None
    assert panel.matrix.product is not None  # as it arrived: there is no other way to x
    assert panel.matrix.product.tolist() == [float(x > 0) for x in np.linspace(-3, 3, 6000)]
    assert panel.meaning.text().endswith(
        "Each number is the largest in size of a block. "
        "Whole it would take 137 MiB; no more than 256 MiB are ever used."
    )


def test_closing_the_window_ends_the_work(app: App, panel: JacobianPanel, tmp_path: Path) -> None:
    app.open(written(tmp_path, LARGE))
    app.qtbot.waitUntil(panel.cancel.isVisible, timeout=20_000)
    panel.close_down()
    assert not [each for each in threading.enumerate() if each.name == "differentiator"]


def test_a_map_becomes_numbers_when_zoomed(app: App, panel: JacobianPanel, tmp_path: Path) -> None:
    text = "x = torch.arange(60.).requires_grad_()\ny = x * x\ny.sum().backward()\n"
    opened(app, panel, written(tmp_path, text))
    matrix = panel.matrix
    assert not matrix.numbers
    assert matrix.texts() == []
    frame = matrix.frame_now()
    middle = QPointF(frame.left + frame.width / 2, frame.top + frame.height / 2)
    under = matrix.cell(middle)
    matrix.zoom(float("inf"), middle)
    assert matrix.numbers
    assert matrix.texts()[7][7] == "14"
    after = matrix.cell(middle)
    assert under is not None
    assert after is not None
    assert abs(after[0] - under[0]) <= 1
    assert abs(after[1] - under[1]) <= 1
    panel.whole.click()
    assert not matrix.numbers
    for _turn in range(20):
        panel.larger.click()
    assert matrix.numbers
    panel.smaller.click()
    panel.whole.click()
    assert matrix.frame_now() == frame


def test_a_double_click_zooms_in_and_out_again(
    app: App, panel: JacobianPanel, tmp_path: Path, qtbot: QtBot
) -> None:
    text = "x = torch.arange(60.).requires_grad_()\ny = x * x\ny.sum().backward()\n"
    opened(app, panel, written(tmp_path, text))
    at = QPointF(400, 100).toPoint()
    viewport = panel.matrix.viewport()
    qtbot.mouseDClick(viewport, Qt.MouseButton.LeftButton, pos=at)
    assert panel.matrix.numbers
    qtbot.mouseDClick(viewport, Qt.MouseButton.LeftButton, pos=at)
    assert not panel.matrix.numbers


def test_a_click_beside_a_row_asks_for_it_by_a_one_hot_seed(
    app: App, panel: JacobianPanel, qtbot: QtBot
) -> None:
    opened(app, panel, "example:nonscalar")
    frame = panel.matrix.frame_now()
    assert (panel.matrix.row, panel.matrix.product) == (None, None)
    for row, product in ((1, [0, 9]), (0, [7, 0])):
        at = QPointF(frame.left / 2, frame.top + (row + 0.5) * frame.cell_height).toPoint()
        qtbot.mouseClick(panel.matrix.viewport(), Qt.MouseButton.LeftButton, pos=at)
        app.settle()
        assert app.window.starting.key == f"onehot:{row}"
        assert panel.matrix.row == row
        assert panel.matrix.product is not None
        assert panel.matrix.product.tolist() == product
    panel.show_edge()
    settle(app, panel)
    qtbot.mouseClick(panel.matrix.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert app.window.starting.key == "onehot:0"  # the rows of another node are left alone


def test_it_speaks_the_language_in_use(app: App, panel: JacobianPanel) -> None:
    opened(app, panel, "example:sum")
    language.use("zh")
    panel.retranslate()
    settle(app, panel)
    assert panel.matrix.texts() == [["7", "0"], ["0", "9"]]


@pytest.mark.parametrize("table", [[[1.0, -2.0], [0.0, 4.0]], [[1e-6, -1.0], [1e3, 0.0]]])
def test_a_map_has_the_colours_of_swatches(table: list[list[float]]) -> None:
    array = np.array(table)
    scale = scale_of([array])
    image = heat_image(array, scale, LIGHT)
    for row, values in enumerate(table):
        for column, value in enumerate(values):
            tone = "positive" if value >= 0 else "negative"
            wanted = swatch(LIGHT, tone, scale.level(abs(value)))
            assert _apart(image, column, row, wanted) <= 6  # of 255: shades are stepped


def test_what_is_not_finite_stands_out_in_a_map() -> None:
    image = heat_image(np.array([[np.nan, 1.0, -np.inf]]), Scale(1.0), LIGHT)
    for column in (0, 2):
        assert _apart(image, column, 0, swatch(LIGHT, "error", 0)) == 0


def _apart(image: QImage, column: int, row: int, code: str) -> int:
    pixel = image.pixelColor(column, row)
    wanted = (int(code[at : at + 2], 16) for at in (1, 3, 5))
    own = (pixel.red(), pixel.green(), pixel.blue())
    return max(abs(a - b) for a, b in zip(own, wanted, strict=True))


def test_without_real_numbers_it_says_so(app: App, panel: JacobianPanel, tmp_path: Path) -> None:
    text = "x = torch.tensor([1j, 2.0], requires_grad=True)\ny = x * x\ny.backward(y)\n"
    opened(app, panel, written(tmp_path, text))
    assert panel.of.key is None
    assert panel.meaning.text() == (
        "Only real floating point numbers have a Jacobian, and none are here."
    )
