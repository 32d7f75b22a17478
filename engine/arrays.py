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
