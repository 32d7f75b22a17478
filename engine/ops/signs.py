"""Magnitude and direction of numbers, real and complex."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from engine.op import Op, Sample, elementwise
from engine.ops.elementwise import is_complex
from engine.ops.kernels import kernel

# What complex numbers need is said by each rule here.
_row = partial(elementwise, conjugate=False)
_COMPLEX = Sample((np.array([1.5 + 2j, -0.3 - 1j]),))


_BOOL_NEGATED = (
    "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a "
    "mask, use the `~` or `logical_not()` operator instead."
)


def _negative(x: Any) -> Any:
    if x.dtype.kind == "b":
        raise RuntimeError(_BOOL_NEGATED)
    return np.negative(x)


@kernel(
    "Unlike NumPy, torch.sign is not intended to support complex numbers. "
    "Please use torch.sgn instead."
)
def _sign(x: Any) -> Any:
    if x.dtype.kind in "bu":
        return x != 0 if x.dtype.kind == "b" else (x > 0).astype(x.dtype)
    return ((x > 0).astype(np.int8) - (x < 0)).astype(x.dtype)  # 0 for nan


def _sgn(x: Any) -> Any:
    if x.dtype.kind != "c":
        return _sign(x)
    size = np.absolute(x)
    return np.where(size == 0, 0, x / np.where(size == 0, 1, size)).astype(x.dtype)


def _sgn_back(g: Any, y: Any, x: Any) -> Any:
    """The part of g across the direction of x, over |x|."""
    if not is_complex(x):
        return np.zeros_like(g)
    size = np.absolute(x)
    across = (g - y * y * np.conjugate(g)) / 2
    return np.where(size == 0, 0, across / np.where(size == 0, 1, size))


SIGN: Op = elementwise("sign", _sign, (lambda g, y, x: np.zeros_like(g),))
SGN: Op = _row(
    "sgn", _sgn, (_sgn_back,), reads=(frozenset({0, "y"}),), samples=(Sample(((2,),)), _COMPLEX)
)

ROWS = (
    elementwise("neg", _negative, (lambda g, y, x: -g,)),
    _row(
        "abs",
        kernel("abs_cpu", "b")(np.absolute),
        (lambda g, y, x: g * (SGN(x) if is_complex(x) else SIGN(x)),),
        samples=(Sample(((2,),)), _COMPLEX),
    ),
    SIGN,
    SGN,
)
