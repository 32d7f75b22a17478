"""Losses."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from engine.op import Op, Sample
from engine.ops.index import GATHER, put_along
from engine.ops.kernels import FLOATING, kernel


def reduced(losses: Any, reduction: str) -> Any:
    """The losses themselves, their mean, or their sum."""
    if reduction == "mean":
        return np.mean(losses) if losses.size else losses.dtype.type(np.nan)
    return np.sum(losses) if reduction == "sum" else losses


@kernel("mse_cpu", FLOATING)
def _mse(x: Any, t: Any, *, reduction: str) -> Any:
    return reduced((x - t) ** 2, reduction)


def _mse_back(g: Any, y: Any, x: Any, t: Any, *, reduction: str) -> Any:
    if reduction == "mean":
        return g * (2 * (x - t) / prod(x.shape))
    return g * (2 * (x - t))


def _mse_target(g: Any, y: Any, x: Any, t: Any, *, reduction: str) -> Any:
    return _mse_back(g, y, t, x, reduction=reduction)


def _weights(target: Any, weight: Any, ignore_index: int, dtype: Any) -> Any:
    """How much each target counts: its class's weight, 0 where it is to be ignored."""
    counted = target != ignore_index
    if weight is None:
        return counted.astype(dtype)
    return np.where(counted, weight[np.where(counted, target, 0)], 0).astype(dtype)


def _places(target: Any, ignore_index: int) -> Any:
    places = (
        target
        if ignore_index < 0 <= target.min(initial=0)
        else (np.where(target == ignore_index, 0, target))
    )
    return np.expand_dims(places, 1 if target.ndim else 0)


@kernel("nll_loss_out_frame", FLOATING)
def _nll(x: Any, target: Any, weight: Any = None, *, reduction: str, ignore_index: int) -> Any:
    if weight is None and x.ndim == 2 and target.size and ignore_index < 0 <= target.min():
        picked = x[np.arange(target.size), target]  # every target counts, and counts once
        losses, total = -picked, x.dtype.type(target.size)
        return losses if reduction == "none" else _summed(losses, reduction, total)
    dim = 1 if x.ndim > 1 else 0
    picked = GATHER(x, _places(target, ignore_index), dim=dim).squeeze(dim)
    weights = _weights(target, weight, ignore_index, x.dtype)
    losses = np.where(weights == 0, 0, -picked * weights)
    return losses if reduction == "none" else _summed(losses, reduction, weights.sum())


def _summed(losses: Any, reduction: str, total: Any) -> Any:
    return losses.sum() / total if reduction == "mean" else losses.sum()


def _nll_extra(y: Any, x: Any, target: Any, weight: Any = None, **params: Any) -> dict[str, Any]:
    weights = _weights(target, weight, params["ignore_index"], x.dtype)
    return {"total_weight": np.sum(weights)}


def _nll_back(
    g: Any,
    y: Any,
    x: Any,
    target: Any,
    weight: Any = None,
    *,
    reduction: str,
    ignore_index: int,
    total_weight: Any,
) -> Any:
    """-weight at each target's place, 0 elsewhere."""
    dim = 1 if len(x.shape) > 1 else 0
    target, weight = _bare(target), _bare(weight)
    if (
        type(g) is np.ndarray
        and weight is None
        and len(x.shape) == 2
        and total_weight == target.size
    ):
        made = np.zeros(x.shape, g.dtype)
        made[np.arange(target.size), target] = -g / total_weight if reduction == "mean" else -g
        return made
    weights = _weights(target, weight, ignore_index, _bare(g).dtype)
    places = _places(target, ignore_index)
    if reduction == "mean":
        weights = np.where(weights == 0, 0, weights / total_weight)
    each = -g * weights
    return put_along(np.expand_dims(each, dim), places, dim=dim, shape=x.shape)


def _bare(value: Any) -> Any:
    """Targets and class weights carry no gradient: their numbers are all that is needed."""
    value = getattr(value, "value", value)
    return getattr(value, "_array", value)


_CLASSES = np.array([2, 0])
_BY_CLASS = {"ignore_index": -100}

NLL = Op(
    "nll_loss",
    _nll,
    (_nll_back,),
    promote="none",
    extra=_nll_extra,
    reads=(frozenset({("shape", 0), 0, 1, 2}),),
    samples=tuple(
        Sample(((2, 3), _CLASSES), {"reduction": r, **_BY_CLASS}) for r in ("mean", "sum", "none")
    ),
)

ROWS = (
    Op(
        "mse_loss",
        _mse,
        (_mse_back, _mse_target),
        samples=tuple(Sample(((2, 3), (2, 3)), {"reduction": r}) for r in ("mean", "sum", "none")),
    ),
    NLL,
    replace(NLL, name="nll_loss2d", grad_fn="NllLoss2DBackward0"),
)
