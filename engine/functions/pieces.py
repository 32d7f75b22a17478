"""Tensors taken apart, and the questions one asks of a shape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from engine import dtypes, errors
from engine.functions import shapes
from engine.functions.device import Device
from engine.functions.elementwise import clone
from engine.functions.naming import numpy_names
from engine.functions.outputs import together
from engine.functions.shapes import axis_of
from engine.ops import OPS
from engine.tensor import Tensor, apply

_together = together


@numpy_names
def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """The slices along an axis, without it."""
    if not input._array.ndim:
        axis_of(dim, 0)
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    axis = axis_of(dim, input._array.ndim)
    op = OPS["unbind"]
    return together(
        [apply(op, (input,), {"dim": axis, "index": i}) for i in range(input._array.shape[axis])]
    )


def split(
    tensor: Tensor, split_size_or_sections: int | Sequence[int], dim: int = 0
) -> tuple[Tensor, ...]:
    """Pieces along an axis: of one size (the last may be smaller), or of the sizes given."""
    if not tensor._array.ndim:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    axis = axis_of(dim, tensor._array.ndim)
    n = tensor._array.shape[axis]
    if isinstance(split_size_or_sections, int):
        name, sizes = "split", sizes_of_split(split_size_or_sections, n)
    else:
        name, sizes = "split_with_sizes", list(split_size_or_sections)
        check_sizes(sizes, n, axis)
    stops = np.cumsum(sizes).tolist()
    return together(
        [
            apply(
                OPS[name],
                (tensor,),
                {"dim": axis, "start": stop - size, "stop": stop, "step": 1},
            )
            for size, stop in zip(sizes, stops, strict=True)
        ]
    )


def sizes_of_split(size: int, n: int) -> list[int]:
    """The sizes of pieces of one size, of which the last may be smaller."""
    if size < 0:
        raise RuntimeError(f"split expects split_size be non-negative, but got split_size={size}")
    if not size and n:
        raise RuntimeError(
            f"split_size can only be 0 if dimension size is 0, but got dimension size of {n}"
        )
    return [min(size, n - start) for start in range(0, n, size or 1)] or [0]


def check_sizes(sizes: Sequence[int], n: int, axis: int) -> None:
    """Raise RuntimeError unless the sizes add up to n."""
    if any(size < 0 for size in sizes):
        raise RuntimeError(
            "split_with_sizes expects split_sizes have only non-negative entries, but got "
            f"split_sizes={list(sizes)}"
        )
    if sum(sizes) != n:
        raise RuntimeError(errors.SPLIT_SIZES.format(n=n, d=axis, sizes=list(sizes)))


@numpy_names
def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """At most so many pieces of equal size along an axis."""
    if not input._array.ndim:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    n = input._array.shape[axis_of(dim, input._array.ndim)]
    return split(input, [0] * chunks if not n else -(-n // chunks), dim)


def iterate(self: Tensor) -> Iterator[Tensor]:
    """The slices along the first axis."""
    if not self._array.ndim:
        raise TypeError("iteration over a 0-d tensor")
    return iter(unbind(self))


def size(self: Tensor, dim: int | None = None) -> Any:
    """The shape, or the size of one axis."""
    shape = self._array.shape
    return dtypes.Size(shape) if dim is None else shape[axis_of(dim, len(shape))]


def numel(input: Tensor) -> int:
    """The number of elements."""
    return int(input._array.size)


def contiguous(self: Tensor, *, memory_format: Any = None) -> Tensor:
    """The tensor itself where its elements lie in row-major order, else a copy in that order."""
    if self._array.flags.c_contiguous:
        return self
    out: Tensor = clone(self)
    out._array = np.ascontiguousarray(out._array)
    if out._node is not None and out._node.output is not None:
        out._node.output = out._array
    return out


def _stride(self: Tensor, dim: int | None = None) -> Any:
    """How many elements apart neighbours along each axis lie."""
    steps = tuple(step // self._array.itemsize for step in self._array.strides)
    return steps if dim is None else steps[dim]


def _turned(self: Tensor) -> Tensor:
    if self._array.ndim != 2:
        text = errors.T_OF_0D if not self._array.ndim else errors.T_OF_MANY
        errors.warn_once(text)
    return shapes.permute(self, *range(self._array.ndim)[::-1])


def _matrices_turned(self: Tensor) -> Tensor:
    if not self._array.ndim:
        errors.warn_once(errors.T_OF_0D.replace("Tensor.T", "Tensor.mT"))
        return self
    if self._array.ndim < 2:
        raise RuntimeError(
            f"tensor.mT is only supported on matrices or batches of matrices. "
            f"Got {self._array.ndim}-D tensor."
        )
    return shapes.transpose(self, -2, -1)


FUNCTIONS: dict[str, Any] = {
    f.__name__: f
    for f in (
        shapes.reshape, shapes.flatten, shapes.unflatten, shapes.squeeze, shapes.unsqueeze,
        shapes.t, shapes.transpose, shapes.permute, shapes.movedim, shapes.cat, shapes.stack,
        unbind, split, chunk, numel,
    )
} | {
    "concat": shapes.cat,
    "concatenate": shapes.cat,
    "swapaxes": shapes.swapaxes,
    "ravel": lambda input: shapes.view(contiguous(input), -1),
    "broadcast_to": lambda input, size: shapes.expand(input, *size),
    "is_floating_point": lambda input: input._array.dtype.kind == "f",
}  # fmt: skip
METHODS: dict[str, Any] = {
    "view": shapes.view,
    "split": lambda self, split_size, dim=0: split(self, split_size, dim),
    "view_as": lambda self, other: shapes.view(self, *other._array.shape),
    "reshape_as": lambda self, other: shapes.reshape(self, *other._array.shape),
    "expand": shapes.expand,
    "expand_as": lambda self, other: shapes.expand(self, *other._array.shape),
    "contiguous": contiguous,
    "is_contiguous": lambda self, **_: bool(self._array.flags.c_contiguous),
    "stride": _stride,
    "size": size,
    "dim": lambda self: self._array.ndim,
    "ndimension": lambda self: self._array.ndim,
    "nelement": numel,
    "element_size": lambda self: self._array.itemsize,
    "data_ptr": lambda self: self._array.__array_interface__["data"][0],
    "T": property(_turned),
    "mT": property(_matrices_turned),
    "device": property(lambda self: Device("cpu")),
    "is_cuda": property(lambda self: False),
    "itemsize": property(lambda self: self._array.itemsize),
    "nbytes": property(lambda self: self._array.nbytes),
    "__iter__": iterate,
}
