"""Cross entropy of two classes, from probabilities or from their logits."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from engine.op import Op, Sample
from engine.ops.activation import SIGMOID
from engine.ops.gates import LOG_SIGMOID
from engine.ops.kernels import FLOATING, kernel
from engine.ops.loss import reduced

_P, _T = np.array([[0.2, 0.7, 0.4]]), np.array([[0.1, 0.8, 0.6]])
_X = np.array([[-0.4, 0.9, 1.7]])


_TINY = float(np.float32(1e-12))  # which is how PyTorch has it, whatever the dtype


@kernel("binary_cross_entropy", FLOATING)
def _bce(x: Any, t: Any, weight: Any = None, *, reduction: str) -> Any:
    # Logarithms are cut off at -100, so that a certain but wrong guess has a finite loss.
    losses = (t - 1) * np.maximum(np.log1p(-x), -100) - t * np.maximum(np.log(x), -100)
    return reduced(losses if weight is None else losses * weight, reduction)


def _share(g: Any, x: Any, weight: Any, reduction: str) -> Any:
    """What one element's loss receives."""
    if weight is not None:
        g = g * weight
    return g / prod(x.shape) if reduction == "mean" else g


def _bce_back(g: Any, y: Any, x: Any, t: Any, weight: Any = None, *, reduction: str) -> Any:
    slope = (x - t) / np.maximum((1 - x) * x, _TINY)
    return _share(g, x, weight, reduction) * slope


def _bce_target(g: Any, y: Any, x: Any, t: Any, weight: Any = None, *, reduction: str) -> Any:
    return _share(g, x, weight, reduction) * (np.log(1 - x) - np.log(x))


def _parts(weights: tuple[Any, ...], weighted: bool) -> tuple[Any, Any]:
    """The weight of each element and that of positive examples; None where there is none."""
    rest = weights[1:] if weighted else weights
    return (weights[0] if weighted else None), (rest[0] if rest else None)


def _logits(x: Any, t: Any, *weights: Any, reduction: str, weighted: bool) -> Any:
    weight, positive = _parts(weights, weighted)
    logs = LOG_SIGMOID(x)
    if positive is not None:
        logs = logs * ((positive - 1) * t + 1)
    losses = (1 - t) * x - logs
    return reduced(losses if weight is None else losses * weight, reduction)


def _logits_back(
    g: Any, y: Any, x: Any, t: Any, *weights: Any, reduction: str, weighted: bool
) -> Any:
    weight, positive = _parts(weights, weighted)
    slope = SIGMOID(x) - t
    if positive is not None:
        slope = (positive * t + 1 - t) * SIGMOID(x) - positive * t
    return _share(g, x, weight, reduction) * slope


def _logits_target(
    g: Any, y: Any, x: Any, t: Any, *weights: Any, reduction: str, weighted: bool
) -> Any:
    weight, positive = _parts(weights, weighted)
    slope = -x if positive is None else (1 - positive) * LOG_SIGMOID(x) - x
    return _share(g, x, weight, reduction) * slope


_WEIGHTED: tuple[dict[str, Any], ...] = (
    *({"reduction": r, "weighted": True} for r in ("mean", "sum", "none")),
    {"reduction": "mean", "weighted": False},
)

ROWS = (
    Op(
        "binary_cross_entropy",
        _bce,
        (_bce_back, _bce_target),
        samples=tuple(
            Sample(inputs, {"reduction": r})
            for inputs in ((_P, _T), (_P, _T, np.array([[1, 2, 3]])))
            for r in ("mean", "sum", "none")
        ),
    ),
    Op(
        "binary_cross_entropy_with_logits",
        _logits,
        (_logits_back, _logits_target),
        samples=(
            *(Sample((_X, _T), {"reduction": r, "weighted": False}) for r in ("mean", "none")),
            *(Sample((_X, _T, np.array([[1, 2, 3]])), params) for params in _WEIGHTED),
            Sample(
                (_X, _T, np.array([[1, 2, 3]]), np.array([2, 1, 4])),
                {"reduction": "mean", "weighted": True},
            ),
        ),
    ),
)
