"""The views over again as copies, under the names that PyTorch gives them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.functions import shapes, sizes
from engine.functions.arrangement import diagonal_params
from engine.functions.elementwise import clone
from engine.functions.outputs import together
from engine.functions.pieces import check_sizes, sizes_of_split
from engine.functions.shapes import axis_of
from engine.functions.strided import (
    narrow_params,
    select_params,
    slice_params,
    strided_params,
    unfold_params,
)
from engine.ops import OPS
from engine.tensor import Tensor, apply


def _copy(name: str, input: Tensor, **params: Any) -> Tensor:
    return apply(OPS[f"{name}_copy"], (input,), params)


def view_copy(input: Tensor, size: Any) -> Tensor:
    """A copy in another shape, or a copy of the memory seen as another dtype."""
    if not isinstance(size, (tuple, list)):
        made: Tensor = clone(shapes.view(input, size))
        return made
    return _copy("view", input, shape=shapes.checked_shape("view", input, tuple(size)))


def expand_copy(input: Tensor, size: Sequence[int], *, implicit: bool = False) -> Tensor:
    """`expand`, copied."""
    return _copy("expand", input, shape=sizes.expanded_shape(input, tuple(size)))


def permute_copy(input: Tensor, dims: Sequence[int]) -> Tensor:
    """`permute`, copied."""
    return _copy("permute", input, dims=sizes.checked_order(input, tuple(dims)))


def transpose_copy(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """`transpose`, copied."""
    ndim = input._array.ndim
    return _copy("transpose", input, dim0=axis_of(dim0, ndim), dim1=axis_of(dim1, ndim))


def t_copy(input: Tensor) -> Tensor:
    """`t`, copied."""
    sizes.check_matrix(input)
    return _copy("t", input)


def squeeze_copy(input: Tensor, dim: int | Sequence[int] | None = None) -> Tensor:
    """`squeeze`, copied."""
    return apply(OPS["squeeze_copy"], (input,), sizes.squeeze_params(input, dim))


def unsqueeze_copy(input: Tensor, dim: int) -> Tensor:
    """`unsqueeze`, copied."""
    return _copy("unsqueeze", input, dim=axis_of(dim, input._array.ndim + 1))


def alias_copy(input: Tensor) -> Tensor:
    """A copy."""
    return _copy("alias", input)


def detach_copy(input: Tensor) -> Tensor:
    """A copy without history."""
    found: Tensor = input.detach().clone()
    return found


def diagonal_copy(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """`diagonal`, copied."""
    return _copy("diagonal", input, **diagonal_params(offset, dim1, dim2, input._array.ndim))


def as_strided_copy(
    input: Tensor, size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None
) -> Tensor:
    """`as_strided`, copied."""
    return _copy("as_strided", input, **strided_params(input, size, stride, storage_offset))


def select_copy(input: Tensor, dim: int, index: int) -> Tensor:
    """`select`, copied."""
    return _copy("select", input, **select_params(input, dim, index))


def slice_copy(
    input: Tensor, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Tensor:
    """A slice along an axis, copied."""
    return _copy("slice", input, **slice_params(input, dim, start, end, step))


def narrow_copy(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    """`narrow`, copied."""
    return _copy("narrow", input, **narrow_params(input, dim, start, length))


def unfold_copy(input: Tensor, dimension: int, size: int, step: int) -> Tensor:
    """`unfold`, copied."""
    return _copy("unfold", input, **unfold_params(input, dimension, size, step))


def unbind_copy(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """`unbind`, copied."""
    axis = axis_of(dim, input._array.ndim)
    count = input._array.shape[axis]
    return together([_copy("unbind", input, dim=axis, index=i) for i in range(count)])


def split_copy(input: Tensor, split_size: int, dim: int = 0) -> tuple[Tensor, ...]:
    """`split`, copied."""
    axis = axis_of(dim, input._array.ndim)
    return _parts("split", input, axis, sizes_of_split(split_size, input._array.shape[axis]))


def split_with_sizes_copy(
    input: Tensor, split_sizes: Sequence[int], dim: int = 0
) -> tuple[Tensor, ...]:
    """`split_with_sizes`, copied."""
    axis = axis_of(dim, input._array.ndim)
    check_sizes(split_sizes, input._array.shape[axis], axis)
    return _parts("split_with_sizes", input, axis, split_sizes)


def _parts(name: str, input: Tensor, axis: int, sizes: Sequence[int]) -> tuple[Tensor, ...]:
    parts, start = [], 0
    for n in sizes:
        parts.append(_copy(name, input, dim=axis, start=start, stop=start + n, step=1))
        start += n
    return together(parts)
