"""Attention: values averaged with the weights that queries give to keys."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.op import Op, Sample


def _bare(value: Any) -> Any:
    """A mask carries no gradient: its numbers are all that is needed."""
    value = getattr(value, "value", value)
    return getattr(value, "_array", value)


def safe_softmax(x: Any, *, dim: int) -> Any:
    """Softmax along an axis; 0 where everything is masked."""
    top = np.max(x, axis=dim, keepdims=True, initial=-np.inf)
    e = np.exp(x - np.where(np.isfinite(top), top, 0))
    total = np.sum(e, axis=dim, keepdims=True)
    return (e / np.where(total == 0, 1, total)).astype(x.dtype)


def _safe_softmax_back(g: Any, y: Any, x: Any, *, dim: int) -> Any:
    return y * (g - np.sum(g * y, axis=dim, keepdims=True))


def _bias(mask: Any, causal: bool, rows: int, columns: int) -> Any:
    """What is added to the scores: the mask, and nothing of what comes later."""
    mask = _bare(mask)
    bias = np.where(mask, 0, -np.inf) if mask.dtype.kind == "b" else mask
    if causal:
        bias = bias + np.where(np.tri(rows, columns), 0, -np.inf)
    return bias


def _weights(q: Any, k: Any, mask: Any, scale: float, causal: bool) -> Any:
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) * scale
    rows, columns = q.shape[-2], k.shape[-2]
    bias = _bias(mask, causal, rows, columns)
    return SAFE_SOFTMAX(scores + bias.astype(_bare(q).dtype), dim=3)


def _attended(q: Any, k: Any, v: Any, mask: Any, *, scale: float, causal: bool) -> Any:
    return np.matmul(_weights(q, k, mask, scale, causal), v).astype(q.dtype)


def _scores_back(g: Any, q: Any, k: Any, v: Any, mask: Any, scale: float, causal: bool) -> Any:
    weights = _weights(q, k, mask, scale, causal)
    taught = np.matmul(g, np.swapaxes(v, -1, -2))
    return weights * (taught - np.sum(taught * weights, axis=-1, keepdims=True)) * scale


def _query_back(
    g: Any, y: Any, q: Any, k: Any, v: Any, mask: Any, *, scale: float, causal: bool
) -> Any:
    return np.matmul(_scores_back(g, q, k, v, mask, scale, causal), k)


def _key_back(
    g: Any, y: Any, q: Any, k: Any, v: Any, mask: Any, *, scale: float, causal: bool
) -> Any:
    return np.matmul(np.swapaxes(_scores_back(g, q, k, v, mask, scale, causal), -1, -2), q)


def _value_back(
    g: Any, y: Any, q: Any, k: Any, v: Any, mask: Any, *, scale: float, causal: bool
) -> Any:
    return np.matmul(np.swapaxes(_weights(q, k, mask, scale, causal), -1, -2), g)


_SHAPES = ((1, 1, 2, 2), (1, 1, 3, 2), (1, 1, 3, 2))
_OPEN = np.array([[True, True, False], [True, True, True]])

SAFE_SOFTMAX = Op(
    "safe_softmax",
    safe_softmax,
    (_safe_softmax_back,),
    samples=(Sample(((2, 3),), {"dim": 1}),),
)
ROWS = (
    SAFE_SOFTMAX,
    Op(
        "flash_attention",
        _attended,
        (_query_back, _key_back, _value_back),
        "ScaledDotProductFlashAttentionForCpuBackward0",
        promote="none",
        reads=(frozenset({0, 1, 2, 3}),) * 3,
        samples=(
            Sample((*_SHAPES, _OPEN), {"scale": 0.7, "causal": False}),
            Sample((*_SHAPES, np.array(True)), {"scale": 0.7, "causal": True}),
        ),
    ),
)
