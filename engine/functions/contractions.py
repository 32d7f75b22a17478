"""Products of many shapes, taken apart into the few that are rows, as PyTorch does it."""

from __future__ import annotations

import math
from typing import Any

from engine import dtypes
from engine.functions import shapes
from engine.functions.arithmetic import mul
from engine.functions.complexes import conj
from engine.functions.products import dot, mm
from engine.functions.reductions import sum as sum_
from engine.functions.sums import vdot
from engine.ops import OPS
from engine.tensor import Tensor, apply


def inner(input: Tensor, other: Tensor) -> Tensor:
    """The sum of products over the last axis of both; with a 0-d tensor, their product."""
    a, b = input._array.shape, other._array.shape
    if not a or not b:
        return mul(input, other)
    if a[-1] != b[-1]:
        raise RuntimeError(
            "inner() the last dimension must match on both input tensors but got shapes "
            f"{list(a)} and {list(b)}"
        )
    return tensordot(input, other, ([-1], [-1]))


def tensordot(a: Tensor, b: Tensor, dims: Any = 2) -> Tensor:
    """The sum of products over pairs of axes: the last `dims` of a and first of b, or two lists.

    Raises RuntimeError where the axes' sizes or the dtypes differ.
    """
    first, second = _axes_to_contract(a, b, dims)
    if len(first) != len(second):
        raise RuntimeError("both dimension lists should have same length")
    if a._array.dtype != b._array.dtype:
        raise RuntimeError("both inputs should have same dtype")
    x, y = a._array.shape, b._array.shape
    for i, j in zip(first, second, strict=True):
        if x[i] == 1 or y[j] == 1:
            continue
        if x[i] != y[j]:
            raise RuntimeError(
                f"contracted dimensions need to match, but first has size {x[i]} in dim {i} and "
                f"second has size {y[j]} in dim {j}"
            )
    for i, j in zip(first, second, strict=True):
        if x[i] == 1 != y[j]:
            b = sum_(b, j, keepdim=True)
        elif y[j] == 1 != x[i]:
            a = sum_(a, i, keepdim=True)
    return _contracted(a, b, [i % len(x) for i in first], [j % len(y) for j in second])


def _axes_to_contract(a: Tensor, b: Tensor, dims: Any) -> tuple[list[int], list[int]]:
    if isinstance(dims, Tensor):
        dims = dims.tolist() if dims._array.size > 1 else int(dims)
    if not isinstance(dims, int):
        first, second = ([d] if isinstance(d, int) else list(d) for d in dims)
        return first, second
    if dims < 0:
        raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
    if dims > min(a._array.ndim, b._array.ndim):
        raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
    return list(range(-dims, 0)), list(range(dims))


def _contracted(a: Tensor, b: Tensor, first: list[int], second: list[int]) -> Tensor:
    x, y = a._array.shape, b._array.shape
    rows = [i for i in range(len(x)) if i not in first]
    columns = [j for j in range(len(y)) if j not in second]
    inside = math.prod(x[i] for i in first)
    left = shapes.permute(a, *rows, *first)
    right = shapes.permute(b, *second, *columns)
    shape = (*(x[i] for i in rows), *(y[j] for j in columns))
    if not rows and not columns:
        product = dot(_flat(left, (inside,)), _flat(right, (inside,)))
    else:
        tall = math.prod(x[i] for i in rows)
        wide = math.prod(y[j] for j in columns)
        product = mm(_flat(left, (tall, inside)), _flat(right, (inside, wide)))
    return shapes.reshape(product, shape)


def _flat(x: Tensor, shape: tuple[int, ...]) -> Tensor:
    return x if x._array.shape == shape == (x._array.size,) else shapes.reshape(x, shape)


def kron(input: Tensor, other: Tensor) -> Tensor:
    """The Kronecker product: every element of one times the whole of the other."""
    ndim = max(input._array.ndim, other._array.ndim)
    a = (1,) * (ndim - input._array.ndim) + input._array.shape
    b = (1,) * (ndim - other._array.ndim) + other._array.shape
    unsafe = OPS["unsafe_view"]
    left = apply(unsafe, (input,), {"shape": tuple(n for size in a for n in (size, 1))})
    right = apply(unsafe, (other,), {"shape": tuple(n for size in b for n in (1, size))})
    product = mul(left, right)
    return apply(unsafe, (product,), {"shape": tuple(m * n for m, n in zip(a, b, strict=True))})


def vecdot(x: Tensor, y: Tensor, *, dim: int = -1) -> Tensor:
    """The inner products of vectors along an axis; the first are conjugated."""
    if x._array.dtype != y._array.dtype:
        raise RuntimeError(
            f"linalg.vecdot: Expected x and y to have the same dtype, but found x of type "
            f"{dtypes.word(x.dtype)} and y of type {dtypes.word(y.dtype)} instead"
        )
    if x._array.ndim == y._array.ndim == 1:
        return vdot(x, y)
    return sum_(mul(conj(x), y), dim)
