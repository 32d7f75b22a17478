"""The table of reductions and seeds: about what is on screen, and taken by a click."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from gradviz.diagram import Diagram
from gradviz.evaluate import evaluate
from gradviz.twin.dictionary import dictionary
from gradviz.ui.panels.reductions import ReductionsPanel, cells
from tests.gradviz.programs import article, recorded
from tests.ui.conftest import App


def opened(app: App, source: str) -> ReductionsPanel:
    app.open(source)
    app.window.docks.show("reductions")
    return filled(app)


def filled(app: App) -> ReductionsPanel:
    """The panel, once it is about what is on screen."""
    made = app.window.dictionaries
    app.settle()
    app.qtbot.waitUntil(lambda: made._asked is None and bool(made.panel.buttons), timeout=20_000)
    return made.panel


def test_the_table_has_numbers_formulas_and_the_factor_to_sum() -> None:
    def program(n: object) -> None:
        article(n)  # type: ignore[arg-type]
        n.y.sum().backward()  # type: ignore[attr-defined]

    diagram: Diagram = recorded(program)[0].diagram
    found = dictionary(evaluate, diagram, evaluate(diagram))
    table = cells(found, diagram)
    assert table[0] == [
        "reduction R", "formula", "value", "equal seed v", "v here", "times sum", "x.grad",
    ]  # fmt: skip
    assert table[1] == ["sum", "Σ yᵢ", "28", "vᵢ = 1", "[1, 1]", "× 1", "[7, 9]"]
    assert table[2] == ["mean", "Σ yᵢ / N", "14", "vᵢ = 1/N", "[0.5, 0.5]", "× 0.5", "[3.5, 4.5]"]
    assert table[7][0] == "maximum"
    assert table[7][4:6] == ["[0, 1]", "–"]
    assert len(table) == 12


def test_a_click_starts_by_a_reduction_or_by_its_seed(app: App) -> None:
    panel = opened(app, "example:nonscalar")
    assert "y = [10, 18], N = 2" in panel.about.text()
    panel.buttons[1][0].click()
    app.settle()
    assert (app.window.starting.way, app.window.starting.key) == ("reduction", "mean")
    panel = filled(app)
    assert [label.text() for label in panel.names][:3] == [
        "sum",
        "▸ mean",
        "weighted sum, w = [1, 0.5]",
    ]
    panel.buttons[4][1].click()  # the seed that the norm is
    app.settle()
    assert app.window.starting.way == "seed"
    done = app.window.player.current
    assert done is not None
    assert done.seed is not None
    assert [round(float(each), 4) for each in done.seed] == [0.4856, 0.8742]
    app.window.document.history.undo()
    app.settle()
    assert app.window.starting.key == "mean"


def test_a_loss_of_the_script_is_translated_from_its_scores(app: App) -> None:
    app.write(
        "import torch\nimport torch.nn.functional as F\n"
        "x = torch.tensor([1.0, 2.0], requires_grad=True)\n"
        "y = x * 3\nloss = F.mse_loss(y, torch.tensor([2.0, 2.0]))\nloss.backward()\n"
    )
    app.window.docks.show("reductions")
    panel = filled(app)
    assert panel.about.text().startswith("y = [3, 6]")
    panel.buttons[0][1].click()
    app.settle()
    assert app.window.player.diagram.calls[0].target == "y"
    done = app.window.player.current
    assert done is not None
    assert done.grads["x"].tolist() == [3, 3]


def test_the_table_follows_the_document_and_says_why_there_is_none(app: App) -> None:
    panel = opened(app, "example:nonscalar")
    app.write("import torch\nx = torch.tensor([1.0], requires_grad=True)\ny = x * 2\n")
    app.qtbot.waitUntil(lambda: not panel.buttons, timeout=20_000)
    assert panel.about.text() == "There is no backward pass to start otherwise."
    app.window.docks.close()
    QApplication.processEvents()
    assert panel.about.text() == ""


def test_it_is_asked_for_from_the_table_under_two_canvases(app: App) -> None:
    app.open("example:ones")
    app.window.commands.set_twin(True)
    app.settle()
    app.window.stage.table.all.click()
    assert app.window.docks.shown("reductions")
    assert filled(app).names[0].text() == "▸ sum"
