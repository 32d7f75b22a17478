"""`torch.nn.functional`: layers and losses as functions."""

from __future__ import annotations

import warnings

import numpy as np

from engine import dtypes, errors, late
from engine.functions import reductions, shapes
from engine.functions.elementwise import relu, sigmoid, tanh
from engine.functions.pieces import contiguous
from engine.functions.products import linear
from engine.ops import OPS
from engine.tensor import Tensor, apply, refuse

__all__ = [
    "cross_entropy",
    "linear",
    "log_softmax",
    "mse_loss",
    "nll_loss",
    "one_hot",
    "relu",
    "sigmoid",
    "softmax",
    "tanh",
]


def _implied_dim(name: str, ndim: int) -> int:
    warnings.warn(errors.IMPLICIT_DIM.format(name=name), UserWarning, stacklevel=3)
    return 0 if ndim in (0, 1, 3) else 1


def softmax(
    input: Tensor,
    dim: int | None = None,
    _stacklevel: int = 3,
    dtype: dtypes.dtype | None = None,
) -> Tensor:
    """exp(x) / sum exp(x) along an axis."""
    axis = _implied_dim("softmax", input._array.ndim) if dim is None else dim
    return reductions.softmax(input, axis, dtype)


def log_softmax(
    input: Tensor,
    dim: int | None = None,
    _stacklevel: int = 3,
    dtype: dtypes.dtype | None = None,
) -> Tensor:
    """The logarithm of softmax along an axis."""
    axis = _implied_dim("log_softmax", input._array.ndim) if dim is None else dim
    return reductions.log_softmax(input, axis, dtype)


def _checked_reduction(reduction: str) -> str:
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(errors.BAD_REDUCTION.format(reduction=reduction))
    return reduction


def same_size(input: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Input and target broadcast against each other, with PyTorch's warning where they differ."""
    a, b = input._array.shape, target._array.shape
    if a == b:
        return input, target
    text = errors.TARGET_SIZE.format(target=target.shape, input=input.shape)
    warnings.warn(text, UserWarning, stacklevel=3)
    from engine.functions.arithmetic import check_broadcast

    check_broadcast(a, b)
    shape = np.broadcast_shapes(a, b)
    return (
        input if a == shape else shapes.expand(input, *shape),
        target if b == shape else shapes.expand(target, *shape),
    )


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """The squared difference, averaged, summed, or left as it is."""
    x, t = same_size(input, target)
    _checked_reduction(reduction)
    if weight is not None:
        return weighted(apply(OPS["mse_loss"], (x, t), {"reduction": "none"}), weight, reduction)
    return apply(OPS["mse_loss"], (x, t), {"reduction": reduction})


def weighted(losses: Tensor, weight: Tensor, reduction: str) -> Tensor:
    """Losses times weights; the mean divides by the sum of the weights."""
    total = losses * weight
    if reduction == "mean":
        return total.sum() / weight.sum()  # type: ignore[no-any-return]
    return total.sum() if reduction == "sum" else total


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
    _checked_reduction(reduction)
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
    """log_softmax and nll_loss; a target of the input's shape holds probabilities."""
    _checked_reduction(reduction)
    dim = 1 if input._array.ndim > 1 else 0
    if target._array.shape == input._array.shape and target._array.dtype.kind == "f":
        logs = log_softmax(input, dim)
        return _soft_targets(
            logs, target, weight=weight, reduction=reduction, label_smoothing=label_smoothing
        )
    if label_smoothing:
        _check_classes(input, target, ignore_index)
    logs = log_softmax(input, dim)
    hard = nll_loss(logs, target, weight, ignore_index=ignore_index, reduction=reduction)
    if not label_smoothing:
        return hard
    smooth = _uniform_targets(logs, target, weight, ignore_index, reduction)
    classes = input._array.shape[dim]
    return hard * (1 - label_smoothing) + smooth * (label_smoothing / classes)  # type: ignore[no-any-return]


def _soft_targets(
    logs: Tensor,
    target: Tensor,
    *,
    weight: Tensor | None,
    reduction: str,
    label_smoothing: float,
) -> Tensor:
    dim = 1 if logs._array.ndim > 1 else 0
    classes = logs._array.shape[dim]
    if label_smoothing:
        target = target * (1 - label_smoothing) + label_smoothing / classes
    terms = logs * target
    if weight is not None:
        terms = terms * _by_class(weight, logs)
    if reduction == "none":
        return -terms.sum(dim)  # type: ignore[no-any-return]
    total = -terms.sum()
    return total / (terms._array.size / classes) if reduction == "mean" else total  # type: ignore[no-any-return]


def _uniform_targets(
    logs: Tensor, target: Tensor, weight: Tensor | None, ignore_index: int, reduction: str
) -> Tensor:
    """What label smoothing adds: the loss against every class, ignored targets left out."""
    dim = 1 if logs._array.ndim > 1 else 0
    losses = -(logs if weight is None else logs * _by_class(weight, logs)).sum(dim)
    ignored = target._array == ignore_index
    losses = losses.masked_fill(Tensor(ignored), 0.0)
    if reduction == "sum":
        return losses.sum()  # type: ignore[no-any-return]
    if reduction == "none":
        return losses  # type: ignore[no-any-return]
    if weight is None:
        count = float((~ignored).sum())
    else:
        count = float(weight._array[np.where(ignored, 0, target._array)][~ignored].sum())
    return losses.sum() / count  # type: ignore[no-any-return]


def _by_class(weight: Tensor, logs: Tensor) -> Tensor:
    if logs._array.ndim == 1:
        return weight
    return shapes.reshape(weight, (1, -1, *(1,) * (logs._array.ndim - 2)))


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """A row of zeros with a one at each index, along a new last axis."""
    places = tensor._array
    count = int(places.max()) + 1 if num_classes == -1 else num_classes
    if places.size and int(places.max()) >= count:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return Tensor((places[..., None] == np.arange(count)).astype(np.int64))


__getattr__ = late.Late(__name__, late.places(late.NN))
