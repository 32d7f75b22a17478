"""`x[...]`, taken apart as PyTorch takes it apart: select, slice, unsqueeze, then index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import errors
from engine.functions.shapes import unsqueeze
from engine.ops import OPS
from engine.tensor import Tensor, apply

_WHOLE = slice(None)


def getitem(self: Tensor, key: Any) -> Tensor:
    """The part of a tensor that an index names. Raises IndexError as PyTorch does."""
    found, indices, axes = _basic(self, key)
    if indices:
        return apply(OPS["index"], (found, *indices), {"axes": tuple(axes)})
    return found


def parts(self: Tensor, key: Any) -> tuple[Tensor, list[Tensor], list[int]]:
    """The view that the basic part of an index leads to, then index tensors and their axes."""
    return _basic(self, key)


def _basic(self: Tensor, key: Any) -> tuple[Tensor, list[Tensor], list[int]]:
    if isinstance(key, tuple):
        items = list(key)
    elif isinstance(key, slice):
        return _sliced(self, 0, key, always=True), [], []
    else:
        items = [key]
    items = [_as_index(item) for item in items]
    items = _filled(items, self._array.ndim)
    current, axis = self, 0
    indices: list[Tensor] = []
    axes: list[int] = []
    for item in items:
        if item is None:
            current = unsqueeze(current, axis)
            axis += 1
        elif isinstance(item, slice):
            current = _sliced(current, axis, item, always=False)
            axis += 1
        elif isinstance(item, int) and not isinstance(item, bool):
            original = axis + self._array.ndim - current._array.ndim
            current = _selected(current, axis, item, original)
        else:
            current, axis = _indexed(current, axis, item, indices=indices, axes=axes)
    if current is self and not indices:
        current = apply(OPS["alias"], (self,), {})
    return current, indices, axes


def _indexed(
    current: Tensor, axis: int, item: Any, *, indices: list[Tensor], axes: list[int]
) -> tuple[Tensor, int]:
    """Note an index tensor; a 0-d truth value stands at a new axis of its own."""
    index = Tensor(np.asarray(item)) if isinstance(item, bool) else item
    if index._array.dtype.kind == "b" and not index._array.ndim:
        current = unsqueeze(current, axis)
        index = Tensor(index._array.reshape(1))
    shape = current._array.shape
    axes.append(axis)
    indices.append(index)
    if index._array.dtype.kind == "b":
        for back, n in enumerate(index._array.shape):
            if axis + back >= len(shape) or shape[axis + back] != n:
                raise IndexError(
                    f"The shape of the mask {list(index._array.shape)} at index {back} does not "
                    f"match the shape of the indexed tensor {list(shape)} at index {axis + back}"
                )
        return current, axis + index._array.ndim
    size = shape[axis]
    places = index._array
    if places.size and not (-size <= int(places.min()) and int(places.max()) < size):
        bad = int(places[(places < -size) | (places >= size)].ravel()[0])
        raise IndexError(errors.INDEX_RANGE.format(i=bad, d=axis, n=size))
    return current, axis + 1


def _as_index(item: Any) -> Any:
    """An index as one of None, Ellipsis, a slice, an int, a bool or an index tensor."""
    if item is None or item is Ellipsis or isinstance(item, (slice, bool, int)):
        return item
    if isinstance(item, Tensor):
        if item._array.dtype.kind not in "iub":
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
        if not item._array.ndim and item._array.dtype.kind in "iu":
            return int(item._array)
        return item
    if isinstance(item, (np.integer,)):
        return int(item)
    if isinstance(item, (np.ndarray, Sequence, range)) and not isinstance(item, str):
        array = (
            np.asarray([i._array if isinstance(i, Tensor) else i for i in item])
            if not (isinstance(item, np.ndarray))
            else item
        )
        if not array.size:
            array = array.astype(np.int64)
        return Tensor(array)
    if isinstance(item, str):
        raise TypeError("new(): invalid data type 'str'")
    if hasattr(item, "__index__"):
        return int(item.__index__())
    raise IndexError(errors.BAD_INDEX.format(type=type(item).__name__))


def _filled(items: list[Any], ndim: int) -> list[Any]:
    """The index with its Ellipsis, written or not, as whole slices."""
    used = sum(
        item._array.ndim if isinstance(item, Tensor) and item._array.dtype.kind == "b" else 1
        for item in items
        if item is not None and item is not Ellipsis and not isinstance(item, bool)
    )
    if used > ndim:
        if not ndim and len(items) == 1 and isinstance(items[0], int):
            i = items[0]
            if i:
                raise IndexError(errors.INDEX_RANGE.format(i=i, d=0, n=0))
            raise IndexError(errors.INDEX_OF_0D)
        raise IndexError(errors.TOO_MANY_INDICES.format(n=ndim))
    at = next((i for i, item in enumerate(items) if item is Ellipsis), None)
    if at is None:
        return items
    return [*items[:at], *[_WHOLE] * (ndim - used), *items[at + 1 :]]


def _selected(current: Tensor, axis: int, index: int, original: int) -> Tensor:
    size = current._array.shape[axis]
    if not -size <= index < size:
        raise IndexError(errors.INDEX_RANGE.format(i=index, d=original, n=size))
    return apply(OPS["select"], (current,), {"dim": axis, "index": index % size})


def _sliced(current: Tensor, axis: int, item: slice, *, always: bool) -> Tensor:
    if not current._array.ndim:
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    size = current._array.shape[axis]
    if item.step is not None and int(item.step) <= 0:
        raise ValueError("step must be greater than zero")
    start, stop, step = item.indices(size)
    if not always and not item.start and (start, stop, step) == (0, size, 1):
        return current
    params = {"dim": axis, "start": start, "stop": max(start, stop), "step": step}
    return apply(OPS["slice"], (current,), params)
