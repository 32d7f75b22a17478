"""What a repair changes in a script: the lines that go and the lines that come."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from gradviz.doctor.finding import Repair


@dataclass(frozen=True, slots=True)
class Change:
    """A line that goes (`-`) or comes (`+`), with its number before or after."""

    sign: Literal["-", "+"]
    line: int
    text: str


def changes(source: str, repair: Repair) -> Iterator[Change]:
    """The changed lines from top to bottom; none where the repair is one of the diagram."""
    if repair.diagram is not None:
        return
    before, after = source.split("\n"), repair.source.split("\n")
    match = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for kind, a, b, c, d in match.get_opcodes():
        if kind != "equal":
            yield from (Change("-", n + 1, before[n]) for n in range(a, b))
            yield from (Change("+", n + 1, after[n]) for n in range(c, d))
