"""Reductions: ops that make axes disappear."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.arrays import stretched
from engine.op import Op, Sample
from engine.ops.index import put_along
from engine.ops.kernels import kernel
from engine.ops.layout import row_major

Axes = tuple[int, ...] | None  # None: all axes


def kept(value: Any, shape: tuple[int, ...], dim: Axes, *, keepdim: bool) -> Any:
    """A reduced array with its lost axes back as axes of length one."""
    if keepdim or (dim is None and value.ndim == 0):
        return value
    axes = range(len(shape)) if dim is None else dim
    return np.reshape(value, tuple([1 if i in axes else n for i, n in enumerate(shape)]))


def spread(g: Any, shape: tuple[int, ...], dim: Axes, *, keepdim: bool) -> Any:
    """The cotangent of a sum: each summand receives the whole of it."""
    if type(g) is np.ndarray and g.size == 1:
        return stretched(g, shape)
    return np.broadcast_to(kept(g, shape, dim, keepdim=keepdim), shape)


def _count(shape: tuple[int, ...], dim: Axes) -> int:
    count = 1
    for axis, size in enumerate(shape):
        if dim is None or axis in dim:
            count *= size
    return count


def _full_or_dim(name: str) -> Any:
    """PyTorch names the node of a reduction over everything …0, over chosen axes …1."""

    def named(params: Mapping[str, Any]) -> str:
        return f"{name}Backward{0 if params.get('dim') is None else 1}"

    return named


def _sum(x: Any, *, dim: Axes, keepdim: bool, dtype: Any = None) -> Any:
    kind = x.dtype
    if dtype is None and kind.kind in "iub":
        dtype = np.int64
    elif kind.char == "e" and dtype in (None, x.dtype):  # summed in single precision
        return np.asarray(_sum(x, dim=dim, keepdim=keepdim, dtype=np.float32)).astype(x.dtype)
    made = np.add.reduce(x, dim, dtype, None, keepdim)  # type: ignore[call-overload]
    return made if dim is None or made.flags.c_contiguous else np.ascontiguousarray(made)


def _sum_back(g: Any, y: Any, x: Any, *, dim: Axes, keepdim: bool, dtype: Any = None) -> Any:
    if type(g) is np.ndarray and g.size == 1:
        return stretched(g, x.shape)
    return spread(g, x.shape, dim, keepdim=keepdim)


def _sum_many(g: Any, y: Any, x: Any, *, dim: Axes, keepdim: bool, dtype: Any = None) -> Any:
    lost = [1 if dim is None or axis in dim else n for axis, n in enumerate(x.shape)]
    return np.broadcast_to(np.reshape(g, (g.shape[0], *lost)), (g.shape[0], *x.shape))


@row_major
def _mean(x: Any, *, dim: Axes, keepdim: bool, dtype: Any = None) -> Any:
    kind = x.dtype if dtype is None else dtype
    total = x.sum(dim, np.float32 if kind == np.float16 else kind, None, keepdim)
    return (total / kind.type(_count(x.shape, dim))).astype(kind)


def _mean_back(g: Any, y: Any, x: Any, *, dim: Axes, keepdim: bool, dtype: Any = None) -> Any:
    return spread(g, x.shape, dim, keepdim=keepdim) / _count(x.shape, dim)


def _shared(g: Any, y: Any, x: Any, *, dim: Axes = None, keepdim: bool = False) -> Any:
    """The gradient of an extreme value is shared evenly among the elements that reach it."""
    reached = x == kept(y, x.shape, dim, keepdim=keepdim)
    count = np.sum(reached, axis=dim, keepdims=True)
    return kept(g, x.shape, dim, keepdim=keepdim) * reached / count


def _mean_many(g: Any, y: Any, x: Any, *, dim: Axes, keepdim: bool, dtype: Any = None) -> Any:
    return _sum_many(g, y, x, dim=dim, keepdim=keepdim) / _count(x.shape, dim)


def shared(g: Any, y: Any, x: Any, *, is_nan: bool) -> Any:
    """As `_shared`, over everything; where the result is nan, among the elements that are."""
    reached = np.isnan(x) if is_nan else x == y
    return np.where(reached, g / np.sum(reached), 0)


def found_nan(y: Any, x: Any) -> dict[str, bool]:
    """Whether a single result is nan."""
    return {"is_nan": bool(y != y)}


@row_major
def _logsumexp(x: Any, *, dim: Axes, keepdim: bool) -> Any:
    if not x.size:
        return np.log(np.sum(np.exp(x), axis=dim, keepdims=keepdim))
    top = np.max(x.real, axis=dim, keepdims=True)
    top = np.where(np.isfinite(top), top, np.zeros_like(top))
    total = np.log(np.sum(np.exp(x - top), axis=dim, keepdims=keepdim))
    return total + (top if keepdim else np.reshape(top, np.shape(total)))


def _logsumexp_back(g: Any, y: Any, x: Any, *, dim: Axes, keepdim: bool) -> Any:
    total = kept(y, x.shape, dim, keepdim=keepdim)
    return kept(g, x.shape, dim, keepdim=keepdim) * np.exp(x - total)


@row_major
def _norm(x: Any, *, ord: float, dim: Axes, keepdim: bool) -> Any:
    size = np.absolute(x)
    if ord == 2:
        return np.sqrt(np.sum(size * size, axis=dim, keepdims=keepdim))
    if ord == np.inf:
        return np.max(size, axis=dim, keepdims=keepdim)
    if ord == -np.inf:
        return np.min(size, axis=dim, keepdims=keepdim)
    if ord == 0:
        return np.sum(size != 0, axis=dim, keepdims=keepdim).astype(size.dtype)
    if ord == 1:
        return np.sum(size, axis=dim, keepdims=keepdim)
    power = size.dtype.type(ord)
    return np.sum(size**power, axis=dim, keepdims=keepdim) ** (1 / power)


def _norm_back(g: Any, y: Any, x: Any, *, ord: float, dim: Axes, keepdim: bool) -> Any:
    g, y = kept(g, x.shape, dim, keepdim=keepdim), kept(y, x.shape, dim, keepdim=keepdim)
    if ord == 0:
        return np.zeros_like(x)
    if ord == 1:
        return g * np.sign(x)
    if abs(ord) == np.inf:
        reached = np.absolute(x) == y
        return g * np.sign(x) * reached / np.sum(reached, axis=dim, keepdims=True)
    if ord == 2:
        return g * np.where(y == 0, 0, x / y)
    return _power_norm_back(g, y, x, ord)


def _power_norm_back(g: Any, y: Any, x: Any, ord: float) -> Any:
    if ord < 1 or ord < 2:
        weight = np.where(x == 0, 0, np.sign(x) * np.absolute(x) ** (ord - 1))
    else:
        weight = x * np.absolute(x) ** (ord - 2)
    return g * weight * np.where(y == 0, 0, y ** (1 - ord))


def _truth(holds: Any, x: Any) -> Any:
    """PyTorch answers about bytes in bytes."""
    return holds.astype(np.uint8) if x.dtype == np.uint8 else holds


@row_major
def _all(x: Any, *, dim: Axes, keepdim: bool) -> Any:
    return _truth(np.all(x, axis=dim, keepdims=keepdim), x)


@row_major
def _any(x: Any, *, dim: Axes, keepdim: bool) -> Any:
    return _truth(np.any(x, axis=dim, keepdims=keepdim), x)


def _first_nan_or(find: Any) -> Any:
    def index(x: Any, *, dim: int | None, keepdim: bool) -> Any:
        return find(x, axis=dim, keepdims=keepdim)

    return index


def _full_extreme(name: str, find: Any) -> Op:
    forward = kernel(f"{name}_all", widens=False)(find)
    grad_fn, everything = f"{name.capitalize()}Backward1", (Sample(((2, 3),)),)
    return Op(name, forward, (shared,), grad_fn, extra=found_nan, samples=everything)


def _extreme_over(name: str, find: Any) -> Any:
    @row_major
    @kernel(name, widens=False)
    def value(x: Any, *, dim: Axes, keepdim: bool) -> Any:
        return find(x, axis=dim, keepdims=keepdim)

    return value


def _value_along(name: str, find: Any) -> Any:
    @kernel(f"{name}(): does not support complex input", error=RuntimeError, widens=False)
    def value(x: Any, *, dim: int, keepdim: bool) -> Any:
        if not x.ndim:
            return np.copy(x)
        places = find(x, axis=dim, keepdims=True)
        found = np.take_along_axis(x, places, axis=dim)
        return found if keepdim else np.squeeze(found, axis=dim)

    return value


def _places(find: Any) -> Any:
    def extra(y: Any, x: Any, *, dim: int, keepdim: bool) -> dict[str, Any]:
        return {"indices": find(x, axis=dim, keepdims=True) if x.ndim else np.asarray(0)}

    return extra


def _along_back(g: Any, y: Any, x: Any, *, dim: int, keepdim: bool, indices: Any) -> Any:
    """Only the reported place receives the gradient."""
    if not len(x.shape):
        return g
    axes = (dim,)
    return put_along(kept(g, x.shape, axes, keepdim=keepdim), indices, dim=dim, shape=x.shape)


_OVER = (
    Sample(((2, 3),), {"dim": None, "keepdim": False}),
    Sample(((2, 3),), {"dim": (1,), "keepdim": False}),
    Sample(((2, 3),), {"dim": (0,), "keepdim": True}),
)
_OVER_AXES = _OVER[1:]
_ALONG = (
    Sample(((2, 3),), {"dim": 1, "keepdim": False}),
    Sample(((2, 3),), {"dim": 0, "keepdim": True}),
)
_NORMS = tuple(
    Sample(over.inputs, {"ord": ord, **over.params}) for ord in (2, 1, np.inf, 3) for over in _OVER
)

ROWS = (
    Op("sum", _sum, (_sum_back,), _full_or_dim("Sum"), many=(_sum_many,), samples=_OVER),
    Op("mean", _mean, (_mean_back,), _full_or_dim("Mean"), many=(_mean_many,), samples=_OVER),
    _full_extreme("max", np.max),
    _full_extreme("min", np.min),
    Op(
        "amax",
        _extreme_over("max_values_cpu", np.max),
        (_shared,),
        samples=_OVER_AXES,
    ),
    Op(
        "amin",
        _extreme_over("min_values_cpu", np.min),
        (_shared,),
        samples=_OVER_AXES,
    ),
    Op(
        "max_dim",
        _value_along("max", np.argmax),
        (_along_back,),
        "MaxBackward0",
        extra=_places(np.argmax),
        samples=_ALONG,
    ),
    Op(
        "min_dim",
        _value_along("min", np.argmin),
        (_along_back,),
        "MinBackward0",
        extra=_places(np.argmin),
        samples=_ALONG,
    ),
    Op("argmax", _first_nan_or(np.argmax), (None,), samples=_ALONG),
    Op("argmin", _first_nan_or(np.argmin), (None,), samples=_ALONG),
    Op("logsumexp", _logsumexp, (_logsumexp_back,), promote="float", samples=_OVER_AXES),
    Op(
        "vector_norm",
        _norm,
        (_norm_back,),
        "LinalgVectorNormBackward0",
        promote="float",
        samples=_NORMS,
    ),
    Op("all", _all, (None,), samples=_OVER),
    Op("any", _any, (None,), samples=_OVER),
)
