"""The loss of connectionist temporal classification, of sequences without an alignment."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.functions.elementwise import where
from engine.functions.shapes import squeeze, unsqueeze
from engine.nn.loss_checks import reduction_of, summarised
from engine.ops import OPS
from engine.tensor import Tensor, apply, as_tensor

_WHERE = "(while checking arguments for ctc_loss_allocate_outputs)"


def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    """Minus the log-probability of each target over all its alignments.

    `log_probs` is (T, N, C) or (T, C), `targets` (N, S) or all of them in a row. "mean" divides
    by the targets' lengths first. `zero_infinity` makes 0 of what cannot be aligned. As in
    PyTorch, the gradient holds for log-probabilities that sum to 1, and has none itself.
    """
    reduction = reduction_of(reduction)
    batched = log_probs._array.ndim == 3
    x = log_probs if batched else unsqueeze(log_probs, 1)
    lengths, sizes = _numbers(input_lengths), _numbers(target_lengths)
    _check_lengths(x, lengths, sizes, blank)
    params = {
        "lengths": lengths,
        "sizes": sizes,
        "blank": blank,
        "zero_infinity": zero_infinity,
    }
    losses = apply(OPS["ctc_loss"], (x, _padded(targets, sizes)), params)
    if zero_infinity:
        losses = where(Tensor(losses._array == np.inf), as_tensor(0.0), losses)
    if reduction == "mean":
        divisors = np.maximum(np.array(sizes), 1).astype(losses._array.dtype)
        return summarised(losses / Tensor(divisors), "mean")
    if reduction == "none" and not batched:
        return squeeze(losses, 0)
    return summarised(losses, reduction)


def _numbers(lengths: Any) -> tuple[int, ...]:
    array = lengths._array if isinstance(lengths, Tensor) else np.asarray(lengths)
    return tuple(int(n) for n in array.ravel())


def _check_lengths(x: Tensor, lengths: tuple[int, ...], sizes: tuple[int, ...], blank: int) -> None:
    steps, batch, classes = x._array.shape
    if not 0 <= blank < classes:
        raise RuntimeError("blank must be in label range")
    if len(lengths) != batch:
        raise RuntimeError("input_lengths must be of size batch_size")
    if len(sizes) != batch:
        raise RuntimeError("target_lengths must be of size batch_size")
    for length in lengths:
        if length > steps:
            raise RuntimeError(
                f"Expected input_lengths to have value at most {steps}, but got value {length} "
                f"{_WHERE}"
            )


def _padded(targets: Tensor, sizes: tuple[int, ...]) -> Tensor:
    """The targets as rows; those that stand in a row are taken apart."""
    array = targets._array.astype(np.int64)
    longest = max(sizes, default=0)
    if array.ndim == 1:
        rows = np.zeros((len(sizes), longest), np.int64)
        starts = np.cumsum((0, *sizes))
        for row, start, size in zip(rows, starts, sizes, strict=False):
            row[:size] = array[start : start + size]
        return Tensor(rows)
    if array.shape[1] < longest:
        raise RuntimeError(
            f"Expected tensor to have size at least {longest} at dimension 1, but got size "
            f"{array.shape[1]} for argument #2 'targets' {_WHERE}"
        )
    return Tensor(array)
