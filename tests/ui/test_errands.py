"""Errands: done once, kept, dropped, and what goes wrong is a result too."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import cast

import pytest
from pytestqt.qtbot import QtBot

from gradviz.ui.running.errands import Errands, Failed
from gradviz.ui.running.work import Worker


class Idle:
    """A worker that no job of these tests asks for anything."""

    closed = 0

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def worker() -> Idle:
    return Idle()


@pytest.fixture
def errands(qtbot: QtBot, worker: Idle) -> Iterator[Errands]:
    made = Errands(lambda: cast("Worker", worker))
    yield made
    made.close()


def test_a_job_is_done_once_and_kept(qtbot: QtBot, errands: Errands) -> None:
    times: list[str] = []

    def job(_worker: Worker) -> object:
        times.append(threading.current_thread().name)
        return 7

    with qtbot.waitSignal(errands.done) as told:
        assert errands.ask("seven", job) is None
        assert errands.ask("seven", job) is None
    assert told.args == ["seven"]
    assert errands.ask("seven", job) == 7
    assert times == ["errands"]
    assert not errands.busy


def test_an_error_is_a_result(qtbot: QtBot, errands: Errands) -> None:
    with qtbot.waitSignal(errands.done):
        errands.ask("bad", lambda _worker: 1 / 0)
    assert errands.ask("bad", lambda _worker: 1) == Failed("ZeroDivisionError: division by zero")


def test_what_waits_can_be_dropped_and_asked_again(qtbot: QtBot, errands: Errands) -> None:
    go, started = threading.Event(), threading.Event()
    done: list[str] = []

    def first(_worker: Worker) -> object:
        started.set()
        go.wait(10)
        return "first"

    errands.ask("first", first)
    started.wait(10)
    errands.ask("second", lambda _worker: done.append("dropped"))
    errands.unask()
    errands.ask("third", lambda _worker: "third")
    go.set()
    qtbot.waitUntil(lambda: not errands.busy)
    assert done == []
    assert errands.ask("first", first) == "first"
    assert errands.ask("third", first) == "third"


def test_a_result_that_was_given_up_is_not_heard_of(qtbot: QtBot, errands: Errands) -> None:
    go, started = threading.Event(), threading.Event()

    def slow(_worker: Worker) -> object:
        started.set()
        go.wait(10)
        return "old"

    errands.ask("key", slow)
    started.wait(10)
    errands.forget()
    with qtbot.waitSignal(errands.done) as told:
        errands.ask("key", lambda _worker: "new")
        go.set()
    assert told.args == ["key"]
    assert errands.ask("key", slow) == "new"


def test_closing_ends_the_worker(qtbot: QtBot, errands: Errands, worker: Idle) -> None:
    with qtbot.waitSignal(errands.done):
        errands.ask("key", lambda _worker: 1)
    errands.close()
    assert worker.closed >= 1
    assert errands.ask("other", lambda _worker: 1) is None
    assert not errands.busy
