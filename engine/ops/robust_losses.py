"""Losses that are square near 0 and straight far from it."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from engine.op import Op, Sample
from engine.ops.kernels import FLOATING, kernel
from engine.ops.loss import reduced

_X, _T = np.array([[0.3, 2.5, -1.9]]), np.array([[0.1, 0.4, 0.6]])


@kernel("smooth_l1_cpu", FLOATING)
def _smooth_l1(x: Any, t: Any, *, reduction: str, beta: float) -> Any:
    gap = np.absolute(x - t)
    return reduced(np.where(gap < beta, 0.5 * gap * gap / beta, gap - 0.5 * beta), reduction)


def _smooth_l1_back(g: Any, y: Any, x: Any, t: Any, *, reduction: str, beta: float) -> Any:
    gap = x - t
    slope = np.where(gap < -beta, -1, np.where(gap > beta, 1, gap / beta))
    return _averaged(g, x, reduction) * slope


def _averaged(g: Any, x: Any, reduction: str) -> Any:
    return g / prod(x.shape) if reduction == "mean" else g


@kernel("huber_cpu", FLOATING)
def _huber(x: Any, t: Any, *, reduction: str, delta: float) -> Any:
    gap = np.absolute(x - t)
    far = delta * (gap - 0.5 * delta)
    return reduced(np.where(gap <= delta, 0.5 * gap * gap, far), reduction)


def _huber_back(g: Any, y: Any, x: Any, t: Any, *, reduction: str, delta: float) -> Any:
    gap = x - t
    slope = np.where(gap <= -delta, -delta, np.where(gap >= delta, delta, gap))
    return _averaged(g, x, reduction) * slope


def _samples(**params: float) -> tuple[Sample, ...]:
    return tuple(Sample((_X, _T), {"reduction": r, **params}) for r in ("mean", "sum", "none"))


ROWS = (
    Op(
        "smooth_l1_loss",
        _smooth_l1,
        (
            _smooth_l1_back,
            lambda g, y, x, t, **params: _smooth_l1_back(g, y, t, x, **params),
        ),
        "SmoothL1LossBackward0",
        samples=_samples(beta=0.9),
    ),
    Op(
        "huber_loss",
        _huber,
        (_huber_back, lambda g, y, x, t, **params: _huber_back(g, y, t, x, **params)),
        samples=_samples(delta=0.9),
    ),
)
