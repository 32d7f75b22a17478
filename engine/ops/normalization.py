"""Normalization: means taken away, and what is left divided by its size, over some of the axes.

The kinds differ in their layout: how the input is seen, which axes a mean is over, and how weight
and bias lie along the view.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Any

import numpy as np

from engine.op import Need, Op, Sample

Shape = tuple[int, ...]
Saves = tuple[frozenset[Need], ...] | None
Layout = tuple[Shape, Shape, Shape]  # the view's shape, the axes of a mean, the weight's shape


def _by_layer(shape: Shape, params: Mapping[str, Any]) -> Layout:
    first = len(shape) - params["count"]
    return shape, tuple(range(first, len(shape))), shape[first:]


def _by_channel(shape: Shape, params: Mapping[str, Any]) -> Layout:
    rest = (1,) * (len(shape) - 2)
    return shape, (0, *range(2, len(shape))), (1, shape[1], *rest)


def _by_group(shape: Shape, params: Mapping[str, Any]) -> Layout:
    groups = params["groups"]
    split, rest = (groups, shape[1] // groups), shape[2:]
    view = (shape[0], *split, *rest)
    return view, tuple(range(2, len(view))), (1, *split, *(1,) * len(rest))


def _along(w: Any, shape: Shape) -> Any:
    """Weight or bias along the view; where there is none, a number stands in its place."""
    return np.reshape(w, shape) if len(w.shape) else w


def deviations(x: Any, axes: Shape, eps: float) -> tuple[Any, Any]:
    """The input without its mean, and the root of its mean square and eps."""
    centred = x - np.mean(x, axis=axes, keepdims=True)
    return centred, np.sqrt(np.mean(centred * centred, axis=axes, keepdims=True) + eps)


def _unit(x: Any, *, axes: Shape, eps: float) -> Any:
    centred, size = deviations(x, axes, eps)
    return centred / size


def _unit_back(g: Any, y: Any, x: Any, *, axes: Shape, eps: float) -> Any:
    """What is left of the cotangent without its mean and its part along the output."""
    along = UNIT(x, axes=axes, eps=eps)
    mean = np.mean(g * along, axis=axes, keepdims=True)
    left = g - np.mean(g, axis=axes, keepdims=True) - along * mean
    return left / SPREAD(x, axes=axes, eps=eps)


def _spread_back(g: Any, y: Any, x: Any, *, axes: Shape, eps: float) -> Any:
    count = prod([x.shape[axis] for axis in axes])
    return g * UNIT(x, axes=axes, eps=eps) / count


def _wide(x: Any) -> Any:
    """Means of float16 are taken in float32."""
    short = type(x) is np.ndarray and x.dtype == np.float16
    return x.astype(np.float32) if short else x


class _Kind:
    """Forward and rules of one layout."""

    def __init__(self, layout: Callable[[Shape, Mapping[str, Any]], Layout]) -> None:
        self.layout = layout

    def forward(self, x: Any, w: Any, b: Any, *, eps: float, **params: Any) -> Any:
        view, axes, shape = self.layout(x.shape, params)
        centred, size = deviations(_wide(np.reshape(x, view)), axes, eps)
        made = centred / size * _along(w, shape) + _along(b, shape)
        return np.reshape(made, x.shape).astype(x.dtype)

    def to_input(self, g: Any, y: Any, x: Any, w: Any, b: Any, *, eps: float, **params: Any) -> Any:
        view, axes, shape = self.layout(tuple(x.shape), params)
        g = np.reshape(_wide(g), view) * _along(w, shape)
        made = _unit_back(g, y, np.reshape(_wide(x), view), axes=axes, eps=eps)
        return np.reshape(made, tuple(x.shape))

    def to_weight(
        self, g: Any, y: Any, x: Any, w: Any, b: Any, *, eps: float, **params: Any
    ) -> Any:
        view, axes, shape = self.layout(tuple(x.shape), params)
        unit = UNIT(np.reshape(_wide(x), view), axes=axes, eps=eps)
        return _gathered(np.reshape(g, view) * unit, shape, w)

    def to_bias(self, g: Any, y: Any, x: Any, w: Any, b: Any, *, eps: float, **params: Any) -> Any:
        view, _axes, shape = self.layout(tuple(g.shape), params)
        return _gathered(np.reshape(_wide(g), view), shape, b)

    def row(self, name: str, samples: tuple[Sample, ...], *, saves: Saves = None) -> Op:
        rules = (self.to_input, self.to_weight, self.to_bias)
        stem = "".join(part.capitalize() for part in name.split("_"))
        node = f"Native{stem}Backward0"
        return Op(name, self.forward, rules, node, reads=saves, samples=samples)


def _gathered(each: Any, shape: Shape, w: Any) -> Any:
    """Summed over the axes along which weight or bias was repeated."""
    front = len(each.shape) - len(shape)
    axes = (*range(front), *(front + axis for axis, n in enumerate(shape) if n == 1))
    return np.reshape(np.sum(each, axis=axes), tuple(w.shape))


def _scale(x: Any, w: Any, mean: Any, var: Any, eps: float) -> tuple[Any, Any, Any]:
    shape = (1, -1, *(1,) * (len(x.shape) - 2))
    size = np.sqrt(np.reshape(var, shape) + eps)
    return np.reshape(mean, shape), size, (np.reshape(w, shape) if len(w.shape) else w) / size


def _settled(x: Any, w: Any, b: Any, *, mean: Any, var: Any, eps: float) -> Any:
    centre, _size, scale = _scale(x, w, mean, var, eps)
    shift = np.reshape(b, (1, -1, *(1,) * (x.ndim - 2))) if b.ndim else b
    return ((x - centre) * scale + shift).astype(x.dtype)


def _settled_input(g: Any, y: Any, x: Any, w: Any, b: Any, **params: Any) -> Any:
    return g * _scale(g, w, **params)[2]


def _settled_weight(g: Any, y: Any, x: Any, w: Any, b: Any, **params: Any) -> Any:
    centre, size, _ = _scale(g, w, **params)
    axes = (0, *range(2, len(g.shape)))
    return np.reshape(np.sum(g * ((x - centre) / size), axis=axes), tuple(w.shape))


def _settled_bias(g: Any, y: Any, x: Any, w: Any, b: Any, **params: Any) -> Any:
    axes = (0, *range(2, len(g.shape)))
    return np.reshape(np.sum(g, axis=axes), tuple(b.shape))


_UNEVEN = np.array([[0.3, 1.1, 0.2], [0.9, 0.4, 1.7]])
_CHANNELS = np.array([[[0.3, 1.1], [0.2, 0.5]], [[0.9, 0.1], [0.6, 1.4]]])
_SMALL = {"eps": 0.1}

UNIT = Op("unit", _unit, (_unit_back,), samples=(Sample((_UNEVEN,), {"axes": (1,), **_SMALL}),))
SPREAD = Op(
    "std_of",
    lambda x, *, axes, eps: deviations(x, axes, eps)[1],
    (_spread_back,),
    samples=(Sample((_UNEVEN,), {"axes": (1,), **_SMALL}),),
)
ROWS = (
    UNIT,
    SPREAD,
    _Kind(_by_layer).row(
        "layer_norm",
        (Sample((_UNEVEN, (3,), (3,)), {"count": 1, **_SMALL}),),
        saves=(frozenset({0, 1, 2}),) * 3,  # PyTorch saves the bias too
    ),
    _Kind(_by_channel).row("batch_norm", (Sample((_CHANNELS, (2,), (2,)), _SMALL),)),
    _Kind(_by_group).row("group_norm", (Sample((_CHANNELS, (2,), (2,)), {"groups": 1, **_SMALL}),)),
    Op(
        "batch_norm_settled",
        _settled,
        (_settled_input, _settled_weight, _settled_bias),
        "NativeBatchNormBackward0",
        samples=(
            Sample(
                (_CHANNELS, (2,), (2,)),
                {"mean": np.array([0.3, 0.4]), "var": np.array([0.5, 0.2]), **_SMALL},
            ),
        ),
    ),
    # PyTorch's statistics of a group are tied to the input, and send nothing back to it.
    Op(
        "group_norm_statistic",
        lambda x, value: np.copy(value),
        (lambda g, y, x, value: np.zeros_like(x), None),
        "NativeGroupNormBackward0",
        samples=(
            Sample(
                ((2,), np.array([1, 2])),
            ),
        ),
    ),
)
