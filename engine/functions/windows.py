"""Windows: weights that let a stretch of a signal begin and end softly."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine import dtypes
from engine.arrays import Array
from engine.tensor import Tensor


def _window(
    name: str, length: int, periodic: bool, weights: Callable[[Array, int], Array], given: Any
) -> Tensor:
    """The weights of a window, of which a periodic one is one longer before it is cut."""
    dtype = given.pop("dtype", None) or dtypes.get_default_dtype()
    requires_grad = bool(given.pop("requires_grad", False))
    unknown = [key for key in given if key not in ("layout", "device", "pin_memory")]
    if unknown:
        raise TypeError(f"{name}() got an unexpected keyword argument '{unknown[0]}'")
    if not dtype.is_floating_point:
        raise RuntimeError(
            f"{name} expects floating point dtypes, got: TensorOptions("
            f"dtype={dtypes.c_name(dtype)}, device=cpu, layout=Strided (default), "
            "requires_grad=false (default), pinned_memory=false, memory_format=(nullopt))"
        )
    if length < 0:
        raise RuntimeError(
            f"{name} requires non-negative window_length, got window_length={length}"
        )
    if length < 2:
        return Tensor(np.ones(length, dtype._numpy), requires_grad=requires_grad)
    size = length + 1 if periodic else length
    made = weights(np.arange(size, dtype=np.float64), size)[:length]
    return Tensor(made.astype(dtype._numpy), requires_grad=requires_grad)


def hann_window(window_length: int, periodic: bool = True, **given: Any) -> Tensor:
    """Half of one minus a cosine."""
    return _window("hann_window", window_length, periodic, _cosine(0.5, 0.5), given)


def hamming_window(
    window_length: int,
    periodic: bool = True,
    alpha: float = 0.54,
    beta: float = 0.46,
    **given: Any,
) -> Tensor:
    """`alpha` - `beta` times a cosine."""
    return _window("hamming_window", window_length, periodic, _cosine(alpha, beta), given)


def _cosine(alpha: float, beta: float) -> Callable[[Array, int], Array]:
    return lambda places, size: alpha - beta * np.cos(2 * math.pi * places / (size - 1))


def blackman_window(window_length: int, periodic: bool = True, **given: Any) -> Tensor:
    """0.42 - 0.5 times a cosine + 0.08 times one of twice the frequency."""

    def weights(places: Array, size: int) -> Array:
        angle = 2 * math.pi * places / (size - 1)
        made: Array = np.maximum(0.42 - 0.5 * np.cos(angle) + 0.08 * np.cos(2 * angle), 0)
        return made

    return _window("blackman_window", window_length, periodic, weights, given)


def bartlett_window(window_length: int, periodic: bool = True, **given: Any) -> Tensor:
    """A triangle."""

    def weights(places: Array, size: int) -> Array:
        return 1 - np.abs(2 * places / (size - 1) - 1)

    return _window("bartlett_window", window_length, periodic, weights, given)


def kaiser_window(
    window_length: int, periodic: bool = True, beta: float = 12.0, **given: Any
) -> Tensor:
    """A ratio of Bessel functions; the larger `beta`, the narrower."""

    def weights(places: Array, size: int) -> Array:
        across = 2 * places / (size - 1) - 1
        made: Array = np.i0(beta * np.sqrt(np.maximum(1 - across**2, 0))) / np.i0(beta)
        return made

    return _window("kaiser_window", window_length, periodic, weights, given)
