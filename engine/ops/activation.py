"""Activations."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.arrays import kept
from engine.op import Op, Sample, elementwise
from engine.ops.kernels import kernel
from engine.ops.layout import row_major

_ROW_WISE = (Sample(((2, 3),), {"dim": 1}), Sample(((3,),), {"dim": 0}))


def _sigmoid(x: Any) -> Any:
    if x.dtype.kind == "c":
        return 1 / (1 + np.exp(-x))
    # exp of a negative number only, so that nothing overflows
    e = np.exp(-np.absolute(x))
    return np.where(x >= 0, 1, e) / (1 + e)


def _relu(x: Any) -> Any:
    if x.dtype.kind == "b":
        raise RuntimeError("Boolean inputs not supported for relu")
    if x.dtype.kind == "c":
        raise NotImplementedError("clamp is not supported for complex types")
    return np.maximum(x, 0)


@row_major
@kernel("softmax_lastdim_kernel_impl")
def _softmax(x: Any, *, dim: int) -> Any:
    e = np.exp(x - (np.max(x, axis=dim, keepdims=True) if x.size else 0))
    return e / np.sum(e, axis=dim, keepdims=True)


def _softmax_back(g: Any, y: Any, x: Any, *, dim: int) -> Any:
    return y * (g - np.sum(g * y, axis=dim, keepdims=True))


def _log_softmax_back(g: Any, y: Any, x: Any, *, dim: int) -> Any:
    return g - np.exp(y) * np.sum(g, axis=dim, keepdims=True)


@row_major
@kernel("log_softmax_lastdim_kernel_impl")
def _log_softmax(x: Any, *, dim: int) -> Any:
    shifted = x - (np.max(x, axis=dim, keepdims=True) if x.size else 0)
    return shifted - np.log(np.sum(np.exp(shifted), axis=dim, keepdims=True))


# What relu sends back: nothing where it gave 0, also of an infinite or undefined cotangent.
THRESHOLD_BACKWARD: Op = elementwise(
    "threshold_backward",
    lambda g, y: kept(g, ~(y <= 0)),
    (lambda h, _, g, y: THRESHOLD_BACKWARD(h, y), lambda h, _, g, y: np.zeros_like(h)),
    samples=(Sample((np.array([0.5, 2.0]), np.array([1.0, -1.0]))),),
)
SIGMOID = elementwise("sigmoid", _sigmoid, (lambda g, y, x: g * ((1 - y) * y),), promote="float")

ROWS = (
    elementwise("relu", _relu, (lambda g, y, x: THRESHOLD_BACKWARD(g, y),)),
    THRESHOLD_BACKWARD,
    SIGMOID,
    Op(
        "softmax",
        _softmax,
        (_softmax_back,),
        many=(lambda g, y, x, *, dim: _softmax_back(g, y, x, dim=dim - y.ndim),),
        samples=_ROW_WISE,
    ),
    Op(
        "log_softmax",
        _log_softmax,
        (_log_softmax_back,),
        many=(lambda g, y, x, *, dim: _log_softmax_back(g, y, x, dim=dim - y.ndim),),
        samples=_ROW_WISE,
    ),
)
