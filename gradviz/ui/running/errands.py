"""`Errands`: jobs for a sandbox of its own, beside the event loop; results are kept."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from gradviz.ui.running.work import Worker

Job = Callable[[Worker], object]
_KEPT = 512  # results
_JOIN_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Failed:
    """Why there is no result: an error that no job is to have."""

    sentence: str


class Errands(QObject):
    """`done(key)` comes when the job asked for under that key has its result."""

    done = Signal(object)
    _ended = Signal(object, object, int)

    def __init__(self, hire: Callable[[], Worker], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hire = hire
        self._worker: Worker | None = None
        self._lock = threading.Condition()
        self._waiting: deque[tuple[Hashable, Job, int]] = deque()
        self._asked: set[Hashable] = set()
        self._found: dict[Hashable, object] = {}
        self._age = 0
        self._closing = False
        self._thread: threading.Thread | None = None
        self._ended.connect(self._receive)

    @property
    def busy(self) -> bool:
        """Whether something asked for has no result yet."""
        return bool(self._asked)

    def found(self, key: Hashable) -> object | None:
        """The result of this job; None where there is none yet."""
        return self._found.get(key)

    def ask(self, key: Hashable, job: Job) -> object | None:
        """The result, if it is there; else have the job done, once."""
        if key in self._found or key in self._asked or self._closing:
            return self._found.get(key)
        self._asked.add(key)
        with self._lock:
            self._waiting.append((key, job, self._age))
            self._lock.notify()
        if self._thread is None:
            self._thread = threading.Thread(target=self._loop, name="errands", daemon=True)
            self._thread.start()
        return None

    def unask(self) -> None:
        """Drop what waits; results stay, and so does the job that runs."""
        with self._lock:
            for key, _job, _age in self._waiting:
                self._asked.discard(key)
            self._waiting.clear()

    def forget(self) -> None:
        """Drop results and what waits; a job that runs is not heard of any more."""
        self.unask()
        self._age += 1
        self._found.clear()
        self._asked.clear()

    def close(self) -> None:
        """Stop, for good."""
        with self._lock:
            self._closing = True
            self._waiting.clear()
            self._lock.notify()
        if self._worker is not None:
            self._worker.close()
        if self._thread is not None:
            self._thread.join(_JOIN_SECONDS)

    def _receive(self, key: Hashable, result: object, age: int) -> None:
        """Runs on the UI thread."""
        if self._closing or age != self._age:
            return
        self._asked.discard(key)
        self._found[key] = result
        if len(self._found) > _KEPT:
            del self._found[next(iter(self._found))]
        self.done.emit(key)

    def _next(self) -> tuple[Hashable, Job, int] | None:
        with self._lock:
            while not self._closing and not self._waiting:
                self._lock.wait()
            return None if self._closing else self._waiting.popleft()

    def _loop(self) -> None:
        while (waiting := self._next()) is not None:
            key, job, age = waiting
            try:
                if self._worker is None:
                    self._worker = self._hire()
                result = job(self._worker)
            except Exception as error:  # noqa: BLE001  the thread must go on; the page tells
                result = Failed(f"{type(error).__name__}: {error}")
            if self._closing:
                break
            self._ended.emit(key, result, age)
        if self._worker is not None:
            self._worker.close()
