"""Convolution: one trilinear form of an input, a weight and an output, solved for each of them.

With `windows` the view of an input's pieces under the kernel, the form is the sum of all
`windows[n, c, k, p] * weight[o, c, k] * output[n, o, p]`. Leaving out the output gives the
convolution, leaving out the input the transposed convolution, leaving out the weight what a
weight's gradient is; the derivatives of each of the three are the other two.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from engine.op import Op, Sample

Sizes = tuple[int, ...]


def windows(x: Any, kernel: Sizes, stride: Sizes, dilation: Sizes) -> Any:
    """The pieces of (N, C, *size) under the kernel at each place: (N, C, *places, *kernel)."""
    axes = tuple(range(2, x.ndim))
    reach = tuple([d * (k - 1) + 1 for k, d in zip(kernel, dilation, strict=True)])
    seen = np.lib.stride_tricks.sliding_window_view(x, reach, axes)
    steps = [slice(None, None, s) for s in (*stride, *dilation)]
    return seen[(slice(None), slice(None), *steps)]


def padded(x: Any, padding: Sizes, value: Any = 0) -> Any:
    """The input with as many places of `value` on both sides of each of its last axes."""
    if not any(padding):
        return x
    front = x.ndim - len(padding)
    room = [(0, 0)] * front + [(p, p) for p in padding]
    return np.pad(x, room, constant_values=value)


def columns(
    x: Any,
    kernel: Sizes,
    places: Sizes,
    *,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    groups: int,
) -> Any:
    """The windows as matrices, (C / groups * kernel, places) for each sample and group."""
    seen = windows(padded(x, padding), kernel, stride, dilation)
    spatial = len(kernel)
    seen = seen[(slice(None), slice(None), *[slice(0, n) for n in places])]
    seen = np.moveaxis(seen, range(2, 2 + spatial), range(-spatial, 0))
    n, channels = x.shape[:2]
    shape = (n, groups, channels // groups * prod(kernel), prod(places))
    return np.ascontiguousarray(seen.reshape(shape))  # what is not in order multiplies slowly


def laid_down(pieces: Any, size: Sizes, *, stride: Sizes, padding: Sizes, dilation: Sizes) -> Any:
    """Pieces (N, C, *kernel, *places) added up where their windows lie: (N, C, *size)."""
    spatial = len(size)
    kernel, places = pieces.shape[2 : 2 + spatial], pieces.shape[2 + spatial :]
    room = tuple([s + 2 * p for s, p in zip(size, padding, strict=True)])
    made = np.zeros((*pieces.shape[:2], *room), pieces.dtype)
    for tap in np.ndindex(*kernel):
        under = [
            slice(t * d, t * d + s * (n - 1) + 1, s)
            for t, d, s, n in zip(tap, dilation, stride, places, strict=True)
        ]
        made[(slice(None), slice(None), *under)] += pieces[(slice(None), slice(None), *tap)]
    inside = [slice(p, p + s) for p, s in zip(padding, size, strict=True)]
    return made[(slice(None), slice(None), *inside)]


def out_size(size: Sizes, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes) -> Sizes:
    """How many places the kernel has along each axis."""
    return tuple(
        [
            (n + 2 * p - d * (k - 1) - 1) // s + 1
            for n, k, s, p, d in zip(size, kernel, stride, padding, dilation, strict=True)
        ]
    )


def _with_bias(y: Any, b: Any) -> Any:
    if not b.ndim:  # a number stands where there is no bias
        return np.ascontiguousarray(y)
    return y + b.reshape(-1, *(1,) * (y.ndim - 2))


def _convolution(x: Any, w: Any, b: Any, *, groups: int, places: Sizes, **geometry: Any) -> Any:
    cols = columns(x, w.shape[2:], places, groups=groups, **geometry)
    rows = w.reshape(groups, w.shape[0] // groups, prod(w.shape[1:]))
    return _with_bias((rows @ cols).reshape(x.shape[0], w.shape[0], *places), b)


def _transpose(x: Any, w: Any, b: Any, *, groups: int, size: Sizes, **geometry: Any) -> Any:
    n, places, kernel = x.shape[0], x.shape[2:], w.shape[2:]
    rows = w.reshape(groups, w.shape[0] // groups, prod(w.shape[1:]))
    flat = np.ascontiguousarray(x).reshape(n, groups, w.shape[0] // groups, prod(places))
    pieces = np.swapaxes(rows, -1, -2) @ flat
    pieces = pieces.reshape(n, groups * w.shape[1], *kernel, *places)
    return _with_bias(laid_down(pieces, size, **geometry), b)


def _weight(x: Any, z: Any, *, groups: int, kernel: Sizes, **geometry: Any) -> Any:
    n, outs, places = z.shape[0], z.shape[1], prod(z.shape[2:])
    cols = columns(x, kernel, z.shape[2:], groups=groups, **geometry)
    cols = cols.transpose(1, 0, 3, 2).reshape(groups, n * places, cols.shape[2])
    flat = np.ascontiguousarray(z).reshape(n, groups, outs // groups, places).transpose(1, 2, 0, 3)
    made = flat.reshape(groups, outs // groups, n * places) @ cols
    return made.reshape(outs, x.shape[1] // groups, *kernel)


def _shift_back(g: Any, y: Any, x: Any, w: Any, b: Any, **params: Any) -> Any:
    """Every place shares its channel's bias."""
    return np.sum(g, axis=(0, *range(2, len(g.shape))))


