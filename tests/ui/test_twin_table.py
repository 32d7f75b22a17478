"""The table under the two canvases: what was measured, and what sets the two ways apart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gradviz.diagram import Start
from gradviz.evaluate import evaluate
from gradviz.twin import Comparison, compare
from gradviz.twin.timing import Timing
from gradviz.ui.panels.twin_table import cells, remarks
from tests.gradviz.programs import article, recorded
from tests.ui.conftest import App


@pytest.fixture
def found() -> Comparison:
    def program(n: object) -> None:
        article(n)  # type: ignore[arg-type]
        n.y.backward()  # type: ignore[attr-defined]

    diagram = recorded(program)[0].diagram
    return compare(evaluate, diagram, evaluate(diagram), start=Start("reduction", reduction="mean"))


def test_the_table_holds_what_was_measured(found: Comparison) -> None:
    assert cells(found) == [
        ["", "nodes", "edges", "steps", "saved", "gradient traffic", "time", "x.grad"],
        ["Σ added mean", "6", "6", "5", "12 B", "44 B", "", "[3.5, 4.5]"],
        ["v injected seed", "5", "5", "4", "12 B", "40 B", "", "[3.5, 4.5]"],
        ["difference", "+1", "+1", "+1", "0", "+4 B", "", "0, to the last bit"],
    ]


def test_times_are_those_of_the_comparison(found: Comparison) -> None:
    timed = replace(found, times=(Timing(19.34e-6, 51), Timing(0.01234, 20)))
    assert [row[6] for row in cells(timed)] == ["time", "19 µs", "12000 µs", ""]
    assert all(each is not None for each in found.timed().times)


def test_remarks_say_what_each_way_is(found: Comparison) -> None:
    assert remarks(found) == [
        "mean is the seed ∂R/∂y = [0.5, 0.5] · every node that both reach has the same cotangent,"
        " to the last bit",
        "Σ  1 node after y (mean); 1 is placed at it"
        " · one objective whose gradients do not grow with the batch",
        "v  nothing is added; v is placed at y"
        " · weights known outside of the graph, or a gradient handed on from elsewhere",
    ]


def test_side_by_side_tells_the_facts(app: App) -> None:
    app.open("example:nonscalar")
    app.window.commands.set_twin(True)
    app.settle()
    table = app.window.stage.table
    assert table.isVisibleTo(app.window)
    assert [label.text()[:1] for label in table.remarks] == ["s", "Σ", "v"]
    assert app.window.player.twin is not None
    assert all(time is not None and time.seconds > 0 for time in app.window.player.twin.times)
