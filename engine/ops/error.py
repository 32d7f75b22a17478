"""The error function and its relatives. SciPy computes the values."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from engine.op import Op, Sample, elementwise
from engine.ops.kernels import REAL, kernel

_row = partial(elementwise, promote="float")
_SLOPE = 2 / math.sqrt(math.pi)  # of erf at 0
_INSIDE = (Sample((np.array([0.3, 0.6]),)),)


def _special(name: str, called: str, refused: str = REAL) -> Any:
    """SciPy's function of that name, which is loaded when it is first called."""

    @kernel(called, refused)
    def function(x: Any) -> Any:
        from scipy import special

        return getattr(special, name)(x)

    return function


def _erfinv_back(g: Any, y: Any, x: Any) -> Any:
    return 0.5 * math.sqrt(math.pi) * np.exp(ERFINV(x) ** 2) * g


@kernel("entr_cpu")
def _entr(x: Any) -> Any:
    """-x log x, 0 at 0; minus infinity below."""
    inside = -x * np.log(np.where(x > 0, x, 1))
    return np.where(x < 0, -np.inf, inside).astype(x.dtype)


ERFINV: Op = _row("erfinv", _special("erfinv", "erfinv_vml_cpu"), (_erfinv_back,), samples=_INSIDE)

ERF: Op = _row(
    "erf", _special("erf", "erf_vml_cpu"), (lambda g, y, x: _SLOPE * np.exp(-(x**2)) * g,)
)

ROWS = (
    ERF,
    _row(
        "erfc", _special("erfc", "erfc_vml_cpu"), (lambda g, y, x: -_SLOPE * np.exp(-(x**2)) * g,)
    ),
    ERFINV,
    _row(
        "erfcx",
        _special("erfcx", "erfcx_cpu", "ce"),
        (lambda g, y, x: (2 * x * y - _SLOPE) * g,),
        "SpecialErfcxBackward0",
    ),
    _row(
        "ndtri",
        _special("ndtri", "ndtri_cpu", "ce"),
        (lambda g, y, x: g * math.sqrt(2 * math.pi) * np.exp(y**2 / 2),),
        "SpecialNdtriBackward0",
        samples=_INSIDE,
    ),
    _row(
        "log_ndtr",
        _special("log_ndtr", "log_ndtr_cpu", "ce"),
        (lambda g, y, x: g / math.sqrt(2 * math.pi) * np.exp(-(y + x**2 / 2)),),
        "SpecialLogNdtrBackward0",
    ),
    _row("entr", _entr, (lambda g, y, x: g * -(1 + np.log(x)),), "SpecialEntrBackward0"),
)
