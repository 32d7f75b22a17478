"""`Memo`: the last few things made of values that have no hash, such as a diagram's nodes."""

from __future__ import annotations

from operator import is_
from typing import Generic, TypeVar

Made = TypeVar("Made")


class Memo(Generic[Made]):
    """Keeps `size` results, each found again by the very objects that it was made of.

    A result and those objects are held until `size` others came. Threads may share one: at worst
    the same thing is made twice.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: list[tuple[tuple[object, ...], Made]] = []  # never changed in place

    def find(self, *of: object) -> Made | None:
        """What was made of these, or None."""
        for key, made in self._kept:
            if _same(key, of):
                return made
        return None

    def keep(self, made: Made, *of: object) -> Made:
        """Remember what was made of these, in place of what was before; gives it back."""
        others = [(key, kept) for key, kept in self._kept if not _same(key, of)]
        self._kept = [(of, made), *others][: self._size]
        return made

    @property
    def last(self) -> Made | None:
        """What was made most recently."""
        kept = self._kept
        return kept[0][1] if kept else None


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    return len(one) == len(other) and all(map(is_, one, other))
