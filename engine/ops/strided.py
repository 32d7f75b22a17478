"""Views by sizes and strides, windows along an axis, and views written over a copy."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from engine.op import Op, Sample
from engine.ops.index import INDEX, INDEX_PUT
from engine.ops.shape import PUT_VIEW

Sizes = tuple[int, ...]


def positions(sizes: Sizes, strides: Sizes, offset: int = 0) -> Any:
    """Where each element of a view lies, counted in elements."""
    found = np.full(sizes, offset)
    for axis, (n, step) in enumerate(zip(sizes, strides, strict=True)):
        found += (step * np.arange(n)).reshape((-1,) + (1,) * (len(sizes) - axis - 1))
    return found


class _Memory:
    """Tells NumPy of an array at an address; keeps the owner of the memory alive."""

    def __init__(self, owner: Any, address: int, sizes: Sizes, strides: Sizes) -> None:
        self.owner = owner
        self.__array_interface__ = {
            "data": (address, not owner.flags.writeable),
            "shape": sizes,
            "strides": strides,
            "typestr": owner.dtype.str,
            "version": 3,
        }


def _bounds(array: Any) -> tuple[int, int]:
    """The addresses of an array's first element and of what comes after its last."""
    first = array.__array_interface__["data"][0]
    reach = [(n - 1) * step for n, step in zip(array.shape, array.strides, strict=True)]
    return (
        first + sum(min(r, 0) for r in reach),
        first + sum(max(r, 0) for r in reach) + array.itemsize,
    )


def _as_strided(x: Any, *, sizes: Sizes, strides: Sizes, start: int, geometry: Sizes) -> Any:
    """The view of x's memory; where x lies otherwise than `geometry` says, the same elements."""
    item = x.itemsize
    address = x.__array_interface__["data"][0] + start * item
    steps = tuple([step * item for step in strides])
    root = x
    while isinstance(root.base, np.ndarray):
        root = root.base
    lies = x.strides == tuple([step * item for step in geometry])
    if 0 in sizes:
        return np.zeros(sizes, x.dtype)
    view = np.asarray(_Memory(x, address, sizes, steps))
    low, high = _bounds(view)
    first, end = _bounds(root)
    if lies and first <= low and high <= end:
        return view
    where = _source_of(x.shape, geometry, positions(sizes, strides, start))
    return np.append(x.ravel(), np.zeros((1,), x.dtype))[where]


def _source_of(shape: Sizes, geometry: Sizes, wanted: Any) -> Any:
    """For positions in memory the place among x's elements; the place after them for none."""
    held = positions(shape, geometry).ravel()
    order = np.argsort(held)
    at = np.minimum(np.searchsorted(held, wanted, sorter=order), max(held.size - 1, 0))
    found = order[at] if held.size else np.zeros(wanted.shape, np.int64)
    return np.where(held[found] == wanted, found, held.size) if held.size else found


def _as_strided_back(
    g: Any, y: Any, x: Any, *, sizes: Sizes, strides: Sizes, start: int, geometry: Sizes
) -> Any:
    """Elements that the view shows several times receive the sum."""
    where = _source_of(x.shape, geometry, positions(sizes, strides, start)).ravel()
    count = int(np.prod(x.shape))
    zeros = np.zeros_like(g, shape=(count + 1,))
    put = INDEX_PUT(zeros, np.reshape(g, (-1,)), where, axes=(0,), accumulate=True)
    return np.reshape(put[:count], x.shape)


def _as_strided_scatter(x: Any, source: Any, *, where: Any) -> Any:
    made = np.array(x, order="C")
    made.reshape(-1)[where] = source
    return made


def _as_strided_scatter_base(g: Any, y: Any, x: Any, source: Any, *, where: Any) -> Any:
    return AS_STRIDED_SCATTER(g, np.zeros_like(g, shape=source.shape), where=where)


def _as_strided_scatter_source(g: Any, y: Any, x: Any, source: Any, *, where: Any) -> Any:
    return INDEX(np.reshape(g, (-1,)), where, axes=(0,))


def _unfold(x: Any, *, dim: int, size: int, step: int) -> Any:
    if not x.ndim:
        return x.reshape(1)[:size]
    count = (x.shape[dim] - size) // step + 1
    shape = (*x.shape[:dim], count, *x.shape[dim + 1 :], size)
    steps = (*x.strides[:dim], step * x.strides[dim], *x.strides[dim + 1 :], x.strides[dim])
    return np.lib.stride_tricks.as_strided(x, shape, steps)


def _fold(g: Any, *, shape: Sizes, dim: int, size: int, step: int) -> Any:
    """Windows added up where they came from."""
    made = np.zeros(shape, g.dtype)
    if not shape:
        return made + g.sum()
    count = g.shape[dim]
    for start in range(size if count else 0):
        part = slice(start, start + step * (count - 1) + 1, step)
        made[(*(slice(None),) * dim, part)] += g[..., start]
    return made


def _unfold_back(g: Any, y: Any, x: Any, **window: int) -> Any:
    return FOLD(g, shape=x.shape, **window)


def _fold_back(g: Any, y: Any, x: Any, *, shape: Sizes, **window: int) -> Any:
    return UNFOLD(g, **window)


_WINDOW = {"dim": 0, "size": 2, "step": 1}
_STRIDES = {"sizes": (2, 2), "strides": (1, 1), "start": 1, "geometry": (3, 1)}

AS_STRIDED = Op(
    "as_strided",
    _as_strided,
    (_as_strided_back,),
    promote="none",
    is_view=True,
    samples=(Sample(((2, 3),), _STRIDES),),
)
AS_STRIDED_SCATTER = Op(
    "as_strided_scatter",
    _as_strided_scatter,
    (_as_strided_scatter_base, _as_strided_scatter_source),
    promote="none",
    samples=(Sample(((2, 3), (2,)), {"where": np.array([3, 1])}),),
)
UNFOLD = Op(
    "unfold",
    _unfold,
    (_unfold_back,),
    promote="none",
    is_view=True,
    samples=(Sample(((3, 2),), _WINDOW), Sample(((2, 3),), {"dim": 1, "size": 2, "step": 1})),
)
FOLD = Op(
    "fold_windows",
    _fold,
    (_fold_back,),
    "UnfoldBackwardBackward0",
    promote="none",
    samples=(Sample(((2, 2, 2),), {"shape": (3, 2), **_WINDOW}),),
)

ROWS = (
    AS_STRIDED,
    AS_STRIDED_SCATTER,
    UNFOLD,
    FOLD,
    *(
        replace(PUT_VIEW, name=name, grad_fn=grad_fn, extra=None)
        for name, grad_fn in (
            ("slice_scatter", "SliceScatterBackward0"),
            ("select_scatter", "SelectScatterBackward0"),
            ("diagonal_scatter", "DiagonalScatterBackward0"),
        )
    ),
)
