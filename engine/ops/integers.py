"""Common divisors and multiples, and bits moved."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.op import elementwise
from engine.ops.kernels import kernel

_NO_INTEGERS = "bfc"


def _shift(function: Any) -> Any:
    """Bits moved by a count; PyTorch moves all of them out where it is negative or too large."""

    def shifted(x: Any, count: Any) -> Any:
        width = 8 * x.dtype.itemsize
        outside = (count < 0) | (count >= width)
        moved = function(x, np.where(outside, width - 1, count).astype(x.dtype))
        empty = moved if function is np.right_shift and x.dtype.kind == "i" else 0
        return np.where(outside, empty, moved).astype(x.dtype)

    return shifted


ROWS = (
    elementwise("gcd", kernel("gcd_cpu", _NO_INTEGERS)(np.gcd), (None, None)),
    elementwise("lcm", kernel("lcm_cpu", _NO_INTEGERS)(np.lcm), (None, None)),
    elementwise(
        "bitwise_left_shift",
        kernel("lshift_cpu", _NO_INTEGERS)(_shift(np.left_shift)),
        (None, None),
    ),
    elementwise(
        "bitwise_right_shift",
        kernel("rshift_cpu", _NO_INTEGERS)(_shift(np.right_shift)),
        (None, None),
    ),
)
