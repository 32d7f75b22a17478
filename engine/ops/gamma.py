"""The gamma function's logarithm and its derivatives. SciPy computes the values."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from engine.op import Op, Sample, elementwise
from engine.ops.kernels import kernel

_row = partial(elementwise, promote="float")


@kernel("lgamma_vml_cpu")
def _lgamma(x: Any) -> Any:
    from scipy.special import gammaln

    return np.where(np.isinf(x), np.inf, gammaln(x)).astype(x.dtype)


@kernel("digamma")
def _digamma(x: Any) -> Any:
    from scipy.special import digamma

    return digamma(x)


@kernel("zeta_cpu", "ce")
def _zeta(a: Any, b: Any) -> Any:
    from scipy.special import zeta

    return zeta(a, b)


@kernel("trigamma")
def _trigamma(x: Any) -> Any:
    """By reflection below 1/2, by recurrence up to 6 above, and there by its asymptotic series.

    Abramowitz and Stegun 6.4.6, 6.4.7 and 6.4.12. The poles come out huge, as in PyTorch.
    """
    low = x < 0.5
    at = np.where(low, 1 - x, x)
    total = np.zeros_like(x)
    for _ in range(6):
        total = total + 1 / (at * at)
        at = at + 1
    square = 1 / (at * at)
    series = 1 / 6 - square * (1 / 30 - square / 42)
    total = total + (1 + 1 / (2 * at) + square * series) / at
    return np.where(low, (math.pi / np.sin(math.pi * x)) ** 2 - total, total).astype(x.dtype)


@kernel("polygamma")
def _polygamma_above(x: Any, *, n: int) -> Any:
    from scipy.special import zeta

    sign = 1.0 if n % 2 else -1.0
    order = x.dtype.type(n + 1)
    found = sign * math.gamma(n + 1) * zeta(order, x)
    return np.where(x == np.inf, np.nan, found).astype(x.dtype)


def _polygamma(x: Any, *, n: int) -> Any:
    if n == 0:
        return _digamma(x)
    return _trigamma(x) if n == 1 else _polygamma_above(x, n=n)


def _mvlgamma(x: Any, *, p: int) -> Any:
    total = sum(_lgamma(x - j / 2) for j in range(p))
    return total + p * (p - 1) / 4 * math.log(math.pi)


def _mvlgamma_back(g: Any, y: Any, x: Any, *, p: int) -> Any:
    slope = DIGAMMA(x)
    for j in range(1, p):
        slope = slope + DIGAMMA(x - j / 2)
    return g * slope


DIGAMMA: Op = _row("digamma", _digamma, (lambda g, y, x: g * POLYGAMMA(x, n=1),))
POLYGAMMA: Op = _row(
    "polygamma",
    _polygamma,
    (lambda g, y, x, *, n: g * POLYGAMMA(x, n=n + 1),),
    samples=(Sample(((2,),), {"n": 1}), Sample(((2,),), {"n": 2}), Sample(((2,),), {"n": 0})),
)
ZETA: Op = _row(
    "zeta",
    _zeta,
    (None, lambda g, y, a, b: g * (-a * ZETA(a + 1, b))),
    "SpecialZetaBackward0",
    samples=(Sample((np.array([2, 3]), (2,))),),
)


@kernel("igamma_cpu")
def _igamma(a: Any, x: Any) -> Any:
    from scipy.special import gammainc

    return gammainc(a, x)


@kernel("igammac_cpu")
def _igammac(a: Any, x: Any) -> Any:
    from scipy.special import gammaincc

    return gammaincc(a, x)


def _igamma_back(g: Any, y: Any, a: Any, x: Any) -> Any:
    return g * np.exp((a - 1) * np.log(x) - x - LGAMMA(a))


LGAMMA: Op = _row("lgamma", _lgamma, (lambda g, y, x: g * DIGAMMA(x),))
_ORDERED = (Sample((np.array([2, 3]), (2,))),)

ROWS = (
    elementwise("igamma", _igamma, (None, _igamma_back), samples=_ORDERED),
    elementwise(
        "igammac",
        _igammac,
        (None, lambda g, y, a, x: -_igamma_back(g, y, a, x)),
        samples=_ORDERED,
    ),
    LGAMMA,
    DIGAMMA,
    POLYGAMMA,
    ZETA,
    _row(
        "mvlgamma",
        _mvlgamma,
        (_mvlgamma_back,),
        samples=(Sample((np.array([1.6, 2.3]),), {"p": 3}), Sample(((2,),), {"p": 1})),
    ),
)
