"""Functions that change axes and leave the numbers: views, joins, parts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import dtypes, errors
from engine.ops import OPS
from engine.tensor import Tensor, apply, refuse

Shape = Sequence[int]


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


def _complete(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
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


def _is_view(array: Any, shape: tuple[int, ...]) -> bool:
    """Whether an array can take the shape without being copied."""
    if array.flags.c_contiguous or not array.size:
        return True
    return np.may_share_memory(np.reshape(array, shape), array)


def view(self: Tensor, *shape: Any) -> Tensor:
    """The same memory in another shape, or seen as another dtype of the same size."""
    if len(shape) == 1 and isinstance(shape[0], dtypes.dtype):
        if shape[0].itemsize != self._array.dtype.itemsize:
            raise NotImplementedError("view as a dtype of another size is not available")
        return Tensor(self._array.view(shape[0]._numpy))
    asked = sizes_from(shape)
    wanted = checked_shape("view", self, asked)
    if not _is_view(self._array, wanted):
        refuse("view", (self,), {"shape": wanted}, RuntimeError(errors.NOT_VIEWABLE))
    return apply(OPS["view"], (self,), {"shape": wanted})


def checked_shape(name: str, input: Tensor, asked: tuple[int, ...]) -> tuple[int, ...]:
    """The shape with its -1 filled in. Raises RuntimeError where the elements do not fill it."""
    try:
        return _complete(asked, input._array.size)
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


def unflatten(input: Tensor, dim: int, sizes: Sequence[int]) -> Tensor:
    """One axis as several."""
    shape = input._array.shape
    axis = axis_of(dim, len(shape))
    inner = _parts_of(tuple(sizes), axis, shape[axis])
    return view(input, (*shape[:axis], *inner, *shape[axis + 1 :]))


def _parts_of(sizes: tuple[int, ...], axis: int, n: int) -> tuple[int, ...]:
    """The sizes with -1 filled in. Raises RuntimeError where they do not make up an axis."""
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    if sizes.count(-1) < 2:
        try:
            return _complete(sizes, n)
        except RuntimeError:
            raise RuntimeError(
                f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim "
                f"{axis} ({n}) in the input tensor"
            ) from None
    raise RuntimeError("unflatten got an unexpected error:\nonly one dimension can be inferred")


def squeeze(input: Tensor, dim: int | Sequence[int] | None = None) -> Tensor:
    """Without its axes of length one, or without those of `dim` that are."""
    return apply(OPS["squeeze"], (input,), squeeze_params(input, dim))


def squeeze_params(input: Tensor, dim: int | Sequence[int] | None) -> dict[str, Any]:
    """The axes that a squeeze looks at, and which of PyTorch's three squeezes it is."""
    shape = input._array.shape
    if dim is None:
        return {"dim": tuple([axis for axis, n in enumerate(shape) if n == 1])}
    return {"dim": axes_of(dim, len(shape)), "kind": 1 if isinstance(dim, int) else 2}


def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """With a new axis of length one at `dim`."""
    return apply(OPS["unsqueeze"], (input,), {"dim": axis_of(dim, input._array.ndim + 1)})


def t(input: Tensor) -> Tensor:
    """The transpose of a matrix; vectors stay."""
    check_matrix(input)
    return apply(OPS["t"], (input,), {})


def check_matrix(input: Tensor) -> None:
    """Raise RuntimeError where there are more than two axes."""
    if input._array.ndim > 2:
        raise RuntimeError(
            f"t() expects a tensor with <= 2 dimensions, but self is {input._array.ndim}D"
        )


def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """With two axes swapped."""
    ndim = input._array.ndim
    return apply(
        OPS["transpose"], (input,), {"dim0": axis_of(dim0, ndim), "dim1": axis_of(dim1, ndim)}
    )


def permute(input: Tensor, *dims: Any, **given: Any) -> Tensor:
    """With its axes in another order."""
    order = sizes_from((given["dims"],) if given else dims)
    return apply(OPS["permute"], (input,), {"dims": checked_order(input, order)})


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


def expand(self: Tensor, *sizes: Any) -> Tensor:
    """Axes of length one repeated, new ones in front, without a copy; -1 keeps a size."""
    return apply(OPS["expand"], (self,), {"shape": expanded_shape(self, sizes_from(sizes))})


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
    for axis, n in enumerate(shape):
        wanted = asked[new + axis]
        if wanted not in (-1, n) and n != 1:
            where = {"wanted": wanted, "existing": n, "d": new + axis}
            raise RuntimeError(
                errors.NOT_EXPANDABLE.format(**where, target=list(asked), shape=list(shape))
            )
    full = (1,) * new + shape
    return tuple([full[axis] if n == -1 else n for axis, n in enumerate(asked)])


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
    return apply(OPS["cat"], full, {"dim": axis})


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
