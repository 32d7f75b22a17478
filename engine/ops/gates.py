"""Smooth activations: an input times a gate between 0 and 1, and what such gates integrate to."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.op import Op, Sample, elementwise
from engine.ops import OPS
from engine.ops.activation import SIGMOID
from engine.ops.error import ERF
from engine.ops.index import SLICE
from engine.ops.kernels import FLOATING, kernel

_BOTH = np.array([-1.7, -0.2, 0.3, 1.2])
_SCALE, _CUBIC = math.sqrt(2 / math.pi), 0.044715  # of the tanh form of gelu


def _normal_share(x: Any) -> Any:
    """The normal distribution's cumulative function."""
    return 0.5 * (1 + ERF(x * math.sqrt(0.5)))


def _bent(x: Any) -> Any:
    return np.tanh(_SCALE * (x + _CUBIC * x**3))


@kernel("GeluKernelImpl", FLOATING)
def _gelu(x: Any, *, approximate: str) -> Any:
    if approximate == "tanh":
        return 0.5 * x * (1 + _bent(x))
    return x * _normal_share(x)


def _gelu_back(g: Any, y: Any, x: Any, *, approximate: str) -> Any:
    if approximate == "tanh":
        bent = _bent(x)
        inner = _SCALE * (1 + 3 * _CUBIC * x**2)
        return g * (0.5 * (1 + bent) + 0.5 * x * (1 - bent * bent) * inner)
    density = np.exp(-0.5 * x * x) / math.sqrt(2 * math.pi)
    return g * (_normal_share(x) + x * density)


@kernel("silu_cpu", "biu")
def _silu(x: Any) -> Any:
    return x * SIGMOID(x)


def _silu_back(g: Any, y: Any, x: Any) -> Any:
    gate = SIGMOID(x)
    return g * (gate * (1 + x * (1 - gate)))


@kernel("softplus_cpu", FLOATING)
def _softplus(x: Any, *, beta: float, threshold: float) -> Any:
    z = x * beta
    return np.where(z > threshold, x, np.log1p(np.exp(z)) / beta)


def _softplus_back(g: Any, y: Any, x: Any, *, beta: float, threshold: float) -> Any:
    z = x * beta
    return np.where(z > threshold, g, g * SIGMOID(z))


@kernel("log_sigmoid_cpu", FLOATING)
def _log_sigmoid(x: Any) -> Any:
    return np.minimum(x, 0) - np.log1p(np.exp(-np.absolute(x)))


@kernel("mish_cpu", FLOATING)
def _mish(x: Any) -> Any:
    return x * np.tanh(np.logaddexp(x, x.dtype.type(0)))


def _mish_back(g: Any, y: Any, x: Any) -> Any:
    gate = np.tanh(SOFTPLUS(x, beta=1.0, threshold=20.0))
    return g * (gate + x * SIGMOID(x) * (1 - gate * gate))


def _halves(x: Any, dim: int) -> tuple[Any, Any]:
    half = x.shape[dim] // 2
    return (
        SLICE(x, dim=dim, start=0, stop=half, step=1),
        SLICE(x, dim=dim, start=half, stop=2 * half, step=1),
    )


@kernel("glu_cpu", FLOATING)
def _glu(x: Any, *, dim: int) -> Any:
    a, b = _halves(x, dim)
    return a * SIGMOID(b)


def _glu_back(g: Any, y: Any, x: Any, *, dim: int) -> Any:
    a, b = _halves(x, dim)
    gate = SIGMOID(b)
    return OPS["cat"](g * gate, g * (a * gate * (1 - gate)), dim=dim)


SOFTPLUS: Op = elementwise(
    "softplus",
    _softplus,
    (_softplus_back,),
    samples=(
        Sample((_BOTH,), {"beta": 1.0, "threshold": 20.0}),
        Sample((_BOTH,), {"beta": 2.0, "threshold": 1.0}),
    ),
)
LOG_SIGMOID: Op = elementwise(
    "log_sigmoid",
    _log_sigmoid,
    (lambda g, y, x: g * SIGMOID(-x),),
    samples=(Sample((_BOTH,)),),
)

ROWS = (
    elementwise(
        "gelu",
        _gelu,
        (_gelu_back,),
        samples=tuple(Sample((_BOTH,), {"approximate": form}) for form in ("none", "tanh")),
    ),
    elementwise("silu", _silu, (_silu_back,), samples=(Sample((_BOTH,)),)),
    elementwise("mish", _mish, (_mish_back,), samples=(Sample((_BOTH,)),)),
    SOFTPLUS,
    LOG_SIGMOID,
    Op("glu", _glu, (_glu_back,), samples=(Sample(((2, 4),), {"dim": 1}),)),
)
