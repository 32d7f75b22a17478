"""Whole slices taken, written, added and reduced at the places that an index names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import dtypes, errors
from engine.functions.arithmetic import check_broadcast
from engine.functions.indexing import parts
from engine.functions.scatter import check_places, check_reduction
from engine.functions.shapes import axis_of
from engine.ops import OPS
from engine.ops.index import full_key
from engine.tensor import Tensor, apply, as_tensor


def _size(input: Tensor, axis: int) -> int:
    return input._array.shape[axis] if input._array.ndim else 1


def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """The slices at the places `index`, a vector, along an axis."""
    axis = axis_of(dim, input._array.ndim)
    if index._array.ndim > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    if index._array.dtype not in (np.int32, np.int64):
        raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
    size, places = _size(input, axis), index._array
    if ((places < 0) | (places >= size)).any():
        raise IndexError("index out of range in self")
    return apply(OPS["index_select"], (input, index), {"dim": axis})


def _check_slices(name: str, input: Tensor, axis: int, index: Tensor, source: Tensor) -> None:
    if index._array.dtype not in (np.int32, np.int64):
        raise RuntimeError(
            f"{name}(): Expected dtype int32/int64 for index but got: {dtypes.word(index.dtype)}"
        )
    if source._array.dtype != input._array.dtype:
        raise RuntimeError(
            f"{name}(): self ({dtypes.word(input.dtype)}) and source "
            f"({dtypes.word(source.dtype)}) must have the same scalar type"
        )
    count, given = index._array.size, _size(source, axis)
    if count != given:
        raise RuntimeError(
            f"{name}(): Number of indices ({count}) should be equal to source.size(dim): "
            f"({given}), for dim: {axis}"
        )
    mine, theirs = list(input._array.shape), list(source._array.shape)
    if mine and theirs and mine[:axis] + mine[axis + 1 :] != theirs[:axis] + theirs[axis + 1 :]:
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. "
            f"Got self.shape = {mine} source.shape = {theirs}"
        )
    check_places(index, axis, _size(input, axis))


def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Any = 1) -> Tensor:
    """The tensor with the source's slices, times `alpha`, added at places along an axis."""
    axis = axis_of(dim, input._array.ndim)
    _check_slices("index_add_", input, axis, index, source)
    params = {"dim": axis, "alpha": alpha}
    return apply(OPS["index_add"], (input, index, source), params)


def index_reduce(
    input: Tensor,
    dim: int,
    index: Tensor,
    source: Tensor,
    reduce: str,
    *,
    include_self: bool = True,
) -> Tensor:
    """As `index_add`, where what meets at a place is reduced by prod, mean, amax or amin."""
    axis = axis_of(dim, input._array.ndim)
    if reduce not in ("prod", "mean", "amax", "amin"):
        raise RuntimeError(
            "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got "
            f"{reduce}."
        )
    _check_slices("index_reduce_", input, axis, index, source)
    check_reduction("index_reduce", reduce, input, source)
    errors.warn_once("index_reduce() is in beta and the API may change at any time.")
    params = {"dim": axis, "reduce": reduce, "include_self": bool(include_self)}
    return apply(OPS["index_reduce"], (input, index, source), params)


def index_copy(input: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    """The tensor with the source's slices at the places `index` along an axis."""
    axis = axis_of(dim, input._array.ndim)
    _check_copy(input, axis, index, source)
    return apply(OPS["index_copy"], (input, index, source), {"dim": axis})


def _check_copy(input: Tensor, axis: int, index: Tensor, source: Tensor) -> None:
    name, count, given = "index_copy_()", index._array.size, _size(source, axis)
    if index._array.dtype != np.int64:
        raise RuntimeError(f"{name}: Expected a long tensor for index, but got "
                           f"{dtypes.word(index.dtype)}")  # fmt: skip
    if source._array.dtype != input._array.dtype:
        raise RuntimeError(
            f"{name}: self and source expected to have the same dtype, but got (self) "
            f"{dtypes.word(input.dtype)} and (source) {dtypes.word(source.dtype)}"
        )
    mine = [n for d, n in enumerate(input._array.shape) if d != axis]
    theirs = [n for d, n in enumerate(source._array.shape) if d != axis]
    if mine != theirs:
        raise RuntimeError(
            f"{name}: Source/destination tensor must have same slice shapes. Destination slice "
            f"shape: {' '.join(map(str, mine))} at dimension {axis} and source slice shape: "
            f"{' '.join(map(str, theirs))} at dimension 0."
        )
    if source._array.ndim and count != given:
        raise IndexError(
            f"{name}: Number of indices ({count}) should be equal to source.size(dim) ({given})"
        )
    size, places = _size(input, axis), index._array
    bad = places[(places < 0) | (places >= size)]
    if bad.size:
        raise IndexError(
            f"{name}: index {int(bad.ravel()[0])} is out of bounds for dimension {axis} with "
            f"size {size}"
        )


def index_fill(input: Tensor, dim: int, index: Tensor, value: Any) -> Tensor:
    """The tensor with a number, or a 0-d tensor, in the slices at the places `index`."""
    axis = axis_of(dim, input._array.ndim)
    if index._array.dtype != np.int64:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    size, places = _size(input, axis), index._array
    bad = places[(places < -size) | (places >= size)]
    if bad.size:
        raise IndexError(errors.INDEX_RANGE.format(i=int(bad.ravel()[0]), d=axis, n=size))
    if not isinstance(value, Tensor):
        return apply(OPS["index_fill"], (input, index), {"dim": axis, "value": value})
    if value._array.ndim:
        raise RuntimeError(
            "index_fill_ only supports a 0-dimensional value tensor, but got tensor with "
            f"{value._array.ndim} dimension(s)."
        )
    return apply(OPS["index_fill_tensor"], (input, index, value), {"dim": axis})


def index_put(
    input: Tensor, indices: Sequence[Tensor | None], values: Tensor, accumulate: bool = False
) -> Tensor:
    """The tensor with `values` at the elements that index tensors name, or added to them."""
    target, index, axes = parts(input, tuple([slice(None) if i is None else i for i in indices]))
    value = as_tensor(values)
    shape = target._array[full_key(tuple([i._array for i in index]), tuple(axes))].shape
    try:
        check_broadcast(value._array.shape, shape)
        fits = np.broadcast_shapes(value._array.shape, shape) == shape
    except RuntimeError:
        fits = False
    if not fits:
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(value._array.shape)} cannot be "
            f"broadcast to indexing result of shape {list(shape)}"
        )
    if value._array.dtype != input._array.dtype:
        raise RuntimeError(
            "Index put requires the source and destination dtypes match, got "
            f"{dtypes.word(input.dtype)} for the destination and {dtypes.word(value.dtype)} for "
            "the source."
        )
    params = {"axes": tuple(axes), "accumulate": bool(accumulate)}
    return apply(OPS["index_put"], (input, value, *index), params)
