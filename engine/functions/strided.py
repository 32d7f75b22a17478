"""Views by strides, single slices and windows, and tensors with a view written over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.functions.arrangement import diagonal_params
from engine.functions.shapes import axis_of
from engine.ops import OPS
from engine.ops.strided import positions
from engine.tensor import Tensor, apply

Sizes = Sequence[int]


def select(input: Tensor, dim: int, index: int) -> Tensor:
    """The view of one place along an axis, without the axis."""
    return apply(OPS["select"], (input,), select_params(input, dim, index))


def select_params(input: Tensor, dim: int, index: int) -> dict[str, int]:
    """The params of a select. Raises IndexError where there is no such place."""
    shape = input._array.shape
    if not shape:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    axis = axis_of(dim, len(shape))
    size = shape[axis]
    if not -size <= index < size:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(shape)} at dimension "
            f"{dim}"
        )
    return {"dim": axis, "index": int(index) % size}


def slice_params(
    input: Tensor, dim: int, start: int | None, end: int | None, step: int
) -> dict[str, int]:
    """The params of a slice."""
    if step <= 0:
        raise RuntimeError("slice step must be positive")
    axis = axis_of(dim, input._array.ndim)
    first, last, every = slice(start, end, step).indices(input._array.shape[axis])
    return {"dim": axis, "start": first, "stop": max(first, last), "step": every}


def unfold(self: Tensor, dimension: int, size: int, step: int) -> Tensor:
    """A view of all windows of a size along an axis, `step` apart; a new last axis runs in them."""
    return apply(OPS["unfold"], (self,), unfold_params(self, dimension, size, step))


def unfold_params(input: Tensor, dimension: int, size: int, step: int) -> dict[str, int]:
    """The params of an unfold. Raises RuntimeError where no window fits."""
    axis = axis_of(dimension, input._array.ndim)
    most = input._array.shape[axis] if input._array.ndim else 1
    if size < 0:
        raise RuntimeError(f"size is {size} but must be >= 0")
    if size > most:
        raise RuntimeError(
            f"maximum size for tensor at dimension {axis} is {most} but size is {size}"
        )
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    return {"dim": axis, "size": int(size), "step": int(step)}


def as_strided(
    input: Tensor, size: Sizes, stride: Sizes, storage_offset: int | None = None
) -> Tensor:
    """A view of the tensor's memory with sizes, strides and a first place of its own.

    Places in memory that the tensor itself does not show get no gradient.
    """
    params = strided_params(input, size, stride, storage_offset)
    return apply(OPS["as_strided"], (input,), params)


def strided_params(
    input: Tensor, size: Sizes, stride: Sizes, storage_offset: int | None
) -> dict[str, Any]:
    """The params of a strided view. Raises RuntimeError where memory does not hold it."""
    sizes, strides = tuple(size), tuple(stride)
    if len(sizes) != len(strides):
        raise RuntimeError("mismatch in length of strides and shape")
    if any(step < 0 for step in strides):
        raise RuntimeError(
            "as_strided: Negative strides are not supported at the moment, got strides: "
            f"[{', '.join(map(str, strides))}]"
        )
    array = input._array
    root = array if input._base is None else input._base._array
    own = _offset(array, root)
    offset = own if storage_offset is None else int(storage_offset)
    _check_storage(sizes, strides, offset, root)
    geometry = tuple([step // array.itemsize for step in array.strides])
    if input.requires_grad and _overlaps(array.shape, geometry):
        raise NotImplementedError("as_strided of a tensor whose elements overlap is not available")
    return {"sizes": sizes, "strides": strides, "start": offset - own, "geometry": geometry}


def _offset(array: Any, root: Any) -> int:
    first, start = (a.__array_interface__["data"][0] for a in (array, root))
    return int(first - start) // array.itemsize if array.size else 0


def _check_storage(
    sizes: tuple[int, ...], strides: tuple[int, ...], offset: int, root: Any
) -> None:
    if offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {offset}")
    if 0 in sizes:
        return
    last = offset + sum((n - 1) * step for n, step in zip(sizes, strides, strict=True))
    spanned = [(n - 1) * step for n, step in zip(root.shape, root.strides, strict=True)]
    held = (sum(spanned) + root.itemsize) if root.size else 0
    if (last + 1) * root.itemsize > held:
        raise RuntimeError(
            f"setStorage: sizes {list(sizes)}, strides {list(strides)}, storage offset {offset}, "
            f"and itemsize {root.itemsize} requiring a storage size of "
            f"{(last + 1) * root.itemsize} are out of bounds for storage of size {held}"
        )


def _overlaps(shape: tuple[int, ...], geometry: tuple[int, ...]) -> bool:
    return any(not step and n > 1 for n, step in zip(shape, geometry, strict=True))


def as_strided_scatter(
    input: Tensor,
    src: Tensor,
    size: Sizes,
    stride: Sizes,
    storage_offset: int | None = None,
) -> Tensor:
    """A copy of the tensor with `src` at the places that `as_strided` would show."""
    params = strided_params(input, size, stride, storage_offset)
    _check_slice(src, tuple(size))
    if input.requires_grad:
        raise NotImplementedError(
            "as_strided_scatter has no gradient for the tensor itself: PyTorch's is that of the "
            "elements that were written over"
        )
    if not input._array.flags.c_contiguous:
        raise NotImplementedError("as_strided_scatter of a view is not available")
    where = positions(params["sizes"], params["strides"], params["start"])
    return apply(OPS["as_strided_scatter"], (input, src), {"where": where})


def _check_slice(src: Tensor, shape: tuple[int, ...]) -> None:
    if src._array.shape != shape:
        raise RuntimeError(
            "expected src to have a size equal to the slice of self. src size = "
            f"{list(src._array.shape)}, slice size = {list(shape)}"
        )


def _scattered(name: str, view: str, input: Tensor, src: Tensor, params: Any) -> Tensor:
    op = OPS[view]
    _check_slice(src, np.shape(op.forward(input._array, **params)))
    return apply(OPS[name], (input, src), {"chain": ((op, params),)})


def slice_scatter(
    input: Tensor,
    src: Tensor,
    dim: int = 0,
    start: int | None = None,
    end: int | None = None,
    step: int = 1,
) -> Tensor:
    """A copy of the tensor with `src` in a slice of an axis."""
    params = slice_params(input, dim, start, end, step)
    return _scattered("slice_scatter", "slice", input, src, params)


def select_scatter(input: Tensor, src: Tensor, dim: int, index: int) -> Tensor:
    """A copy of the tensor with `src` at one place along an axis."""
    params = select_params(input, dim, index)
    return _scattered("select_scatter", "select", input, src, params)


def diagonal_scatter(
    input: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> Tensor:
    """A copy of the tensor with `src` on a diagonal."""
    params = diagonal_params(offset, dim1, dim2, input._array.ndim)
    return _scattered("diagonal_scatter", "diagonal", input, src, params)


def narrow(input: Tensor, dim: int, start: int | Tensor, length: int) -> Tensor:
    """A view of `length` places along an axis from `start` on."""
    return apply(OPS["slice"], (input,), narrow_params(input, dim, start, length))


def narrow_params(input: Tensor, dim: int, start: int | Tensor, length: int) -> dict[str, int]:
    """The params of a narrow. Raises where the places are not all there."""
    if not input._array.ndim:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    axis = axis_of(dim, input._array.ndim)
    size, first = input._array.shape[axis], int(start)
    if not -size <= first <= size:
        raise IndexError(
            f"start out of range (expected to be in range of [{-size}, {size}], but got {first})"
        )
    first = first + size if first < 0 else first
    if first + length > size:
        raise RuntimeError(f"start ({first}) + length ({length}) exceeds dimension size ({size}).")
    return {"dim": axis, "start": first, "stop": first + length, "step": 1}


def storage_offset(self: Tensor) -> int:
    """How many elements before the tensor's first one its memory begins."""
    return _offset(self._array, self._array if self._base is None else self._base._array)
