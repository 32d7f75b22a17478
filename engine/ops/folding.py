"""Elements moved between axes: windows laid out as columns, channels spread over space."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from engine.op import Op, Sample
from engine.ops.convolution import Sizes, columns, laid_down, out_size


def _unfold(x: Any, *, kernel: Sizes, **geometry: Any) -> Any:
    if x.ndim == 3:
        return _unfold(x[None], kernel=kernel, **geometry)[0]
    places = out_size(x.shape[2:], kernel, **geometry)
    return columns(x, kernel, places, groups=1, **geometry)[:, 0]


def _fold(x: Any, *, size: Sizes, kernel: Sizes, **geometry: Any) -> Any:
    if x.ndim == 2:
        return _fold(x[None], size=size, kernel=kernel, **geometry)[0]
    places = out_size(size, kernel, **geometry)
    channels = x.shape[1] // prod(kernel)
    return laid_down(x.reshape(x.shape[0], channels, *kernel, *places), size, **geometry)


def _unfold_back(g: Any, y: Any, x: Any, **params: Any) -> Any:
    return FOLD(g, size=tuple(x.shape[-2:]), **params)


def _fold_back(g: Any, y: Any, x: Any, *, size: Sizes, **params: Any) -> Any:
    return UNFOLD(g, **params)


def _shuffle(x: Any, *, factor: int) -> Any:
    """Each block of factor² channels becomes a square of factor × factor."""
    *front, channels, high, wide = x.shape
    split = x.reshape(*front, channels // factor**2, factor, factor, high, wide)
    last = len(front)
    turned = split.transpose(*range(last + 1), last + 3, last + 1, last + 4, last + 2)
    return turned.reshape(*front, channels // factor**2, high * factor, wide * factor)


def _unshuffle(x: Any, *, factor: int) -> Any:
    *front, channels, high, wide = x.shape
    split = x.reshape(*front, channels, high // factor, factor, wide // factor, factor)
    last = len(front)
    turned = split.transpose(*range(last + 1), last + 2, last + 4, last + 1, last + 3)
    return turned.reshape(*front, channels * factor**2, high // factor, wide // factor)


def _mix(x: Any, *, groups: int) -> Any:
    """One channel of each group after the other."""
    n, channels = x.shape[:2]
    split = x.reshape(n, groups, channels // groups, *x.shape[2:])
    return np.swapaxes(split, 1, 2).reshape(x.shape)


def _mix_back(g: Any, y: Any, x: Any, *, groups: int) -> Any:
    return MIX(g, groups=g.shape[1] // groups)


def _shuffle_back(g: Any, y: Any, x: Any, *, factor: int) -> Any:
    return UNSHUFFLE(g, factor=factor)


_GEOMETRY = {
    "kernel": (2, 2),
    "stride": (1, 2),
    "padding": (0, 1),
    "dilation": (1, 1),
}
UNFOLD = Op(
    "im2col",
    _unfold,
    (_unfold_back,),
    "Im2ColBackward0",
    promote="none",
    samples=(Sample(((1, 2, 2, 3),), _GEOMETRY),),
)
FOLD = Op(
    "col2im",
    _fold,
    (_fold_back,),
    "Col2ImBackward0",
    promote="none",
    samples=(Sample(((1, 4, 2),), {**_GEOMETRY, "size": (2, 3)}),),
)
SHUFFLE = Op(
    "pixel_shuffle",
    _shuffle,
    (_shuffle_back,),
    promote="none",
    batched=True,
    samples=(Sample(((8, 1, 2),), {"factor": 2}),),
)
UNSHUFFLE = Op(
    "pixel_unshuffle",
    _unshuffle,
    (lambda g, y, x, *, factor: SHUFFLE(g, factor=factor),),
    promote="none",
    batched=True,
    samples=(Sample(((2, 2, 4),), {"factor": 2}),),
)
MIX = Op(
    "channel_shuffle",
    _mix,
    (_mix_back,),
    promote="none",
    samples=(Sample(((1, 6, 2),), {"groups": 2}),),
)
ROWS = (UNFOLD, FOLD, SHUFFLE, UNSHUFFLE, MIX)
