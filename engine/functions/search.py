"""Questions about values that carry no gradient: where, how many, which, in which interval."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.functions.outputs import named_outputs
from engine.functions.shapes import axis_of
from engine.state import is_grad_enabled
from engine.tensor import Tensor, as_tensor


def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """The indices of the elements that are not 0, as rows, or as one vector for each axis."""
    array = input._array
    if as_tuple:
        found = np.nonzero(array if array.ndim else array.reshape(1))
        return tuple([Tensor(places) for places in found])
    return Tensor(np.argwhere(array).astype(np.int64))


def argwhere(input: Tensor) -> Tensor:
    """The indices of the elements that are not 0, as rows."""
    return nonzero(input)  # type: ignore[no-any-return]


def _refuse(name: str, input: Tensor, kinds: str) -> None:
    if input._array.dtype.kind in kinds:
        word = dtypes.word(input.dtype)
        raise NotImplementedError(f"\"{name}\" not implemented for '{word}'")


def _refuse_history(name: str, tensor: Tensor) -> None:
    """PyTorch's results of these have a history that raises when it is followed back."""
    if tensor.requires_grad and is_grad_enabled():
        raise NotImplementedError(f"{name} has no gradient: call it on the detached tensor")


def _index_type(out_int32: bool) -> Any:
    return np.int32 if out_int32 else np.int64


def _side(right: bool, side: str | None) -> str:
    if side not in (None, "left", "right"):
        raise RuntimeError(
            f"torch.searchsorted(): side can only be 'left' or 'right' but got {side}"
        )
    if side == "left" and right:
        raise RuntimeError(
            "torch.searchsorted(): side and right can't be set to opposites, got side of left "
            "while right was True"
        )
    return "right" if right or side == "right" else "left"


def bucketize(
    input: Any, boundaries: Tensor, *, out_int32: bool = False, right: bool = False
) -> Tensor:
    """The index of the interval between sorted boundaries that each value lies in."""
    _refuse("searchsorted_out_cpu", boundaries, "bc")
    bounds = boundaries._array
    if bounds.ndim != 1:
        raise RuntimeError(f"boundaries tensor must be 1 dimension, but got dim({bounds.ndim})")
    found = np.searchsorted(bounds, as_tensor(input)._array, _side(right, None))  # type: ignore[call-overload]
    return Tensor(np.asarray(found, _index_type(out_int32)))


