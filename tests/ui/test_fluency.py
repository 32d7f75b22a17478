"""Garbage is collected in the windows' thread, and only there."""

from __future__ import annotations

import gc
import sys
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from gradviz.ui.running.fluency import Fluency


class Knot:
    """Something that only a collection frees."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def fluency(qtbot: QtBot) -> Iterator[Fluency]:
    interval, parent = sys.getswitchinterval(), QObject()
    yield Fluency(parent)
    parent.deleteLater()
    sys.setswitchinterval(interval)
    gc.unfreeze()
    gc.enable()


def test_what_nobody_holds_goes_while_nobody_works(
    qtbot: QtBot, fluency: Fluency, monkeypatch: pytest.MonkeyPatch
) -> None:
    fluency.started()
    held = [Qt.MouseButton.LeftButton]
    monkeypatch.setattr(QGuiApplication, "mouseButtons", lambda: held[0])
    knot = Knot()
    where: list[int] = []
    weakref.finalize(knot, lambda: where.append(threading.get_ident()))
    more = [Knot() for _each in range(30_000)]  # enough to be worth it
    del knot, more
    qtbot.wait(2_500)
    assert where == []  # not in the middle of a gesture
    held[0] = Qt.MouseButton.NoButton
    for _wait in range(100):
        if not where:
            qtbot.wait(200)  # in the event loop, which is no work
    assert where == [threading.get_ident()]


def test_no_thread_collects_by_itself(fluency: Fluency) -> None:
    assert not gc.isenabled()
    assert sys.getswitchinterval() == pytest.approx(1e-4)
