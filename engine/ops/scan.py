"""Running totals along an axis, and products, whose rules need running products."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.op import Op, Sample
from engine.ops.arrangement import FLIP, ROLL
from engine.ops.kernels import kernel
from engine.ops.layout import row_major
from engine.ops.reduction import Axes, kept


def _as_total(x: Any, dtype: Any) -> Any:
    """The dtype that sums and products are taken in: int64 for integers."""
    return np.int64 if dtype is None and x.dtype.kind in "iub" else dtype


def _running(add: np.ufunc, x: Any, dim: int, dtype: Any) -> Any:
    """Running totals, taken as PyTorch takes them in the next wider type and rounded."""
    kind = np.dtype(_as_total(x, dtype) or x.dtype)
    line = x if x.ndim else x.reshape(1)
    found = add.accumulate(line, dim, _WIDER.get(kind.char, kind))
    return np.ascontiguousarray(found.astype(kind, copy=False)).reshape(x.shape)


_WIDER = {"e": "f", "f": "d", "F": "D"}


def _cumsum(x: Any, *, dim: int, dtype: Any = None) -> Any:
    return _running(np.add, x, dim, dtype)


def _cumsum_back(g: Any, y: Any, x: Any, *, dim: int, dtype: Any = None) -> Any:
    return _from_the_end(g, dim) if len(g.shape) else g


def _from_the_end(g: Any, dim: int) -> Any:
    """Running totals that begin at the axis' end."""
    return FLIP(CUMSUM(FLIP(g, dims=(dim,)), dim=dim), dims=(dim,))


def _cumprod(x: Any, *, dim: int, dtype: Any = None) -> Any:
    return _running(np.multiply, x, dim, dtype)


def _cumprod_back(g: Any, y: Any, x: Any, *, dim: int, dtype: Any = None, has_zeros: bool) -> Any:
    if not len(x.shape):
        return g
    if not has_zeros:
        return _from_the_end(g * y, dim) / x
    return _cumprod_back_past_zeros(g, x, dim)


def _cumprod_back_past_zeros(g: Any, x: Any, dim: int) -> Any:
    """Nothing is divided by: row i of a square holds the running products without factor i."""
    n, ndim = x.shape[dim], len(x.shape)
    x, g = np.swapaxes(x, dim, ndim - 1), np.swapaxes(g, dim, ndim - 1)
    without = np.where(np.eye(n, dtype=bool), 1, np.expand_dims(x, ndim - 1))
    runs = CUMPROD(without, dim=ndim)
    later = np.triu(np.ones((n, n), dtype=bool))
    total = np.sum(np.where(later, np.expand_dims(g, ndim - 1) * runs, 0), axis=ndim)
    return np.swapaxes(total, dim, ndim - 1)


def _has_zeros(y: Any, x: Any, **params: Any) -> dict[str, bool]:
    return {"has_zeros": not bool(np.all(x))}


@row_major
def _prod(x: Any, *, dim: Axes, keepdim: bool, dtype: Any = None) -> Any:
    return np.prod(x, axis=dim, dtype=_as_total(x, dtype), keepdims=keepdim)


def _prod_back(
    g: Any, y: Any, x: Any, *, dim: Axes, keepdim: bool, dtype: Any = None, has_zeros: bool
) -> Any:
    g = kept(g, x.shape, dim, keepdim=keepdim)
    if not has_zeros:
        return g * (kept(y, x.shape, dim, keepdim=keepdim) / x)
    if dim is None:
        flat = np.reshape(x, (-1,))
        return g * np.reshape(_products_of_the_others(flat, 0), x.shape)
    return g * _products_of_the_others(x, dim[0]) if len(x.shape) else g


def _products_of_the_others(x: Any, dim: int) -> Any:
    """For each element the product of those before it times the product of those after it."""
    before = _shifted_products(x, dim)
    after = FLIP(_shifted_products(FLIP(x, dims=(dim,)), dim), dims=(dim,))
    return before * after


def _shifted_products(x: Any, dim: int) -> Any:
    """Running products that leave out the element itself."""
    first = np.arange(x.shape[dim]).reshape((-1,) + (1,) * (len(x.shape) - dim - 1)) == 0
    return CUMPROD(np.where(first, 1, ROLL(x, shifts=(1,), dims=(dim,))), dim=dim)


@kernel("logcumsumexp_out_cpu", "biu")
def _logcumsumexp(x: Any, *, dim: int) -> Any:
    return _running(np.logaddexp, x, dim, None)


def _logcumsumexp_back(g: Any, y: Any, x: Any, *, dim: int) -> Any:
    """Sum over j >= i of g_j exp(x_i - y_j), for both signs of g apart so that logs exist."""
    if not len(x.shape):
        return g
    return _weights_from_the_end(g, y, x, dim) - _weights_from_the_end(-g, y, x, dim)


_AS_GOOD_AS_NOTHING = -1e30  # its exponential is 0, and unlike -inf it may be added to inf


def _weights_from_the_end(g: Any, y: Any, x: Any, dim: int) -> Any:
    log = np.where(g > 0, np.log(np.where(g > 0, g, 1)), _AS_GOOD_AS_NOTHING)
    back = FLIP(LOGCUMSUMEXP(FLIP(log - y, dims=(dim,)), dim=dim), dims=(dim,))
    return np.exp(back + x)


_ALONG = (Sample(((2, 3),), {"dim": 1}), Sample(((3,),), {"dim": 0}))
_ZEROS = np.array([[0.5, 0.0, 2.0], [0.0, 3.0, 0.0]])
_OVER = (
    Sample(((2, 3),), {"dim": None, "keepdim": False}),
    Sample(((2, 3),), {"dim": (1,), "keepdim": True}),
    Sample((_ZEROS,), {"dim": (0,), "keepdim": False}),
    Sample((_ZEROS,), {"dim": (1,), "keepdim": False}),
    Sample((_ZEROS,), {"dim": None, "keepdim": False}),
)

CUMSUM = Op("cumsum", _cumsum, (_cumsum_back,), samples=_ALONG)
CUMPROD = Op(
    "cumprod",
    _cumprod,
    (_cumprod_back,),
    extra=_has_zeros,
    samples=(*_ALONG, Sample((_ZEROS,), {"dim": 1}), Sample((_ZEROS,), {"dim": 0})),
)
LOGCUMSUMEXP = Op(
    "logcumsumexp", _logcumsumexp, (_logcumsumexp_back,), promote="none", samples=_ALONG
)

ROWS = (
    CUMSUM,
    CUMPROD,
    LOGCUMSUMEXP,
    Op(
        "prod",
        _prod,
        (_prod_back,),
        lambda params: f"ProdBackward{0 if params['dim'] is None else 1}",
        extra=_has_zeros,
        samples=_OVER,
    ),
)
