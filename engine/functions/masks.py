"""A mask laid over a tensor, and what stands for the elements that it leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import dtypes
from engine.functions.elementwise import to, where
from engine.functions.shapes import axis_of, expand
from engine.tensor import Tensor


def masked_axes(dim: int | Sequence[int] | None, ndim: int) -> tuple[int, ...]:
    """The axes in increasing order; all where none are named."""
    if dim is None or (not isinstance(dim, int) and not len(dim)):
        return tuple(range(ndim))
    axes: list[int] = []
    for d in (dim,) if isinstance(dim, int) else dim:
        if d in axes:
            raise RuntimeError(f"dim={d} appears multiple times in the list of dims")
        axes.append(axis_of(d, ndim))
    return tuple(sorted(axes))


def full_mask(input: Tensor, mask: Tensor) -> Tensor:
    """The mask with the tensor's shape."""
    if mask._array.ndim > input._array.ndim:
        raise IndexError(
            "_input_mask expected broadcastable mask (got mask dimensionality higher than of the "
            "input)"
        )
    shape = input._array.shape
    whole = mask if mask._array.shape == shape else expand(mask, *shape)
    return to(whole, dtypes.bool_)


def masked_with(input: Tensor, mask: Tensor | None, filling: Any) -> Tensor:
    """The tensor with a number where the mask does not hold."""
    if mask is None:
        return input
    number = Tensor(np.asarray(filling, input._array.dtype))
    found: Tensor = where(full_mask(input, mask), input, number)
    return found


def lowest(input: Tensor) -> Any:
    """What no element is smaller than."""
    kind = input._array.dtype
    return -np.inf if kind.kind in "fc" else np.iinfo(kind).min


def highest(input: Tensor) -> Any:
    """What no element is larger than."""
    kind = input._array.dtype
    return np.inf if kind.kind in "fc" else np.iinfo(kind).max
