"""Vandermonde matrices: the powers of numbers, side by side."""

from __future__ import annotations

import numpy as np

from engine.functions import shapes
from engine.functions.arrangement import flip
from engine.functions.scans import cumprod
from engine.functions.strided import narrow
from engine.tensor import Tensor


def linalg_vander(x: Tensor, *, N: int | None = None) -> Tensor:
    """The powers 0, 1, … of every number along a new last axis, N of them."""
    count = (x._array.shape[-1] if x._array.ndim else 1) if N is None else N
    if count <= 1:
        raise RuntimeError("N must be greater than 1.")
    kind = np.int64 if x._array.dtype.kind in "iub" else x._array.dtype
    x = x if x._array.ndim else shapes.unsqueeze(x, -1)
    ones = Tensor(np.ones((*x._array.shape, 1), kind))
    wide = shapes.expand(shapes.unsqueeze(x, -1), *x._array.shape, count - 1)
    return shapes.cat([ones, cumprod(wide, -1)], -1)


def vander(x: Tensor, N: int | None = None, increasing: bool = False) -> Tensor:
    """The powers of every number of a vector as a row, the highest first unless `increasing`.

    PyTorch writes them in place in a way that its own backward pass refuses; here they have their
    gradient.
    """
    if x._array.ndim != 1:
        raise RuntimeError("x must be a one-dimensional tensor.")
    count = x._array.size if N is None else N
    if count < 0:
        raise RuntimeError("N must be non-negative.")
    powers = linalg_vander(x, N=max(count, 2))
    if count < 2:
        powers = narrow(powers, 1, 0, count)
    return powers if increasing else flip(powers, (1,))
