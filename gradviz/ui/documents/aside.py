"""`Aside`: work with files beside the event loop, one piece after another."""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

Work = Callable[[], Any]
Then = Callable[[Any], None]
_JOIN_SECONDS = 5.0


def nothing_more(result: object) -> None:
    """What follows a piece of work whose result nobody needs."""


class Aside(QObject):
    """Runs what it is given on one thread, in order; what follows runs on the UI thread.

    An exception of the work itself is raised there, where the app reports it.
    """

    _done = Signal(object, object, object)

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._turn = threading.Condition()
        self._waiting: deque[tuple[Work, Then]] = deque()
        self._thread: threading.Thread | None = None
        self._open = 0
        self._closing = False
        self._done.connect(self._receive)

    @property
    def busy(self) -> bool:
        """Whether something was asked for whose result is still to come."""
        return self._open > 0

    def run(self, work: Work, then: Then = nothing_more) -> None:
        """Have `work` done, then call `then` with its result."""
        self._open += 1
        with self._turn:
            self._waiting.append((work, then))
            self._turn.notify()
        if self._thread is None:
            self._thread = threading.Thread(target=self._loop, name=self._name, daemon=True)
            self._thread.start()

    def close(self, *, wait: bool = True) -> None:
        """Let what was asked for be done, for a while; nothing follows it any more."""
        with self._turn:
            self._closing = True
            self._turn.notify()
        if wait and self._thread is not None:
            self._thread.join(_JOIN_SECONDS)

    def _loop(self) -> None:
        while (task := self._next()) is not None:
            work, then = task
            result, raised = None, None
            try:
                result = work()
            except Exception as error:  # noqa: BLE001  raised again on the UI thread
                raised = error
            if not self._closing:
                with contextlib.suppress(RuntimeError):  # the receiver has gone meanwhile
                    self._done.emit(then, result, raised)

    def _next(self) -> tuple[Work, Then] | None:
        with self._turn:
            while not self._waiting:
                if self._closing:
                    return None
                self._turn.wait()
            return self._waiting.popleft()

    def _receive(self, then: Then, result: object, raised: Exception | None) -> None:
        self._open -= 1
        if self._closing:
            return
        if raised is not None:
            raise raised
        then(result)
