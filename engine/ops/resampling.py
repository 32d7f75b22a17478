"""Resampling: along each of the last axes, every place of the output blends a few elements.

Which elements and with what weights is a table for each axis, (out, taps). Spreading a cotangent
over the elements again sums, for each element, the places that it went into.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.op import Op, Sample
from engine.ops.pooling import summed

Sizes = tuple[int, ...]
Taps = tuple[Any, Any]  # indices and weights
_FREE = {"linear": "Linear1D", "bilinear": "Bilinear2D", "trilinear": "Trilinear3D"}


def _scale(n: int, out: int, factor: float | None, *, align_corners: bool, kind: Any) -> Any:
    """How far apart in the input neighbours of the output lie."""
    if align_corners:
        return kind(n - 1) / kind(out - 1) if out > 1 else kind(0)
    return kind(1.0 / factor) if factor is not None and factor > 0 else kind(n) / kind(out)


def _nearest(n: int, out: int, scale: Any, half: Any) -> Taps:
    places = (np.arange(out).astype(type(scale)) + half) * scale
    index = np.minimum(np.floor(places.astype(np.float32)).astype(np.int64), n - 1)
    return index[:, None], np.ones((out, 1), type(scale))


def _middles(out: int, scale: Any, *, align_corners: bool) -> Any:
    places = np.arange(out).astype(type(scale))
    return (
        places * scale if align_corners else (places + type(scale)(0.5)) * scale - type(scale)(0.5)
    )


def _linear(n: int, out: int, scale: Any, *, align_corners: bool) -> Taps:
    middles = np.maximum(_middles(out, scale, align_corners=align_corners), 0)
    first = np.minimum(np.floor(middles.astype(np.float32)).astype(np.int64), n - 1)
    part = np.clip(middles - first, 0, 1)
    index = np.stack([first, np.minimum(first + 1, n - 1)], 1)
    return index, np.stack([1 - part, part], 1).astype(type(scale))


def cubic_weights(t: Any, a: float = -0.75) -> list[Any]:
    """Keys's weights of the four elements around a place, t behind the second of them."""
    s = 1 - t
    far = [((a * u - 5 * a) * u + 8 * a) * u - 4 * a for u in (t + 1, s + 1)]
    near = [((a + 2) * u - (a + 3)) * u * u + 1 for u in (t, s)]
    return [far[0], near[0], near[1], far[1]]


def _cubic(n: int, out: int, scale: Any, *, align_corners: bool) -> Taps:
    middles = _middles(out, scale, align_corners=align_corners)
    first = np.floor(middles)
    index = np.clip(first.astype(np.int64)[:, None] + np.arange(-1, 3), 0, n - 1)
    return index, np.stack(cubic_weights(middles - first), 1).astype(type(scale))


def _triangle(u: Any) -> Any:
    return np.maximum(1 - np.absolute(u), 0)


def _bump(u: Any) -> Any:
    u, a = np.absolute(u), -0.5
    near = ((a + 2) * u - (a + 3)) * u * u + 1
    far = (((u - 5) * u + 8) * u - 4) * a
    return np.where(u < 1, near, np.where(u < 2, far, 0))


def _smooth(n: int, out: int, scale: Any, mode: str) -> Taps:
    """Without aliasing: a filter as wide as the step where the output is the smaller one."""
    reach, curve = (2, _bump) if mode == "bicubic" else (1, _triangle)
    widening = max(float(scale), 1.0)
    centres = float(scale) * (np.arange(out) + 0.5)
    low = np.maximum((centres - reach * widening + 0.5).astype(np.int64), 0)
    high = np.minimum((centres + reach * widening + 0.5).astype(np.int64), n)
    index = low[:, None] + np.arange(int((high - low).max(initial=1)))
    weight = curve((index - centres[:, None] + 0.5) / widening) * (index < high[:, None])
    weight = weight / weight.sum(1, keepdims=True)
    return np.minimum(index, n - 1), weight.astype(type(scale))


