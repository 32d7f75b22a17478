"""Losses that ask for a margin between what is right and what is not."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from engine.op import Op, Sample
from engine.ops import OPS
from engine.ops.kernels import FLOATING, kernel
from engine.ops.loss import _bare, reduced

_X = np.array([[0.3, 0.9, -0.4], [1.2, 0.1, 0.7]])


def _soft_margin(x: Any, t: Any, *, reduction: str) -> Any:
    return reduced(np.log1p(np.exp(-t * x)), reduction)


def _soft_margin_back(g: Any, y: Any, x: Any, t: Any, *, reduction: str) -> Any:
    z = np.exp(-t * x)
    each = g / prod(x.shape) if reduction == "mean" else g
    return each * (-t * z / (1 + z))


def _with_classes(x: Any) -> Any:
    """A number without axes has one class."""
    return x if x.ndim else np.expand_dims(x, 0)


def _is_class(target: Any, classes: int) -> Any:
    """Which of the classes each target is."""
    return np.arange(classes) == target[..., None]


@kernel("multi_margin_loss_cpu_kernel", FLOATING + "e")
def _multi_margin(
    x: Any, target: Any, weight: Any = None, *, p: int, margin: float, reduction: str
) -> Any:
    x = _with_classes(x)
    right = _is_class(target, x.shape[-1])
    gap = margin - np.sum(x * right, axis=-1, keepdims=True) + x
    short = np.where(right, 0, np.maximum(gap, 0)) ** p
    if weight is not None:
        short = short * weight[target][..., None]
    return reduced(np.sum(short, axis=-1) / x.dtype.type(x.shape[-1]), reduction)


def _multi_margin_back(
    g: Any,
    y: Any,
    x: Any,
    target: Any,
    weight: Any = None,
    *,
    p: int,
    margin: float,
    reduction: str,
) -> Any:
    target, weight, x = _bare(target), _bare(weight), _with_classes(x)
    right, count = _is_class(target, x.shape[-1]), x.shape[-1]
    scale = np.where(right, 0, 1.0 if weight is None else weight[target][..., None]) / count
    if reduction == "mean":
        scale = scale / target.size
    gap = margin - np.sum(x * right, axis=-1, keepdims=True) + x
    slope = np.where(gap > 0, gap, 0) * (2 * scale) if p == 2 else (gap > 0) * scale
    slope = slope - right * np.sum(slope, axis=-1, keepdims=True)
    return slope * (np.expand_dims(g, -1) if reduction == "none" else g)


def _counts(target: Any) -> tuple[Any, Any]:
    """How often each class is named before the first -1, and whether it is."""
    named = np.cumprod(target >= 0, axis=-1).astype(bool)
    counts = np.zeros(target.shape, int)
    places = np.nonzero(named)
    np.add.at(counts, (*places[:-1], target[places]), 1)
    return counts, counts > 0


@kernel("multilabel_margin_loss_forward_out_frame", FLOATING + "e")
def _multilabel(x: Any, target: Any, *, reduction: str) -> Any:
    x, target = _with_classes(x), _with_classes(target)
    counts, named = _counts(target)
    gap = np.maximum(1 - x[..., :, None] + x[..., None, :], 0)
    short = gap * (counts[..., :, None] * ~named[..., None, :]).astype(x.dtype)
    return reduced(np.sum(short, axis=(-2, -1)) / x.dtype.type(x.shape[-1]), reduction)


def _multilabel_back(g: Any, y: Any, x: Any, target: Any, *, reduction: str) -> Any:
    """What each pair of a named class and another asks of the two."""
    x = _with_classes(x)
    counts, named = _counts(_with_classes(_bare(target)))
    weight = counts[..., :, None] * ~named[..., None, :] / x.shape[-1]
    if reduction == "mean":
        weight = weight / prod(x.shape[:-1])
    gap = 1 - np.expand_dims(x, -1) + np.expand_dims(x, -2)
    pull = weight * (gap > 0)
    slope = np.sum(pull, axis=-2) - np.sum(pull, axis=-1)
    return slope * (np.expand_dims(g, -1) if reduction == "none" else g)


_REDUCTIONS = ("mean", "sum", "none")

ROWS = (
    # The norm of a distance, under the name that PyTorch's own composite functions give it.
    replace(
        OPS["vector_norm"],
        name="norm_dim",
        grad_fn="NormBackward1",
        samples=(Sample((_X,), {"ord": 2, "dim": (1,), "keepdim": False}),),
    ),
    Op(
        "soft_margin_loss",
        _soft_margin,
        (_soft_margin_back, None),
        samples=tuple(
            Sample((_X, np.array([[1, -1, 1], [-1, 1, 1]])), {"reduction": r}) for r in _REDUCTIONS
        ),
    ),
    Op(
        "multi_margin_loss",
        _multi_margin,
        (_multi_margin_back,),
        promote="none",
        reads=(frozenset({("shape", 0), 0, 1, 2}),),
        samples=tuple(
            Sample((_X, np.array([2, 0]), *weight), {"p": p, "margin": 0.9, "reduction": r})
            for weight in ((), (np.array([1, 2, 3]),))
            for p in (1, 2)
            for r in _REDUCTIONS
        ),
    ),
    Op(
        "multilabel_margin_loss",
        _multilabel,
        (_multilabel_back,),
        promote="none",
        reads=(frozenset({("shape", 0), 0, 1}),),
        samples=tuple(
            Sample((_X, np.array([[2, 0, -1], [1, -1, 0]])), {"reduction": r}) for r in _REDUCTIONS
        ),
    ),
)
