"""Values gathered at places by a sum, a product, a mean or an extreme."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.op import Need, Op, Sample
from engine.ops.index import GATHER, SCATTER_ADD, along, check_source, pieces_of
from engine.ops.scatter import SCATTER_VALUE

_GATHERING = {
    "sum": np.add,
    "mean": np.add,
    "prod": np.multiply,
    "amax": np.maximum,
    "amin": np.minimum,
}


def _neutral(reduce: str, dtype: Any) -> Any:
    """What the reduction starts from where the base is not to count."""
    if reduce in ("sum", "mean"):
        return 0
    if reduce == "prod":
        return 1
    if dtype.kind == "f":
        return -np.inf if reduce == "amax" else np.inf
    limits = np.iinfo(dtype)
    return limits.min if reduce == "amax" else limits.max


def _scatter_reduce(
    base: Any, index: Any, source: Any, *, dim: int, reduce: str, include_self: bool
) -> Any:
    made = np.array(base, order="C")
    line, index = (a if a.ndim else a.reshape(1) for a in (made, index))
    key, values = along(index, dim), pieces_of(source, index)
    if not include_self:
        line[key] = _neutral(reduce, made.dtype)
    _GATHERING[reduce].at(line, key, values)
    if reduce == "mean":
        count = np.full(line.shape, include_self, made.dtype)
        np.add.at(count, key, 1)
        count = np.maximum(count, 1)
        line[...] = line // count if made.dtype.kind in "iu" else line / count
    return made


def _to_base(g: Any, y: Any, base: Any, index: Any, source: Any, **how: Any) -> Any:
    dim, reduce, include_self = how["dim"], how["reduce"], how["include_self"]
    if reduce == "sum":
        found = g
    elif reduce == "mean":
        found = g / _counts(g, index, dim, include_self=include_self)
    elif reduce == "prod":
        there = np.where(base == 0, 1, base)
        found = g * SCATTER_REDUCE(there, index, source, **how) / there
    else:
        found = _shares(g, y, base, index, source, dim) * (base == y)
    return found if include_self else SCATTER_VALUE(found, index, dim=dim, value=0)


def _to_source(g: Any, y: Any, base: Any, index: Any, source: Any, **how: Any) -> Any:
    dim, reduce = how["dim"], how["reduce"]
    check_source("ScatterReduceBackward0", index, source)
    if reduce == "sum":
        return GATHER(g, index, dim=dim)
    if reduce == "mean":
        counts = _counts(g, index, dim, include_self=how["include_self"])
        return GATHER(g / counts, index, dim=dim)
    if reduce == "prod":
        return _factor_back(g, y, base, index, source, **how)
    reached = source == GATHER(y, index, dim=dim)
    return GATHER(_shares(g, y, base, index, source, dim), index, dim=dim) * reached


def _counts(g: Any, index: Any, dim: int, *, include_self: bool) -> Any:
    """How many values each place is the mean of."""
    start = np.ones_like(g) if include_self else np.zeros_like(g)
    counts = SCATTER_ADD(start, index, np.ones_like(g, shape=index.shape), dim=dim)
    return np.where(counts == 0, 1, counts)


def _shares(g: Any, y: Any, base: Any, index: Any, source: Any, dim: int) -> Any:
    """The cotangent divided among all that reach the extreme."""
    own = (base == y) * np.ones_like(y)
    reached = (source == GATHER(y, index, dim=dim)) * np.ones_like(source)
    return g / SCATTER_ADD(own, index, reached, dim=dim)


def _factor_back(g: Any, y: Any, base: Any, index: Any, source: Any, **how: Any) -> Any:
    """The product of the other factors; where one of them is 0, only that one receives it."""
    dim = how["dim"]
    zero = source == 0
    zeros = np.zeros_like(base) * 0
    count = GATHER(SCATTER_ADD(zeros, index, zero * np.ones_like(source), dim=dim), index, dim=dim)
    alone = zero & (count == 1)
    others = SCATTER_REDUCE(base, index, np.where(alone, 1, source), **how)
    without = GATHER(g * y, index, dim=dim) / np.where(zero, 1, source)
    return np.where(alone, GATHER(g * others, index, dim=dim), without)


def _spread(index: Any, shape: tuple[int, ...], dim: int) -> Any:
    """An index of slices as one of elements."""
    if not len(shape):
        return np.reshape(index, ())
    return np.broadcast_to(np.reshape(index, (-1,) + (1,) * (len(shape) - dim - 1)), shape)


def _index_reduce(base: Any, index: Any, source: Any, **how: Any) -> Any:
    places = _spread(index, source.shape, how["dim"])
    return _scatter_reduce(base, places, source, **how)


def _index_base(g: Any, y: Any, base: Any, index: Any, source: Any, **how: Any) -> Any:
    return _to_base(g, y, base, _spread(index, source.shape, how["dim"]), source, **how)


def _index_source(g: Any, y: Any, base: Any, index: Any, source: Any, **how: Any) -> Any:
    return _to_source(g, y, base, _spread(index, source.shape, how["dim"]), source, **how)


_ALL: frozenset[Need] = frozenset({"y", 0, 1, 2})
_READS = (_ALL, frozenset[Need](), _ALL)
_WAYS = tuple(
    {"dim": 1, "reduce": reduce, "include_self": include}
    for reduce in _GATHERING
    for include in (True, False)
)
SCATTER_REDUCE = Op(
    "scatter_reduce",
    _scatter_reduce,
    (_to_base, None, _to_source),
    promote="none",
    reads=_READS,
    samples=tuple(Sample(((2, 3), np.array([[0, 2, 0]]), (1, 3)), way) for way in _WAYS),
)

ROWS = (
    SCATTER_REDUCE,
    Op(
        "index_reduce",
        _index_reduce,
        (_index_base, None, _index_source),
        promote="none",
        reads=_READS,
        samples=tuple(Sample(((2, 3), np.array([0, 2, 0]), (2, 3)), way) for way in _WAYS),
    ),
)
