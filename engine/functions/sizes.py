"""Axes and sizes as they are given, checked and counted from the front."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from engine import dtypes, errors
from engine.tensor import Tensor


def axis_of(dim: Any, ndim: int) -> int:
    """An axis counted from the front. Raises IndexError where there is no such axis."""
    if not hasattr(dim, "__index__"):
        raise TypeError(f"argument 'dim' must be int, not {type(dim).__name__}")
    axis = int(dim)
    size = max(ndim, 1)
    if not -size <= axis < size:
        raise IndexError(errors.NO_SUCH_AXIS.format(low=-size, high=size - 1, d=axis))
    return axis % size


def axes_of(dim: int | Sequence[int], ndim: int) -> tuple[int, ...]:
    """Axes counted from the front, in increasing order."""
    given = (dim,) if isinstance(dim, int) or not hasattr(dim, "__iter__") else dim
    axes = [axis_of(d, ndim) for d in given]
    if len(set(axes)) < len(axes):
        twice = next(a for a in axes if axes.count(a) > 1)
        raise RuntimeError(f"dim {twice} appears multiple times in the list of dims")
    return tuple(sorted(axes)) if ndim else ()


def sizes_from(args: tuple[Any, ...]) -> tuple[int, ...]:
    """Sizes given one by one or as one sequence."""
    if len(args) == 1 and not hasattr(args[0], "__index__"):
        return tuple([int(n) for n in args[0]])
    if len(args) == 1 and isinstance(args[0], Tensor) and args[0]._array.ndim:
        return tuple(args[0]._array.tolist())
    return tuple([int(n) for n in args])


def completed(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    """The shape with its -1 filled in. Raises RuntimeError where it does not hold `size`."""
    if -1 not in shape:
        if math.prod(shape) != size:
            raise RuntimeError(errors.BAD_SHAPE.format(shape=list(shape), n=size))
        return shape
    if shape.count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    rest = math.prod(n for n in shape if n != -1)
    if rest == 0:
        raise RuntimeError(
            f"cannot reshape tensor of 0 elements into shape {list(shape)} because the "
            "unspecified dimension size -1 can be any value and is ambiguous"
        )
    if size % rest:
        raise RuntimeError(errors.BAD_SHAPE.format(shape=list(shape), n=size))
    return tuple([size // rest if n == -1 else n for n in shape])


def squeeze_params(input: Tensor, dim: int | Sequence[int] | None) -> dict[str, Any]:
    """The axes that a squeeze looks at, and which of PyTorch's three squeezes it is."""
    shape = input._array.shape
    if dim is None:
        return {"dim": tuple([axis for axis, n in enumerate(shape) if n == 1])}
    return {"dim": axes_of(dim, len(shape)), "kind": 1 if isinstance(dim, int) else 2}


def check_matrix(input: Tensor) -> None:
    """Raise RuntimeError where there are more than two axes."""
    if input._array.ndim > 2:
        raise RuntimeError(
            f"t() expects a tensor with <= 2 dimensions, but self is {input._array.ndim}D"
        )


def checked_order(input: Tensor, order: tuple[int, ...]) -> tuple[int, ...]:
    """The axes counted from the front. Raises RuntimeError unless each is there once."""
    ndim = input._array.ndim
    if len(order) != ndim:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the "
            f"length of the desired ordering of dimensions i.e. input.dim() = {ndim} is not "
            f"equal to len(dims) = {len(order)}"
        )
    axes = tuple([axis_of(d, ndim) for d in order])
    if len(set(axes)) < ndim:
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return axes


def expanded_shape(input: Tensor, asked: tuple[int, ...]) -> tuple[int, ...]:
    """The sizes with -1 filled in. Raises RuntimeError where the tensor cannot take them."""
    shape = input._array.shape
    new = len(asked) - len(shape)
    if new < 0:
        raise RuntimeError(
            f"expand({dtypes.type_name(input.dtype)}{{{list(shape)}}}, size={list(asked)}): the "
            f"number of sizes provided ({len(asked)}) must be greater or equal to the number of "
            f"dimensions in the tensor ({len(shape)})"
        )
    if -1 in asked[:new]:
        raise RuntimeError(
            "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing "
            f"dimension {asked.index(-1)}"
        )
    for axis, n in reversed(list(enumerate(shape))):  # PyTorch begins at the last
        wanted = asked[new + axis]
        if wanted not in (-1, n) and n != 1:
            where = {"wanted": wanted, "existing": n, "d": new + axis}
            raise RuntimeError(
                errors.NOT_EXPANDABLE.format(**where, target=list(asked), shape=list(shape))
            )
    full = (1,) * new + shape
    return tuple([full[axis] if n == -1 else n for axis, n in enumerate(asked)])


def parts_of(sizes: tuple[int, ...], axis: int, n: int) -> tuple[int, ...]:
    """The sizes with -1 filled in. Raises RuntimeError where they do not make up an axis."""
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    if sizes.count(-1) < 2:
        try:
            return completed(sizes, n)
        except RuntimeError:
            raise RuntimeError(
                f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim "
                f"{axis} ({n}) in the input tensor"
            ) from None
    raise RuntimeError("unflatten got an unexpected error:\nonly one dimension can be inferred")
