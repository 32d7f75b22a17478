"""The larger and smaller of two tensors: as bounds of a third, and where one of them is nan."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.op import Sample, elementwise


def _clamped(x: Any, low: Any, high: Any) -> Any:
    return np.minimum(np.maximum(x, low), high)


def _clamped_low(g: Any, y: Any, x: Any, low: Any, high: Any) -> Any:
    return np.where((low < high) & (x < low), g, 0)


def _clamped_high(g: Any, y: Any, x: Any, low: Any, high: Any) -> Any:
    return np.where((high < low) | (x > high), g, 0)


def _first_of_largest(g: Any, y: Any, a: Any, b: Any) -> Any:
    return np.where((a >= b) | (b != b), g, 0)


def _second_of_largest(g: Any, y: Any, a: Any, b: Any) -> Any:
    return np.where((a >= b) | (b != b), 0, g)


def _first_of_smallest(g: Any, y: Any, a: Any, b: Any) -> Any:
    return np.where((a <= b) | (b != b), g, 0)


def _second_of_smallest(g: Any, y: Any, a: Any, b: Any) -> Any:
    return np.where((a <= b) | (b != b), 0, g)


_ALL = (Sample((np.array([0.2, 1.0, 1.9]), np.array([0.5, 0.6, 0.7]), np.array([1.5, 1.4, 1.3]))),)

ROWS = (
    elementwise(
        "clamp_tensors",
        _clamped,
        (
            lambda g, y, x, low, high: np.where((x >= low) & (x <= high), g, 0),
            _clamped_low,
            _clamped_high,
        ),
        "ClampBackward0",
        samples=_ALL,
    ),
    elementwise(
        "clamp_min_tensor",
        np.maximum,
        (
            lambda g, y, x, low: np.where(x >= low, g, 0),
            lambda g, y, x, low: np.where(x < low, g, 0),
        ),
        "ClampMinBackward1",
    ),
    elementwise(
        "clamp_max_tensor",
        np.minimum,
        (
            lambda g, y, x, high: np.where(x <= high, g, 0),
            lambda g, y, x, high: np.where(x > high, g, 0),
        ),
        "ClampMaxBackward1",
    ),
    elementwise("fmax", np.fmax, (_first_of_largest, _second_of_largest)),
    elementwise("fmin", np.fmin, (_first_of_smallest, _second_of_smallest)),
)
