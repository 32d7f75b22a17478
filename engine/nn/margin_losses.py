"""Losses of `torch.nn.functional` that ask for a margin between what is right and what is not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine import dtypes
from engine.functions.arithmetic import check_broadcast, eq, ne, sub
from engine.functions.elementwise import clamp_min, where
from engine.functions.numbers import minus, plus
from engine.nn.loss_checks import reduction_of, refuse_grad, summarised
from engine.ops import OPS
from engine.tensor import Tensor, apply, as_tensor


def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """max(0, -target * (input1 - input2) + margin), where a target of 1 wants input1 larger."""
    reduction = reduction_of(reduction, size_average, reduce)
    dims = {t._array.ndim for t in (input1, input2, target)}
    if len(dims) > 1:
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
            f"input1: {input1.shape}, input2: {input2.shape}, target: {target.shape} "
        )
    return summarised(clamp_min(plus(-target * (input1 - input2), margin), 0), reduction)


def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The input where the target is 1, max(0, margin - input) where it is -1."""
    reduction = reduction_of(reduction, size_average, reduce)
    zeros = Tensor(np.zeros_like(input._array))
    apart = where(ne(target, 1), clamp_min(sub(as_tensor(margin), input), 0), zeros)
    return summarised(apart + where(ne(target, -1), input, zeros), reduction)


def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """1 - cos where the target is 1, max(0, cos - margin) where it is -1.

    Inputs are (N, D) with N targets, or (D,) with one.
    """
    reduction = reduction_of(reduction, size_average, reduce)
    dim = target._array.ndim
    if dim > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if input1._array.ndim != dim + 1 or input2._array.ndim != dim + 1:
        raise RuntimeError(
            f"{dim}D target tensor expects {dim + 1}D input tensors, but found inputs with sizes "
            f"{list(input1._array.shape)} and {list(input2._array.shape)}."
        )
    product = (input1 * input2).sum(dim)
    square1 = plus((input1 * input1).sum(dim), 1e-12)
    square2 = plus((input2 * input2).sum(dim), 1e-12)
    cosine = product / (square1 * square2).sqrt()
    zeros = Tensor(np.zeros_like(cosine._array))
    together = where(eq(target, 1), Tensor(np.ones_like(cosine._array)) - cosine, zeros)
    apart = where(eq(target, -1), clamp_min(minus(cosine, margin), 0), zeros)
    return summarised(together + apart, reduction)


def _distance(a: Tensor, b: Tensor, p: float = 2.0, eps: float = 1e-6) -> Tensor:
    params = {"ord": 2 if p == 2 else p, "dim": (-1 % max(a._array.ndim, 1),), "keepdim": False}
    return apply(OPS["norm_dim"], (plus(a - b, eps),), params)


def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """max(0, margin + |anchor - positive| - |anchor - negative|), of p-norms over the last axis.

    With `swap` the negative's distance is the smaller of those to the anchor and the positive.
    """
    reduction = reduction_of(reduction, size_average, reduce)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    _check_dims(anchor, positive, negative)
    near, far = _distance(anchor, positive, p, eps), _distance(anchor, negative, p, eps)
    if swap:
        far = far.minimum(_distance(positive, negative, p, eps))
    return summarised(clamp_min(plus(near, margin) - far, 0), reduction)


def _check_dims(anchor: Tensor, positive: Tensor, negative: Tensor) -> None:
    a, p, n = (t._array.ndim for t in (anchor, positive, negative))
    if not a == p == n:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of "
            f"dimensions, but got: anchor {a}D, positive {p}D, and negative {n}D inputs"
        )


def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """As triplet_margin_loss, with any function of two tensors as the distance."""
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    _check_dims(anchor, positive, negative)
    if type(distance_function).__module__.partition(".")[0] == "torch":
        raise NotImplementedError("A distance of PyTorch itself cannot take tensors of the engine.")
    distance = _distance if distance_function is None else distance_function
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = far.minimum(distance(positive, negative))
    return summarised(clamp_min(margin + near - far, 0), reduction)


def soft_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """log(1 + exp(-target * input)), where targets are 1 or -1."""
    reduction = reduction_of(reduction, size_average, reduce)
    refuse_grad("soft_margin_loss", "target", target)
    check_broadcast(input._array.shape, target._array.shape)
    return apply(OPS["soft_margin_loss"], (input, target), {"reduction": reduction})


def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The mean over other classes of max(0, margin - input[target] + input[other]) ** p.

    `input` is (N, C) or (C,), `target` the class of each row.
    """
    reduction = reduction_of(reduction, size_average, reduce)
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None and weight._array.ndim != 1:
        raise ValueError("weight must be one-dimensional")
    refuse_grad("multi_margin_loss", "weight", weight)
    _check_targets(input, target, weight)
    inputs = (input, target) if weight is None else (input, target, weight)
    params = {"p": p, "margin": margin, "reduction": reduction}
    return apply(OPS["multi_margin_loss"], inputs, params)


def _check_rows(input: Tensor) -> None:
    shape = input._array.shape
    if len(shape) > 2 or 0 in shape[-1:]:
        raise RuntimeError(
            "Expected non-empty vector or matrix with optional 0-dim batch size, but got: "
            f"{list(shape)}"
        )


def _check_targets(input: Tensor, target: Tensor, weight: Tensor | None) -> None:
    _check_rows(input)
    shape = input._array.shape
    rows, classes = shape[0] if len(shape) == 2 else 1, shape[-1] if shape else 1
    given = target._array.shape
    if len(given) > 1 or (given[0] if given else 1) != rows:
        raise RuntimeError(
            "multi_margin_loss: target tensor should be 1-D with size equal to the number of input "
            f"samples (batch size). Expected target size [{rows}], but got {list(given)}. "
            f"Input has shape {list(shape)}."
        )
    if weight is not None and weight._array.shape != (classes,):
        raise RuntimeError(
            f"inconsistent weight size, expected {classes} but got {list(weight._array.shape)}"
        )
    _check_long(target)
    if ((target._array < 0) | (target._array >= classes)).any():
        raise RuntimeError("target out of range")


def _check_long(target: Tensor) -> None:
    if target.dtype is not dtypes.int64:
        raise RuntimeError(f"expected scalar type Long but found {dtypes.word(target.dtype)}")


def multilabel_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The mean of max(0, 1 - input[named] + input[other]) over pairs of classes.

    Both are (N, C) or (C,); a row of `target` names classes up to the first -1.
    """
    reduction = reduction_of(reduction, size_average, reduce)
    _check_rows(input)
    if input._array.shape != target._array.shape:
        raise RuntimeError(
            f"inconsistent target size: {list(target._array.shape)} for input of size: "
            f"{list(input._array.shape)}"
        )
    _check_long(target)
    classes = input._array.shape[-1] if input._array.ndim else 1
    if ((target._array < -1) | (target._array >= classes)).any():
        raise RuntimeError("argument #2 'target' is out of range")
    return apply(OPS["multilabel_margin_loss"], (input, target), {"reduction": reduction})
