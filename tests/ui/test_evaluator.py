"""The newest request wins, nothing is dropped while it runs, and closing ends the thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from gradviz.beginning import SHOWN
from gradviz.diagram import Diagram
from gradviz.run import Failure, Run
from gradviz.script.limits import Limits
from gradviz.ui.running.evaluator import Evaluator
from gradviz.ui.running.work import Answer, Request
from tests.ui.conftest import App


class _Worker:
    """Answers with the title as an error; one called "slow" waits to be cancelled."""

    def __init__(self) -> None:
        self.cancelled, self.started = threading.Event(), threading.Event()
        self.closed = False
        self.seen: list[str] = []
        self.limits = Limits()

    def run(self, source: str, filename: str) -> tuple[Diagram, Run]:
        return Diagram(source=source), self._answer(source)

    def evaluate(self, diagram: Diagram) -> Run:
        return self._answer(diagram.title)

    def cancel(self) -> None:
        self.cancelled.set()

    def close(self) -> None:
        self.closed = True
        self.cancelled.set()

    def _answer(self, name: str) -> Run:
        self.seen.append(name)
        if name == "broken":
            raise RuntimeError("no worker")
        if name == "slow":
            self.started.set()
            self.cancelled.wait(20)
        return Run(error=Failure("Error", name))


@pytest.fixture
def worker() -> _Worker:
    return _Worker()


@pytest.fixture
def evaluator(qtbot: QtBot, worker: _Worker) -> Iterator[Evaluator]:
    made = Evaluator(lambda _limits: worker)
    yield made
    made.close()


def _named(answer: Answer) -> str:
    assert answer.run.error is not None
    return answer.run.error.message


def test_a_request_is_answered_on_the_thread_of_the_views(
    qtbot: QtBot, evaluator: Evaluator
) -> None:
    threads: list[object] = []
    evaluator.answered.connect(lambda answer: threads.append(threading.current_thread()))
    with qtbot.waitSignal(evaluator.answered) as caught:
        evaluator.ask(Request(Diagram(title="a")))
    assert _named(caught.args[0]) == "a"
    assert threads == [threading.main_thread()]
    assert not evaluator.busy


def test_typing_asks_once(qtbot: QtBot, evaluator: Evaluator, worker: _Worker) -> None:
    with qtbot.waitSignal(evaluator.answered) as caught:
        for text in ("a", "ab", "abc"):
            evaluator.ask(Request(Diagram(source=text), derive=True), soon=True)
    assert _named(caught.args[0]) == "abc"
    assert worker.seen == ["abc"]


def test_a_newer_request_stops_an_older_one(
    qtbot: QtBot, evaluator: Evaluator, worker: _Worker
) -> None:
    evaluator.ask(Request(Diagram(title="slow")))
    assert worker.started.wait(10)
    with qtbot.waitSignal(evaluator.answered) as caught:
        evaluator.ask(Request(Diagram(title="new")))
    assert _named(caught.args[0]) == "new"
    assert worker.cancelled.is_set()


def test_a_newer_request_that_runs_by_then_is_let_run(
    qtbot: QtBot, evaluator: Evaluator, worker: _Worker
) -> None:
    with qtbot.waitSignal(evaluator.answered) as caught:
        evaluator.ask(Request(Diagram(title="old")))
        evaluator.ask(Request(Diagram(title="slow")))
        assert worker.started.wait(10)
        evaluator._give_up()  # what the older one has too long a time for
        assert not worker.cancelled.is_set()
        worker.cancel()
    assert _named(caught.args[0]) == "slow"


def test_a_slow_job_is_told_and_can_be_cancelled(
    qtbot: QtBot, evaluator: Evaluator, worker: _Worker
) -> None:
    with qtbot.waitSignal(evaluator.slow, check_params_cb=bool):
        evaluator.ask(Request(Diagram(title="slow")))
    with qtbot.waitSignals([evaluator.slow, evaluator.answered]):
        evaluator.cancel()


def test_jobs_for_later_give_way(qtbot: QtBot, evaluator: Evaluator, worker: _Worker) -> None:
    filed: list[str] = []
    evaluator.filed.connect(lambda answer: filed.append(_named(answer)))
    evaluator.later(*(Request(Diagram(title=name)) for name in ("one", "two")))
    qtbot.waitUntil(lambda: filed == ["one", "two"])


def test_an_error_of_the_app_is_told(qtbot: QtBot, evaluator: Evaluator) -> None:
    with qtbot.waitSignal(evaluator.failed) as caught:
        evaluator.ask(Request(Diagram(title="broken")))
    assert caught.args == ["RuntimeError: no worker"]


def test_closing_ends_the_thread_in_the_middle_of_a_job(
    qtbot: QtBot, evaluator: Evaluator, worker: _Worker
) -> None:
    evaluator.ask(Request(Diagram(title="slow")))
    assert worker.started.wait(10)
    evaluator.close()
    assert worker.closed
    assert "evaluator" not in [thread.name for thread in threading.enumerate()]


def test_of_an_endless_loop_the_beginning_is_shown(app: App) -> None:
    app.window.evaluator.limit(Limits(entries=6_000))
    app.write("import torch\nx = torch.ones(2)\nwhile True:\n    x = x * 1\n")
    window = app.window
    assert len(window.document.diagram.nodes) == SHOWN
    assert window.stage.banner.text.text() == (
        "The script made 6,001 nodes before it was stopped; the first 5,000 are shown."
    )
    assert window.player.run.error is not None
    assert window.player.run.error.line == 4
