"""The table under the two canvases: what was measured, and what sets the two ways apart."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtTest import QTest

from gradviz.diagram import Start
from gradviz.evaluate import evaluate
from gradviz.twin import Pair, Sides, compare, side_by_side
from gradviz.twin.timing import Timing
from gradviz.ui.panels.twin_table import cells, facts, result
from gradviz.ui.widgets.labels import Elided
from tests.gradviz.programs import article, recorded
from tests.ui.conftest import App


def program(n: object) -> None:
    article(n)  # type: ignore[arg-type]
    n.y.backward()  # type: ignore[attr-defined]


@pytest.fixture
def found() -> Pair:
    diagram = recorded(program)[0].diagram
    mean = Start("reduction", reduction="mean")
    return compare(evaluate, diagram, evaluate(diagram), start=mean).pair


def side(left: str, right: str) -> Pair:
    diagram = recorded(program)[0].diagram
    return side_by_side(evaluate, diagram, evaluate(diagram), Sides(0, left, right))


def test_the_table_holds_what_was_measured(found: Pair) -> None:
    assert cells(found) == [
        ["", "nodes", "edges", "steps", "saved", "gradient traffic", "time", "x.grad"],
        ["Σ y.mean().backward()", "6", "6", "5", "12 B", "44 B", "", "[3.5, 4.5]"],
        ["v y.backward(gradient=v)", "5", "5", "4", "12 B", "40 B", "", "[3.5, 4.5]"],
        ["difference", "-1", "-1", "-1", "0", "-4 B", "", "0, bit for bit"],
    ]


def test_times_are_those_of_the_pair(found: Pair) -> None:
    timed = replace(found, times=(Timing(19.34e-6, 51), Timing(0.01234, 20)))
    assert [row[6] for row in cells(timed)] == ["time", "19 µs", "12000 µs", ""]
    assert all(each is not None for each in found.timed().times)
    assert timed.swapped().times == timed.times[::-1]


def test_the_result_says_how_they_agree(found: Pair) -> None:
    assert result(found) == (
        "mean is the seed ∂R/∂y = [0.5, 0.5]."
        " Every node that both reach has the same gradient, bit for bit."
    )
    assert facts(found) == [
        [
            "Σ",
            "1 node after y (mean); 1 is placed at it",
            "one objective whose gradients do not grow with the batch",
        ],
        [
            "v",
            "nothing is added; v is placed at y",
            "weights known outside of the graph, or a gradient handed on from elsewhere",
        ],
    ]


@pytest.mark.parametrize(
    ("left", "right", "said"),
    [
        (
            "sum",
            "mean",
            "mean = sum / N with N = 2: every gradient on the right is 0.5 times the one on the"
            " left.",
        ),
        ("mean", "ones", "Every gradient on the right is 2 times the one on the left."),
        ("sum", "ones", "Every leaf gets the same gradient from both."),
        ("norm", "1/N", "No one factor turns the gradients on the left into those on the right."),
    ],
)
def test_the_result_says_by_what_factor_they_differ(left: str, right: str, said: str) -> None:
    assert result(side(left, right)) == said


def test_side_by_side_tells_the_facts(app: App) -> None:
    app.open("example:nonscalar")
    app.window.commands.set_twin(True)
    app.settle()
    table = app.window.stage.table
    assert table.isVisibleTo(app.window)
    assert table.result.text().startswith("sum is the seed")
    assert table.told[:3] == ["", "how it begins", "used for"]
    assert table.told[4] == "1 node after y (sum); 1 is placed at it"
    assert app.window.player.twin is not None
    assert all(time is not None and time.seconds > 0 for time in app.window.player.twin.times)
    table.fold.click()
    assert table.more.isHidden()
    assert table.fold.text() == "More facts"


def test_long_gradients_give_way_to_the_names_of_the_two_ways(app: App) -> None:
    app.write(
        "import torch\ntorch.manual_seed(0)\n"
        "x = torch.rand(12, requires_grad=True)\nw = torch.rand(12, 12)\n"
        "y = (w @ x).tanh()\ny.backward(gradient=torch.linspace(-1, 1, 12))\n"
    )
    QTest.qWait(100)  # the screen of the tests is smaller and has its say first
    app.window.resize(1280, 800)
    app.window.commands.set_twin(True)
    app.settle()
    table = app.window.stage.table
    texts = ("Σ (v * y).sum().backward()", "v y.backward(gradient=v)")

    def whole() -> bool:
        found = [each for each in table.findChildren(Elided) if each.text() in texts]
        return len(found) == 2 and all(each.width() >= each.sizeHint().width() for each in found)

    app.qtbot.waitUntil(whole)
