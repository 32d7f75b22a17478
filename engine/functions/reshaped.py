"""A tensor's own axes changed in place, as in `x.unsqueeze_(0)`: the memory stays as it is."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from engine.functions.in_place import check_writable
from engine.functions.sizes import axis_of, check_matrix, squeeze_params
from engine.hooks import watch_of
from engine.ops import OPS
from engine.record import ACTIVE
from engine.tensor import Tensor, apply, counter_of

# The tensor's own reference to its count of writes, and the one that `getrefcount` is handed.
_OWN = 2


def _reshaped(self: Tensor, row: str, params: Mapping[str, Any]) -> Tensor:
    """Give the tensor the shape and the history of a view of itself."""
    check_writable(self)
    if self._base is None and self._requires_grad and self._writes is not None:
        node = self._node
        saved = node is not None and node.output_writes is self._writes
        if sys.getrefcount(self._writes) > _OWN + saved:
            raise NotImplementedError(
                "the axes of a tensor that has views cannot be changed in place here"
            )
    made = apply(OPS[row], (_as_it_was(self),), params)
    self._array = made._array
    self._node, self._requires_grad, self._leaf = made._node, made._requires_grad, None
    if self._base is not None:
        self._chain, self._seen = made._chain, made._seen
    self._written()
    if self._retains_grad and self._node is not None:
        watch_of(self._node).retained = self
    if ACTIVE.record is not None:
        ACTIVE.record.bind(self, ACTIVE.record.number_of(made))
    return self


def _as_it_was(self: Tensor) -> Tensor:
    """A stand-in for the tensor before, with its history and, of a view, its base."""
    before = Tensor(self._array)
    before._node, before._leaf = self._node, self._leaf
    before._requires_grad = self._requires_grad
    before._writes = counter_of(self)  # the node that made the array hears of the write
    if self._base is not None:
        before._base, before._chain, before._seen = self._base, self._chain, self._seen
    if ACTIVE.record is not None:
        ACTIVE.record.bind(before, ACTIVE.record.number_of(self))
    return before


def unsqueeze_(self: Tensor, dim: int) -> Tensor:
    """`unsqueeze`, in place."""
    axis = axis_of(dim, self._array.ndim + 1)
    return _reshaped(self, "unsqueeze_inside", {"dim": axis})


def squeeze_(self: Tensor, dim: int | Sequence[int] | None = None) -> Tensor:
    """`squeeze`, in place."""
    params = squeeze_params(self, dim)
    return _reshaped(self, "squeeze", params | {"kind": params.get("kind", 0) + 3})


def transpose_(self: Tensor, dim0: int, dim1: int) -> Tensor:
    """`transpose`, in place."""
    ndim = self._array.ndim
    params = {"dim0": axis_of(dim0, ndim), "dim1": axis_of(dim1, ndim)}
    return _reshaped(self, "transpose_inside", params)


swapaxes_ = swapdims_ = transpose_


def t_(self: Tensor) -> Tensor:
    """`t`, in place."""
    check_matrix(self)
    return _reshaped(self, "t_inside", {})


def fill_diagonal_(self: Tensor, fill_value: float, wrap: bool = False) -> Tensor:
    """A number on the main diagonal, in place; with `wrap` again below where a matrix is tall."""
    shape = self._array.shape
    if len(shape) < 2:
        raise RuntimeError("dimensions must larger than 1")
    if len(shape) > 2 and len(set(shape)) > 1:
        raise RuntimeError("all dimensions of input must be of equal length")
    strides = [step // self._array.itemsize for step in self._array.strides]
    size, step, start = min(shape), sum(strides), self.storage_offset()
    self.as_strided((size,), (step,), start).fill_(fill_value)
    height, width = shape[0], shape[1]
    if wrap and len(shape) == 2 and height > width + 1:
        again = -(-self._array.size // (width + 1)) - size
        self.as_strided((again,), (step,), start + strides[0] * (width + 1)).fill_(fill_value)
    return self
