"""Reductions: ops that make axes disappear."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.op import Op, Sample

Axes = tuple[int, ...] | None  # None: all axes


def kept(value: Any, shape: tuple[int, ...], dim: Axes, *, keepdim: bool) -> Any:
    """A reduced array with its lost axes back as axes of length one."""
    if keepdim:
        return value
    axes = set(range(len(shape)) if dim is None else dim)
    return np.reshape(value, tuple(1 if i in axes else n for i, n in enumerate(shape)))


def _count(shape: tuple[int, ...], dim: Axes) -> int:
    count = 1
    for axis, size in enumerate(shape):
        if dim is None or axis in dim:
            count *= size
    return count


def _full_or_dim(name: str) -> Any:
    """PyTorch names the node of a reduction over everything …0, over chosen axes …1."""

    def named(params: Mapping[str, Any]) -> str:
        return f"{name}Backward{0 if params.get('dim') is None else 1}"

    return named


def _sum(x: Any, *, dim: Axes, keepdim: bool) -> Any:
    out = np.asarray(x).dtype
    return np.sum(x, axis=dim, keepdims=keepdim, dtype=out if out.kind in "fc" else np.int64)


def _sum_back(g: Any, y: Any, x: Any, *, dim: Axes, keepdim: bool) -> Any:
    return np.broadcast_to(kept(g, x.shape, dim, keepdim=keepdim), x.shape)


def _mean(x: Any, *, dim: Axes, keepdim: bool) -> Any:
    return np.mean(x, axis=dim, keepdims=keepdim) if x.size else np.sum(x, axis=dim) / 0.0


def _mean_back(g: Any, y: Any, x: Any, *, dim: Axes, keepdim: bool) -> Any:
    spread = np.broadcast_to(kept(g, x.shape, dim, keepdim=keepdim), x.shape)
    return spread / _count(x.shape, dim)


_OVER = ((Sample(((2, 3),), {"dim": None, "keepdim": False})),)

ROWS = (
    Op("sum", _sum, (_sum_back,), _full_or_dim("Sum"), samples=_OVER),
    Op("mean", _mean, (_mean_back,), _full_or_dim("Mean"), samples=_OVER),
)
