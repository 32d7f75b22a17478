"""Distances between points."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.arrays import Array
from engine.op import Op, Sample
from engine.ops.index import INDEX, INDEX_PUT
from engine.ops.linalg import turned
from engine.ops.norms import NORM

_WHOLE: dict[str, Any] = {"dim": None, "keepdim": False}


def _length(x: Array, p: float) -> Array:
    """The p-norm over the last axis."""
    return np.asarray(NORM.forward(x, ord=p, dim=(-1,), keepdim=False))


def _pull(g: Any, y: Any, gap: Any, p: float) -> Any:
    """The cotangent of differences from that of their p-norm; 0 where a distance is 0."""
    if p == 0:
        return np.zeros_like(gap)
    if p == 1:
        return g * np.sign(gap)
    if p == np.inf:
        return g * np.sign(gap) * (np.absolute(gap) == y)
    safe = np.where(y == 0, 1, y)
    if p == 2:
        return np.where(y == 0, 0, g * (gap / safe))
    size = np.where(gap == 0, 1, np.absolute(gap))
    return np.where((gap == 0) | (y == 0), 0, g * (np.sign(gap) * (size / safe) ** (p - 1)))


def _gaps(a: Any, b: Any) -> Any:
    """Every point of one set minus every point of the other."""
    return np.expand_dims(a, -2) - np.expand_dims(b, -3)


def _cdist(a: Array, b: Array, *, p: float) -> Array:
    return _length(_gaps(a, b), p)


def _cdist_a(g: Any, y: Any, a: Any, b: Any, *, p: float) -> Any:
    return np.sum(_pull(np.expand_dims(g, -1), np.expand_dims(y, -1), _gaps(a, b), p), axis=-2)


def _cdist_b(g: Any, y: Any, a: Any, b: Any, *, p: float) -> Any:
    return -np.sum(_pull(np.expand_dims(g, -1), np.expand_dims(y, -1), _gaps(a, b), p), axis=-3)


def _euclidean(a: Array, b: Array) -> Any:
    squares = np.sum(a * a, -1)[..., :, None] + np.sum(b * b, -1)[..., None, :]
    return np.sqrt(np.maximum(squares - 2 * (a @ turned(b)), 1e-30)).astype(a.dtype)


def _euclidean_a(g: Any, y: Any, a: Any, b: Any) -> Any:
    ratio = g / y
    return a * np.sum(ratio, axis=-1, keepdims=True) - ratio @ b


def _euclidean_b(g: Any, y: Any, a: Any, b: Any) -> Any:
    ratio = turned(g / y)
    return b * np.sum(ratio, axis=-1, keepdims=True) - ratio @ a


def _pairs(n: int) -> tuple[Array, Array]:
    """The first and second of every pair of points."""
    first, second = np.triu_indices(n, 1)
    return first, second


def _pdist(x: Array, *, p: float) -> Array:
    first, second = _pairs(x.shape[0])
    return _length(x[first] - x[second], p)


def _pdist_back(g: Any, y: Any, x: Any, *, p: float) -> Any:
    first, second = _pairs(x.shape[0])
    gap = INDEX(x, first, axes=(0,)) - INDEX(x, second, axes=(0,))
    pulled = _pull(np.expand_dims(g, -1), np.expand_dims(y, -1), gap, p)
    to_first = INDEX_PUT(np.zeros_like(x), pulled, first, axes=(0,), accumulate=True)
    return INDEX_PUT(to_first, -pulled, second, axes=(0,), accumulate=True)


def _norm(x: Array, **params: Any) -> Array:
    return np.asarray(NORM.forward(x, **params))


def _norm_back(g: Any, y: Any, x: Any, **params: Any) -> Any:
    rule = NORM.pullback(0)
    assert rule is not None
    return rule(g, y, x, **params)


def _dist_back(g: Any, y: Any, a: Any, b: Any, *, p: float) -> Any:
    if p == 0:
        raise RuntimeError(
            "Expected a proper Tensor but got None (or an undefined Tensor in C++) for argument "
            "#0 'self'"
        )
    return _norm_back(g, y, a - b, ord=p, **_WHOLE)


_POINTS = np.array([[0.3, 1.9], [1.2, -0.4], [-0.8, 0.5]])
_TWO_SETS = tuple(
    Sample((_POINTS, np.array([[0.9, 1.0], [-0.6, 0.2]])), {"p": p})
    for p in (2.0, 1.0, 3.0, 1.5, np.inf)
)

ROWS = (
    Op("cdist", _cdist, (_cdist_a, _cdist_b), promote="none", samples=_TWO_SETS),
    Op(
        "euclidean_dist",
        _euclidean,
        (_euclidean_a, _euclidean_b),
        promote="none",
        samples=(Sample(((2, 2), (3, 2))),),
    ),
    Op(
        "pdist",
        _pdist,
        (_pdist_back,),
        promote="none",
        samples=tuple(Sample((_POINTS,), {"p": p}) for p in (2.0, 1.0, 3.0)),
    ),
    Op(
        "dist",
        lambda a, b, *, p: _norm(a - b, ord=p, **_WHOLE),
        (_dist_back, lambda g, y, a, b, *, p: -_dist_back(g, y, a, b, p=p)),
        samples=(Sample(((2, 3), (2, 3)), {"p": 2}), Sample(((2, 3), (3,)), {"p": 3})),
    ),
)
