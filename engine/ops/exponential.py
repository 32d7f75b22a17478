"""Exponentials and logarithms beside `exp` and `log`."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from engine.op import Op, Sample, elementwise
from engine.ops.elementwise import POW_NUMBER
from engine.ops.kernels import FLOATING, kernel

_row = partial(elementwise, promote="float")
_LN2, _LN10 = math.log(2), math.log(10)
_INSIDE = np.array([0.3, 0.6])


def _exp2(x: Any) -> Any:
    return np.exp(x * _LN2) if x.dtype.kind == "c" else np.exp2(x)


def _two_to(x: Any) -> Any:
    return POW_NUMBER(x, base=2)


@kernel("xlogy_cpu")
def _xlogy(a: Any, b: Any) -> Any:
    """A log b, and 0 where a is 0, however small b is."""
    return np.where((a == 0) & ~np.isnan(b), 0, a * np.log(b)).astype(b.dtype)


def _xlogy_back(g: Any, y: Any, a: Any, b: Any) -> Any:
    return np.where((a == 0) & (b <= 0), np.zeros_like(g), XLOGY(g, b))


@kernel("xlog1py_cpu")
def _xlog1py(a: Any, b: Any) -> Any:
    return np.where((a == 0) & ~np.isnan(b), 0, a * np.log1p(b)).astype(b.dtype)


def _xlog1py_back(g: Any, y: Any, a: Any, b: Any) -> Any:
    return np.where((a == 0) & (b <= -1), np.zeros_like(g), XLOG1PY(g, b))


@kernel("logit_cpu")
def _logit(x: Any, *, eps: float | None = None) -> Any:
    if eps is not None:
        x = np.clip(x, x.dtype.type(eps), x.dtype.type(1 - eps))
    return np.log(x / (1 - x))


def _logit_back(g: Any, y: Any, x: Any, *, eps: float | None = None) -> Any:
    slope = g / np.absolute(x * (1 - x))  # at -0 too it is infinite upwards
    if eps is None:
        return np.where((x >= 0) & (x <= 1), slope, np.nan)
    return np.where((x < eps) | (x > 1 - eps), 0, slope)


XLOGY: Op = _row("xlogy", _xlogy, (_xlogy_back, lambda g, y, a, b: g * a / b))
XLOG1PY: Op = _row(
    "xlog1py",
    _xlog1py,
    (_xlog1py_back, lambda g, y, a, b: g * a / (b + 1)),
    "SpecialXlog1PyBackward0",
)


def _number_first(row: Op, grad_fn: str) -> Op:
    """The row with a number as its first operand, which PyTorch has under another name."""
    return replace(
        row,
        name=f"{row.name}_number_first",
        grad_fn=grad_fn,
        pullbacks=(None, row.pullbacks[1]),
        samples=(Sample((np.array(3), (2,))),),
    )


def _number_last(row: Op, grad_fn: str) -> Op:
    return replace(
        row,
        name=f"{row.name}_number_last",
        grad_fn=grad_fn,
        pullbacks=(row.pullbacks[0], None),
        samples=(Sample(((2,), np.array(3))),),
    )


ROWS = (
    _row("exp2", _exp2, (lambda g, y, x: g * y * _LN2,)),
    _row("expm1", np.expm1, (lambda g, y, x: g * (y + 1),)),
    _row("log1p", np.log1p, (lambda g, y, x: g / (x + 1),), "Log1PBackward0"),
    _row("log2", np.log2, (lambda g, y, x: g / (x * _LN2),)),
    _row("log10", np.log10, (lambda g, y, x: g / (x * _LN10),)),
    elementwise(
        "logaddexp",
        kernel("logaddexp_cpu", "biu")(np.logaddexp),
        (
            lambda g, y, a, b: g / (1 + np.exp(b - a)),
            lambda g, y, a, b: g / (1 + np.exp(a - b)),
        ),
    ),
    elementwise(
        "logaddexp2",
        kernel("logaddexp2_cpu", FLOATING)(np.logaddexp2),
        (
            lambda g, y, a, b: g / (1 + _two_to(b - a)),
            lambda g, y, a, b: g / (1 + _two_to(a - b)),
        ),
    ),
    XLOGY,
    _number_first(XLOGY, "XlogyBackward1"),
    _number_last(XLOGY, "XlogyBackward2"),
    XLOG1PY,
    _number_first(XLOG1PY, "SpecialXlog1PyBackward1"),
    _number_last(XLOG1PY, "SpecialXlog1PyBackward2"),
    _row(
        "logit",
        _logit,
        (_logit_back,),
        samples=(Sample((_INSIDE,)), Sample((_INSIDE,), {"eps": 0.1})),
    ),
    _row(
        "ldexp",
        lambda a, b: a * np.exp2(b),
        (lambda g, y, a, b: g * _two_to(b), lambda g, y, a, b: g * y * _LN2),
    ),
)
