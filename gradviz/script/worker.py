"""The worker process: stays warm, and forks a child for each script or diagram that it is sent."""

from __future__ import annotations

import faulthandler
import gc
import importlib
import os
import select
import signal
from typing import NoReturn

from gradviz import language
from gradviz.files import codec
from gradviz.script import modules
from gradviz.script.frames import Reader, send
from gradviz.script.message import Cancel, Ended, Evaluate, Execute, Request
from gradviz.script.session import Session

MAX_REQUEST = 1 << 30
MAX_TRACE = 1 << 16
IDLE = 0.3  # seconds without a request after which more is loaded
LATER = ("numpy.random", "random")


def main() -> None:
    """Serve requests from standard input on standard output until there are no more."""
    requests, answers = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    modules.warm()
    gc.collect()
    gc.freeze()  # pages that no child's collector touches stay shared
    _Worker(requests, answers).serve()


class _Worker:
    def __init__(self, requests: int, answers: int) -> None:
        self._reader = Reader(requests, MAX_REQUEST)
        self._requests = requests
        self._answers = answers
        self._waiting: list[Execute | Evaluate] = []
        self._later = list(LATER)

    def serve(self) -> None:
        served = False
        while True:
            if served and self._later and not self._waiting:
                self._load_more()
            try:
                request = self._waiting.pop(0) if self._waiting else self._next()
            except EOFError:
                return
            if isinstance(request, Cancel):
                continue
            if request.language != language.current():
                language.use(request.language)
            served = True
            if not hasattr(os, "fork"):
                Session(request, self._answers, None).serve()
            self._fork(request)

    def _next(self) -> Request:
        request: Request = codec.unpack(self._reader.frame(), Request)
        return request

    def _load_more(self) -> None:
        """Load what some scripts will ask for, while there is nothing else to do."""
        if not select.select([self._requests], [], [], IDLE)[0]:
            while self._later:
                importlib.import_module(self._later.pop())
            gc.freeze()

    def _fork(self, request: Execute | Evaluate) -> None:
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            _become_child(request, self._answers, read, write)
        os.close(write)
        try:
            trace = self._watch(child, request.number, read)
        finally:
            os.close(read)
            _pid, status = os.waitpid(child, 0)
        killed = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
        told = trace.decode("utf-8", "replace")
        send(self._answers, codec.pack(Ended(request.number, killed, told)))

    def _watch(self, child: int, number: int, trace: int) -> bytes:
        """Wait until the child is gone; what it told of its end.

        The child alone holds the other end of `trace`, so its end of file is the child's.
        """
        told = bytearray()
        while True:
            ready = select.select([self._requests, trace], [], [])[0]
            if trace in ready:
                part = os.read(trace, 4096)
                if not part:
                    return bytes(told)
                told += part[: MAX_TRACE - len(told)]
            if self._requests in ready:
                try:
                    request = self._next()
                except EOFError:
                    os.kill(child, signal.SIGKILL)
                    raise
                if not isinstance(request, Cancel):
                    self._waiting.append(request)
                elif request.number == number:
                    os.kill(child, signal.SIGKILL)


def _become_child(request: Execute | Evaluate, answers: int, read: int, write: int) -> NoReturn:
    """Serve one request in a process of its own, which ends with it."""
    try:
        os.close(read)
        faulthandler.enable(write, all_threads=False)
        Session(request, answers, write).serve()
    except BaseException as error:  # noqa: BLE001  the parent tells of it
        os.write(write, f"{type(error).__name__}: {error}".encode("utf-8", "replace"))
    finally:
        os._exit(3)


if __name__ == "__main__":
    main()
