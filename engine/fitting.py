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
            return (value if value.dtype is dtype else cast(value, dtype)), ()
        return _fit_array(value, shape, dtype)
    if isinstance(value, Tensor):
        return _fit_tensor(value, shape, dtype)
    return _fit_array(np.asarray(value), shape, dtype)


def fit_many(value: Any, shape: Shape, dtype: np.dtype[Any]) -> tuple[Any, tuple[int, ...]]:
    """As `fit`, for many cotangents along a first axis."""
    many, rest = value.shape[0], tuple(value.shape[1:])
    if len(rest) < len(shape):  # a rule for a number: NumPy's broadcasting aligns the last axes
        rest = (1,) * (len(shape) - len(rest)) + rest
        value = value.reshape((many, *rest))
    axes = tuple([axis + 1 for axis in broadcast_axes(rest, shape)])
    if axes:
        value = (
            value.sum(axes, keepdims=True) if type(value) is np.ndarray else value.sum(axes, True)
        )
    if value.shape[1:] != shape:
        whole = (many, *shape)
        if (value if type(value) is np.ndarray else value._array).size == prod(whole):
            value = value.reshape(whole)
        else:
            value = np.broadcast_to(value, whole)
    if isinstance(value, Tensor):
        return (value if value._array.dtype == dtype else value.to(dtypes.of(dtype))), axes
    return (value if value.dtype == dtype else cast(value, dtype)), axes


def cast(value: Array, dtype: np.dtype[Any]) -> Array:
    """The value in another dtype; of a complex cotangent of a real input, the real part."""
    if value.dtype.kind == "c" and dtype.kind != "c":
        value = value.real
    return value.astype(dtype)


def _fit_array(value: Array, shape: Shape, dtype: np.dtype[Any]) -> tuple[Array, tuple[int, ...]]:
    axes = broadcast_axes(value.shape, shape)
    if axes:
        value = np.add.reduce(value, axes, keepdims=True)
    if value.shape != shape:
        value = value.reshape(shape) if value.size == prod(shape) else stretched(value, shape)
    return (value if value.dtype == dtype else cast(value, dtype)), axes


def _fit_tensor(value: Tensor, shape: Shape, dtype: np.dtype[Any]) -> tuple[Any, tuple[int, ...]]:
    if value._array.dtype != dtype:
        if value._array.dtype.kind == "c" and dtype.kind != "c":
            value = value.real
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
