"""What other libraries do with an output when asked for its gradient without a seed.

The facts are in `assets/frameworks.json`: each was seen in the version that is named there.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Any, Literal

from gradviz import resources

Does = Literal["gives", "raises", "sums"]


@dataclass(frozen=True, slots=True)
class Library:
    """One way of asking one library: what it does where the output is no scalar.

    `scalar` is what the library takes for one: "one element", or "no axes" as well. `error` may
    name the `{shape}`; `seed` is how one hands over `v`; `source` where its manual says so.
    """

    name: str
    version: str
    asks: str
    otherwise: Literal["raises", "sums"]
    scalar: Literal["one element", "no axes"]
    error: str
    seed: str
    source: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What a library does with an output of one shape; `error` is what it raises, if it does."""

    library: Library
    does: Does
    error: str


@cache
def libraries() -> tuple[Library, ...]:
    """All that are known, PyTorch first."""
    rows: list[dict[str, Any]] = json.loads(resources.text("frameworks.json"))
    return tuple(Library(**row) for row in rows)


def answers(shape: tuple[int, ...]) -> tuple[Answer, ...]:
    """What each of them does with an output of this shape."""
    return tuple(_answer(library, shape) for library in libraries())


def _answer(library: Library, shape: tuple[int, ...]) -> Answer:
    is_scalar = not shape if library.scalar == "no axes" else prod(shape) == 1
    if is_scalar:
        return Answer(library, "gives", "")
    if library.otherwise == "sums":
        return Answer(library, "sums", "")
    return Answer(library, "raises", library.error.format(shape=shape))
