"""Jacobians found beside the event loop: the newest wins, and what is given up is not heard of."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from gradviz.diagram import Diagram
from gradviz.jacobians.rows import Jacobian
from gradviz.run import Run
from gradviz.script.sandbox import Sandbox
from gradviz.ui.running.differentiator import Differentiator, Wanted

SMALL, LARGE = (
    f"import torch\nx = torch.linspace(-3, 3, {count}).requires_grad_()\ny = x * x\n"
    "y.backward(torch.ones_like(y))\n"
    for count in (3, 12_000)
)


@pytest.fixture(scope="module")
def ran() -> dict[str, tuple[Diagram, Run]]:
    with Sandbox() as sandbox:
        return {text: sandbox.run(text) for text in (SMALL, LARGE)}


@pytest.fixture
def work(qtbot: QtBot) -> Iterator[Differentiator]:
    made = Differentiator()
    yield made
    made.close()


def wanted(ran: dict[str, tuple[Diagram, Run]], text: str, wrt: str = "x") -> Wanted:
    diagram, run = ran[text]
    assert run.error is None
    ids = {node.name: key for key, node in diagram.nodes.items()}
    return Wanted(diagram, run, 0, ids["y"], ids.get(wrt, wrt))


def test_it_finds_and_refuses(
    work: Differentiator, ran: dict[str, tuple[Diagram, Run]], qtbot: QtBot
) -> None:
    asked = wanted(ran, SMALL)
    with qtbot.waitSignal(work.found, timeout=20_000) as heard:
        work.ask(asked)
    job, found = heard.args or [None, None]
    assert job is asked
    assert isinstance(found, Jacobian)
    assert found.matrix.tolist() == [[-6, 0, 0], [0, 0, 0], [0, 0, 6]]
    assert not work.busy
    with qtbot.waitSignal(work.refused, timeout=20_000) as heard:
        work.ask(wanted(ran, SMALL, "nothing"))
    assert (heard.args or [None, ""])[1] == "nothing has no value."
    assert not work.busy


def test_the_newest_wins(
    work: Differentiator, ran: dict[str, tuple[Diagram, Run]], qtbot: QtBot
) -> None:
    heard: list[object] = []
    work.found.connect(lambda job, _found: heard.append(job))
    work.ask(wanted(ran, LARGE))
    newest = wanted(ran, SMALL)
    with qtbot.waitSignal(work.found, timeout=20_000):
        work.ask(newest)
    assert heard == [newest]


def test_what_is_given_up_is_not_heard_of(
    work: Differentiator, ran: dict[str, tuple[Diagram, Run]], qtbot: QtBot
) -> None:
    heard: list[object] = []
    for signal in (work.found, work.refused):
        signal.connect(lambda *told: heard.append(told))
    asked = wanted(ran, LARGE)
    with qtbot.waitSignal(work.told, timeout=20_000) as progress:
        work.ask(asked)
    job, done, count = progress.args or [None, 0, 0]
    assert job is asked
    assert 0 < done < count == 12_000
    work.told.connect(lambda *told: heard.append(told))
    work.cancel()
    work._counted.emit(asked, 500, 12_000)  # as one that was on its way
    assert not work.busy
    work.close()
    qtbot.wait(20)
    assert heard == []
