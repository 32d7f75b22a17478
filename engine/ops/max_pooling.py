"""Maxima over windows: where they lie, and the elements at given places.

A window is a product of stretches, so the search goes axis by axis, the last one first.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from engine.arrays import Array
from engine.op import Op, Sample
from engine.ops.pooling import Sizes, adaptive


def kernel_table(n: int, kernel: int, stride: int, padding: int, dilation: int, out: int) -> Any:
    """Which elements each place sees, (out, kernel); those outside are the nearest that it does."""
    first = np.arange(out)[:, None] * stride - padding
    taps = np.arange(kernel)
    low = -(np.minimum(first, 0) // dilation)
    high = np.maximum((n - 1 - first) // dilation, low)
    return first + np.clip(taps, low, high) * dilation


def adaptive_table(n: int, out: int) -> Any:
    """As `kernel_table`, for a given number of places that share the axis."""
    starts, stops = adaptive(n, out)
    longest = int((stops - starts).max(initial=0))
    return np.minimum(starts[:, None] + np.arange(longest), stops[:, None] - 1)


def largest_places(x: Array, tables: list[Array]) -> Array:
    """Where the largest element of each window lies among the flattened last axes.

    Of equal ones it is the first; a nan is larger than anything, the last of them the largest.
    """
    count = len(tables)
    values, places = x, np.zeros((1,) * x.ndim, np.int64)
    step = 1
    for back, table in enumerate(reversed(tables), 1):
        axis, n = x.ndim - back, x.shape[x.ndim - back]
        seen = _seen(values, table, axis)
        best = np.expand_dims(_largest(seen, axis + 1), axis + 1)
        values = np.take_along_axis(seen, best, axis + 1).squeeze(axis + 1)
        across = (slice(None), *(None,) * (back - 1))
        taken = table[np.arange(len(table))[across], best.squeeze(axis + 1)] * step
        if back > 1:
            taken += np.take_along_axis(_seen(places, table, axis), best, axis + 1).squeeze(
                axis + 1
            )
        places, step = taken, step * n
    assert places.shape[: x.ndim - count] == x.shape[: x.ndim - count]
    return places


def _seen(x: Any, table: Any, axis: int) -> Any:
    taken = np.take(x, table.ravel(), axis=axis)
    return taken.reshape(*x.shape[:axis], *table.shape, *x.shape[axis + 1 :])


def _largest(seen: Any, axis: int) -> Any:
    best = np.argmax(seen, axis)
    if seen.dtype.kind != "f":
        return best
    missing = np.isnan(seen)
    if not missing.any():
        return best
    last = seen.shape[axis] - 1 - np.argmax(np.flip(missing, axis), axis)
    return np.where(missing.any(axis), last, best)


def _flat(x: Any, count: int) -> Any:
    front = x.ndim - count
    return x.reshape(*x.shape[:front], prod(x.shape[front:]))


def _pick(x: Any, places: Any, *, count: int, kind: str) -> Any:
    found = np.take_along_axis(_flat(x, count), _flat(places, count), -1)
    return found.reshape(places.shape)


def _pick_back(g: Any, y: Any, x: Any, places: Any, *, count: int, kind: str) -> Any:
    size = tuple(x.shape[len(x.shape) - count :])
    return PLACE(g, places, size=size, kind=kind, add=True)


def _place(x: Any, places: Any, *, size: Sizes, kind: str, add: bool) -> Any:
    count = len(size)
    made = np.zeros((*x.shape[: x.ndim - count], prod(size)), x.dtype)
    flat = _flat(places, count)
    flat = flat.reshape(prod(flat.shape[:-1]), flat.shape[-1])
    rows = made.reshape(len(flat), prod(size))
    key = (np.arange(len(flat))[:, None], flat)
    values = x.reshape(flat.shape)
    if add:
        np.add.at(rows, key, values)
    else:
        rows[key] = values
    return made.reshape(*x.shape[: x.ndim - count], *size)


def _place_back(g: Any, y: Any, x: Any, places: Any, *, size: Sizes, kind: str, add: bool) -> Any:
    return PICK(g, places, count=len(size), kind=kind)


_WHERE = np.array([[[0, 3], [3, 5]]])

PICK = Op(
    "max_pool",
    _pick,
    (_pick_back, None),
    lambda params: f"{params['kind']}Backward0",
    promote="none",
    reads=(frozenset({0, 1}),),
    samples=(Sample(((1, 2, 3), _WHERE), {"count": 2, "kind": "MaxPool2DWithIndices"}),),
)
PLACE = Op(
    "max_unpool",
    _place,
    (_place_back, None),
    lambda params: f"{params['kind']}Backward{'Backward' if params['add'] else ''}0",
    promote="none",
    samples=(
        Sample(((1, 2, 2), _WHERE), {"size": (2, 3), "kind": "MaxPool2DWithIndices", "add": True}),
    ),
)
ROWS = (PICK, PLACE)
