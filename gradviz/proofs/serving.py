"""The process that checks beside the app: to each request words of progress and one answer."""

from __future__ import annotations

import os
import time

import msgspec

from gradviz import language
from gradviz.diagram import Diagram
from gradviz.files import codec
from gradviz.proofs.proof import Report
from gradviz.run import Run
from gradviz.script.frames import Reader, send

MODULE = __name__
MAX_REQUEST = 1 << 31
MAX_ANSWER = 1 << 28
_TELL_SECONDS = 0.05  # between two words of progress


class Check(msgspec.Struct, tag=True):
    """What is to be checked."""

    diagram: Diagram
    run: Run
    language: str


class Told(msgspec.Struct, tag=True):
    """So many of so many nodes and leaves are done."""

    done: int
    count: int


class Found(msgspec.Struct, tag=True):
    """All of them are done."""

    report: Report


class Refused(msgspec.Struct, tag=True):
    """Why it came to no end."""

    why: str


Answer = Told | Found | Refused


def main() -> None:
    """Serve requests from standard input on standard output until there are no more."""
    requests, answers = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    reader = Reader(requests, MAX_REQUEST)
    while True:
        try:
            raw = reader.frame()
        except EOFError:
            return
        try:
            answer: Answer = Found(_checked(raw, answers))
        except Exception as error:  # noqa: BLE001  said in the app, whatever it is
            answer = Refused(f"{type(error).__name__}: {error}")
        send(answers, codec.pack(answer))


def _checked(raw: bytes, answers: int) -> Report:
    from gradviz.proofs.checking import check

    request: Check = codec.unpack(raw, Check)
    language.use(request.language)
    last = time.monotonic()

    def tell(done: int, count: int) -> bool:
        nonlocal last
        if time.monotonic() - last > _TELL_SECONDS:
            last = time.monotonic()
            send(answers, codec.pack(Told(done, count)))
        return True

    return check(codec.checked(request.diagram), request.run, tell=tell)
