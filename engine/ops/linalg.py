"""Matrix products."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.op import Op, Sample


def turned(x: Any) -> Any:
    """The transpose of each matrix."""
    return np.swapaxes(x, -1, -2)


ROWS = (
    Op(
        "mm",
        np.matmul,
        (lambda g, y, a, b: g @ turned(b), lambda g, y, a, b: turned(a) @ g),
        promote="none",
        samples=(Sample(((2, 3), (3, 4))),),
    ),
    Op(
        "bmm",
        np.matmul,
        (lambda g, y, a, b: g @ turned(b), lambda g, y, a, b: turned(a) @ g),
        promote="none",
        samples=(Sample(((2, 2, 3), (2, 3, 4))),),
    ),
    Op(
        "mv",
        np.matmul,
        (lambda g, y, a, b: np.outer(g, b), lambda g, y, a, b: turned(a) @ g),
        promote="none",
        samples=(Sample(((2, 3), (3,))),),
    ),
    Op(
        "dot",
        np.dot,
        (lambda g, y, a, b: g * b, lambda g, y, a, b: g * a),
        promote="none",
        samples=(Sample(((3,), (3,))),),
    ),
    Op(
        "addmm",
        lambda c, a, b: np.matmul(a, b) + c,
        (
            lambda g, y, c, a, b: g,
            lambda g, y, c, a, b: g @ turned(b),
            lambda g, y, c, a, b: turned(a) @ g,
        ),
        promote="none",
        samples=(Sample(((4,), (2, 3), (3, 4))),),
    ),
)
