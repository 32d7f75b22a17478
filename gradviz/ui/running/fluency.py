"""`Fluency`: the collector and other threads keep out of the way of who draws and types."""

from __future__ import annotations

import gc
import sys
import time

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

_SWITCH = 1e-4  # seconds for which another thread may keep the interpreter
_TICK = 500  # ms
_WORK = 0.01  # seconds of work in a tick from which somebody is at work
_QUIET = 3  # ticks without, after which nobody is
_MANY = 400_000  # new objects that are looked through even while somebody works
_YOUNG = 10  # collections of young objects before one of all


class Fluency(QObject):
    """From now on garbage is collected while nobody does anything, and in this thread alone.

    A collection goes over every node of a large diagram, which is felt in the middle of an edit;
    and what it finds may belong to Qt, which wants that in the thread of the windows.

    Painting gives the interpreter away and takes it back many times in a frame. Each time a thread
    that computes may keep it for a switch interval, 5 ms as Python has it: that is made short.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        sys.setswitchinterval(_SWITCH)
        self._spent, self._quiet, self._rounds = time.thread_time(), 0, 0
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def started(self) -> None:
        """What is there by now is there for good, and need not be looked through again."""
        gc.collect()
        gc.freeze()

    def _tick(self) -> None:
        now = time.thread_time()
        held = QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton  # a gesture, if a slow one
        working = held or now - self._spent > _WORK
        self._quiet = 0 if working else self._quiet + 1
        if self._quiet == _QUIET:  # once, until somebody works again
            self._rounds += 1
            gc.collect(1 if self._rounds % _YOUNG else 2)
        elif gc.get_count()[0] > _MANY:
            gc.collect(0)
        self._spent = time.thread_time()
