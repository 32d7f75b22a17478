"""Losses of `torch.nn.functional` that compare a prediction with a target, element by element."""

from __future__ import annotations

import math
import warnings

import numpy as np

from engine import dtypes
from engine.functions.arithmetic import check_broadcast, le
from engine.functions.exponential import xlogy
from engine.functions.numbers import plus, times
from engine.functions.shapes import expand
from engine.nn.loss_checks import (
    reduction_of,
    refuse_grad,
    same_size,
    sized_weight,
    summarised,
    weighted,
)
from engine.ops import OPS
from engine.tensor import Tensor, apply


def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """|input - target|, averaged, summed, or left as it is; its gradient is 0 where they agree."""
    x, t = same_size(input, target)
    reduction = reduction_of(reduction, size_average, reduce)
    losses = (x - t).abs()
    if weight is None:
        return summarised(losses, reduction)
    return weighted(losses, sized_weight(weight, input), reduction)


def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    """Square where |input - target| < beta, over 2 beta; straight beyond, with slope 1."""
    x, t = same_size(input, target)
    reduction = reduction_of(reduction, size_average, reduce)
    if beta == 0.0:
        return summarised((x - t).abs(), reduction)
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    return apply(OPS["smooth_l1_loss"], (x, t), {"reduction": reduction, "beta": beta})


def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    weight: Tensor | None = None,
) -> Tensor:
    """Half the square where |input - target| <= delta; straight beyond, with slope delta."""
    x, t = same_size(input, target)
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    if weight is None:
        reduction = reduction_of(reduction)
        return apply(OPS["huber_loss"], (x, t), {"reduction": reduction, "delta": delta})
    sized_weight(weight, input)
    losses = apply(OPS["huber_loss"], (x, t), {"reduction": "none", "delta": delta})
    return summarised(losses * weight, reduction)


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """-t log(x) - (1 - t) log(1 - x), of probabilities x; logarithms are at least -100."""
    reduction = reduction_of(reduction, size_average, reduce)
    if target.shape != input.shape:
        raise ValueError(
            f"Using a target size ({target.shape}) that is different to the input size "
            f"({input.shape}) is deprecated. Please ensure they have the same size."
        )
    refuse_grad("binary_cross_entropy", "weight", weight)
    array = input._array
    if target._array.dtype != array.dtype:
        raise RuntimeError(
            f"Found dtype {dtypes.word(target.dtype)} but expected {dtypes.word(input.dtype)}"
        )
    if array.size and not ((array >= 0) & (array <= 1)).all():
        raise RuntimeError("all elements of input should be between 0 and 1")
    inputs: tuple[Tensor, ...] = (input, target)
    if weight is not None:
        shape = np.broadcast_shapes(target._array.shape, weight._array.shape)
        inputs = (input, target, expand(weight, *shape))
    return apply(OPS["binary_cross_entropy"], inputs, {"reduction": reduction})


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """binary_cross_entropy of sigmoid(input), exact also for large logits.

    `weight` counts each element, `pos_weight` the first term; both are broadcast.
    """
    reduction = reduction_of(reduction, size_average, reduce)
    if target.shape != input.shape:
        raise ValueError(
            f"Target size ({target.shape}) must be the same as input size ({input.shape})"
        )
    for name, tensor in (("weight", weight), ("pos_weight", pos_weight)):
        refuse_grad("binary_cross_entropy_with_logits", name, tensor)
    weights = tuple(w for w in (weight, pos_weight) if w is not None)
    if weight is not None:
        check_broadcast(input._array.shape, weight._array.shape)
    if pos_weight is not None:
        check_broadcast(pos_weight._array.shape, input._array.shape)
    params = {"reduction": reduction, "weighted": weight is not None}
    return apply(OPS["binary_cross_entropy_with_logits"], (input, target, *weights), params)


_KL_MEAN = (
    "reduction: 'mean' divides the total loss by both the batch size and the support size."
    "'batchmean' divides only by the batch size, and aligns with the KL div math definition."
    "'mean' will be changed to behave the same as 'batchmean' in the next major release."
)


def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:
    """Target * (log(target) - input), where `input` holds log-probabilities.

    With `log_target` the target does too. "batchmean" divides the sum by the first size.
    """
    by_batch = reduction == "batchmean"
    if size_average is not None or reduce is not None:
        kind = reduction_of(reduction, size_average, reduce)
    else:
        if reduction == "mean":
            warnings.warn(_KL_MEAN, UserWarning, stacklevel=2)
        kind = "sum" if by_batch else reduction_of(reduction)
    kinds = {input._array.dtype.kind, target._array.dtype.kind}
    if kinds != {"f"}:
        named = "Complex" if "c" in kinds else "Integral"
        raise RuntimeError(f"kl_div: {named} inputs not supported.")
    losses = (
        target.exp() * (target - input) if log_target else (xlogy(target, target) - target * input)
    )
    total = summarised(losses, kind)
    if by_batch and input._array.ndim:
        return total / input._array.shape[0]  # type: ignore[no-any-return]
    return total


def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    size_average: bool | None = None,
    eps: float = 1e-8,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """exp(input) - target * input; of a mean that is no logarithm, with `log_input` off.

    `full` adds Stirling's approximation of log(target!) where the target is above 1.
    """
    reduction = reduction_of(reduction, size_average, reduce)
    expected, logs = (input.exp(), input) if log_input else (input, plus(input, eps).log())
    losses = expected - target * logs
    if full:
        doubled = times(target, 2 * math.pi)
        stirling = target * target.log() - target + times(doubled.log(), 0.5)
        losses = losses + stirling.masked_fill(le(target, 1), 0)
    return summarised(losses, reduction)


def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Tensor | float,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    """(log var + (input - target)² / var) / 2, with `var` held at `eps` at least.

    `var` has the input's shape, or 1 or nothing in place of its last size. `full` adds
    log(2 pi) / 2.
    """
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = Tensor(np.ones_like(input._array)) * var
    elif not isinstance(var, Tensor):
        raise TypeError(f"var must be a Tensor or float, not {type(var).__name__}")
    elif (var._array < 0).any():
        raise ValueError("var has negative entry/entries")
    var = _for_each(var, input)
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not valid")
    held = var.clone()
    held._array[...] = np.maximum(held._array, eps)  # unseen by the history, as in PyTorch
    losses = 0.5 * (held.log() + (input - target) ** 2 / held)
    if full:
        losses = losses + 0.5 * math.log(2 * math.pi)
    return summarised(losses, reduction)


def _for_each(var: Tensor, input: Tensor) -> Tensor:
    """The variance in a shape that broadcasts against the input's."""
    shape, wanted = var._array.shape, input._array.shape
    if shape == wanted:
        return var
    if wanted[:-1] == shape:
        return var.unsqueeze(-1)  # type: ignore[no-any-return]
    differing = [n for m, n in zip(wanted, shape, strict=False) if m != n]
    if len(shape) == len(wanted) and sum(differing) == 1:
        return var
    raise ValueError("var is of incorrect size")


def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """binary_cross_entropy_with_logits, averaged over the last axis."""
    from engine.nn.activations import logsigmoid

    if size_average is not None or reduce is not None:
        reduction = reduction_of(reduction, size_average, reduce)
    losses = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        losses = losses * weight
    losses = losses.sum(dim=input._array.ndim - 1) / input._array.shape[-1]
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not valid")
    return summarised(losses, reduction)
