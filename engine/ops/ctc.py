"""The loss of connectionist temporal classification (Graves et al. 2006)."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.arrays import Array
from engine.op import Op, Sample
from engine.ops.division import NOT_IMPLEMENTED, underivable
from engine.ops.kernels import FLOATING, kernel

Lengths = tuple[int, ...]


def _labels(target: Array, blank: int) -> Array:
    """The target with a blank before, between and after its labels."""
    states = np.full(2 * len(target) + 1, blank, np.int64)
    states[1::2] = target
    return states


def _log_sum(*terms: Any) -> Any:
    top = np.max(terms, axis=0)
    safe = np.where(np.isfinite(top), top, 0)
    return np.where(top == -np.inf, top, safe + np.log(sum(np.exp(t - safe) for t in terms)))


def _sums(logs: Array, states: Array) -> Array:
    """The log-probability of all ways to have reached each state by each time."""
    sums = np.full((len(logs), len(states)), -np.inf, logs.dtype)
    sums[0, :2] = logs[0, states[:2]]
    # A label may follow another one directly, unless it is the same.
    skips = np.zeros(len(states), bool)
    skips[3::2] = states[3::2] != states[1:-2:2]
    for now in range(1, len(logs)):
        before = sums[now - 1]
        one, two = np.full((2, len(states)), -np.inf, logs.dtype)
        one[1:], two[2:] = before[:-1], before[:-2]
        sums[now] = _log_sum(before, one, np.where(skips, two, -np.inf)) + logs[now, states]
    return sums


def _loss(logs: Array, states: Array) -> Any:
    if not len(logs):
        return 0.0 if len(states) == 1 else np.inf
    return -_log_sum(*_sums(logs, states)[-1, -2:])


def _slope(logs: Array, states: Array, loss: Any) -> Any:
    """Each probability less the share of the ways that pass through its label."""
    ahead, behind = _sums(logs, states), _sums(logs[::-1], states[::-1])[::-1, ::-1]
    through: Any = np.full(logs.shape, -np.inf, logs.dtype)
    places: Any = (slice(None), states)
    np.logaddexp.at(through, places, ahead + behind)
    return np.exp(logs) - np.exp(through + loss - logs)


@kernel("ctc_loss_cpu", FLOATING + "e")
def _ctc_loss(
    x: Any, targets: Any, *, lengths: Lengths, sizes: Lengths, blank: int, zero_infinity: bool
) -> Any:
    """`x` is (T, N, C), `targets` (N, S); `lengths` of `x` and `sizes` of the targets count."""
    losses = [
        _loss(x[:length, i], _labels(targets[i, :size], blank))
        for i, (length, size) in enumerate(zip(lengths, sizes, strict=True))
    ]
    return np.array(losses, x.dtype)


def _slopes(
    y: Any,
    x: Any,
    targets: Any,
    *,
    lengths: Lengths,
    sizes: Lengths,
    blank: int,
    zero_infinity: bool,
) -> dict[str, Any]:
    slopes = np.zeros_like(x)
    for i, (length, size) in enumerate(zip(lengths, sizes, strict=True)):
        if length and not (zero_infinity and y[i] == np.inf):
            states = _labels(targets[i, :size], blank)
            slopes[:length, i] = _slope(x[:length, i], states, y[i])
    return {"slopes": slopes}


CTC_LOSS_BACKWARD = Op(
    "ctc_loss_backward",
    lambda g, x, *, slopes: np.expand_dims(g, -1) * slopes,
    (underivable("_ctc_loss_backward"), underivable("_ctc_loss_backward")),
    NOT_IMPLEMENTED,
    reads=(frozenset(), frozenset()),
    samples=(Sample(((2,), (3, 2, 4)), {"slopes": np.ones((3, 2, 4))}),),
)

ROWS = (
    CTC_LOSS_BACKWARD,
    Op(
        "ctc_loss",
        _ctc_loss,
        (lambda g, y, x, targets, *, slopes, **params: CTC_LOSS_BACKWARD(g, x, slopes=slopes),),
        promote="none",
        extra=_slopes,
        samples=(
            Sample(
                (np.log(np.full((3, 2, 4), 0.25)), np.array([[1, 2], [3, 0]])),
                {"lengths": (3, 2), "sizes": (2, 1), "blank": 0, "zero_infinity": False},
            ),
        ),
    ),
)
