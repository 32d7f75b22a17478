"""`Refusal`: the one sentence that says what a script may not use, and where."""

from __future__ import annotations

import builtins
from collections.abc import Iterable

from gradviz.language import N_, _

AVAILABLE = N_(
    "line {line}: “{name}” is not available here; "
    "scripts can use torch, numpy, math and Python's basic functions"
)
NO_MODULE = N_(
    "line {line}: the module “{name}” is not available here; scripts can import {modules}"
)
NO_STAR = N_("line {line}: “import *” is not available here; name what you import")
NO_ATTRIBUTE = N_("line {line}: the attribute “{name}” is not available here")
NO_NAME = N_("line {line}: the name “{name}” is not available here; it is reserved by Python")
NO_CONSTRUCT = N_("line {line}: {construct} cannot be used here")
NO_CLASS_KEYWORDS = N_("line {line}: a class can only name its bases here, no keywords")
TOO_DEEP = N_("line {line}: this is nested too deeply")

CONSTRUCTS = {
    "AsyncFunctionDef": N_("an async function"),
    "Await": N_("“await”"),
    "AsyncFor": N_("“async for”"),
    "AsyncWith": N_("“async with”"),
    "TryStar": N_("“except*”"),
    "Match": N_("a “match” statement"),
    "TypeAlias": N_("a “type” statement"),
}
BUILTINS = frozenset(dir(builtins))


class Refusal(Exception):
    """A script uses what is not available here; nothing of it was run.

    `sentence` is one translated sentence that begins with the line.
    """

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(sentence)
        self.line = line
        self.sentence = sentence


def construct(name: str, line: int) -> Refusal:
    """The refusal of a statement or expression, by the class name of its syntax node."""
    text = CONSTRUCTS.get(name)
    shown = _(text) if text is not None else f"“{name}”"
    return Refusal(line, _(NO_CONSTRUCT).format(line=line, construct=shown))


def first(refusals: Iterable[Refusal]) -> Refusal | None:
    """The one that comes first in the script."""
    return min(refusals, key=lambda refusal: refusal.line, default=None)
