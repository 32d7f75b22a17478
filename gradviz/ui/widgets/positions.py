"""Places in a text: in characters as Python counts them, in UTF-16 units as Qt does."""

from __future__ import annotations


def characters(text: str, units: int) -> int:
    """Qt's position as one in characters."""
    if text.isascii():
        return units
    return len(text.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore"))


def units(text: str, at: int | None = None) -> int:
    """A position in characters as Qt's; without one the length of the text."""
    return len(text[:at].encode("utf-16-le")) // 2
