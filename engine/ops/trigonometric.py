"""Trigonometric and hyperbolic functions, and their inverses."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from engine.op import Op, Sample, elementwise
from engine.ops.elementwise import is_complex
from engine.ops.kernels import FLOATING, kernel

_row = partial(elementwise, promote="float")
_INSIDE = (Sample((np.array([0.3, -0.6]),)),)
_ABOVE_ONE = (Sample((np.array([1.4, 2.5]),)),)


def _acosh_back(g: Any, y: Any, x: Any) -> Any:
    if is_complex(x):
        return g / (np.sqrt(x + 1) * np.sqrt(x - 1))
    return g / np.sqrt(x * x - 1)


def _inverse_square(a: Any, b: Any) -> Any:
    """1 / (a² + b²); 0 at the origin, where PyTorch's atan2 sends nothing back."""
    square = a * a + b * b
    return np.where(square == 0, np.zeros_like(square), 1 / square)


@kernel("sinc_cpu", "")
def _sinc(x: Any) -> Any:
    turned = np.where(x == 0, 1, x) * math.pi
    return np.where(x == 0, 1, np.sin(turned) / turned).astype(x.dtype)


def _sinc_back(g: Any, y: Any, x: Any) -> Any:
    turned, square = x * math.pi, x * x * math.pi
    slope = (turned * np.cos(turned) - np.sin(turned)) / square
    return np.where(square == 0, np.zeros_like(g), g * slope)


SINH: Op = _row("sinh", np.sinh, (lambda g, y, x: g * COSH(x),))
COSH: Op = _row("cosh", np.cosh, (lambda g, y, x: g * SINH(x),))

ROWS = (
    _row("tan", np.tan, (lambda g, y, x: g * (1 + y**2),)),
    _row("asin", np.arcsin, (lambda g, y, x: g / np.sqrt(1 - x * x),), samples=_INSIDE),
    _row("acos", np.arccos, (lambda g, y, x: -g / np.sqrt(1 - x * x),), samples=_INSIDE),
    _row("atan", np.arctan, (lambda g, y, x: g / (x * x + 1),)),
    _row(
        "atan2",
        kernel("atan2_cpu")(np.arctan2),
        (
            lambda g, y, a, b: g * (b * _inverse_square(a, b)),
            lambda g, y, a, b: g * (-a * _inverse_square(a, b)),
        ),
        reads=(frozenset({0, 1}), frozenset({0, 1})),
    ),
    SINH,
    COSH,
    _row("asinh", np.arcsinh, (lambda g, y, x: g / np.sqrt(x**2 + 1),)),
    _row("acosh", np.arccosh, (_acosh_back,), samples=_ABOVE_ONE),
    _row("atanh", np.arctanh, (lambda g, y, x: g / (1 - x**2),), samples=_INSIDE),
    _row("sinc", _sinc, (_sinc_back,)),
    _row(
        "deg2rad",
        lambda x: x * (math.pi / 180),
        (lambda g, y, x: g * (math.pi / 180),),
        "Deg2RadBackward0",
    ),
    _row(
        "rad2deg",
        lambda x: x * (180 / math.pi),
        (lambda g, y, x: g * (180 / math.pi),),
        "Rad2DegBackward0",
    ),
    elementwise(
        "hypot",
        kernel("hypot_cpu", FLOATING)(np.hypot),
        (lambda g, y, a, b: g * a / y, lambda g, y, a, b: g * b / y),
    ),
)
