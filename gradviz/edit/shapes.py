"""Shapes as they are typed, and how large an array may be that an edit makes."""

from __future__ import annotations

import math
import re

from gradviz.edit.outcome import Refusal
from gradviz.files.codec import MAX_DIMENSIONS
from gradviz.language import _

MAX_ELEMENTS = 1 << 22  # of a value in a diagram; its file has them in decimals
Shape = tuple[int, ...]
_SHAPE = re.compile(r"\d+(?:\s*[x×*,\s]\s*\d+)*", re.IGNORECASE)


def shape_of(text: str) -> Shape | Refusal:
    """The shape that a text stands for: `2x3`, `2, 3`, `(2, 3)`, `[2, 3]`; nothing is a number's.

    A shape that is too large, or has too many axes, is refused.
    """
    inner = (
        text.strip().removeprefix("torch.Size").strip().strip("()[]").strip().rstrip(",").strip()
    )
    if inner and not _SHAPE.fullmatch(inner):
        return Refusal(_("“{text}” is no shape: write 2x3 or 2, 3.").format(text=text.strip()[:40]))
    return checked(tuple(int(number) for number in re.findall(r"\d+", inner)))


def checked(shape: Shape) -> Shape | Refusal:
    """The shape, where an array of it can be made."""
    if len(shape) > MAX_DIMENSIONS:
        return Refusal(_("An array has at most {count} axes.").format(count=MAX_DIMENSIONS))
    if min(shape, default=0) < 0:
        return Refusal(_("A shape has no negative numbers."))
    count = math.prod(shape)
    if count > MAX_ELEMENTS:
        return Refusal(too_many(count))
    return shape


def too_many(count: int) -> str:
    """The sentence about an array with so many elements."""
    text = _("{count} elements are too many: a value has at most {most}.")
    return text.format(count=f"{count:,}" if count < 10**18 else "10¹⁸+", most=f"{MAX_ELEMENTS:,}")
