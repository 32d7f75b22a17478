"""`Evaluator`: has the sandbox work off the UI thread; the newest request wins."""

from __future__ import annotations

import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from gradviz.script.limits import Limits
from gradviz.ui.running.work import Answer, Request, Worker, work

DEBOUNCE_MS = 60
PATIENCE_MS = 250  # a superseded job this short is let finish, stopping costs more
SLOW_MS = 400  # a job that takes longer is shown, with its Cancel
_JOIN_SECONDS = 5.0


class Evaluator(QObject):
    """One job in flight, on one thread. `answered(Answer)` comes for the newest request only.

    `filed(Answer)` comes for requests of `later`, which are done when nothing else is asked.
    `failed(str)` tells of an error that is the app's own. `slow(bool)` says whether a job takes
    long enough to be shown.
    """

    answered = Signal(object)
    filed = Signal(object)
    failed = Signal(str)
    slow = Signal(bool)
    _done = Signal(object, object)

    def __init__(
        self,
        hire: Callable[[Limits], Worker],
        parent: QObject | None = None,
        *,
        limits: Limits = Limits(),  # noqa: B008  a frozen value
    ) -> None:
        super().__init__(parent)
        self._hire, self._limits = hire, limits
        self._worker: Worker | None = None
        self._lock = threading.Condition()
        self._wanted: Request | None = None
        self._later: list[Request] = []
        self._running: Request | None = None
        self._newest: Request | None = None
        self._closing = False
        self._thread: threading.Thread | None = None
        self._debounce = self._single(DEBOUNCE_MS, self._submit)
        self._patience = self._single(PATIENCE_MS, self._give_up)
        self._slowness = self._single(SLOW_MS, self._tell_slow)
        self._told_slow = False
        self._done.connect(self._receive)

    @property
    def busy(self) -> bool:
        """Whether the newest request is not answered yet."""
        return self._newest is not None

    def ask(self, request: Request, *, soon: bool = False) -> None:
        """Have it done; `soon` waits a moment for a newer request, as while typing."""
        self._newest = request
        if soon:
            self._debounce.start()
        else:
            self._debounce.stop()
            self._submit()

    def later(self, *requests: Request) -> None:
        """Have these done when there is nothing else to do."""
        with self._lock:
            self._later += requests
            self._lock.notify()
        self._start()

    def cancel(self) -> None:
        """Give up the job in flight; it answers with an error that says so."""
        if self._worker is not None:
            self._worker.cancel()

    def limit(self, limits: Limits) -> None:
        """What every request from now on may use."""
        self._limits = limits
        if self._worker is not None:
            self._worker.limits = limits

    def close(self) -> None:
        """Stop everything; no signal comes any more."""
        self._newest = None
        for timer in (self._debounce, self._patience, self._slowness):
            timer.stop()
        with self._lock:
            self._closing = True
            self._lock.notify()
        if self._worker is not None:
            self._worker.close()
        if self._thread is not None:
            self._thread.join(_JOIN_SECONDS)

    def _single(self, interval: int, slot: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(interval)
        timer.timeout.connect(slot)
        return timer

    def _submit(self) -> None:
        with self._lock:
            self._wanted = self._newest
            if self._running is not None:
                self._patience.start()
            self._lock.notify()
        self._slowness.start()
        self._start()

    def _give_up(self) -> None:
        """Stop a superseded job; when the newest one runs by now, it is let run."""
        if self._running is not None and self._running is not self._newest:
            self.cancel()

    def _start(self) -> None:
        if self._thread is None and not self._closing:
            self._thread = threading.Thread(target=self._loop, name="evaluator", daemon=True)
            self._thread.start()

    def _tell_slow(self) -> None:
        self._told_slow = True
        self.slow.emit(True)

    def _receive(self, request: Request, result: Answer | Exception) -> None:
        """Runs on the UI thread: pass on what is still wanted."""
        if self._closing:
            return
        if request is self._newest:
            self._newest = None
            self._slowness.stop()
            self._patience.stop()
            if self._told_slow:
                self._told_slow = False
                self.slow.emit(False)
            if isinstance(result, Answer):
                self.answered.emit(result)
        elif isinstance(result, Answer):
            self.filed.emit(result)
        if isinstance(result, Exception):
            self.failed.emit(f"{type(result).__name__}: {result}")

    def _next(self) -> Request | None:
        """Wait for something to do; None when it is time to go."""
        with self._lock:
            self._running = None
            while not self._closing:
                if self._wanted is not None:
                    self._running, self._wanted = self._wanted, None
                elif self._later:
                    self._running = self._later.pop(0)
                if self._running is not None:
                    return self._running
                self._lock.wait()
        return None

    def _loop(self) -> None:
        while (request := self._next()) is not None:
            try:
                if self._worker is None:
                    self._worker = self._hire(self._limits)
                result: Answer | Exception = work(self._worker, request)
            except Exception as error:  # noqa: BLE001  the thread must go on; the UI tells
                result = error
            if self._closing:
                break
            self._done.emit(request, result)
        if self._worker is not None:
            self._worker.close()
