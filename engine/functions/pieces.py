"""Tensors taken apart, and the questions one asks of a shape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from engine import dtypes, errors
from engine.functions import shapes
from engine.functions.elementwise import clone
from engine.functions.shapes import axis_of
from engine.ops import OPS
from engine.tensor import Tensor, apply


def _together(outputs: list[Tensor]) -> tuple[Tensor, ...]:
    """Outputs of one node: they share its place in the order and count its outputs."""
    for number, out in enumerate(outputs):
        if out._node is not None and outputs[0]._node is not None:
            out._node.number = number
            out._node.sequence = outputs[0]._node.sequence
    return tuple(outputs)


def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """The slices along an axis, without it."""
    if not input._array.ndim:
        raise (
            IndexError(errors.NO_SUCH_AXIS.format(low=-1, high=0, d=dim))
            if dim
            not in (
                0,
                -1,
            )
            else RuntimeError("Dimension specified as 0 but tensor has no dimensions")
        )
    axis = axis_of(dim, input._array.ndim)
    op = OPS["unbind"]
    return _together(
        [apply(op, (input,), {"dim": axis, "index": i}) for i in range(input._array.shape[axis])]
    )


def split(
    tensor: Tensor, split_size_or_sections: int | Sequence[int], dim: int = 0
) -> tuple[Tensor, ...]:
    """Pieces along an axis: of one size (the last may be smaller), or of the sizes given."""
    axis = axis_of(dim, tensor._array.ndim)
    n = tensor._array.shape[axis]
    if isinstance(split_size_or_sections, int):
        size = split_size_or_sections
        if size <= 0:
            raise RuntimeError(
                f"split expects split_size be non-negative, but got split_size={size}"
            )
        sizes = [min(size, n - start) for start in range(0, n, size)] or [0]
        name = "split"
    else:
        name = "split_with_sizes"
        sizes = list(split_size_or_sections)
        if sum(sizes) != n:
            raise RuntimeError(errors.SPLIT_SIZES.format(n=n, d=axis, sizes=sizes))
    stops = np.cumsum(sizes).tolist()
    return _together(
        [
            apply(
                OPS[name],
                (tensor,),
                {"dim": axis, "start": stop - size, "stop": stop, "step": 1},
            )
            for size, stop in zip(sizes, stops, strict=True)
        ]
    )


def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """At most so many pieces of equal size along an axis."""
    n = input._array.shape[axis_of(dim, input._array.ndim)]
    return split(input, max(1, -(-n // chunks)), dim)


def narrow(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    """`length` places along an axis from `start` on."""
    axis = axis_of(dim, input._array.ndim)
    params = {"dim": axis, "start": start, "stop": start + length, "step": 1}
    return apply(OPS["slice"], (input,), params)


def iterate(self: Tensor) -> Iterator[Tensor]:
    """The slices along the first axis."""
    if not self._array.ndim:
        raise TypeError("iteration over a 0-d tensor")
    return iter(unbind(self))


def gather(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Along an axis, the elements at `index`, which has as many axes as the tensor."""
    return apply(OPS["gather"], (input, index), {"dim": axis_of(dim, input._array.ndim)})


def size(self: Tensor, dim: int | None = None) -> Any:
    """The shape, or the size of one axis."""
    shape = self._array.shape
    return dtypes.Size(shape) if dim is None else shape[axis_of(dim, len(shape))]


def numel(input: Tensor) -> int:
    """The number of elements."""
    return input._array.size


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
        unbind, split, chunk, narrow, numel, gather,
    )
} | {
    "concat": shapes.cat,
    "concatenate": shapes.cat,
    "swapaxes": shapes.transpose,
    "ravel": lambda input: shapes.reshape(input, -1),
    "broadcast_to": lambda input, size: shapes.expand(input, *size),
    "is_floating_point": lambda input: input._array.dtype.kind == "f",
}  # fmt: skip
METHODS: dict[str, Any] = {
    "view": shapes.view,
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


class Device:
    """Where tensors live: "cpu" is the only place."""

    index: int | None = None

    def __init__(self, type: Any = "cpu", index: int | None = None) -> None:
        from engine.functions.elementwise import check_device

        check_device(type)
        self.type = "cpu"

    def __str__(self) -> str:
        return self.type

    def __repr__(self) -> str:
        return f"device(type='{self.type}')"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and other.type == self.type

    def __hash__(self) -> int:
        return hash(self.type)
