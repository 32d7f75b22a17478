"""A run and a position in time: what is kept when the run changes."""

from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from gradviz.diagram import BackwardCall, Diagram
from gradviz.run import Pass, Run, Step
from gradviz.ui.player import Player

_ONE = np.ones(2)


def _pass(steps: int) -> Pass:
    step = Step("y", 0, "x", _ONE, _ONE, (), None, _ONE)
    return Pass(BackwardCall("y"), "y", seed=_ONE, steps=(step,) * steps)


def _run(*steps: int) -> Run:
    return Run(passes=tuple(map(_pass, steps)))


@pytest.fixture
def player(qtbot: QtBot) -> Player:
    made = Player()
    made.open(Diagram(), _run(5, 3))
    return made


def test_another_document_opens_at_the_end_of_its_first_pass(player: Player) -> None:
    player.choose(1)
    player.open(Diagram(), _run(4))
    assert (player.index, player.position) == (0, 4)


def test_the_position_is_kept_when_the_run_changes(player: Player) -> None:
    player.go(2)
    player.show(Diagram(), _run(7, 3))
    assert player.position == 2


def test_the_position_is_clamped_to_a_shorter_pass(player: Player) -> None:
    player.go(4)
    player.show(Diagram(), _run(3))
    assert player.position == 3


def test_the_end_stays_the_end(player: Player) -> None:
    player.show(Diagram(), _run(6))
    assert player.position == 6


def test_going_is_clamped_and_announced_once(player: Player) -> None:
    heard: list[int] = []
    player.moved.connect(lambda: heard.append(player.position))
    player.go(99)
    player.go(-1)
    player.go(0)
    assert heard == [0]


def test_playing_at_the_end_begins_anew_and_stops_there(player: Player) -> None:
    player.play()
    assert (player.playing, player.position) == (True, 0)
    player.go(5)
    assert not player.playing


def test_a_failed_pass_has_nothing_to_play(player: Player) -> None:
    player.show(Diagram(), _run(0))
    player.play()
    assert (player.playing, player.last, player.step) == (False, 0, None)


def test_the_speed_divides_the_interval(player: Player) -> None:
    normal = player.interval
    player.set_speed(2.0)
    assert player.interval * 2 == normal


def test_the_step_is_the_one_that_led_here(player: Player) -> None:
    player.go(3)
    assert player.current is not None
    assert player.step is player.current.steps[2]
    player.go(0)
    assert player.step is None
