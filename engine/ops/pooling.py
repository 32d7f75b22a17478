"""Averages over windows: each place of the output sees a stretch of every one of the last axes.

A stretch runs from a start to a stop, both of which never fall from one place to the next.
Sums over stretches go axis by axis.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.arrays import Array
from engine.op import Op, Sample

Sizes = tuple[int, ...]
Stretches = tuple[Array, Array]  # starts and stops


def out_size(n: int, kernel: int, stride: int, padding: int, dilation: int, *, ceil: bool) -> int:
    """How many places the kernel has along an axis; none begins behind the axis."""
    room = n + 2 * padding - dilation * (kernel - 1) - 1
    count = (room + (stride - 1 if ceil else 0)) // stride + 1
    return count - 1 if ceil and (count - 1) * stride >= n + padding else count


def adaptive(n: int, out: int) -> Stretches:
    places = np.arange(out)
    return places * n // out, -(-(places + 1) * n // out)


def _averaged(size: Sizes, params: Mapping[str, Any]) -> tuple[list[Stretches], Any]:
    """The stretches along each axis, and what the sums over them are divided by."""
    if "output_size" in params:
        each = [adaptive(n, out) for n, out in zip(size, params["output_size"], strict=True)]
        return each, _outer([stop - start for start, stop in each])
    each, counts = [], []
    for axis, n in enumerate(size):
        kernel, stride, padding = (params[k][axis] for k in ("kernel", "stride", "padding"))
        places = out_size(n, kernel, stride, padding, 1, ceil=params["ceil_mode"])
        starts = np.arange(places) * stride - padding
        stops = np.minimum(starts + kernel, n + padding)
        inside = np.clip(starts, 0, n), np.minimum(stops, n)
        each.append(inside)
        counts.append(stops - starts if params["count_include_pad"] else inside[1] - inside[0])
    # A window that lies outside altogether is empty: 0 whatever it is divided by.
    return each, params["divisor_override"] or np.maximum(_outer(counts), 1)


def _outer(counts: list[Array]) -> Array:
    made = np.ones((), np.int64)
    for count in counts:
        made = made[..., None] * count
    return made


def summed(x: Array, axis: int, starts: Array, stops: Array) -> Array:
    """The sums along an axis over each stretch."""
    edge = np.zeros_like(x, shape=(*x.shape[:axis], 1, *x.shape[axis + 1 :]))
    longer = np.concatenate([x, edge], axis)  # so that a stop may lie behind the last element
    bounds = np.stack([starts, stops], 1).ravel()
    sums = np.add.reduceat(longer, bounds, axis)
    kept = np.take(sums, np.arange(0, len(bounds), 2), axis=axis)
    empty = (starts >= stops).reshape(-1, *(1,) * (x.ndim - axis - 1))
    return np.where(empty, np.zeros((), x.dtype), kept)


def _turned(starts: Array, stops: Array, n: int) -> Stretches:
    """For each element of the axis, the places whose stretches hold it."""
    elements = np.arange(n)
    return np.searchsorted(stops, elements, "right"), np.searchsorted(starts, elements, "right")


def _wide(x: Array) -> Array:
    return x.astype(np.float32) if x.dtype == np.float16 else x


def _average(x: Any, **params: Any) -> Any:
    front = x.ndim - len(params["output_size" if "output_size" in params else "kernel"])
    each, divisor = _averaged(x.shape[front:], params)
    made = _wide(x)
    for axis, (starts, stops) in enumerate(each, front):
        made = summed(made, axis, starts, stops)
    return (made / divisor).astype(x.dtype)


def _share(g: Any, *, size: Sizes, **params: Any) -> Any:
    front = g.ndim - len(size)
    each, divisor = _averaged(size, params)
    made = _wide(g) / divisor
    for axis, (starts, stops) in enumerate(each, front):
        made = summed(made, axis, *_turned(starts, stops, size[axis - front]))
    return made.astype(g.dtype)


def _average_back(g: Any, y: Any, x: Any, **params: Any) -> Any:
    count = len(params["output_size" if "output_size" in params else "kernel"])
    return SHARE(g, size=tuple(x.shape[len(x.shape) - count :]), **params)


def _share_back(g: Any, y: Any, x: Any, *, size: Sizes, **params: Any) -> Any:
    return AVERAGE(g, **params)


def _average_name(suffix: str) -> Any:
    def name(params: Mapping[str, Any]) -> str:
        if "output_size" in params:
            return f"AdaptiveAvgPool{len(params['output_size'])}D{suffix}"
        return f"AvgPool{len(params['kernel'])}D{suffix}"

    return name


_PLAIN = {
    "kernel": (2,),
    "stride": (2,),
    "padding": (1,),
    "ceil_mode": True,
    "count_include_pad": False,
    "divisor_override": None,
}
_ADAPTIVE = {"output_size": (2, 2)}

AVERAGE = Op(
    "avg_pool",
    _average,
    (_average_back,),
    _average_name("Backward0"),
    promote="none",
    reads=(frozenset({0}),),  # PyTorch saves the input, of which only the shape matters
    batched=True,
    samples=(Sample(((1, 2, 4),), _PLAIN), Sample(((1, 3, 5),), _ADAPTIVE)),
)
SHARE = Op(
    "avg_pool_back",
    _share,
    (_share_back,),
    _average_name("BackwardBackward0"),
    promote="none",
    batched=True,
    samples=(Sample(((1, 2, 3),), {**_PLAIN, "size": (4,)}),),
)
ROWS = (AVERAGE, SHARE)
