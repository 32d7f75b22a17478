"""Order: sorted places, the k-th place, the middle, the commonest, the running extreme.

An op that picks elements takes their places as its second input, so that what it saves for the
way back is what PyTorch saves: the indices.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from engine.op import Need, Op, Sample
from engine.ops.index import put_along
from engine.ops.kernels import kernel
from engine.ops.layout import row_major
from engine.ops.leading import SHORT, larger, leading, smaller, sorted_as_pairs
from engine.ops.reduction import found_nan, kept, shared
from engine.ops.selection import quick_select

Places = Callable[..., Any]


@kernel(" Sort does not support complex dtypes on CPU", error=RuntimeError, widens=False)
def _sorted_places(x: Any, *, dim: int, descending: bool) -> Any:
    """The places of the elements in order; equal ones keep theirs, and nan is the largest."""
    if not x.ndim:
        return np.zeros((), np.int64)
    if not descending:
        return np.argsort(x, axis=dim, kind="stable")
    turned = np.argsort(np.flip(x, dim), axis=dim, kind="stable")
    return x.shape[dim] - 1 - np.flip(turned, dim)


@kernel(" topk does not support complex dtypes on CPU", error=RuntimeError, widens=False)
@kernel("topk does not support bool dtypes on CPU", "b", error=RuntimeError, widens=False)
def _top_places(x: Any, *, k: int, dim: int, largest: bool) -> Any:
    places = _sorted_places(x, dim=dim, descending=largest)
    if not x.ndim:
        return places if k else np.zeros((0,), np.int64)
    found = np.take(places, np.arange(k), axis=dim)
    tied = _has_equals(x, np.take(places, np.arange(min(k + 1, x.shape[dim])), axis=dim), dim)
    lines, rows = np.moveaxis(x, dim, -1), np.moveaxis(found, dim, -1)
    for at in np.argwhere(tied):
        place = tuple(at)
        rows[place] = leading(lines[place].tolist(), k, larger if largest else smaller)
    return found


def _has_equals(x: Any, places: Any, dim: int) -> Any:
    """Whether the elements at the places, which are in order, hold equal ones; for each slice."""
    values = np.moveaxis(np.take_along_axis(x, places, axis=dim), dim, -1)
    before, after = values[..., :-1], values[..., 1:]
    return ((before == after) | ((before != before) & (after != after))).any(-1)


def _slices(find: Callable[[Any], int]) -> Places:
    """Search each slice along an axis; the axis becomes one of length one, or goes."""

    def places(x: Any, *, dim: int, keepdim: bool) -> Any:
        if not x.ndim:
            return np.zeros((), np.int64)
        shape = (*x.shape[:dim], 1, *x.shape[dim + 1 :])
        if 0 in shape:
            found = np.zeros(shape, np.int64)
        else:
            found = np.apply_along_axis(find, dim, x).reshape(shape).astype(np.int64)
        return found if keepdim else np.squeeze(found, axis=dim)

    return places


@kernel("kthvalue_cpu", "bc", widens=False)
def _kth_places(x: Any, *, k: int, dim: int, keepdim: bool) -> Any:
    if not x.ndim:
        return np.zeros((), np.int64)
    found = np.take(np.argsort(x, axis=dim, kind="stable"), [k - 1], axis=dim)
    if (np.sum(x == np.take_along_axis(x, found, axis=dim), axis=dim) != 1).any():
        return _slices(lambda line: quick_select(line, k - 1))(x, dim=dim, keepdim=keepdim)
    return found if keepdim else np.squeeze(found, axis=dim)


def _middle_places(x: Any, *, dim: int, keepdim: bool, skip_nan: bool) -> Any:
    """The place of the lower of the two middle elements along an axis.

    Where there is nan the first of them, unless they are to be skipped and something is left.
    """
    if not x.ndim:
        return np.zeros((), np.int64)
    order = np.argsort(x, axis=dim, kind="stable")
    bad = np.isnan(x) if x.dtype.kind == "f" else np.zeros(x.shape, bool)
    numbers = x.shape[dim] - bad.sum(dim, keepdims=True)
    at = np.maximum(numbers - 1, 0) // 2
    if not skip_nan:
        at = np.where(numbers == x.shape[dim], at, numbers)  # nan is sorted last
    found = np.take_along_axis(order, at, axis=dim)
    return found if keepdim else np.squeeze(found, axis=dim)


def _commonest(line: Any) -> int:
    """The last place, as they are sorted, of the first value with the longest run."""
    found, counts = np.unique(line, return_counts=True)
    places = np.flatnonzero(line == found[np.argmax(counts)])
    if not (found != found).any() and (line.size <= SHORT or places.size == 1):
        return int(places[-1])
    values = line.tolist()
    order = sorted_as_pairs(values)
    best = longest = run = 0
    for at, place in enumerate(order):
        run += 1
        if at + 1 == len(order) or values[place] != values[order[at + 1]]:
            if run > longest:
                best, longest = place, run
            run = 0
    return best


def _running(name: str, accumulate: Any) -> Places:
    """Where the running extreme stands at each place: of equal elements at the latest."""

    @kernel(name, widens=False)
    def places(x: Any, *, dim: int) -> Any:
        if not x.ndim:
            return np.zeros((), np.int64)
        reached = x == accumulate(x, axis=dim)
        if x.dtype.kind == "f":
            reached |= np.isnan(x)
        count = np.arange(x.shape[dim]).reshape((-1,) + (1,) * (x.ndim - dim - 1))
        return np.maximum.accumulate(np.where(reached, count, 0), axis=dim)

    return places  # type: ignore[no-any-return]


@row_major
def _picked(x: Any, places: Any, *, dim: int, keepdim: bool = True) -> Any:
    if not x.ndim:
        return np.broadcast_to(x, places.shape).copy()
    if keepdim:
        return np.take_along_axis(x, places, axis=dim)
    found = np.take_along_axis(x, np.expand_dims(places, dim), axis=dim)
    return np.squeeze(found, axis=dim)


def _picked_back(g: Any, y: Any, x: Any, places: Any, *, dim: int, keepdim: bool = True) -> Any:
    """Each element receives the cotangents of the places that it was put at."""
    if not len(x.shape):
        return np.sum(g) if len(g.shape) else g
    where = kept(places, x.shape, (dim,), keepdim=keepdim)
    return put_along(kept(g, x.shape, (dim,), keepdim=keepdim), where, dim=dim, shape=x.shape)


def _shared_middle(name: str, *, skip_nan: bool) -> Op:
    """The median of everything, whose gradient equal elements share."""

    @kernel("median_cpu", "bc", widens=False)
    def forward(x: Any) -> Any:
        if not x.size:
            return np.asarray(np.nan, x.dtype)
        flat = x.ravel()
        return flat[_middle_places(flat, dim=0, keepdim=False, skip_nan=skip_nan)]

    everything = (Sample(((2, 3),)),)
    return Op(name, forward, (shared,), promote="none", extra=found_nan, samples=everything)


_ROW = Sample(((2, 3), np.array([[2, 0, 1], [1, 1, 0]])), {"dim": 1})
_ONE = Sample(((2, 3), np.array([2, 0])), {"dim": 1, "keepdim": False})
_INDICES: frozenset[Need] = frozenset({("shape", 0), 1})
_BOTH: frozenset[Need] = frozenset({0, 1})


def _picking(
    name: str,
    sample: Sample,
    grad_fn: str | Callable[[Mapping[str, Any]], str] = "",
    reads: frozenset[Need] = _INDICES,
) -> Op:
    return Op(
        name,
        _picked,
        (_picked_back, None),
        grad_fn,
        promote="none",
        reads=(reads, frozenset()),
        samples=(sample,),
    )


def _places(name: str, find: Places) -> Op:
    return Op(name, find, (None,), promote="none")


_medians = kernel("median_out", "bc", widens=False)

ROWS = (
    _picking("sort", _ROW),
    _picking("sort_stable", _ROW, "SortBackward1"),
    _picking("topk", _ROW),
    _picking("kthvalue", _ONE),
    _picking("mode", _ONE),
    _picking("median_dim", _ONE, "MedianBackward1"),
    _picking("nanmedian_dim", _ONE, "NanmedianBackward1"),
    _picking("cummax", _ROW, reads=_BOTH),
    _picking("cummin", _ROW, reads=_BOTH),
    _places("argsort", _sorted_places),
    _places("topk_places", _top_places),
    _places("kthvalue_places", _kth_places),
    _places("mode_places", kernel("mode_cpu", widens=False)(_slices(_commonest))),
    _places("median_places", _medians(partial(_middle_places, skip_nan=False))),
    _places("nanmedian_places", _medians(partial(_middle_places, skip_nan=True))),
    _places("cummax_places", _running("cummax_cpu", np.maximum.accumulate)),
    _places("cummin_places", _running("cummin_cpu", np.minimum.accumulate)),
    _shared_middle("median", skip_nan=False),
    _shared_middle("nanmedian", skip_nan=True),
)
