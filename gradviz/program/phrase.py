"""`Phrase`: a piece of Python text and how tightly it binds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

# How tightly each form binds; an operand that binds looser than its place needs is bracketed.
LOOSE, COMPARISON, BIT_OR, BIT_XOR, BIT_AND, SHIFT, SUM, PRODUCT, UNARY, POWER, ATOM = range(11)
WIDTH = 100  # columns of a line


@dataclass(frozen=True, slots=True)
class Phrase:
    """An expression; `is_number`: it is a number written out, which has no methods.

    Where it ends with an index, `base` is what comes before and `key` what is in the brackets.
    """

    text: str
    binds: int = ATOM
    is_number: bool = False
    base: str = ""
    key: tuple[Any, ...] = ()

    def within(self, place: int) -> str:
        """The text, bracketed unless it binds at least as tightly as `place`."""
        return self.text if self.binds >= place else f"({self.text})"

    @property
    def owner(self) -> str:
        """The text so that `.name` or `[…]` may follow it."""
        return f"({self.text})" if self.is_number else self.within(ATOM)


def call(name: str, *arguments: str) -> Phrase:
    """`name(a, b)`, empty arguments left out."""
    return Phrase(f"{name}({', '.join(filter(None, arguments))})")


def infix(left: Phrase, sign: str, right: Phrase, binds: int) -> Phrase:
    """`a + b`; an operator that binds from left to right."""
    return Phrase(f"{left.within(binds)} {sign} {right.within(binds + 1)}", binds)


def power(base: Phrase, exponent: Phrase) -> Phrase:
    """`a ** b`, without spaces where both are simple."""
    a, b = base.within(ATOM), exponent.within(UNARY)
    sign = "**" if len(a) + len(b) < 12 and " " not in a + b else " ** "
    return Phrase(f"{a}{sign}{b}", POWER)


def prefix(sign: str, operand: Phrase) -> Phrase:
    return Phrase(f"{sign}{operand.within(UNARY)}", UNARY)


def tuple_text(items: Iterable[object]) -> str:
    """`(2, 3)`, `(2,)`."""
    texts = [str(item) for item in items]
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"


def broken(line: str, *, width: int = WIDTH) -> str:
    """The statement on several lines where it is too long for one, broken within brackets."""
    if len(line) <= width or "\n" in line:
        return line
    indent = line[: len(line) - len(line.lstrip())]
    span = _outermost(line)
    if span is None:
        return line
    start, end, commas = span
    inside = [line[a:b].strip() for a, b in _between(start + 1, end, commas)]
    parts = [broken(f"{indent}    {part}", width=width) for part in inside if part]
    comma = "," if commas or line[start] != "(" else ""
    return (
        line[: start + 1]
        + "\n"
        + ",\n".join(parts)
        + f"{comma}\n{indent}"
        + broken_tail(line[end:], indent, width)
    )


def broken_tail(text: str, indent: str, width: int) -> str:
    """What follows the closing bracket; broken too where it is still too long."""
    return broken(indent + text, width=width)[len(indent) :]


def _between(start: int, end: int, commas: list[int]) -> Iterable[tuple[int, int]]:
    edges = [start - 1, *commas, end]
    return [(a + 1, b) for a, b in pairwise(edges)]


def _outermost(line: str) -> tuple[int, int, list[int]] | None:
    """The longest outermost bracket: where it opens and closes, and its own commas."""
    best: tuple[int, int, list[int]] | None = None
    depth, start, quote = 0, 0, ""
    commas: list[int] = []
    for at, sign in enumerate(line):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        elif sign in "([{":
            if depth == 0:
                start, commas = at, []
            depth += 1
        elif sign in ")]}":
            depth -= 1
            if depth == 0 and (best is None or at - start > best[1] - best[0]):
                best = (start, at, commas)
        elif sign == "," and depth == 1:
            commas.append(at)
    return best if best is not None and best[1] - best[0] > 12 else None
