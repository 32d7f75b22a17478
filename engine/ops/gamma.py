"""The gamma function's logarithm and its derivatives. SciPy computes the values."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from engine.op import Sample, elementwise

_row = partial(elementwise, promote="float")


def _lgamma(x: Any) -> Any:
    from scipy.special import gammaln

    return gammaln(x)


def _digamma(x: Any) -> Any:
    from scipy.special import digamma

    return digamma(x)


def _zeta(a: Any, b: Any) -> Any:
    from scipy.special import zeta

    return zeta(a, b)


def _polygamma(x: Any, *, n: int) -> Any:
    from scipy.special import digamma, zeta

    if n == 0:
        return digamma(x)
    sign = 1.0 if n % 2 else -1.0
    order = x.dtype.type(n + 1)
    return (sign * math.gamma(n + 1) * zeta(order, x)).astype(x.dtype)


def _mvlgamma(x: Any, *, p: int) -> Any:
    total = sum(_lgamma(x - j / 2) for j in range(p))
    return total + p * (p - 1) / 4 * math.log(math.pi)


def _mvlgamma_back(g: Any, y: Any, x: Any, *, p: int) -> Any:
    slope = DIGAMMA(x)
    for j in range(1, p):
        slope = slope + DIGAMMA(x - j / 2)
    return g * slope


DIGAMMA = _row("digamma", _digamma, (lambda g, y, x: g * POLYGAMMA(x, n=1),))
POLYGAMMA = _row(
    "polygamma",
    _polygamma,
    (lambda g, y, x, *, n: g * POLYGAMMA(x, n=n + 1),),
    samples=(Sample(((2,),), {"n": 1}), Sample(((2,),), {"n": 2}), Sample(((2,),), {"n": 0})),
)
ZETA = _row(
    "zeta",
    _zeta,
    (None, lambda g, y, a, b: g * (-a * ZETA(a + 1, b))),
    "SpecialZetaBackward0",
    samples=(Sample((np.array([2, 3]), (2,))),),
)

ROWS = (
    _row("lgamma", _lgamma, (lambda g, y, x: g * DIGAMMA(x),)),
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
