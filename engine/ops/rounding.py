"""Rounding and what is left of it, signs, and numbers next to others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.op import Sample, elementwise
from engine.ops.elementwise import whole
from engine.ops.kernels import FLOATING, kernel

_SIGNED = np.array([1.3, -2.4])


def _zeros(g: Any, y: Any, *inputs: Any, **params: Any) -> Any:
    return np.zeros_like(g)


def _frac(x: Any) -> Any:
    return x - np.trunc(x)


@kernel("round_cpu", FLOATING)
def _round_decimals(x: Any, *, decimals: int) -> Any:
    power = x.dtype.type(10.0 ** abs(decimals))
    return np.rint(x * power) / power if decimals >= 0 else np.rint(x / power) * power


def _copysign_back(g: Any, y: Any, a: Any, b: Any) -> Any:
    return g * np.where(a == 0, np.zeros_like(y), y / a)


def _nan_to_num(x: Any, *, nan: Any, posinf: Any, neginf: Any) -> Any:
    return np.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)


def _frexp(x: Any, *, output: int) -> Any:
    return np.frexp(x)[output]


def _exponent(y: Any, x: Any, *, output: int) -> Mapping[str, Any]:
    return {"power": np.ldexp(np.ones_like(x), np.frexp(x)[1])}


_COPYSIGN = kernel("copysign_cpu")(np.copysign)
TRUNC = elementwise("trunc", whole(np.trunc), (_zeros,))

ROWS = (
    TRUNC,
    elementwise(
        "frac",
        kernel("frac_cpu", FLOATING)(_frac),
        (lambda g, y, x: g,),
        samples=(Sample((_SIGNED,)),),
    ),
    elementwise(
        "round_decimals",
        _round_decimals,
        (_zeros,),
        "RoundBackward1",
        samples=(Sample((_SIGNED,), {"decimals": 2}),),
    ),
    elementwise(
        "copysign",
        _COPYSIGN,
        (_copysign_back, _zeros),
        promote="float",
        reads=(frozenset({0, "y"}), frozenset({1})),
    ),
    elementwise(
        "copysign_number",
        _COPYSIGN,
        (_copysign_back, None),
        "CopysignBackward1",
        promote="float",
    ),
    elementwise(
        "nextafter",
        kernel("nextafter_cpu", FLOATING, widens=False)(np.nextafter),
        (lambda g, y, a, b: np.where(a != b, g, 0), _zeros),
    ),
    elementwise(
        "nan_to_num",
        _nan_to_num,
        (lambda g, y, x, *, nan, posinf, neginf: g * np.isfinite(x),),
        samples=(Sample((_SIGNED,), {"nan": 0.0, "posinf": None, "neginf": None}),),
    ),
    elementwise(
        "frexp",
        _frexp,
        (lambda g, y, x, *, output, power: g / power,),
        promote="float",
        extra=_exponent,
        samples=(Sample((_SIGNED,), {"output": 0}),),
    ),
)
