"""What other libraries do with an output when asked for its gradient without a seed.

The facts are in `assets/frameworks.json`: each was seen in the version that is named there.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from math import prod
from typing import Any, Literal

from gradviz import resources
from gradviz.language import _

Does = Literal["gives", "raises", "sums"]


@dataclass(frozen=True, slots=True)
class Library:
    """One way of asking one library: what it does where the output is no scalar.

    `scalar` is what the library takes for one: "one element", or "no axes" as well. `error` may
    name the `{shape}`; `total` asks for the gradient of the sum in so many words, `seed` is how
    one hands over `v`; these and `asks` call the output `{y}` and the input `{x}`. `source` is
    where its manual says so.
    """

    name: str
    version: str
    asks: str
    otherwise: Literal["raises", "sums"]
    scalar: Literal["one element", "no axes"]
    error: str
    total: str
    seed: str
    source: str

    def about(self, y: str, x: str) -> Library:
        """This one, with an output and an input of these names."""
        asks, total, seed = (each.format(y=y, x=x) for each in (self.asks, self.total, self.seed))
        return replace(self, asks=asks, total=total, seed=seed)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a library does with the output y of one shape; `error` is what it raises, if it does."""

    library: Library
    does: Does
    error: str
    y: str = "y"

    @property
    def words(self) -> str:
        """The same in the current language; a library's error in its own."""
        if self.does == "raises":
            return self.error
        if self.does == "sums":
            return _("sums without a word: the gradient of {y}.sum()").format(y=self.y)
        return _("gives the gradient")


@cache
def libraries() -> tuple[Library, ...]:
    """All that are known, PyTorch first."""
    rows: list[dict[str, Any]] = json.loads(resources.text("frameworks.json"))
    return tuple(Library(**row) for row in rows)


def answers(shape: tuple[int, ...], *, y: str = "y", x: str = "x") -> tuple[Answer, ...]:
    """What each of them does with an output of this shape; the code calls it y, its input x."""
    return tuple(replace(_answer(each.about(y, x), shape), y=y) for each in libraries())


def _answer(library: Library, shape: tuple[int, ...]) -> Answer:
    is_scalar = not shape if library.scalar == "no axes" else prod(shape) == 1
    if is_scalar:
        return Answer(library, "gives", "")
    if library.otherwise == "sums":
        return Answer(library, "sums", "")
    return Answer(library, "raises", library.error.format(shape=shape))
