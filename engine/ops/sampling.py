"""Sampling at places that a grid tells: each blends the elements around it.

A place along an axis is at `u = value + slope * (grid - its numbers)`: the value is computed as
PyTorch computes it, the slope is that of unnormalizing, clipping and reflecting here. Weights are
polynomials of how far `u` lies behind the element before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from engine.op import Op, Sample
from engine.ops.index import INDEX, INDEX_PUT, SELECT
from engine.ops.resampling import cubic_weights


def _numbers(value: Any) -> Any:
    value = getattr(value, "value", value)
    return getattr(value, "_array", value)


class Tap(NamedTuple):
    """One of the elements that a place sees along an axis."""

    index: Any
    inside: Any
    weight: Any
    change: Any  # of the weight, with the place


def _clipped(u: Any, slope: Any, n: int) -> tuple[Any, Any]:
    return np.clip(u, 0, n - 1), np.where((u <= 0) | (u >= n - 1), 0, slope)


def _reflected(u: Any, slope: Any, n: int, align: bool) -> tuple[Any, Any]:
    low, span = (0.0, float(n - 1)) if align else (-0.5, float(n))
    if span <= 0:
        return np.zeros_like(u), np.zeros_like(u)
    far = np.absolute(u - low)
    turned = np.floor(far / span) % 2 == 1
    rest = np.fmod(far, span)
    made = np.where(turned, span - rest, rest) + low
    sign = np.where(u < low, -1, 1) * np.where(turned, -1, 1)
    return _clipped(made, slope * sign, n)


def _kept(u: Any, slope: Any, n: int, params: Mapping[str, Any]) -> tuple[Any, Any]:
    """A place brought into the axis as the padding says."""
    if params["padding"] == "border":
        return _clipped(u, slope, n)
    if params["padding"] == "reflection":
        return _reflected(u, slope, n, params["align_corners"])
    return u, slope


def _place(grid: Any, n: int, params: Mapping[str, Any]) -> tuple[Any, Any]:
    """Where along an axis of n elements the grid's numbers lie, and the slope there."""
    align = params["align_corners"]
    u = (grid + 1) / 2 * (n - 1) if align else ((grid + 1) * n - 1) / 2
    slope = np.full_like(u, (n - 1) / 2 if align else n / 2)
    return (u, slope) if params["mode"] == "bicubic" else _kept(u, slope, n, params)


def _cubic_changes(t: Any) -> list[Any]:
    a, s = -0.75, 1 - t
    far = [(3 * a * u - 10 * a) * u + 8 * a for u in (t + 1, s + 1)]
    near = [(3 * (a + 2) * u - 2 * (a + 3)) * u for u in (t, s)]
    return [far[0], near[0], -near[1], -far[1]]


def _taps(grid: Any, n: int, params: Mapping[str, Any]) -> tuple[list[Tap], Any]:
    """What a place sees along an axis of n elements, and how it moves with the grid."""
    here = _numbers(grid)
    u, slope = _place(here, n, params)
    if params["mode"] == "nearest":
        index = np.rint(u)
        return [_tap(index, n, 1.0, 0.0, params)], slope
    first = np.floor(u)
    t = (u - first) + slope * (grid - here)
    if params["mode"] == "bilinear":
        weights, changes, offset = [1 - t, t], [-1.0, 1.0], 0
    else:
        weights, changes, offset = cubic_weights(t), _cubic_changes(t), -1
    taps = [
        _tap(first + offset + number, n, weight, change, params)
        for number, (weight, change) in enumerate(zip(weights, changes, strict=True))
    ]
    return taps, slope


def _tap(index: Any, n: int, weight: Any, change: Any, params: Mapping[str, Any]) -> Tap:
    if params["mode"] == "bicubic":
        index = _kept(index, np.ones_like(index), n, params)[0]
    inside = (index >= 0) & (index <= n - 1)
    places = np.where(inside, index, 0).astype(np.int64)
    return Tap(places, inside, weight, change)


def _around(grid: Any, size: tuple[int, ...], params: Mapping[str, Any]) -> Any:
    """The taps along each axis and their slopes; the grid counts axes from the last."""
    count = len(size)
    last = len(grid.shape) - 1
    found = [
        _taps(SELECT(grid, dim=last, index=count - 1 - axis), n, params)
        for axis, n in enumerate(size)
    ]
    return [taps for taps, _slope in found], [slope for _taps_, slope in found]


def _key(taps: tuple[Tap, ...]) -> tuple[tuple[Any, ...], Any]:
    """Where a combination of taps lies in each sample, and whether it is inside."""
    shape = taps[0].index.shape
    batch = np.arange(shape[0]).reshape(-1, *(1,) * (len(shape) - 1))
    inside = np.ones(shape, bool)
    for tap in taps:
        inside = inside & tap.inside
    return (np.broadcast_to(batch, shape), *[tap.index for tap in taps]), inside


