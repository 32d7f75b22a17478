"""Running sums, products and extremes along an axis, and the product over axes."""

from __future__ import annotations

from typing import Any

from engine import dtypes
from engine.functions.outputs import named_outputs
from engine.functions.shapes import axis_of
from engine.ops import OPS
from engine.tensor import Tensor, apply

_CUMMAX = named_outputs("cummax", "values", "indices")
_CUMMIN = named_outputs("cummin", "values", "indices")


def _typed(dtype: dtypes.dtype | None) -> dict[str, Any]:
    return {} if dtype is None else {"dtype": dtype._numpy}


def cumsum(input: Tensor, dim: int, *, dtype: dtypes.dtype | None = None) -> Tensor:
    """Running sums along an axis; integers are summed as int64."""
    return _scanned("cumsum", input, dim, dtype)


def cumprod(input: Tensor, dim: int, *, dtype: dtypes.dtype | None = None) -> Tensor:
    """Running products along an axis. The gradient is exact where factors are 0."""
    return _scanned("cumprod", input, dim, dtype)


def _scanned(name: str, input: Tensor, dim: int, dtype: dtypes.dtype | None) -> Tensor:
    axis = axis_of(dim, input._array.ndim)
    return apply(OPS[name], (input,), {"dim": axis, **_typed(dtype)})


def logcumsumexp(input: Tensor, dim: int) -> Tensor:
    """The logarithm of the running sum of exponentials along an axis."""
    if input._array.dtype.kind == "c":
        raise NotImplementedError("logcumsumexp of complex numbers is not available")
    return apply(OPS["logcumsumexp"], (input,), {"dim": axis_of(dim, input._array.ndim)})


def cummax(input: Tensor, dim: int) -> Any:
    """The largest element so far and its index, the latest one where several are equal."""
    return _CUMMAX(*_running("cummax", input, dim))


def cummin(input: Tensor, dim: int) -> Any:
    """The smallest element so far and its index, the latest one where several are equal."""
    return _CUMMIN(*_running("cummin", input, dim))


def _running(name: str, input: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    params = {"dim": axis_of(dim, input._array.ndim)}
    places = apply(OPS[f"{name}_places"], (input,), params)
    return apply(OPS[name], (input, places), params), places


def prod(
    input: Tensor,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    dtype: dtypes.dtype | None = None,
) -> Tensor:
    """The product along an axis, or of all elements. The gradient is exact at zeros."""
    axes: tuple[int, ...] | None = None
    if dim is not None:
        axis = axis_of(dim, input._array.ndim)
        axes = (axis,) if input._array.ndim else ()
    params = {"dim": axes, "keepdim": bool(keepdim), **_typed(dtype)}
    return apply(OPS["prod"], (input,), params)
