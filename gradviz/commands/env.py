"""`gradviz env`: where gradviz runs, what is missing there, and how to get it."""

from __future__ import annotations

import unicodedata

from gradviz.surroundings import facts


def env(*, desktop: bool | None = None) -> int:
    """Print the report, a fact a line; what is amiss is marked, with its remedy below.

    With `desktop` instead put gradviz into the desktop's menu, or take it out.
    """
    if desktop is not None:
        from gradviz.commands.desktop import desktop_entry

        return desktop_entry(wanted=desktop)
    found = list(facts())
    column = max(_width(fact.label) for fact in found)
    for fact in found:
        mark = " " if fact.good else "!"
        print(f"{mark} {fact.label}{' ' * (column - _width(fact.label))}  {fact.value}")
        if fact.remedy:
            print(f"  {' ' * column}  → {fact.remedy}")
    return 0


def _width(text: str) -> int:
    """Columns of a terminal: Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
