"""Time of a call, as the ratio to another's that is measured in turn with it."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from typing import Any

Work = Callable[[], Any]


def ratio(mine: Work, theirs: Work, *, least: float = 0.02, rounds: int = 15) -> float:
    """The median over rounds of my time over theirs, the two measured one after the other.

    A machine that is slow for a while is slow for both, so that the ratio stays.
    """
    counts = [_calls(work, least) for work in (mine, theirs)]
    found = []
    for _ in range(rounds):
        a, b = (_seconds(work, count) for work, count in zip((mine, theirs), counts, strict=True))
        found.append(a / b)
    return statistics.median(found)


def seconds(work: Work, *, least: float = 0.02, rounds: int = 9) -> float:
    """The shortest time of one call, over rounds of at least `least` seconds each."""
    count = _calls(work, least)
    return min(_seconds(work, count) for _ in range(rounds))


def _calls(work: Work, least: float) -> int:
    """How many calls take `least` seconds."""
    work()
    count = 1
    while (spent := _seconds(work, count) * count) < least:
        count = max(count + 1, int(count * 1.5 * least / max(spent, 1e-9)))
    return count


def _seconds(work: Work, count: int) -> float:
    gc.collect()
    start = time.perf_counter()
    for _ in range(count):
        work()
    return (time.perf_counter() - start) / count
