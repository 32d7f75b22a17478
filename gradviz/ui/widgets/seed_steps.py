"""Numbers that a drag goes through: a range that fits them, and round values within it."""

from __future__ import annotations

import math

import numpy as np

from gradviz.run import Array


def top_of(*arrays: Array | None) -> float:
    """The largest finite size in the arrays, at least that of 1 where all are smaller than 1."""
    sizes = [np.abs(a[np.isfinite(a)]).max(initial=0.0) for a in arrays if a is not None]
    top = float(max(sizes, default=0.0))
    return top if top > 1 or (top and top < 0.05) else 1.0


def rounded(value: float, top: float) -> float:
    """The value in steps of about a hundredth of `top`, a power of ten times 1, 2 or 5."""
    if not math.isfinite(value):
        return value
    rough = top / 100
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough * 0.999)
    count = round(value / step)
    digits = max(0, -math.floor(math.log10(step)) + 1)
    return round(count * step, digits) + 0.0
