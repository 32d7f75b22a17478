"""Matrix products."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.op import Op, Sample


def _turned(x: Any) -> Any:
    return np.swapaxes(x, -1, -2)


ROWS = (
    # fmt: off
    Op("mm", np.matmul, (lambda g, y, a, b: g @ _turned(b), lambda g, y, a, b: _turned(a) @ g),
       promote="none", samples=(Sample(((2, 3), (3, 4))),)),
    Op("bmm", np.matmul, (lambda g, y, a, b: g @ _turned(b), lambda g, y, a, b: _turned(a) @ g),
       promote="none", samples=(Sample(((2, 2, 3), (2, 3, 4))),)),
    Op("mv", np.matmul, (lambda g, y, a, b: np.expand_dims(g, -1) * b, lambda g, y, a, b: _turned(a) @ g),
       promote="none", samples=(Sample(((2, 3), (3,))),)),
    Op("dot", np.dot, (lambda g, y, a, b: g * b, lambda g, y, a, b: g * a),
       promote="none", samples=(Sample(((3,), (3,))),)),
    # fmt: on
)
