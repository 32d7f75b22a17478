"""`Memo`: the last few things made of values that have no hash, such as a diagram's nodes."""

from __future__ import annotations

from collections import deque
from operator import is_
from typing import Generic, TypeVar

Made = TypeVar("Made")


class Memo(Generic[Made]):
    """Keeps `size` results, each found again by the very objects that it was made of.

    A result is kept no longer than those objects would be by a cache of the same size. Threads
    may share one: at worst the same thing is made twice.
    """

    def __init__(self, size: int) -> None:
        self._kept: deque[tuple[tuple[object, ...], Made]] = deque(maxlen=size)

    def find(self, *of: object) -> Made | None:
        """What was made of these, or None."""
        for key, made in tuple(self._kept):
            if len(key) == len(of) and all(map(is_, key, of)):
                return made
        return None

    def keep(self, made: Made, *of: object) -> Made:
        """Remember what was made of these; gives it back."""
        self._kept.appendleft((of, made))
        return made

    @property
    def last(self) -> Made | None:
        """What was made most recently."""
        kept = tuple(self._kept)
        return kept[0][1] if kept else None
