"""What losses have in common: their sizes are checked, their values summarised."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from engine import errors
from engine.functions import shapes
from engine.functions.arithmetic import check_broadcast
from engine.tensor import Tensor

_DEPRECATED = "size_average and reduce args will be deprecated, please use reduction='{}' instead."


def reduction_of(
    reduction: str, size_average: bool | None = None, reduce: bool | None = None
) -> str:
    """One of "none", "mean" and "sum"; the two older arguments decide where either is given.

    Raises ValueError for any other word.
    """
    if size_average is not None or reduce is not None:
        each = reduce is False
        word = "none" if each else "sum" if size_average is False else "mean"
        warnings.warn(_DEPRECATED.format(word), UserWarning, stacklevel=3)
        return word
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
    check_broadcast(a, b)
    shape = np.broadcast_shapes(a, b)
    return (
        input if a == shape else shapes.expand(input, *shape),
        target if b == shape else shapes.expand(target, *shape),
    )


def sized_weight(weight: Tensor, input: Tensor) -> Tensor:
    """The weight. Raises ValueError unless it has the input's shape."""
    if weight._array.shape != input._array.shape:
        raise ValueError("Weights and input must have the same size.")
    return weight


def summarised(losses: Tensor, reduction: str) -> Tensor:
    """The losses themselves, their mean, or their sum."""
    if reduction == "mean":
        return losses.mean()  # type: ignore[no-any-return]
    return losses.sum() if reduction == "sum" else losses


def weighted(losses: Tensor, weight: Tensor, reduction: str) -> Tensor:
    """Losses times weights; the mean divides by the sum of the weights."""
    total = losses * weight
    if reduction == "mean":
        return total.sum() / weight.sum()  # type: ignore[no-any-return]
    return summarised(total, reduction)


def refuse_grad(function: str, argument: str, tensor: Any) -> None:
    """Raise PyTorch's RuntimeError where an argument that gets no gradient requires one."""
    if isinstance(tensor, Tensor) and tensor.requires_grad:
        raise RuntimeError(
            f"The function '{function}' is not differentiable with respect to argument "
            f"'{argument}'. This input cannot have requires_grad True."
        )
