"""Frames of bytes on a pipe: the length, then as many bytes."""

from __future__ import annotations

import os
from dataclasses import dataclass

HEADER = 8  # bytes that tell a frame's length


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
