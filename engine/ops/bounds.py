"""The larger and smaller of two tensors: as bounds of a third, and where one of them is nan."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.op import Sample, elementwise
from engine.ops.elementwise import extreme
from engine.ops.kernels import kernel

# The rows of a clamp take both bounds; `bounds` says which of them count: "min", "max" or "both".


@kernel("clamp_cpu", "c")
def _clamped(x: Any, low: Any, high: Any, *, bounds: str) -> Any:
    held = x if bounds == "max" else np.maximum(x, low)
    return held if bounds == "min" else np.minimum(held, high)


def _clamped_x(g: Any, y: Any, x: Any, low: Any, high: Any, *, bounds: str) -> Any:
    if bounds == "both":
        return np.where((x >= low) & (x <= high), g, 0)
    return np.where(x >= low if bounds == "min" else x <= high, g, 0)


def _clamped_low(g: Any, y: Any, x: Any, low: Any, high: Any, *, bounds: str) -> Any:
    if bounds == "max":
        return np.zeros_like(g)
    return np.where((low < high) & (x < low) if bounds == "both" else x < low, g, 0)


def _clamped_high(g: Any, y: Any, x: Any, low: Any, high: Any, *, bounds: str) -> Any:
    if bounds == "min":
        return np.zeros_like(g)
    return np.where((high < low) | (x > high) if bounds == "both" else x > high, g, 0)


def _first_of_largest(g: Any, y: Any, a: Any, b: Any) -> Any:
    return np.where((a >= b) | (b != b), g, 0)


def _second_of_largest(g: Any, y: Any, a: Any, b: Any) -> Any:
    return np.where((a >= b) | (b != b), 0, g)


def _first_of_smallest(g: Any, y: Any, a: Any, b: Any) -> Any:
    return np.where((a <= b) | (b != b), g, 0)


def _second_of_smallest(g: Any, y: Any, a: Any, b: Any) -> Any:
    return np.where((a <= b) | (b != b), 0, g)


_X, _LOW = np.array([0.2, 1.0, 1.9]), np.array([0.5, 0.6, 0.7])
_ALL = tuple(
    Sample((_X, _LOW, np.array([1.5, 1.4, 1.3])), {"bounds": bounds})
    for bounds in ("both", "min", "max")
)
_READ = frozenset({0, 1, 2})

ROWS = (
    elementwise(
        "clamp_tensors",
        _clamped,
        (_clamped_x, _clamped_low, _clamped_high),
        "ClampBackward0",
        reads=(_READ, _READ, _READ),
        samples=_ALL,
    ),
    elementwise(
        "clamp_min_tensor",
        kernel("maximum_cpu")(np.maximum),
        (
            lambda g, y, x, low: np.where(x >= low, g, 0),
            lambda g, y, x, low: np.where(x < low, g, 0),
        ),
        "ClampMinBackward1",
    ),
    elementwise(
        "clamp_max_tensor",
        kernel("minimum_cpu")(np.minimum),
        (
            lambda g, y, x, high: np.where(x <= high, g, 0),
            lambda g, y, x, high: np.where(x > high, g, 0),
        ),
        "ClampMaxBackward1",
    ),
    elementwise("fmax", extreme("fmax")(np.fmax), (_first_of_largest, _second_of_largest)),
    elementwise("fmin", extreme("fmin")(np.fmin), (_first_of_smallest, _second_of_smallest)),
)
