"""Norms of vectors and matrices, and the condition number."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import dtypes
from engine.functions import reductions, shapes
from engine.functions.arithmetic import div, mul
from engine.functions.checks import check_floating, check_matrix
from engine.functions.elementwise import reciprocal, to
from engine.functions.shapes import axis_of
from engine.ops import OPS
from engine.tensor import Tensor, apply

Dim = int | Sequence[int] | None


def _in_dtype(name: str, x: Tensor, dtype: dtypes.dtype | None) -> Tensor:
    """The tensor in the dtype that a norm is to be taken in."""
    _check_dtype(name, x, dtype)
    return x if dtype is None else to(x, dtype)


def _check_dtype(name: str, x: Tensor, dtype: dtypes.dtype | None) -> None:
    """Raise RuntimeError where a norm cannot be taken in the dtype."""
    if x._array.dtype.kind not in "fc":
        raise RuntimeError(
            f"{name}: Expected a floating point or complex tensor as input. "
            f"Got {dtypes.word(x.dtype)}"
        )
    if dtype is None:
        return
    if not (dtype.is_floating_point or dtype.is_complex):
        raise RuntimeError(
            f"{name}: dtype should be floating point or complex, but got {dtypes.word(dtype)}"
        )
    if x.dtype.is_complex != dtype.is_complex:
        kind = "complex" if x.dtype.is_complex else "real"
        raise RuntimeError(
            f"{name}: dtype should be {kind} for {kind} inputs, but got {dtypes.word(dtype)}"
        )
    if dtypes.promote_types(x.dtype, dtype) is not dtype:
        raise RuntimeError(
            f"{name}: the dtype of the input ({dtypes.word(x.dtype)}) should be convertible "
            f"without narrowing to the specified dtype ({dtypes.word(dtype)})"
        )


def vector_norm(
    input: Tensor,
    ord: float | str = 2,
    dim: Dim = None,
    keepdim: bool = False,
    *,
    dtype: dtypes.dtype | None = None,
) -> Tensor:
    """(sum |x|^ord)^(1/ord) over the axes `dim`, or over all."""
    name = "linalg.vector_norm"
    if isinstance(ord, str):
        raise TypeError(
            f"linalg_vector_norm(): argument 'ord' (position 2) must be Number, not "
            f"{type(ord).__name__}"
        )
    _check_identity(name, input, ord, dim)
    _check_dtype(name, input, dtype)
    axes = None if dim is None or dim == () else shapes.axes_of(dim, input._array.ndim)
    power = 2 if ord == 2 else float(ord)
    params = {"ord": power, "dim": axes, "keepdim": bool(keepdim)}
    if dtype is not None and dtype is not input.dtype:
        return apply(OPS["vector_norm_in"], (input,), {**params, "kind": dtype._numpy})
    return apply(OPS["vector_norm"], (input,), params)


def _check_identity(name: str, x: Tensor, ord: float, dim: Dim) -> None:
    """An empty tensor has no largest element and no negative power."""
    shape = x._array.shape
    if x._array.size or not (ord < 0 or ord == math.inf):
        return
    axes = None if dim is None or dim == () else shapes.axes_of(dim, len(shape))
    text = "because the operation does not have an identity"
    order = f"{ord:g}"
    if axes is None:
        raise RuntimeError(f"{name} cannot compute the {order} norm on an empty tensor {text}")
    for axis in axes:
        if not shape[axis]:
            raise RuntimeError(
                f"{name} cannot compute the {order} norm on the dimension {axis}because this "
                "dimension is empty and the operation does not have an identity"
            )


def _matrix_axes(x: Tensor, dim: Any) -> tuple[int, int]:
    """The two axes of the matrices."""
    given = [dim] if isinstance(dim, int) else list(dim)
    if len(given) != 2:
        raise RuntimeError(
            f"linalg.matrix_norm: dim must be a 2-tuple. Got {' '.join(map(str, given))}"
        )
    rows, columns = (axis_of(d, x._array.ndim) for d in given)
    if rows == columns:
        raise RuntimeError(
            f"linalg.matrix_norm: dims must be different. Got ({given[0]}, {given[1]})"
        )
    return rows, columns


def matrix_norm(
    input: Tensor,
    ord: float | str = "fro",
    dim: Any = (-2, -1),
    keepdim: bool = False,
    *,
    dtype: dtypes.dtype | None = None,
) -> Tensor:
    """A norm of each matrix: "fro", "nuc", or of order ±1, ±2, ±inf."""
    name = "linalg.matrix_norm"
    check_matrix(name, input)
    if input._array.dtype.kind not in "fc":
        check_floating(name, input)
    axes = _matrix_axes(input, dim)
    if isinstance(ord, str) and ord not in ("fro", "nuc"):
        raise RuntimeError(f"{name}: Order {ord} not supported.")
    if ord == "fro":
        return vector_norm(input, 2, axes, keepdim, dtype=dtype)
    if ord == "nuc":
        values = _values(_in_dtype(name, input, dtype), axes)
        return _put_back(reductions.sum(values, -1, keepdim), axes, keepdim)
    assert not isinstance(ord, str)
    if abs(ord) == 2:
        values = _values(_in_dtype(name, input, dtype), axes)
        return _put_back(_extreme(values, ord, -1, keepdim), axes, keepdim)
    if abs(ord) not in (1, math.inf):
        raise RuntimeError(f"{name}: Order {ord:g} not supported.")
    rows, columns = axes[::-1] if abs(ord) == math.inf else axes
    if not keepdim and rows < columns:
        columns -= 1
    sums = vector_norm(input, 1, rows, keepdim, dtype=dtype)
    return _extreme(sums, ord, columns, keepdim)


def _values(A: Tensor, axes: tuple[int, int]) -> Tensor:
    """The singular values of the matrices that lie in two axes."""
    from engine.functions.spectral import svdvals

    rest = [axis for axis in range(A._array.ndim) if axis not in axes]
    return svdvals(shapes.permute(A, *rest, *axes))


def _extreme(x: Tensor, ord: float, dim: int, keepdim: bool) -> Tensor:
    if not x._array.shape[dim] and ord > 0:  # the norm of a matrix without elements
        return Tensor(x._array.sum(dim, keepdims=keepdim))
    return (reductions.amax if ord > 0 else reductions.amin)(x, dim, keepdim)


def _put_back(x: Tensor, axes: tuple[int, int], keepdim: bool) -> Tensor:
    """With axes of length one where the matrices were."""
    if not keepdim:
        return x
    ndim = x._array.ndim + 1
    rest = [axis for axis in range(ndim) if axis not in axes]
    order = [*rest, *axes]
    wide = shapes.unsqueeze(x, -1)
    return shapes.permute(wide, *(order.index(axis) for axis in range(ndim)))


def linalg_norm(
    input: Tensor,
    ord: float | str | None = None,
    dim: Dim = None,
    keepdim: bool = False,
    *,
    dtype: dtypes.dtype | None = None,
) -> Tensor:
    """A norm of vectors or matrices; of all elements where neither order nor axes are given."""
    ndim = input._array.ndim
    axes = None if dim is None else [dim] if isinstance(dim, int) else list(dim)
    if axes is not None and len(axes) not in (1, 2):
        raise RuntimeError(
            f"linalg.norm: If dim is specified, it must be of length 1 or 2. Got {axes}"
        )
    if axes is None and ord is not None and ndim not in (1, 2):
        raise RuntimeError(
            "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. "
            f"Got {ndim}D."
        )
    if ord is None:
        return vector_norm(input, 2, axes, keepdim, dtype=dtype)
    if isinstance(ord, str):
        return matrix_norm(input, ord, (-2, -1) if axes is None else axes, keepdim, dtype=dtype)
    if (axes is not None and len(axes) == 2) or (axes is None and ndim == 2):
        return matrix_norm(input, ord, (0, 1) if axes is None else axes, keepdim, dtype=dtype)
    return vector_norm(input, ord, (0,) if axes is None else axes, keepdim, dtype=dtype)


def norm(
    input: Tensor,
    p: float | str | None = "fro",
    dim: Dim = None,
    keepdim: bool = False,
    out: Tensor | None = None,
    dtype: dtypes.dtype | None = None,
) -> Tensor:
    """The p-norm over the axes `dim`, or over all; "nuc" sums singular values."""
    if out is not None:
        raise NotImplementedError("norm(out=…) is not available")
    axes = None if dim is None else [dim] if isinstance(dim, int) else list(dim)
    if isinstance(p, str):
        if p == "fro" and (axes is None or len(axes) <= 2):
            return vector_norm(input, 2, axes, keepdim, dtype=dtype)
        if axes is None:
            axes = list(range(input._array.ndim))
        return matrix_norm(input, p, axes, keepdim, dtype=dtype)
    return vector_norm(input, 2 if p is None else p, axes, keepdim, dtype=dtype)


def cond(input: Tensor, p: float | str | None = None) -> Tensor:
    """How far relative errors can grow when a system with this matrix is solved."""
    from engine.functions.solving import inv_ex
    from engine.functions.spectral import svdvals

    if input._array.ndim < 2:
        raise RuntimeError("linalg.cond: The input tensor must have at least 2 dimensions.")
    if not input._array.size:
        kind = input._array.real.dtype
        return Tensor(np.zeros(input._array.shape[:-2], kind))
    if p is None or (not isinstance(p, str) and abs(p) == 2):
        values = svdvals(input)
        last = values._array.shape[-1]
        largest, smallest = (_piece(values, k) for k in (0, last - 1))
        ratio = div(smallest, largest) if p == -2 else div(largest, smallest)
        return shapes.squeeze(ratio, -1)
    if p == "nuc":
        values = svdvals(input)
        return mul(reductions.sum(values, -1), reductions.sum(reciprocal(values), -1))
    _check_regular(input, p)
    found, info = inv_ex(input)
    # In place, as PyTorch does it, whose backward pass then misses the inverse it had saved.
    inverse = found.masked_fill_(Tensor(info._array[..., None, None] != 0), math.inf)
    product = mul(matrix_norm(input, p), matrix_norm(inverse, p))
    return product.nan_to_num(math.inf, math.inf, -math.inf)  # type: ignore[no-any-return]


def _piece(values: Tensor, place: int) -> Tensor:
    params = {"dim": values._array.ndim - 1, "start": place, "stop": place + 1, "step": 1}
    return apply(OPS["slice"], (values,), params)


def _check_regular(A: Tensor, p: float | str) -> None:
    m, n = A._array.shape[-2:]
    if m != n:
        raise RuntimeError(
            f"linalg.cond({p}): A must be batches of square matrices, but they are {m} by {n} "
            "matrices"
        )
