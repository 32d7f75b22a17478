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
    kernel = "nll_loss_forward" if input._array.ndim < 3 else "nll_loss2d_forward"
    refuse_grad(kernel, "weight", weight)
    try:
        _check_classes(input, target, ignore_index)
        _check_weight(input, weight)
    except (ValueError, RuntimeError, IndexError) as error:
        params = {"reduction": reduction, "ignore_index": ignore_index}
        refuse("nll_loss", (input, target), params, error)
    params = {"reduction": reduction, "ignore_index": ignore_index}
    shape = input._array.shape
    if len(shape) == 1 and target._array.ndim:
        target = Tensor(target._array.reshape(()))
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
    if not x.ndim:
        raise ValueError("Expected 1 or more dimensions (got 0)")
    batch = t.shape[0] if t.ndim else 0
    if x.ndim > 1 and x.shape[0] != batch:
        raise ValueError(errors.BATCH_MISMATCH.format(n=x.shape[0], m=batch))
    if t.dtype not in (np.int64, np.uint8):
        word = dtypes.word(target.dtype)
        raise RuntimeError(errors.TARGET_DTYPE.format(dtype=word))
    _check_places(x.shape, t.shape)
    classes = x.shape[1 if x.ndim > 1 else 0]
    outside = (t != ignore_index) & ((t < 0) | (t >= classes))
    if outside.any():
        raise IndexError(errors.TARGET_RANGE.format(k=int(t[outside].ravel()[0])))


def _check_places(x: tuple[int, ...], t: tuple[int, ...]) -> None:
    """Raise RuntimeError where the target is not of the input's shape without the classes."""
    if len(x) < 3 and len(t) > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if len(x) == 1 and t not in ((), (1,)):
        raise ValueError(f"For 1D input, 1D target must have size 1, but got target size: {t[0]}")
    if len(x) < 3 or t == (x[0], *x[2:]):
        return
    if len(x) == 4 and len(t) != 3:
        raise RuntimeError(
            "only batches of spatial targets supported (3D tensors) but got targets of dimension: "
            f"{len(t)}"
        )
    if len(x) == 4:
        raise RuntimeError(f"size mismatch (got input: {list(x)} , target: {list(t)}")
    raise RuntimeError(f"Expected target size {[x[0], *x[2:]]}, got {list(t)}")


def _check_weight(input: Tensor, weight: Tensor | None) -> None:
    if weight is None:
        return
    x, w = input._array, weight._array
    classes = x.shape[1 if x.ndim > 1 else 0]
    if w.shape != (classes,):
        which = f"all {classes} classes" if x.ndim < 3 else "all"
        given = f" but got weight tensor of shape: {list(w.shape)}" if x.ndim < 3 else ""
        raise RuntimeError(
            f"weight tensor should be defined either for {which} or no classes{given}"
        )
    if w.dtype != x.dtype:
        raise RuntimeError(
            f"expected scalar type {dtypes.word(input.dtype)} but found {dtypes.word(weight.dtype)}"
        )


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
