"""How well a few typed letters fit a name, for lists that are searched while one types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

Row = TypeVar("Row")
_WHOLE, _START, _WORD, _INSIDE, _SCATTERED = 0, 100, 200, 300, 400


def score(typed: str, name: str) -> int | None:
    """The smaller the better; None where the letters are not all in the name, in this order.

    Best is the whole name, then its beginning, the beginning of a word of it, a part of it, and
    letters scattered over it. Of equals the one with less around it is better.
    """
    wanted, text = typed.casefold().strip(), name.casefold()
    if not wanted:
        return _START
    rest = min(len(text) - len(wanted), 50)
    if text == wanted:
        return _WHOLE
    at = text.find(wanted)
    if at == 0:
        return _START + rest
    if at > 0:
        starts = _begins_word(text, at) or any(
            _begins_word(text, k) for k in _all(text, wanted, at + 1)
        )
        return (_WORD if starts else _INSIDE) + rest
    gaps = _gaps(wanted, text)
    return None if gaps is None else _SCATTERED + min(gaps, 90)


def best(typed: str, rows: Iterable[Row], names: Callable[[Row], Sequence[str]]) -> list[Row]:
    """The rows that fit, best first; each by the best of its names. Equals stay in their order.

    Several words have to fit each, in any order.
    """
    words = typed.split() or [""]
    found: list[tuple[int, Row]] = []
    for row in rows:
        of_row = names(row)
        total = 0
        for word in words:
            scores = [fit for name in of_row if (fit := score(word, name)) is not None]
            if not scores:
                break
            total += min(scores)
        else:
            found.append((total, row))
    found.sort(key=lambda pair: pair[0])
    return [row for _score, row in found]


def _all(text: str, part: str, start: int) -> Iterable[int]:
    while (at := text.find(part, start)) >= 0:
        yield at
        start = at + 1


def _begins_word(text: str, at: int) -> bool:
    return not text[at - 1].isalnum()


def _gaps(wanted: str, text: str) -> int | None:
    """How many letters lie between the wanted ones; None where one is missing."""
    at, first, last = -1, -1, -1
    for letter in wanted:
        if letter == " ":
            continue
        at = text.find(letter, at + 1)
        if at < 0:
            return None
        first = at if first < 0 else first
        last = at
    return last - first + 1 - len(wanted)
