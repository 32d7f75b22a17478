"""Embedding: rows of a table, one for each index, or pooled by bags of indices."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.op import Op, Sample
from engine.ops.index import INDEX, INDEX_PUT


def _numbers(value: Any) -> Any:
    """Indices carry no gradient: their numbers are all that is needed."""
    value = getattr(value, "value", value)
    return getattr(value, "_array", value)


def _shares(indices: Any, params: Any, dtype: Any) -> Any:
    """How much each look-up teaches its row: padding nothing; by frequency, all uses one."""
    shares = (indices != params["padding_idx"]).astype(dtype)
    if params["scale_grad_by_freq"]:
        shares = shares / np.bincount(indices.ravel())[indices]
    return shares[..., None]


def _bag_shares(indices: Any, params: Any, dtype: Any) -> Any:
    """As PyTorch shares in bags: the row of rank r by how often the r-th smallest look-up is."""
    if not params["scale_grad_by_freq"] or not indices.size:
        return _shares(indices, {**params, "scale_grad_by_freq": False}, dtype)
    rank = np.unique(indices, return_inverse=True)[1]
    counts = np.bincount(indices)[np.sort(indices)[rank]]
    return (1 / counts).astype(dtype)[:, None]


def _taught(each: Any, places: Any, shape: tuple[int, ...]) -> Any:
    """A table of zeros with each look-up's cotangent added to its row."""
    zeros = np.zeros_like(each, shape=shape)
    return INDEX_PUT(zeros, each, places, axes=(0,), accumulate=True)


def _embedding_back(g: Any, y: Any, weight: Any, indices: Any, **params: Any) -> Any:
    shape, places = tuple(weight.shape), _numbers(indices)
    shares = _shares(places, params, _numbers(g).dtype)
    return _taught(g * shares, places, shape)


def _counted(indices: Any, bag: Any, params: Any, dtype: Any) -> Any:
    """How much each look-up counts in its bag: padding nothing; in a mean, all of a bag one."""
    counts = (indices != params["padding_idx"]).astype(dtype)
    if params["mode"] == "mean":
        total = np.bincount(bag, counts, params["bags"])
        counts = counts / np.maximum(total, 1).astype(dtype)[bag]
    return counts[:, None]


def _bags(weight: Any, each: Any, indices: Any, bag: Any, **params: Any) -> Any:
    counts = _counted(indices, bag, params, weight.dtype)
    made = np.zeros((params["bags"], weight.shape[1]), weight.dtype)
    factors = counts * np.reshape(each, (-1, 1)).astype(weight.dtype)
    np.add.at(made, bag, weight[indices] * factors)
    return made


def _bags_weight(
    g: Any, y: Any, weight: Any, each: Any, indices: Any, bag: Any, **params: Any
) -> Any:
    shape, places, whose = tuple(weight.shape), _numbers(indices), _numbers(bag)
    dtype = _numbers(g).dtype
    factors = _counted(places, whose, params, dtype) * _bag_shares(places, params, dtype)
    shared = INDEX(g, whose, axes=(0,)) * factors * np.reshape(each, (-1, 1))
    return _taught(shared, places, shape)


def _bags_each(
    g: Any, y: Any, weight: Any, each: Any, indices: Any, bag: Any, **params: Any
) -> Any:
    places, whose = _numbers(indices), _numbers(bag)
    counts = _counted(places, whose, params, _numbers(g).dtype)
    looked_up = INDEX(weight, places, axes=(0,)) * counts
    return np.reshape(np.sum(INDEX(g, whose, axes=(0,)) * looked_up, axis=1), tuple(each.shape))


def _first_largest(weight: Any, indices: Any, bag: Any, *, bags: int, padding_idx: int) -> Any:
    """For each bag and column, the row of the table that is largest; -1 for an empty bag."""
    kept = indices != padding_idx
    indices, bag = indices[kept], bag[kept]
    chosen = np.full((bags, weight.shape[1]), -1)
    starts = np.searchsorted(bag, np.arange(bags))
    filled = np.flatnonzero(starts < np.append(starts[1:], len(bag)))
    if not filled.size:
        return chosen
    rows = weight[indices]
    largest = np.zeros((bags, weight.shape[1]), weight.dtype)
    largest[filled] = np.maximum.reduceat(rows, starts[filled])
    places = np.where(rows == largest[bag], np.arange(len(bag))[:, None], len(bag))
    chosen[filled] = indices[np.minimum.reduceat(places, starts[filled])]
    return chosen


def _largest(weight: Any, each: Any, indices: Any, bag: Any, **params: Any) -> Any:
    chosen = _first_largest(weight, indices, bag, **params)
    picked = np.take_along_axis(weight, np.maximum(chosen, 0), 0)
    return np.where(chosen >= 0, picked, np.zeros((), weight.dtype))


def _largest_back(
    g: Any,
    y: Any,
    weight: Any,
    each: Any,
    indices: Any,
    bag: Any,
    *,
    chosen: Any,
    **params: Any,
) -> Any:
    zeros = np.zeros_like(g, shape=tuple(weight.shape))
    columns = np.broadcast_to(np.arange(chosen.shape[1]), chosen.shape)
    told = g * (chosen >= 0)
    rows = np.maximum(chosen, 0)
    return INDEX_PUT(zeros, told, rows, columns, axes=(0, 1), accumulate=True)


def _unweighed(g: Any, y: Any, weight: Any, each: Any, *places: Any, **params: Any) -> Any:
    """The largest rows are not weighed: nothing flows."""
    return np.zeros_like(each)


def _largest_places(
    y: Any, weight: Any, each: Any, indices: Any, bag: Any, **params: Any
) -> dict[str, Any]:
    return {"chosen": _first_largest(weight, indices, bag, **params)}


_PLACES = np.array([1, 0, 1])
_BAG = np.array([0, 0, 2])
_PLAIN = {"padding_idx": -1, "scale_grad_by_freq": False}

ROWS = (
    Op(
        "embedding",
        lambda weight, indices, **params: weight[indices],
        (_embedding_back, None),
        promote="none",
        reads=(frozenset({("shape", 0), 1}),),
        samples=(Sample(((2, 3), _PLACES), _PLAIN),),
    ),
    Op(
        "embedding_bag",
        _bags,
        (_bags_weight, _bags_each, None, None),
        promote="none",
        reads=(frozenset({("shape", 0), 1, 2, 3}), frozenset({("shape", 1), 0, 2, 3})),
        samples=(
            Sample(((2, 3), (3,), _PLACES, _BAG), {**_PLAIN, "mode": "sum", "bags": 3}),
            Sample(((2, 3), (3,), _PLACES, _BAG), {**_PLAIN, "mode": "mean", "bags": 3}),
        ),
    ),
    Op(
        "embedding_bag_max",
        _largest,
        (_largest_back, _unweighed, None, None),
        "EmbeddingBagBackward0",
        promote="none",
        extra=_largest_places,
        reads=(frozenset({("shape", 0), 2, 3}), frozenset({1})),
        samples=(Sample(((2, 3), (3,), _PLACES, _BAG), {"bags": 3, "padding_idx": -1}),),
    ),
)
