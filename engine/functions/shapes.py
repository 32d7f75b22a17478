"""Functions that change axes and leave the numbers: views, joins, parts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import dtypes, errors
from engine.functions.naming import numpy_names
from engine.functions.sizes import axes_of as axes_of
from engine.functions.sizes import axis_of as axis_of
from engine.functions.sizes import (
    check_matrix,
    checked_order,
    completed,
    expanded_shape,
    parts_of,
    squeeze_params,
)
from engine.functions.sizes import sizes_from as sizes_from
from engine.ops import OPS
from engine.tensor import Tensor, apply, refuse

Shape = Sequence[int]


def _is_view(array: Any, shape: tuple[int, ...]) -> bool:
    """Whether an array can take the shape without being copied."""
    if array.flags.c_contiguous or not array.size:
        return True
    return np.may_share_memory(np.reshape(array, shape), array)


def view(self: Tensor, *shape: Any, size: Any = None, dtype: Any = None) -> Tensor:
    """The same memory in another shape, or seen as another dtype of the same size."""
    given = (size,) if size is not None else (dtype,) if dtype is not None else shape
    if len(given) == 1 and isinstance(given[0], dtypes.dtype):
        if given[0].itemsize != self._array.dtype.itemsize:
            raise NotImplementedError("view as a dtype of another size is not available")
        return Tensor(self._array.view(given[0]._numpy))
    asked = sizes_from(given)
    wanted = checked_shape("view", self, asked)
    if not _is_view(self._array, wanted):
        refuse("view", (self,), {"shape": wanted}, RuntimeError(errors.NOT_VIEWABLE))
    return apply(OPS["view"], (self,), {"shape": wanted})


def checked_shape(name: str, input: Tensor, asked: tuple[int, ...]) -> tuple[int, ...]:
    """The shape with its -1 filled in. Raises RuntimeError where the elements do not fill it."""
    try:
        return completed(asked, input._array.size)
    except RuntimeError as error:
        refuse(name, (input,), {"shape": asked}, error)


def reshape(input: Tensor, *shape: Any, **given: Any) -> Tensor:
    """The tensor in another shape: a view where possible, else a copy."""
    asked = sizes_from(shape or (given["shape"],))
    wanted = checked_shape("view", input, asked)
    if input._array.flags.c_contiguous:
        return apply(OPS["view"], (input,), {"shape": wanted})
    if _is_view(input._array, wanted):
        return apply(OPS["reshape_alias"], (input,), {"shape": wanted})
    return apply(OPS["unsafe_view"], (apply(OPS["clone"], (input,), {}),), {"shape": wanted})


def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """The axes from `start_dim` to `end_dim` as one."""
    shape = input._array.shape
    first, last = axis_of(start_dim, len(shape)), axis_of(end_dim, len(shape))
    if first > last:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if not shape:
        return reshape(input, 1)
    if first == last:
        return input
    return reshape(input, (*shape[:first], math.prod(shape[first : last + 1]), *shape[last + 1 :]))


@numpy_names
def squeeze(input: Tensor, dim: int | Sequence[int] | None = None) -> Tensor:
    """Without its axes of length one, or without those of `dim` that are."""
    return apply(OPS["squeeze"], (input,), squeeze_params(input, dim))


@numpy_names
def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """With a new axis of length one at `dim`."""
    return apply(OPS["unsqueeze"], (input,), {"dim": axis_of(dim, input._array.ndim + 1)})


def t(input: Tensor) -> Tensor:
    """The transpose of a matrix; vectors stay."""
    check_matrix(input)
    return apply(OPS["t"], (input,), {})


def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """With two axes swapped."""
    ndim = input._array.ndim
    return apply(
        OPS["transpose"], (input,), {"dim0": axis_of(dim0, ndim), "dim1": axis_of(dim1, ndim)}
    )


def swapaxes(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """With two axes swapped."""
    return transpose(input, axis0, axis1)


def permute(input: Tensor, *dims: Any, **given: Any) -> Tensor:
    """With its axes in another order."""
    order = sizes_from((given["dims"],) if given else dims)
    return apply(OPS["permute"], (input,), {"dims": checked_order(input, order)})


def expand(self: Tensor, *sizes: Any, size: Any = None, implicit: bool = False) -> Tensor:
    """Axes of length one repeated, new ones in front, without a copy; -1 keeps a size."""
    asked = sizes_from(sizes if size is None else (size,))
    return apply(OPS["expand"], (self,), {"shape": expanded_shape(self, asked)})


def unflatten(input: Tensor, dim: int, sizes: Sequence[int]) -> Tensor:
    """One axis as several."""
    shape = input._array.shape
    axis = axis_of(dim, len(shape))
    inner = parts_of(tuple(sizes), axis, shape[axis])
    return view(input, (*shape[:axis], *inner, *shape[axis + 1 :]))


def movedim(input: Tensor, source: int | Sequence[int], destination: int | Sequence[int]) -> Tensor:
    """With axes moved elsewhere; the others keep their order."""
    ndim = input._array.ndim
    given = [[d] if isinstance(d, int) else list(d) for d in (source, destination)]
    if len(given[0]) != len(given[1]):
        raise RuntimeError(
            f"movedim: Invalid source or destination dims: source ({given[0]} dims) should contain "
            f"the same number of dims as destination ({given[1]} dims)"
        )
    axes, places = ([axis_of(d, ndim) for d in dims] for dims in given)
    for name, found, dims in (("source", axes, given[0]), ("destination", places, given[1])):
        if len(set(found)) < len(found):
            raise RuntimeError(f"movedim: repeated dim in `{name}` ({dims})")
    if not ndim:
        return apply(OPS["alias"], (input,), {})
    order = [axis for axis in range(ndim) if axis not in axes]
    for place, axis in sorted(zip(places, axes, strict=True)):
        order.insert(place, axis)
    return permute(input, *order)


moveaxis = movedim


@numpy_names
def cat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """The tensors one after the other along an axis they have."""
    parts = tuple(tensors)
    if not parts:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    for i, part in enumerate(parts):
        if not part._array.ndim:
            raise RuntimeError(f"zero-dimensional tensor (at position {i}) cannot be concatenated")
    full = tuple([p for p in parts if p._array.shape != (0,)]) or parts
    axis = axis_of(dim, full[0]._array.ndim)
    _check_cat(full, axis)
    return apply(OPS["cat"], parts, {"dim": axis})


def _check_cat(parts: tuple[Tensor, ...], axis: int) -> None:
    first = parts[0]._array.shape
    for i, part in enumerate(parts):
        shape = part._array.shape
        if len(shape) != len(first):
            raise RuntimeError(
                f"Tensors must have same number of dimensions: got {len(first)} and {len(shape)}"
            )
        for d, (a, b) in enumerate(zip(first, shape, strict=True)):
            if a != b and d != axis:
                raise RuntimeError(errors.CAT_SIZES.format(d=axis, a=a, b=b, i=i))


@numpy_names
def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """The tensors one after the other along a new axis."""
    parts = tuple(tensors)
    if not parts:
        raise RuntimeError("stack expects a non-empty TensorList")
    first = parts[0]._array.shape
    for i, part in enumerate(parts):
        if part._array.shape != first:
            raise RuntimeError(
                errors.STACK_SIZES.format(a=list(first), i=0, b=list(part._array.shape), j=i)
            )
    return apply(OPS["stack"], parts, {"dim": axis_of(dim, len(first) + 1)})