def taps(n: int, out: int, factor: float | None, params: Mapping[str, Any], kind: Any) -> Taps:
    """What each place along an axis blends."""
    mode, align = params["mode"], params["align_corners"]
    scale = _scale(n, out, factor, align_corners=align, kind=kind)
    if mode.startswith("nearest"):
        return _nearest(n, out, scale, kind(0.5 if mode == "nearest-exact" else 0))
    if params["antialias"]:
        return _smooth(n, out, scale, mode)
    table = _cubic if mode == "bicubic" else _linear
    return table(n, out, scale, align_corners=align)


def _blended(x: Any, axis: int, index: Any, weight: Any) -> Any:
    made = None
    along = (-1, *(1,) * (x.ndim - axis - 1))
    for tap in range(index.shape[1]):
        term = np.take(x, index[:, tap], axis=axis)
        if index.shape[1] > 1:
            term = term * weight[:, tap].reshape(along)
        made = term if made is None else made + term
    return made


def _spread(g: Any, axis: int, index: Any, weight: Any, n: int) -> Any:
    order = np.argsort(index.ravel(), kind="stable")
    source, elements = order // index.shape[1], index.ravel()[order]
    along = (-1, *(1,) * (g.ndim - axis - 1))
    pieces = np.take(g, source, axis=axis) * weight.ravel()[order].reshape(along)
    bounds = (np.searchsorted(elements, np.arange(n), side) for side in ("left", "right"))
    return summed(pieces, axis, *bounds)


def _kind(x: Any) -> Any:
    return np.float64 if x.dtype == np.float64 else np.float32


def _resampled(x: Any, *, size: Sizes, scales: tuple[float | None, ...], **params: Any) -> Any:
    made = x
    for axis, (out, factor) in enumerate(zip(size, scales, strict=True), x.ndim - len(size)):
        made = _blended(made, axis, *taps(x.shape[axis], out, factor, params, _kind(x)))
    return made.astype(x.dtype)


def _spread_all(
    g: Any, *, size: Sizes, scales: tuple[float | None, ...], given: Sizes, **params: Any
) -> Any:
    made = g
    for place, (out, factor) in enumerate(zip(size, scales, strict=True)):
        axis, n = g.ndim - len(size) + place, given[place]
        made = _spread(made, axis, *taps(n, out, factor, params, _kind(g)), n)
    return made.astype(g.dtype)


def _resampled_back(g: Any, y: Any, x: Any, **params: Any) -> Any:
    given = tuple(x.shape[len(x.shape) - len(params["size"]) :])
    return SPREAD(g, given=given, **params)


def _spread_back(g: Any, y: Any, x: Any, *, given: Sizes, **params: Any) -> Any:
    return RESAMPLED(g, **params)


def _named(suffix: str) -> Any:
    def name(params: Mapping[str, Any]) -> str:
        mode, count = params["mode"], len(params["size"])
        smooth = "Aa" if params["antialias"] else ""
        if mode in _FREE:
            return f"Upsample{_FREE[mode]}{smooth}{suffix}"
        kind = {"nearest": "Nearest", "nearest-exact": "NearestExact", "bicubic": "Bicubic"}[mode]
        return f"Upsample{kind}{count}D{smooth}{suffix}"

    return name


def _sample(mode: str, size: Sizes, *, align: bool = False, smooth: bool = False) -> Any:
    scales = (None,) * len(size)
    return {
        "size": size,
        "scales": scales,
        "mode": mode,
        "align_corners": align,
        "antialias": smooth,
    }


_PARAMS = (
    _sample("nearest", (5,)),
    _sample("bilinear", (2, 4)),
    _sample("bicubic", (2, 4), align=True),
    _sample("bilinear", (2, 2), smooth=True),
)

RESAMPLED = Op(
    "upsample",
    _resampled,
    (_resampled_back,),
    _named("Backward0"),
    promote="none",
    batched=True,
    samples=tuple(Sample(((1, 3, 3),), params) for params in _PARAMS),
)
SPREAD = Op(
    "upsample_back",
    _spread_all,
    (_spread_back,),
    _named("BackwardBackward0"),
    promote="none",
    batched=True,
    samples=(Sample(((1, 2, 4),), {**_PARAMS[1], "given": (3, 3)}),),
)
ROWS = (RESAMPLED, SPREAD)
