"""Normal numbers from uniform ones, with the roundings of PyTorch's CPU kernels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]

BLOCK = 16  # PyTorch pairs the first eight uniform numbers of a block with the last eight

# Coefficients of the single-precision logarithm, cosine and sine of the Cephes library, highest
# power first. PyTorch's vector kernel uses them too; another logarithm would differ in last bits.
_LOGARITHM = (
    *(7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1),
    *(-1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1),
)
_COSINE = (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
_SINE = (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
_LN2_HIGH, _LN2_LOW = 0.693359375, -2.12194440e-4
_QUARTER_PI = (0.78515625, 2.4187564849853515625e-4, 3.77489497744594108e-8)  # in three parts


def pair(first: float, second: float) -> tuple[float, float]:
    """Two independent standard normal numbers from two uniform ones in [0, 1)."""
    radius = math.sqrt(-2 * math.log1p(-second))
    angle = 2 * math.pi * first
    return radius * math.cos(angle), radius * math.sin(angle)


def double_blocks(uniform: Doubles) -> Doubles:
    """Standard normal numbers from uniform ones, in blocks of 16.

    Element by element through the C library, whose results do not depend on the processor as
    those of NumPy's vector loops do.
    """
    blocks = uniform.reshape(-1, 2, BLOCK // 2)
    logarithms = _each(math.log, 1 - blocks[:, 0])
    angles = 2 * math.pi * blocks[:, 1]
    radius = np.sqrt(-2 * logarithms)
    pairs = (radius * _each(math.cos, angles), radius * _each(math.sin, angles))
    return np.stack(pairs, axis=1).reshape(-1)


def float_blocks(uniform: Floats) -> Floats:
    """Standard normal numbers from uniform ones, in blocks of 16, as PyTorch's vector kernel."""
    blocks = uniform.reshape(-1, 2, BLOCK // 2)
    radius = np.sqrt(np.float32(-2) * _logarithm(np.float32(1) - blocks[:, 0]))
    sine, cosine = _sine_and_cosine(np.float32(2 * math.pi) * blocks[:, 1])
    return np.stack((radius * cosine, radius * sine), axis=1).reshape(-1)


def fused(factor: Array, scale: Any, offset: Any) -> Array:
    """The sum `factor * scale + offset`, rounded once, in the type of `factor` (float32, 64)."""
    if factor.dtype == np.float32:
        wide = factor.astype(np.float64) * np.float64(np.float32(scale))
        return np.asarray((wide + np.float32(offset)).astype(np.float32))
    product = factor * scale
    total = product + offset
    # What the two roundings lost: of the product after Dekker, of the sum after Knuth.
    high_a, low_a = _halves(factor)
    high_b, low_b = _halves(np.float64(scale))
    lost = ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b
    added = total - product
    lost = lost + ((product - (total - added)) + (offset - added))
    return np.asarray(np.where(np.isfinite(lost), total + lost, total))


def _each(function: Any, values: Doubles) -> Doubles:
    return np.array([function(x) for x in values.ravel().tolist()]).reshape(values.shape)


def _halves(value: Any) -> tuple[Any, Any]:
    """A double as the sum of two of half its digits."""
    scaled = value * 134217729.0  # 2**27 + 1
    high = scaled - (scaled - value)
    return high, value - high


def _polynomial(coefficients: tuple[float, ...], x: Floats) -> Floats:
    total: Array = np.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        total = _fused(total, x, coefficient)
    return total


def _fused(a: Array, b: Any, c: Any) -> Floats:
    """`fused` where `scale` and `offset` may be arrays: a double holds a product of floats."""
    wide = a.astype(np.float64) * _single(b) + _single(c)
    return np.asarray(wide.astype(np.float32))


def _single(value: Any) -> Any:
    return np.asarray(value, np.float32).astype(np.float64)


def _logarithm(x: Floats) -> Floats:
    """The natural logarithm of positive normal numbers."""
    mantissa, exponent = np.frexp(x)
    low = mantissa < np.float32(math.sqrt(0.5))
    power = exponent.astype(np.float32) - low
    rest = (mantissa - np.float32(1)) + np.where(low, mantissa, np.float32(0))
    square = rest * rest
    tail = _polynomial(_LOGARITHM, rest) * rest
    tail = _fused(tail, square, power * np.float32(_LN2_LOW))
    tail = _fused(square, -0.5, tail)
    return _fused(power, _LN2_HIGH, rest + tail)


def _sine_and_cosine(x: Floats) -> tuple[Floats, Floats]:
    """Sine and cosine of angles from 0 to 2 pi."""
    octant = ((x * np.float32(4 / math.pi)).astype(np.int32) + 1) & ~1
    for part in _QUARTER_PI:
        x = _fused(octant.astype(np.float32), -part, x)
    square = x * x
    even = _polynomial(_COSINE, square) * square
    even = _fused(even, square, square * np.float32(-0.5)) + np.float32(1)
    odd = _fused(_polynomial(_SINE, square) * square, x, x)
    swapped = (octant & 2) != 0
    sine, cosine = np.where(swapped, even, odd), np.where(swapped, odd, even)
    return (
        np.where(octant & 4, -sine, sine),
        np.where((octant + 2) & 4, -cosine, cosine),
    )
