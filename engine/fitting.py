"""A rule's result made the cotangent of its input: broadcasting summed back, dtype restored."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from engine import dtypes
from engine.arrays import Array, stretched
from engine.tensor import Tensor

Shape = tuple[int, ...]


def fit(value: Any, shape: Shape, dtype: np.dtype[Any]) -> tuple[Any, tuple[int, ...]]:
    """The value in the given shape and dtype, and the axes of it that were summed away."""
    if type(value) is np.ndarray:
        if value.shape == shape:
            return (value if value.dtype is dtype else value.astype(dtype)), ()
        return _fit_array(value, shape, dtype)
    if isinstance(value, Tensor):
        return _fit_tensor(value, shape, dtype)
    return _fit_array(np.asarray(value), shape, dtype)


def _fit_array(value: Array, shape: Shape, dtype: np.dtype[Any]) -> tuple[Array, tuple[int, ...]]:
    axes = broadcast_axes(value.shape, shape)
    if axes:
        value = np.add.reduce(value, axes, keepdims=True)
    if value.shape != shape:
        value = value.reshape(shape) if value.size == prod(shape) else stretched(value, shape)
    return (value if value.dtype == dtype else value.astype(dtype)), axes


def _fit_tensor(value: Tensor, shape: Shape, dtype: np.dtype[Any]) -> tuple[Any, tuple[int, ...]]:
    if value._array.dtype != dtype:
        value = value.to(dtypes.of(dtype))
    axes = broadcast_axes(value._array.shape, shape)
    if axes:
        value = value.sum(axes, keepdim=True)
    if value._array.shape != shape:
        same = value._array.size == prod(shape)
        value = value.reshape(shape) if same else value.expand(shape)
    return value, axes


def broadcast_axes(big: Shape, small: Shape) -> tuple[int, ...]:
    """The axes of `big` along which an array of shape `small` was repeated."""
    extra = len(big) - len(small)
    if extra < 0:
        return ()
    stretched_axes = [
        extra + axis for axis, size in enumerate(small) if size == 1 and big[extra + axis] != 1
    ]
    return (*range(extra), *stretched_axes)
