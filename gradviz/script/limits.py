"""`Limits`: how much a script or an evaluation may use."""

from __future__ import annotations

from dataclasses import dataclass

MAX_SOURCE = 1 << 20  # characters


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds of wall-clock time, bytes of memory, and sizes of what a script makes.

    `memory` is what comes on top of the worker's own; `elements` are those of one tensor,
    `output` is in characters, `entries` are those of the recording, `reply` is in bytes.
    """

    seconds: float = 10.0
    memory: int = 1 << 30
    elements: int = 1 << 26
    output: int = 1 << 20
    entries: int = 200_000
    reply: int = 1 << 29
