"""What the sandbox and its worker say to each other: frames of bytes, and what is in them."""

from __future__ import annotations

import os
from dataclasses import dataclass

import msgspec

from gradviz.diagram import Diagram
from gradviz.run import Run
from gradviz.script.limits import Limits

HEADER = 8  # bytes that tell a frame's length


class Execute(msgspec.Struct, tag=True):
    """Run a script."""

    number: int
    source: str
    filename: str
    limits: Limits
    language: str


class Evaluate(msgspec.Struct, tag=True):
    """Run a diagram."""

    number: int
    diagram: Diagram
    limits: Limits
    language: str


class Cancel(msgspec.Struct, tag=True):
    """Give up the request."""

    number: int


Request = Execute | Evaluate | Cancel


class Done(msgspec.Struct, tag=True):
    """The answer to a request, as far as it got."""

    number: int
    diagram: Diagram
    run: Run


class Ended(msgspec.Struct, tag=True):
    """The process that ran the request is gone.

    `signal` is what killed it, if one did; `trace` is where it was then, as faulthandler tells.
    """

    number: int
    signal: int | None = None
    trace: str = ""


Answer = Done | Ended


@dataclass(slots=True)
class Reader:
    """Frames from a file descriptor. Raises EOFError at its end, ValueError for one too long."""

    descriptor: int
    limit: int

    def frame(self) -> bytes:
        """Wait for the next frame."""
        length = int.from_bytes(self._exactly(HEADER), "little")
        if length > self.limit:
            raise ValueError("a frame is too long")
        return self._exactly(length)

    def _exactly(self, count: int) -> bytes:
        parts = bytearray()
        while len(parts) < count:
            part = os.read(self.descriptor, min(count - len(parts), 1 << 20))
            if not part:
                raise EOFError
            parts += part
        return bytes(parts)


def send(descriptor: int, payload: bytes) -> None:
    """Write one frame. Raises OSError where nobody reads it any more."""
    view = memoryview(len(payload).to_bytes(HEADER, "little") + payload)
    while view:
        view = view[os.write(descriptor, view) :]
