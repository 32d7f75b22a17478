"""Quantiles: between which two of the sorted values a fraction falls, and how far between."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.functions.combined import lerp
from engine.functions.elementwise import masked_fill
from engine.functions.ordering import sort
from engine.functions.scatter import gather
from engine.functions.shapes import axis_of, flatten
from engine.ops import OPS
from engine.tensor import Tensor, apply

_WAYS = ("linear", "lower", "higher", "midpoint", "nearest")


def quantile(
    input: Tensor,
    q: float | Tensor,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    interpolation: str = "linear",
) -> Tensor:
    """The value below which the fraction `q` of the elements along an axis lies.

    `q` is a number or a vector of numbers, which becomes the first axis. nan where there is one.
    """
    return _quantile(input, q, dim, keepdim, interpolation, skip_nan=False)


def nanquantile(
    input: Tensor,
    q: float | Tensor,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    interpolation: str = "linear",
) -> Tensor:
    """As `quantile`, of the elements that are not nan."""
    return _quantile(input, q, dim, keepdim, interpolation, skip_nan=True)


def _fractions(input: Tensor, q: float | Tensor) -> Tensor:
    kind = input._array.dtype
    if not isinstance(q, Tensor):
        if not 0 <= q <= 1:
            raise RuntimeError(f"quantile() q must be in the range [0, 1] but got {q:g}")
        return Tensor(np.asarray(q, kind))
    if q._array.ndim > 1:
        raise RuntimeError("quantile() q must be a scalar or 1D tensor")
    if q._array.dtype != kind:
        raise RuntimeError("quantile() q tensor must be same dtype as the input tensor")
    if not ((q._array >= 0) & (q._array <= 1)).all():
        raise RuntimeError("quantile() q values must be in the range [0, 1]")
    return q


def _check(input: Tensor, interpolation: str) -> None:
    if not input._array.size:
        raise RuntimeError("quantile() input tensor must be non-empty")
    if input._array.dtype not in (np.float32, np.float64):
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    if interpolation not in _WAYS:
        raise RuntimeError(
            "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, "
            f"but got {interpolation}"
        )


def _quantile(
    input: Tensor,
    q: float | Tensor,
    dim: int | None,
    keepdim: bool,
    interpolation: str,
    *,
    skip_nan: bool,
) -> Tensor:
    _check(input, interpolation)
    fractions = _fractions(input, q)
    axis = None if dim is None else axis_of(dim, input._array.ndim)
    ordered = _sorted_last(input, axis, keepdim)
    ranks = _ranks(ordered._array, fractions.reshape(-1), skip_nan=skip_nan)
    return _fractions_first(_between(ordered, ranks, interpolation), fractions._array.ndim)


def _sorted_last(input: Tensor, axis: int | None, keepdim: bool) -> Tensor:
    """The values in order along the last axis, behind the axes of the result."""
    shape = list(input._array.shape)
    if axis is None or not shape:
        lines, rest = flatten(input), [1] * len(shape) if keepdim else []
    else:
        last = axis == len(shape) - 1
        lines = input if last else input.unsqueeze(-1).transpose(axis, -1)
        rest = [*shape[:axis], *([1] if keepdim else []), *shape[axis + 1 :]]
    values: Tensor = sort(lines, -1)[0]
    found: Tensor = values.view(*rest, values._array.shape[-1])
    return found


def _ranks(ordered: Any, fractions: Tensor, *, skip_nan: bool) -> Tensor:
    """How far along the sorted values each fraction is: the last axis runs over the fractions."""
    last = ordered.shape[-1] - 1
    bad = np.isnan(ordered)
    if skip_nan:
        counts = np.maximum((~bad).sum(-1, keepdims=True) - 1, 0).astype(ordered.dtype)
        return fractions * Tensor(counts)
    whole = fractions * last
    ranks = whole.expand(*ordered.shape[:-1], whole._array.shape[0])
    # A slice with nan among its values has nan, which is sorted last, as its quantile.
    return masked_fill(ranks, Tensor(bad.any(-1, keepdims=True)), float(last))


def _between(ordered: Tensor, ranks: Tensor, interpolation: str) -> Tensor:
    if interpolation == "lower":
        ranks = ranks.floor()
    elif interpolation == "higher":
        ranks = ranks.ceil()
    elif interpolation == "nearest":
        ranks = ranks.round()
    below = Tensor(ranks._array.astype(np.int64))
    low = gather(ordered, -1, below)
    if interpolation not in ("linear", "midpoint"):
        return low
    weights = ranks - below if interpolation == "linear" else _halves(ranks)
    above = Tensor(np.ceil(ranks._array).astype(np.int64))
    high = gather(ordered, -1, above)
    return lerp(low, high, weights)


def _halves(ranks: Tensor) -> Tensor:
    return Tensor(np.full_like(ranks._array, 0.5))


def _fractions_first(found: Tensor, ndim: int) -> Tensor:
    """The fractions' axis brought to the front, or gone where there was one number."""
    last = found._array.ndim - 1
    if ndim:
        found = apply(OPS["unsqueeze_inside"], (found,), {"dim": 0})
        last += 1
        found = apply(OPS["transpose_inside"], (found,), {"dim0": 0, "dim1": last})
    return apply(OPS["squeeze"], (found,), {"dim": (last,), "kind": 4})
