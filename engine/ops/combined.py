"""A product or quotient added to a tensor, and the straight line between two."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.op import Sample, elementwise
from engine.ops.kernels import kernel

_SCALED = (Sample(((2,), (2,), (2,)), {"value": 3}),)


@kernel("lerp_kernel_tensor", "biu")
def _lerp(a: Any, b: Any, weight: Any) -> Any:
    """Reckoned from the nearer end, so that a weight of 1 gives the far end exactly."""
    way = b - a
    return np.where(np.absolute(weight) < 0.5, a + weight * way, b - way * (1 - weight))


@kernel("lerp_kernel_scalar", "biu")
def _lerp_number(a: Any, b: Any, *, weight: float) -> Any:
    return a + weight * (b - a) if abs(weight) < 0.5 else b - (b - a) * (1 - weight)


ROWS = (
    elementwise(
        "lerp",
        _lerp_number,
        (
            lambda g, y, a, b, *, weight: g * (1 - weight),
            lambda g, y, a, b, *, weight: g * weight,
        ),
        samples=(Sample(((2,), (2,)), {"weight": 0.3}), Sample(((2,), (2,)), {"weight": 0.8})),
    ),
    elementwise(
        "lerp_tensor",
        _lerp,
        (
            lambda g, y, a, b, weight: g * (1 - weight),
            lambda g, y, a, b, weight: g * weight,
            lambda g, y, a, b, weight: g * (b - a),
        ),
        "LerpBackward1",
    ),
    elementwise(
        "addcmul",
        kernel("addcmul_cpu_out", "b")(lambda x, a, b, *, value: x + value * a * b),
        (
            lambda g, y, x, a, b, *, value: g,
            lambda g, y, x, a, b, *, value: g * (b * value),
            lambda g, y, x, a, b, *, value: g * (a * value),
        ),
        samples=_SCALED,
    ),
    elementwise(
        "addcdiv",
        lambda x, a, b, *, value: x + value * (a / b),
        (
            lambda g, y, x, a, b, *, value: g,
            lambda g, y, x, a, b, *, value: g * (value / b),
            lambda g, y, x, a, b, *, value: -g * (value * a / (b * b)),
        ),
        samples=_SCALED,
    ),
)
