"""Variance and its root, sums that pass over nan, both extremes at once, clipped norms."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from engine.op import Need, Op, Sample
from engine.ops.kernels import kernel
from engine.ops.layout import row_major
from engine.ops.reduction import ROWS as _REDUCTIONS
from engine.ops.reduction import Axes, kept, spread

_SUM, _MEAN, _AMAX, _AMIN = (
    next(row for row in _REDUCTIONS if row.name == name) for name in ("sum", "mean", "amax", "amin")
)


def _freedom(shape: tuple[int, ...], dim: Axes, correction: float) -> float:
    """How many values the squares are divided among; never less than 0."""
    count = 1
    for axis, size in enumerate(shape):
        if dim is None or axis in dim:
            count *= size
    return max(count - correction, 0)


@row_major
def _var(x: Any, *, dim: Axes, correction: float, keepdim: bool) -> Any:
    wide = x.astype(np.float32) if x.dtype == np.float16 else x
    count = max(_freedom(x.shape, dim, 0), 1)
    off = wide - np.sum(wide, axis=dim, keepdims=True) / wide.real.dtype.type(count)
    total = np.sum((off * np.conj(off)).real, axis=dim, keepdims=keepdim)
    freedom = total.dtype.type(_freedom(x.shape, dim, correction))
    with np.errstate(divide="ignore", invalid="ignore"):
        return (total / freedom).astype(x.real.dtype)


def _var_back(g: Any, y: Any, x: Any, *, dim: Axes, correction: float, keepdim: bool) -> Any:
    g = kept(g, x.shape, dim, keepdim=keepdim)
    freedom = _freedom(x.shape, dim, correction)
    mean = np.sum(x, axis=dim, keepdims=True) / max(_freedom(x.shape, dim, 0), 1)
    return g * ((2 / freedom if freedom else np.inf) * (x - mean))


def _std_back(g: Any, y: Any, x: Any, **over: Any) -> Any:
    # Equal numbers have no spread, and PyTorch sends them 0.
    per_square = np.where(y == 0, 0, g / (2 * np.where(y == 0, 1, y)))
    return _var_back(per_square, y, x, **over)


def _std(x: Any, **over: Any) -> Any:
    return np.sqrt(_var(x, **over))


def _nansum(x: Any, *, dim: Axes, keepdim: bool, dtype: Any = None) -> Any:
    there = np.where(np.isnan(x), np.zeros((), x.dtype), x)
    return _SUM.forward(there, dim=dim, keepdim=keepdim, dtype=dtype)


def _nansum_back(g: Any, y: Any, x: Any, *, dim: Axes, keepdim: bool, dtype: Any = None) -> Any:
    return spread(g, x.shape, dim, keepdim=keepdim) * (x == x)  # nan is equal to nothing


def _both(find: Any) -> Any:
    @kernel("aminmax_cpu", widens=False)
    def value(x: Any, *, dim: Axes, keepdim: bool) -> Any:
        return find(x, axis=dim, keepdims=keepdim)

    return value


def _norms(x: Any, p: float, dim: int) -> Any:
    """The p-norm of each slice at a place of the axis `dim`."""
    axes = tuple([axis for axis in range(len(x.shape)) if axis != dim])
    size = np.absolute(x)
    if p == np.inf:
        return _AMAX(size, dim=axes, keepdim=True)
    if p == 0:
        return np.sum((x != 0) * np.ones_like(x), axis=axes, keepdims=True)
    if p == 1:
        return np.sum(size, axis=axes, keepdims=True)
    if p == 2:
        return np.sqrt(np.sum(size * size, axis=axes, keepdims=True))
    return np.sum(size**p, axis=axes, keepdims=True) ** (1 / p)


@row_major
@kernel(
    "linalg.vector_norm: Expected a floating point or complex tensor as input. Got {dtype}",
    "biu",
    error=RuntimeError,
)
def _renorm(x: Any, *, p: float, dim: int, maxnorm: float) -> Any:
    norms = _norms(x, p, dim)
    factor = np.where(norms > maxnorm, maxnorm / (norms + 1e-7), np.ones_like(norms))
    return x * factor.astype(x.dtype)


def _renorm_back(g: Any, y: Any, x: Any, *, p: float, dim: int, maxnorm: float) -> Any:
    """The scale of a slice that is too long depends on its norm, and so on all its elements."""
    norms = _norms(x, p, dim)
    axes = tuple([axis for axis in range(len(x.shape)) if axis != dim])
    inverse = 1 / (norms + 1e-7)
    along = np.sum(g * x, axis=axes, keepdims=True)
    scaled = maxnorm * inverse * (g - inverse * along * _norm_slope(x, norms, p, axes))
    return np.where(norms > maxnorm, scaled, g)


def _norm_slope(x: Any, norms: Any, p: float, axes: tuple[int, ...]) -> Any:
    """The gradient of the p-norm of each slice, 0 for a slice of zeros."""
    if p == 0:
        return np.zeros_like(x)
    if p == 1:
        return np.sign(x)
    if p == np.inf:
        reached = np.absolute(x) == norms
        return np.sign(x) * reached / np.sum(reached, axis=axes, keepdims=True)
    safe = np.where(norms == 0, 1, norms)
    if p == 2:
        return x / safe
    size = np.absolute(x)
    ratio = np.where(size == 0, 0, np.where(size == 0, 1, size) ** (p - 1) / safe ** (p - 1))
    return np.sign(x) * ratio


_OVER = (
    Sample(((2, 3),), {"dim": None, "correction": 1, "keepdim": False}),
    Sample(((2, 3),), {"dim": (1,), "correction": 0, "keepdim": False}),
    Sample(((2, 3),), {"dim": (0,), "correction": 0.5, "keepdim": True}),
)
_SUMS = (
    Sample(((2, 3),), {"dim": None, "keepdim": False}),
    Sample(((2, 3),), {"dim": (1,), "keepdim": True}),
)
_LONG = tuple(
    Sample(((2, 3),), {"p": p, "dim": dim, "maxnorm": 2.0})
    for p in (1, 2, 3, 1.5)
    for dim in (0, 1)
)
_SELF: tuple[frozenset[Need], ...] = (frozenset({0}),)  # the one node saves it for both outputs
VAR = Op("var", _var, (_var_back,), samples=_OVER, conjugate=False)
STD = Op("std", _std, (_std_back,), samples=_OVER, conjugate=False)

ROWS = (
    VAR,
    STD,
    replace(VAR, name="var_mean_var", grad_fn="VarMeanBackward0"),
    replace(STD, name="std_mean_std", grad_fn="StdMeanBackward0"),
    replace(_MEAN, name="var_mean_mean", grad_fn="VarMeanBackward0", reads=_SELF),
    replace(_MEAN, name="std_mean_mean", grad_fn="StdMeanBackward0", reads=_SELF),
    replace(_AMIN, name="aminmax_min", grad_fn="AminmaxBackward0", forward=_both(np.min)),
    replace(_AMAX, name="aminmax_max", grad_fn="AminmaxBackward0", forward=_both(np.max)),
    Op("nansum", _nansum, (_nansum_back,), samples=_SUMS),
    Op("renorm", _renorm, (_renorm_back,), promote="none", samples=_LONG),
)
