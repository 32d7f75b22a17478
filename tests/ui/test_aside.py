"""Work beside the event loop: in order, answered on the UI thread, done before the end."""

from __future__ import annotations

import threading

import pytest
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot

from gradviz.ui.documents.aside import Aside


@pytest.fixture
def aside(qtbot: QtBot) -> Aside:
    return Aside("test")


def test_it_is_done_in_order_and_answered_here(aside: Aside, qtbot: QtBot) -> None:
    ran: list[tuple[int, bool]] = []
    told: list[tuple[int, bool]] = []
    main = threading.main_thread()

    def work(number: int) -> int:
        ran.append((number, threading.current_thread() is main))
        return number * 10

    def then(result: int) -> None:
        told.append((result, threading.current_thread() is main))

    for number in range(3):
        aside.run(lambda n=number: work(n), then)
    assert aside.busy
    qtbot.waitUntil(lambda: not aside.busy)
    assert ran == [(0, False), (1, False), (2, False)]
    assert told == [(0, True), (10, True), (20, True)]


def test_an_error_of_the_work_is_raised_here_and_the_rest_goes_on(
    aside: Aside, qtbot: QtBot
) -> None:
    told: list[object] = []
    aside.run(lambda: 1 // 0, told.append)
    aside.run(lambda: ValueError("a result like any other"), told.append)
    with capture_exceptions() as raised:
        qtbot.waitUntil(lambda: not aside.busy)
    assert [kind for kind, _error, _trace in raised] == [ZeroDivisionError]
    assert [str(one) for one in told] == ["a result like any other"]


def test_closing_waits_for_the_work_and_says_nothing(aside: Aside, qtbot: QtBot) -> None:
    done: list[str] = []
    told: list[object] = []
    aside.run(lambda: done.append("a"), told.append)
    aside.run(lambda: done.append("b"), told.append)
    aside.close()
    assert done == ["a", "b"]
    qtbot.wait(20)
    assert told == []


def test_closing_does_not_wait_where_nothing_is_lost(aside: Aside) -> None:
    hold = threading.Event()
    aside.run(hold.wait)
    aside.close(wait=False)
    assert not hold.is_set()
    hold.set()
