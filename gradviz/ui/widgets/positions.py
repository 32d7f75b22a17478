"""Places in a text: in characters as Python counts them, in UTF-16 units as Qt does."""

from __future__ import annotations

from collections.abc import Callable


def characters(text: str, units: int) -> int:
    """Qt's position as one in characters."""
    if text.isascii():
        return units
    return len(text.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore"))


def units(text: str, at: int | None = None) -> int:
    """A position in characters as Qt's; without one the length of the text."""
    return len(text[:at].encode("utf-16-le")) // 2


def changed_part(old: str, new: str) -> tuple[int, int]:
    """How many characters two texts share at their beginning, and then at their end.

    Found by halving, so that a long text takes no longer than a short one.
    """
    most = min(len(old), len(new))
    head = _longest(most, lambda n: old[:n] == new[:n])
    tail = _longest(most - head, lambda n: n == 0 or old[-n:] == new[-n:])
    return head, tail


def _longest(most: int, shared: Callable[[int], bool]) -> int:
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if shared(middle) else (low, middle - 1)
    return low