def _input_back(g: Any, y: Any, x: Any, w: Any, b: Any, *, places: Sizes, **params: Any) -> Any:
    return TRANSPOSE(g, w, _none(g), size=tuple(x.shape[2:]), **params)


def _weight_back(g: Any, y: Any, x: Any, w: Any, b: Any, *, places: Sizes, **params: Any) -> Any:
    return WEIGHT(x, g, kernel=tuple(w.shape[2:]), **params)


def _places_back(g: Any, y: Any, x: Any, w: Any, b: Any, *, size: Sizes, **params: Any) -> Any:
    return CONVOLUTION(g, w, _none(g), places=tuple(x.shape[2:]), **params)


def _turned_weight_back(
    g: Any, y: Any, x: Any, w: Any, b: Any, *, size: Sizes, **params: Any
) -> Any:
    return WEIGHT(g, x, kernel=tuple(w.shape[2:]), **params)


def _none(g: Any) -> Any:
    """In the place of a bias."""
    return np.zeros((), getattr(g, "_array", g).dtype)


_STEPS = {"stride": (2,), "padding": (1,), "dilation": (1,), "groups": 1}
_GROUPS = {"stride": (1, 1), "padding": (0, 1), "dilation": (1, 2), "groups": 2}

CONVOLUTION = Op(
    "convolution",
    _convolution,
    (_input_back, _weight_back, _shift_back),
    samples=(
        Sample(((1, 2, 4), (2, 2, 2), (2,)), {**_STEPS, "places": (3,)}),
        Sample(((1, 2, 2, 3), (2, 1, 2, 2), (2,)), {**_GROUPS, "places": (1, 3)}),
    ),
)
TRANSPOSE = Op(
    "convolution_transpose",
    _transpose,
    (_places_back, _turned_weight_back, _shift_back),
    "ConvolutionBackward0",
    samples=(
        Sample(((1, 2, 3), (2, 1, 2), (1,)), {**_STEPS, "size": (5,)}),
        Sample(((1, 2, 1, 3), (2, 1, 2, 2), (2,)), {**_GROUPS, "size": (2, 3)}),
    ),
)
WEIGHT = Op(
    "convolution_weight",
    _weight,
    (
        lambda g, y, x, z, *, kernel, **params: TRANSPOSE(
            z, g, _none(g), size=tuple(x.shape[2:]), **params
        ),
        lambda g, y, x, z, *, kernel, **params: CONVOLUTION(
            x, g, _none(g), places=tuple(z.shape[2:]), **params
        ),
    ),
    "ConvolutionBackwardBackward0",
    samples=(
        Sample(((1, 2, 4), (1, 2, 3)), {**_STEPS, "kernel": (2,)}),
        Sample(((1, 2, 2, 3), (1, 2, 1, 3)), {**_GROUPS, "kernel": (2, 2)}),
    ),
)
ROWS = (CONVOLUTION, TRANSPOSE, WEIGHT)
