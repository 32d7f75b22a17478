"""Activations."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.op import Op, Sample, elementwise

_ROW_WISE = (Sample(((2, 3),), {"dim": 1}), Sample(((3,),), {"dim": 0}))


def _sigmoid(x: Any) -> Any:
    # exp of a negative number only, so that nothing overflows
    e = np.exp(-np.absolute(x))
    return np.where(x >= 0, 1, e) / (1 + e)


def _softmax(x: Any, *, dim: int) -> Any:
    e = np.exp(x - (np.max(x, axis=dim, keepdims=True) if x.size else 0))
    return e / np.sum(e, axis=dim, keepdims=True)


def _log_softmax(x: Any, *, dim: int) -> Any:
    shifted = x - (np.max(x, axis=dim, keepdims=True) if x.size else 0)
    return shifted - np.log(np.sum(np.exp(shifted), axis=dim, keepdims=True))


ROWS = (
    elementwise("relu", lambda x: np.maximum(x, 0), (lambda g, y, x: g * (y > 0),)),
    elementwise("sigmoid", _sigmoid, (lambda g, y, x: g * ((1 - y) * y),), promote="float"),
    Op(
        "softmax",
        _softmax,
        (lambda g, y, x, *, dim: y * (g - np.sum(g * y, axis=dim, keepdims=True)),),
        samples=_ROW_WISE,
    ),
    Op(
        "log_softmax",
        _log_softmax,
        (lambda g, y, x, *, dim: g - np.exp(y) * np.sum(g, axis=dim, keepdims=True),),
        samples=_ROW_WISE,
    ),
)
