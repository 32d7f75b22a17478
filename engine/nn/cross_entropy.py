"""Negative log-likelihood and cross entropy."""

from __future__ import annotations

import numpy as np

from engine import dtypes, errors
from engine.functions import shapes
from engine.functions.numbers import over, plus, times
from engine.functions.pieces import contiguous
from engine.functions.reductions import log_softmax
from engine.nn.loss_checks import reduction_of, refuse_grad
from engine.ops import OPS
from engine.tensor import Tensor, apply, refuse


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Minus the log-probability of each target class.

    `input` is (C,), (N, C) or (N, C, d1, …), `target` has its shape without the classes.
    """
    reduction = reduction_of(reduction, size_average, reduce)
    refuse_grad("nll_loss_nd", "weight", weight)
    try:
        _check_classes(input, target, ignore_index)
    except (ValueError, RuntimeError, IndexError) as error:
        params = {"reduction": reduction, "ignore_index": ignore_index}
        refuse("nll_loss", (input, target), params, error)
    params = {"reduction": reduction, "ignore_index": ignore_index}
    shape = input._array.shape
    if len(shape) in (1, 2, 4):
        inputs = (input, target) if weight is None else (input, target, weight)
        return apply(OPS["nll_loss" if len(shape) < 3 else "nll_loss2d"], inputs, params)
    flat = shapes.view(contiguous(input), shape[0], shape[1], 1, -1)
    places = shapes.view(contiguous(target), shape[0], 1, -1)
    inputs = (flat, places) if weight is None else (flat, places, weight)
    out = apply(OPS["nll_loss2d"], inputs, params)
    return shapes.view(out, *target._array.shape) if reduction == "none" else out


def _check_classes(input: Tensor, target: Tensor, ignore_index: int) -> None:
    x, t = input._array, target._array
    if x.ndim > 1 and t.ndim and x.shape[0] != t.shape[0]:
        raise ValueError(errors.BATCH_MISMATCH.format(n=x.shape[0], m=t.shape[0]))
    if t.dtype.kind not in "iu":
        word = dtypes.word(target.dtype)
        raise RuntimeError(errors.TARGET_DTYPE.format(dtype=word))
    if x.ndim > 2 and t.shape != (x.shape[0], *x.shape[2:]):
        raise RuntimeError(
            f"Expected target size {[x.shape[0], *x.shape[2:]]}, got {list(t.shape)}"
        )
    classes = x.shape[1 if x.ndim > 1 else 0]
    outside = (t != ignore_index) & ((t < 0) | (t >= classes))
    if outside.any():
        raise IndexError(errors.TARGET_RANGE.format(k=int(t[outside].ravel()[0])))


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """log_softmax and nll_loss; a target of the input's shape holds probabilities.

    `label_smoothing` mixes the targets with so much of the uniform distribution.
    """
    reduction = reduction_of(reduction, size_average, reduce)
    dim = 1 if input._array.ndim > 1 else 0
    if target._array.shape == input._array.shape:
        _check_probabilities(input, target, weight, ignore_index, label_smoothing)
        logs = log_softmax(input, dim)
        return _soft_targets(logs, target, weight, reduction, label_smoothing)
    if label_smoothing:
        _check_smoothing(label_smoothing)
        _check_classes(input, target, ignore_index)
    logs = log_softmax(input, dim)
    hard = nll_loss(logs, target, weight, ignore_index=ignore_index, reduction=reduction)
    if not label_smoothing:
        return hard
    smooth = _uniform_targets(logs, target, weight, ignore_index, reduction)
    classes = input._array.shape[dim]
    return times(hard, 1 - label_smoothing) + times(smooth, label_smoothing / classes)


def _check_smoothing(label_smoothing: float) -> None:
    if not 0 <= label_smoothing <= 1:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing:g}")


def _check_probabilities(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None,
    ignore_index: int,
    label_smoothing: float,
) -> None:
    if target._array.dtype.kind != "f":
        raise RuntimeError(
            "Expected floating point type for target with class probabilities, got "
            f"{dtypes.word(target.dtype)}"
        )
    if ignore_index >= 0:
        raise RuntimeError("ignore_index is not supported for floating point target")
    _check_smoothing(label_smoothing)
    classes = input._array.shape[1 if input._array.ndim > 1 else 0]
    if weight is not None and weight._array.shape != (classes,):
        raise RuntimeError(
            "cross_entropy: weight tensor should be defined either for all "
            f"{classes} classes or no classes but got weight tensor of shape: "
            f"{list(weight._array.shape)}"
        )


def _soft_targets(
    logs: Tensor, target: Tensor, weight: Tensor | None, reduction: str, label_smoothing: float
) -> Tensor:
    dim = 1 if logs._array.ndim > 1 else 0
    classes = logs._array.shape[dim]
    if label_smoothing > 0:
        target = plus(times(target, 1 - label_smoothing), label_smoothing / classes)
    terms = logs * target
    if weight is not None:
        terms = terms * _by_class(weight, logs)
    if reduction == "none":
        return -terms.sum(dim)  # type: ignore[no-any-return]
    total = -terms.sum()
    return over(total, terms._array.size // classes) if reduction == "mean" else total


def _uniform_targets(
    logs: Tensor, target: Tensor, weight: Tensor | None, ignore_index: int, reduction: str
) -> Tensor:
    """What label smoothing adds: the loss against every class, ignored targets left out."""
    dim = 1 if logs._array.ndim > 1 else 0
    losses = -(logs if weight is None else logs * _by_class(weight, logs)).sum(dim)
    ignored = target._array == ignore_index
    losses = losses.masked_fill(Tensor(ignored), 0.0)
    if reduction == "none":
        return losses  # type: ignore[no-any-return]
    if reduction == "sum":
        return losses.sum()  # type: ignore[no-any-return]
    if weight is None:
        count = np.asarray((~ignored).sum())
    else:
        count = np.asarray(weight._array[target._array[~ignored]].sum())
    return losses.sum() / Tensor(count)  # type: ignore[no-any-return]


def _by_class(weight: Tensor, logs: Tensor) -> Tensor:
    """The weights along the axis of classes."""
    if logs._array.ndim == 1:
        return weight
    return shapes.view(weight, *(1, -1, *(1,) * (logs._array.ndim - 2)))
