"""The type of arrays, and broadcasting without a copy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]
else:  # loading `numpy.typing` takes a tenth of what loading NumPy takes
    Array = np.ndarray


def stretched(value: Array, shape: tuple[int, ...]) -> Array:
    """Broadcast without a copy; a number a good deal faster than `np.broadcast_to` does it."""
    if value.size == 1:
        return np.ndarray(shape, value.dtype, value, 0, (0,) * len(shape))
    return np.broadcast_to(value, shape)


def kept(value: Array, where: Array) -> Array:
    """The floats of `value` where a truth value of the same shape holds, 0 elsewhere.

    As `np.where(where, value, 0)`, also of nan and infinities, but by their bits: NumPy decides
    one element after the other, which takes twice as long.
    """
    if value.dtype.kind != "f" or value.shape != where.shape or not value.flags.c_contiguous:
        return np.where(where, value, value.dtype.type(0))
    bits = np.dtype(f"i{value.dtype.itemsize}")
    kept_bits: Array = value.view(bits) & -where.astype(bits)
    return kept_bits.view(value.dtype)
