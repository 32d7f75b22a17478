"""`Sandbox`: runs scripts and diagrams in a worker process, within limits, whatever they do."""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import replace
from types import TracebackType
from typing import Self

from gradviz import language
from gradviz.diagram import Diagram
from gradviz.files import codec
from gradviz.run import Failure, Run
from gradviz.script import endings
from gradviz.script.limits import Limits
from gradviz.script.message import Answer, Cancel, Done, Evaluate, Execute
from gradviz.script.process import Process, fresh

CLOSING = 2.0  # seconds that a request gets to end when the sandbox is closed
SLACK = 20.0  # seconds that a worker gets beyond its own limit, to tell what a long script did


class Sandbox:
    """One worker process. Its requests block, one at a time; `cancel` may come from any thread.

    Nothing that a script does raises here: what went wrong is the run's `error`.
    """

    def __init__(self, limits: Limits = Limits()) -> None:  # noqa: B008  a frozen value
        self.limits = limits
        self._one = threading.Lock()  # held during a request
        self._state = threading.Lock()  # guards what `cancel` reads
        self._refusal = ""
        self._closed = False
        self._number = 0
        self._running: int | None = None
        self._cancelled: int | None = None
        self._process: Process | None = None
        self._start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the worker, and the request that it is busy with; later ones are refused."""
        self._closed = True
        self.cancel()
        if not self._one.acquire(timeout=CLOSING):
            process = self._process
            if process is not None:
                process.kill()
            self._one.acquire()
        try:
            if self._process is not None:
                self._process.kill()
                self._process = None
        finally:
            self._one.release()

    def run(self, source: str, filename: str = "script.py") -> tuple[Diagram, Run]:
        """Run a script; the diagram and the run as far as it got."""
        text = source.encode("utf-8", "replace").decode()
        name = filename.encode("utf-8", "replace").decode()
        with self._one:
            done = self._execute(text, name)
            ended = done if isinstance(done, Failure) else None
            if ended is not None and ended.line is not None:
                done = self._execute(text, name, until=ended.line)  # for what came before
        if isinstance(done, Failure):
            return Diagram(source=text), Run(error=ended)
        return done.diagram, done.run if ended is None else replace(done.run, error=ended)

    def _execute(self, text: str, name: str, *, until: int | None = None) -> Done | Failure:
        number = self._begin()
        request = Execute(number, text, name, self.limits, language.current(), until)
        return self._ask(request, name)

    def evaluate(self, diagram: Diagram) -> Run:
        """Run a diagram as `gradviz.evaluate` does."""
        with self._one:
            number = self._begin()
            request = Evaluate(number, codec.portable(diagram), self.limits, language.current())
            done = self._ask(request, "")
        return Run(error=done) if isinstance(done, Failure) else done.run

    def cancel(self) -> None:
        """Give up the request that is being served, if one is: it returns with an error."""
        with self._state:
            number, process = self._running, self._process
            if number is None or process is None:
                return
            self._cancelled = number
            process.send(codec.pack(Cancel(number)))

    def _begin(self) -> int:
        with self._state:
            self._number += 1
            self._running = self._number
            if self._process is None or not self._process.alive():
                self._start()
            return self._number

    def _start(self) -> None:
        """Have a new worker, which gets ready beside; none where the system gives no process."""
        if self._process is not None:
            self._process.kill()
            self._process = None
        if self._closed:
            return
        try:
            self._process = fresh(self.limits.reply)
        except OSError as problem:
            self._process, self._refusal = None, str(problem)

    def _ask(self, request: Execute | Evaluate, filename: str) -> Done | Failure:
        """Send a request and wait for its end."""
        process = self._process
        if process is None:
            return endings.worker_lost(self._refusal)
        try:
            if not process.send(codec.pack(request)):
                return self._lost(process, filename)
            with self._state:
                cancelled = self._cancelled == request.number
            if cancelled:  # while the request was on its way
                process.send(codec.pack(Cancel(request.number)))
            return self._wait(process, request, filename)
        except (TypeError, OverflowError) as error:
            return endings.not_sent(error)
        finally:
            with self._state:
                self._running = None
                if not process.alive():
                    self._start()

    def _wait(self, process: Process, request: Execute | Evaluate, filename: str) -> Done | Failure:
        deadline = time.monotonic() + self.limits.seconds + SLACK
        while True:
            try:
                frame = process.frames.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                process.kill()
                return endings.overdue(self.limits)
            if frame is None:
                return self._lost(process, filename)
            try:
                answer: Answer = codec.unpack(frame, Answer)
                if answer.number != request.number:
                    continue
                if isinstance(answer, Done):
                    answer.diagram = codec.checked(answer.diagram)
                    return answer
            except codec.CodecError:
                process.kill()
                return endings.unreadable()
            if self._cancelled == request.number:
                return endings.cancelled()
            return endings.ended(answer, self.limits, filename)

    def _lost(self, process: Process, filename: str) -> Failure:
        """The worker itself is gone."""
        last = process.last_words()
        process.kill()
        return endings.worker_lost(last)
