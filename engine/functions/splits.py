"""Tensors cut along an axis: at given places, into equal parts, without a view's bonds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.functions.outputs import together
from engine.functions.pieces import check_sizes, sizes_of_split, split
from engine.functions.shapes import axis_of
from engine.ops import OPS
from engine.tensor import Tensor, apply

Cuts = int | Sequence[int] | Tensor


def split_with_sizes(input: Tensor, split_sizes: Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    """Pieces of the sizes given along an axis."""
    return split(input, list(split_sizes), dim)


def _pieces(name: str, input: Tensor, sizes: Sequence[int], axis: int) -> tuple[Tensor, ...]:
    stops = np.cumsum(sizes).tolist()
    return together(
        [
            apply(OPS[name], (input,), {"dim": axis, "start": stop - n, "stop": stop, "step": 1})
            for n, stop in zip(sizes, stops, strict=True)
        ]
    )


def unsafe_split(tensor: Tensor, split_size: int, dim: int = 0) -> tuple[Tensor, ...]:
    """As `split`, without views."""
    axis = axis_of(dim, tensor._array.ndim)
    sizes = sizes_of_split(split_size, tensor._array.shape[axis])
    return _pieces("unsafe_split", tensor, sizes, axis)


def unsafe_split_with_sizes(
    input: Tensor, split_sizes: Sequence[int], dim: int = 0
) -> tuple[Tensor, ...]:
    """As `split_with_sizes`, without views."""
    axis = axis_of(dim, input._array.ndim)
    check_sizes(split_sizes, input._array.shape[axis], axis)
    return _pieces("unsafe_split_with_sizes", input, list(split_sizes), axis)


def unsafe_chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """As `chunk`, without views."""
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    size = input._array.shape[axis_of(dim, input._array.ndim)]
    each = -(-size // chunks)
    if not each:
        return unsafe_split_with_sizes(input, [0] * chunks, dim)
    return unsafe_split(input, each, dim)


def tensor_split(input: Tensor, indices_or_sections: Cuts, dim: int = 0) -> tuple[Tensor, ...]:
    """Views between the places given along an axis, or so many nearly equal ones."""
    if not input._array.ndim:
        raise RuntimeError(
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
        )
    axis = axis_of(dim, input._array.ndim)
    size = input._array.shape[axis]
    cuts = _numbers(indices_or_sections)
    if isinstance(cuts, int):
        if cuts <= 0:
            raise RuntimeError(f"number of sections must be larger than 0, got {cuts}")
        least, longer = divmod(size, cuts)
        cuts = [least * i + min(i, longer) for i in range(1, cuts)]
    bounds = zip([0, *cuts], [*cuts, size], strict=True)
    return tuple([_between(input, axis, start, stop) for start, stop in bounds])


def _between(input: Tensor, axis: int, start: int, stop: int) -> Tensor:
    size = input._array.shape[axis]
    first, last, step = slice(start, stop).indices(size)
    params = {"dim": axis, "start": first, "stop": max(first, last), "step": step}
    return apply(OPS["slice"], (input,), params)


def _numbers(given: Cuts) -> int | list[int]:
    if isinstance(given, Tensor):
        found: Any = given._array.tolist()
        return found if given._array.ndim else int(found)
    return given if isinstance(given, int) else list(given)


def _along(name: str, input: Tensor, given: Cuts, axis: int, least: int) -> tuple[Tensor, ...]:
    ndim = input._array.ndim
    if ndim < least:
        raise RuntimeError(
            f"torch.{name} requires a tensor with at least {least} dimension, but got a tensor "
            f"with {ndim} dimensions!"
        )
    size = input._array.shape[axis]
    if isinstance(given, int) and (given <= 0 or size % given):
        raise RuntimeError(
            f"torch.{name} attempted to split along dimension {axis}, but the size of the "
            f"dimension {size} is not divisible by the split_size {given}!"
        )
    return tensor_split(input, given, axis)


def hsplit(input: Tensor, indices_or_sections: Cuts) -> tuple[Tensor, ...]:
    """Views along the second axis; of a vector, along its only one."""
    axis = 0 if input._array.ndim == 1 else 1
    return _along("hsplit", input, indices_or_sections, axis, 1)


def vsplit(input: Tensor, indices_or_sections: Cuts) -> tuple[Tensor, ...]:
    """Views along the first axis."""
    return _along("vsplit", input, indices_or_sections, 0, 2)


def dsplit(input: Tensor, indices_or_sections: Cuts) -> tuple[Tensor, ...]:
    """Views along the third axis."""
    return _along("dsplit", input, indices_or_sections, 2, 3)