def _channels_last(x: Any) -> Any:
    return np.transpose(x, (0, *range(2, len(x.shape)), 1))


def _channels_second(x: Any) -> Any:
    last = len(x.shape) - 1
    return np.transpose(x, (0, last, *range(1, last)))


def _sampled(x: Any, grid: Any, **params: Any) -> Any:
    axes, _ = _around(grid, x.shape[2:], params)
    source, made = _channels_last(x), 0
    for taps in product(*axes):
        key, weight = _key(taps)
        for tap in taps:
            weight = weight * tap.weight
        made = made + source[key] * weight[..., None]
    return np.ascontiguousarray(_channels_second(made)).astype(x.dtype)


def _input_back(g: Any, y: Any, x: Any, grid: Any, **params: Any) -> Any:
    size = tuple(x.shape)
    axes, _ = _around(grid, size[2:], params)
    shares = _channels_last(g)
    into = np.zeros_like(g, shape=(size[0], *size[2:], size[1]))
    for taps in product(*axes):
        key, weight = _key(taps)
        for tap in taps:
            weight = weight * tap.weight
        share = shares * np.expand_dims(weight, -1)
        into = INDEX_PUT(into, share, *key, axes=tuple(range(len(key))), accumulate=True)
    return _channels_second(into)


def _grid_back(g: Any, y: Any, x: Any, grid: Any, **params: Any) -> Any:
    axes, slopes = _around(grid, tuple(x.shape)[2:], params)
    source, shares = _channels_last(x), _channels_last(g)
    moves: list[Any] = [0.0] * len(axes)
    for taps in product(*axes):
        key, inside = _key(taps)
        told = INDEX(source, *key, axes=tuple(range(len(key))))
        each = np.sum(shares * told, axis=-1) * inside
        for axis in range(len(axes)):
            change = each
            for other, tap in enumerate(taps):
                change = change * (tap.change if other == axis else tap.weight)
            moves[axis] = moves[axis] + change
    count = len(axes)
    made: Any = 0.0
    for axis, (move, slope) in enumerate(zip(moves, slopes, strict=True)):
        which = (np.arange(count) == count - 1 - axis).astype(slope.dtype)
        made = made + np.expand_dims(move * slope, -1) * which
    return made


def _named(params: Mapping[str, Any]) -> str:
    return f"GridSampler{params['axes']}DBackward0"


def _base(params: Mapping[str, Any]) -> dict[str, Any]:
    return {"align_corners": False, "padding": "zeros", "mode": "bilinear", "axes": 2, **params}


def _places(size: tuple[int, ...], align: bool, dtype: Any) -> Any:
    """Places from -1 to 1 in a row, the last axis first, and a 1: homogeneous coordinates."""
    lines = [np.linspace(-1, 1, n) if n > 1 else np.zeros(1) for n in size]
    if not align:
        lines = [line * ((n - 1) / n) for line, n in zip(lines, size, strict=True)]
    each = np.meshgrid(*lines, indexing="ij")
    return np.stack([*reversed(each), np.ones(size)], -1).reshape(-1, len(size) + 1).astype(dtype)


def _affine(theta: Any, *, size: tuple[int, ...], align_corners: bool) -> Any:
    made = _places(size, align_corners, theta.dtype) @ np.swapaxes(theta, 1, 2)
    return made.reshape(len(theta), *size, len(size))


def _affine_back(g: Any, y: Any, theta: Any, *, size: tuple[int, ...], align_corners: bool) -> Any:
    places = _places(size, align_corners, _numbers(g).dtype)
    flat = np.reshape(g, (g.shape[0], len(places), len(size)))
    return np.matmul(np.swapaxes(flat, 1, 2), places)


_GRID = np.array([[[[-0.83, 0.31], [0.27, -0.44]], [[0.71, 1.13], [-1.27, 0.05]]]])
_SAMPLES: tuple[dict[str, Any], ...] = (
    {},
    {"mode": "bicubic", "padding": "border", "align_corners": True},
    {"padding": "reflection"},
)

GRID_SAMPLE = Op(
    "grid_sample",
    lambda x, grid, *, axes, **params: _sampled(x, grid, **params),
    (
        lambda g, y, x, grid, *, axes, **params: _input_back(g, y, x, grid, **params),
        lambda g, y, x, grid, *, axes, **params: _grid_back(g, y, x, grid, **params),
    ),
    _named,
    promote="none",
    reads=(frozenset({0, 1}), frozenset({0, 1})),
    samples=tuple(Sample(((1, 2, 3, 4), _GRID), _base(params)) for params in _SAMPLES),
)
AFFINE = Op(
    "affine_grid",
    _affine,
    (_affine_back,),
    "AffineGridGeneratorBackward0",
    samples=(Sample(((1, 2, 3),), {"size": (2, 3), "align_corners": False}),),
)
ROWS = (GRID_SAMPLE, AFFINE)