def searchsorted(
    sorted_sequence: Tensor,
    input: Any,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Tensor:
    """Where each value would go in a sorted sequence; row by row where there are several."""
    _refuse("searchsorted_out_cpu", sorted_sequence, "bc")
    rows, values = sorted_sequence._array, as_tensor(input)._array
    where = _side(right, side)
    if sorter is not None:
        rows = np.take_along_axis(rows, sorter._array, -1)
    if rows.ndim == 1:
        found = np.searchsorted(rows, values, where)  # type: ignore[call-overload]
        return Tensor(np.asarray(found, _index_type(out_int32)))
    if rows.shape[:-1] != values.shape[:-1]:
        raise RuntimeError(
            "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 "
            "dimensions of boundaries tensor and input value tensor must match, but we got "
            f"boundaries tensor {list(rows.shape)} and input value tensor {list(values.shape)}"
        )
    found = np.zeros(values.shape, _index_type(out_int32))
    for place in np.ndindex(rows.shape[:-1]):
        found[place] = np.searchsorted(rows[place], values[place], where)  # type: ignore[call-overload]
    return Tensor(found)


def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """How often each of the integers 0, 1, … occurs, or the sum of its weights."""
    array = input._array
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    if array.dtype.kind not in "iu":
        word = dtypes.word(input.dtype)
        raise NotImplementedError(f"\"bincount_cpu\" not implemented for '{word}'")
    if array.ndim != 1 or (array < 0).any():
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    if weights is not None:
        _refuse_history("bincount", weights)
    if weights is None:
        return Tensor(np.bincount(array, minlength=minlength).astype(np.int64))
    if weights._array.shape != array.shape:
        raise RuntimeError("weights should be 1-d and have the same length as input")
    kind = np.float32 if weights._array.dtype == np.float32 else np.float64
    return Tensor(np.bincount(array, weights._array, minlength).astype(kind))


def histc(input: Tensor, bins: int = 100, min: float = 0, max: float = 0) -> Tensor:
    """How many elements lie in each of `bins` equal intervals from `min` to `max`.

    Where both are equal, between the smallest and the largest element.
    """
    array = input._array
    if array.dtype.kind != "f":
        word = dtypes.word(input.dtype)
        raise NotImplementedError(f"\"histogram_cpu\" not implemented for '{word}'")
    if bins <= 0:
        raise RuntimeError("bins must be > 0")
    low, high = float(min), float(max)
    if low == high and array.size:
        low, high = float(array.min()), float(array.max())
    if low == high:
        low, high = low - 1, high + 1
    if high < low:
        raise RuntimeError("max must be larger than min")
    inside = array[(array >= low) & (array <= high)]
    counts, _ = np.histogram(inside, bins, (low, high))
    return Tensor(counts.astype(array.dtype))


def isin(
    elements: Any, test_elements: Any, *, assume_unique: bool = False, invert: bool = False
) -> Tensor:
    """Whether each element is among the test elements."""
    found = np.isin(as_tensor(elements)._array, as_tensor(test_elements)._array, invert=invert)
    return Tensor(np.asarray(found))


def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The values (or slices along an axis) that occur, in order, each once."""
    _refuse("unique", input, "c")
    _refuse_history("unique", input)
    array = input._array
    axis = None if dim is None else axis_of(dim, array.ndim)
    values, inverse, counts = np.unique(
        array, return_inverse=True, return_counts=True, axis=axis, equal_nan=False
    )
    inverse = inverse.reshape(array.shape if axis is None else (array.shape[axis],))
    return _with_places(values, inverse, counts, return_inverse, return_counts)


def unique_consecutive(
    input: Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The values without those that repeat the one before."""
    _refuse("unique", input, "c")
    _refuse_history("unique_consecutive", input)
    array = input._array if dim is not None else input._array.ravel()
    axis = 0 if dim is None else axis_of(dim, array.ndim)
    lines = np.moveaxis(array, axis, 0).reshape(array.shape[axis], -1)
    new = np.ones(lines.shape[0], bool)
    new[1:] = (lines[1:] != lines[:-1]).any(1)
    values = np.compress(new, array, axis)
    inverse = np.cumsum(new) - 1
    counts = np.diff(np.append(np.flatnonzero(new), lines.shape[0]))
    if dim is None:
        inverse = inverse.reshape(input._array.shape)
    return _with_places(values, inverse, counts, return_inverse, return_counts)


def _with_places(
    values: Any, inverse: Any, counts: Any, return_inverse: bool, return_counts: bool
) -> Any:
    found = [Tensor(values)]
    if return_inverse:
        found.append(Tensor(inverse.astype(np.int64)))
    if return_counts:
        found.append(Tensor(counts.astype(np.int64)))
    return found[0] if len(found) == 1 else tuple(found)


def tril_indices(
    row: int, col: int, offset: int = 0, *, dtype: dtypes.dtype | None = None
) -> Tensor:
    """The indices of a lower triangle, in two rows."""
    return _indices(np.tril_indices(row, offset, col), dtype)


def triu_indices(
    row: int, col: int, offset: int = 0, *, dtype: dtypes.dtype | None = None
) -> Tensor:
    """The indices of an upper triangle, in two rows."""
    return _indices(np.triu_indices(row, offset, col), dtype)


def _indices(found: Any, dtype: dtypes.dtype | None) -> Tensor:
    kind = np.dtype(np.int64) if dtype is None else dtype._numpy
    return Tensor(np.stack(found).astype(kind))


def unravel_index(indices: Tensor, shape: Any) -> tuple[Tensor, ...]:
    """The coordinates of places in a flattened tensor of that shape."""
    sizes = (int(shape),) if isinstance(shape, int) else tuple(shape)
    array = indices._array
    if array.dtype.kind not in "iu":
        raise ValueError(f"Expected 'indices' to be integer dtype, but got {indices.dtype}")
    found = []
    for n in reversed(sizes):
        found.append(Tensor(np.asarray(array % n, array.dtype)))
        array = array // n
    return tuple(reversed(found))


def nonzero_static(input: Tensor, *, size: int, fill_value: int = -1) -> Tensor:
    """The indices of the first `size` elements that are not 0; rows of `fill_value` after them."""
    found = np.argwhere(input._array)[:size]
    made = np.full((size, input._array.ndim), fill_value, np.int64)
    made[: len(found)] = found
    return Tensor(made)


_HISTOGRAM = named_outputs("histogram", "hist", "bin_edges")


def histogram(
    input: Tensor,
    bins: Any,
    *,
    range: Any = None,
    weight: Tensor | None = None,
    density: bool = False,
) -> Any:
    """How many elements (or how much `weight`) lie between edges, and the edges.

    `bins` are the edges, or how many equal intervals there are within `range`.
    """
    _refuse("histogram_cpu", input, "biuc")
    array = input._array.ravel()
    edges = bins._array if isinstance(bins, Tensor) else int(bins)
    weights = None if weight is None else weight._array.ravel()
    counts, found = np.histogram(array, edges, range, density, weights)
    return _HISTOGRAM(Tensor(counts.astype(array.dtype)), Tensor(found.astype(array.dtype)))
