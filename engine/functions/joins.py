"""Tensors put side by side, brought to one shape, and combined element with element."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import dtypes, errors
from engine.functions.reductions import sum
from engine.functions.shapes import (
    cat,
    expand,
    reshape,
    sizes_from,
    stack,
    transpose,
    unsqueeze,
)
from engine.tensor import Tensor

_MESHGRID = (
    "torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument."
)


def _listed(tensors: tuple[Any, ...]) -> list[Tensor]:
    """Tensors given one by one or as one sequence."""
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        return list(tensors[0])
    return list(tensors)


def _each(function: Any, tensors: tuple[Any, ...]) -> Any:
    """The function of one tensor, or the tuple of those of several."""
    if len(tensors) == 1 and isinstance(tensors[0], Tensor):
        return function(tensors[0])
    return tuple([function(t) for t in _listed(tensors)])


def _one(x: Tensor) -> Tensor:
    return x if x._array.ndim else reshape(x, 1)


def _two(x: Tensor) -> Tensor:
    if not x._array.ndim:
        return reshape(x, 1, 1)
    return unsqueeze(x, 0) if x._array.ndim == 1 else x


def _three(x: Tensor) -> Tensor:
    ndim = x._array.ndim
    if not ndim:
        return reshape(x, 1, 1, 1)
    if ndim == 1:
        return unsqueeze(unsqueeze(x, 0), -1)
    return unsqueeze(x, -1) if ndim == 2 else x


def atleast_1d(*tensors: Any) -> Any:
    """Each tensor with one axis at least."""
    return _each(_one, tensors)


def atleast_2d(*tensors: Any) -> Any:
    """Each tensor with two axes at least; a vector becomes a row."""
    return _each(_two, tensors)


def atleast_3d(*tensors: Any) -> Any:
    """Each tensor with three axes at least; a vector lies along the second of them."""
    return _each(_three, tensors)


def _some(name: str, tensors: Sequence[Tensor]) -> list[Tensor]:
    if not len(tensors):
        raise RuntimeError(f"{name} expects a non-empty TensorList")
    return list(tensors)


def hstack(tensors: Sequence[Tensor]) -> Tensor:
    """The tensors one after the other along the second axis, vectors along their only one."""
    parts = [_one(t) for t in _some("hstack", tensors)]
    return cat(parts, 0 if parts[0]._array.ndim == 1 else 1)


def vstack(tensors: Sequence[Tensor]) -> Tensor:
    """The tensors below each other; vectors count as rows."""
    return cat([_two(t) for t in _some("vstack", tensors)], 0)


def dstack(tensors: Sequence[Tensor]) -> Tensor:
    """The tensors one after the other along the third axis."""
    return cat([_three(t) for t in _some("dstack", tensors)], 2)


row_stack = vstack


def column_stack(tensors: Sequence[Tensor]) -> Tensor:
    """Vectors as the columns of a matrix; matrices side by side."""
    parts = _some("column_stack", tensors)
    columns = [t if t._array.ndim > 1 else t.reshape(t._array.size, 1) for t in parts]
    return hstack(columns)


def broadcast_shapes(*shapes: Any) -> dtypes.Size:
    """The shape that all the shapes broadcast to."""
    found: tuple[int, ...] = ()
    for shape in shapes:
        other = (shape,) if isinstance(shape, int) else tuple(shape)
        found = _met(found, other)
    return dtypes.Size(found)


def _met(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    ndim = max(len(a), len(b))
    a, b = (1,) * (ndim - len(a)) + a, (1,) * (ndim - len(b)) + b
    for d in reversed(range(ndim)):
        if a[d] != b[d] and 1 not in (a[d], b[d]):
            raise RuntimeError(errors.SIZES_DIFFER.format(a=a[d], b=b[d], d=d))
    return tuple([n if m == 1 else m for m, n in zip(a, b, strict=True)])


def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    """Each tensor expanded to the shape that all broadcast to."""
    parts = _listed(tensors)
    shape = broadcast_shapes(*[t._array.shape for t in parts])
    return tuple([t if t._array.shape == shape else expand(t, *shape) for t in parts])


def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """The coordinates of a grid: each vector along its own axis, expanded over the others.

    With `indexing="xy"` the first vector runs along the second axis.
    """
    parts = _some("meshgrid", _listed(tensors))
    if indexing is None:
        errors.warn_once(_MESHGRID)
    if indexing not in (None, "ij", "xy"):
        raise RuntimeError(
            'torch.meshgrid: indexing must be one of "xy" or "ij", but received: ' + indexing
        )
    for t in parts:
        if t._array.ndim > 1:
            raise RuntimeError(
                f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {t!r}"
            )
        if t._array.dtype != parts[0]._array.dtype:
            raise RuntimeError("meshgrid expects all tensors to have the same dtype")
    swap = indexing == "xy" and len(parts) >= 2
    if swap:
        parts[:2] = parts[1::-1]
    shape = [t._array.size for t in parts]
    grids = [
        expand(t.view(*[-1 if d == axis else 1 for d in range(len(parts))]), *shape)
        for axis, t in enumerate(parts)
    ]
    if swap:
        grids[:2] = grids[1::-1]
    return tuple(grids)


def _check_vectors(tensors: Sequence[Tensor]) -> None:
    for t in tensors:
        if t._array.ndim != 1:
            raise RuntimeError(f"Expect a 1D vector, but got shape {list(t._array.shape)}")


def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """All choices of `r` elements of a vector, in order, as rows."""
    _check_vectors([input])
    if r < 0:
        raise RuntimeError(f"Expect a non-negative number, but got {r}")
    if not r:
        return Tensor(np.zeros((0,), input._array.dtype))
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    rows = np.array(list(choose(range(input._array.size), r)), np.int64).reshape(-1, r)
    mask = np.zeros((input._array.size,) * r, bool)
    mask[tuple(rows.T)] = True
    kept = Tensor(mask)
    return stack([g.masked_select(kept) for g in meshgrid(*[input] * r, indexing="ij")], 1)


def cartesian_prod(*tensors: Any) -> Tensor:
    """All ways to take one element of each vector, as rows; a single vector as it is."""
    parts = _listed(tensors)
    _check_vectors(parts)
    if len(parts) == 1:
        return parts[0]
    return stack([g.flatten() for g in meshgrid(*parts, indexing="ij")], 1)


def sum_to_size(self: Tensor, *size: Any) -> Tensor:
    """Summed over the axes along which a tensor of that size is broadcast to this one."""
    wanted = sizes_from(size)
    shape = self._array.shape
    lead = len(shape) - len(wanted)
    if lead < 0 or any(m not in (1, n) for m, n in zip(wanted, shape[lead:], strict=True)):
        raise RuntimeError(f"size {{{list(wanted)}}} is not expandable to size {{{list(shape)}}}.")
    axes = [*range(lead)]
    axes += [axis for axis in range(lead, len(shape)) if wanted[axis - lead] == 1 != shape[axis]]
    if not axes:
        return self
    found = sum(self, axes, True)
    return found.view(*wanted) if lead else found


def swapdims(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """With two axes swapped."""
    return transpose(input, dim0, dim1)
