"""Indexing: pieces of a tensor, and cotangents put back where the pieces came from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.op import Op, Sample
from engine.ops.layout import row_major

Key = tuple[Any, ...]


def _select_key(dim: int, index: int) -> Key:
    return (*(slice(None),) * dim, index)


def _slice_key(dim: int, start: int, stop: int, *, step: int) -> Key:
    return (*(slice(None),) * dim, slice(start, stop, step))


def _select_back(g: Any, y: Any, x: Any, *, dim: int, index: int) -> Any:
    return PUT(g, key=_select_key(dim, index), shape=x.shape)


def _slice_back(g: Any, y: Any, x: Any, *, dim: int, start: int, stop: int, step: int) -> Any:
    return PUT(g, key=_slice_key(dim, start, stop, step=step), shape=x.shape)


def _put(g: Any, *, key: Key, shape: tuple[int, ...]) -> Any:
    made = np.zeros(shape, np.asarray(g).dtype)
    made[key] = g
    return made


def _put_name(params: Mapping[str, Any]) -> str:
    sliced = isinstance(params["key"][-1], slice)
    return "SliceBackwardBackward0" if sliced else "SelectBackwardBackward0"


def _put_back(g: Any, y: Any, x: Any, *, key: Key, shape: tuple[int, ...]) -> Any:
    return PIECE(g, key=key)


def _piece_of(x: Any, *, key: Key) -> Any:
    return x[key]


SELECT = Op(
    "select",
    lambda x, *, dim, index: x[(*_select_key(dim, index), ...)],
    (_select_back,),
    promote="none",
    is_view=True,
    samples=(Sample(((2, 3),), {"dim": 1, "index": 2}),),
)
SLICE = Op(
    "slice",
    lambda x, *, dim, start, stop, step: x[_slice_key(dim, start, stop, step=step)],
    (_slice_back,),
    promote="none",
    is_view=True,
    samples=(Sample(((3, 2),), {"dim": 0, "start": 0, "stop": 3, "step": 2}),),
)
# A cotangent among zeros, at the place of its piece.
PUT = Op(
    "put",
    _put,
    (_put_back,),
    _put_name,
    promote="none",
    samples=(Sample(((2,),), {"key": (slice(None), 1), "shape": (2, 3)}),),
)
PIECE = Op(
    "piece",
    _piece_of,
    (lambda g, y, x, *, key: PUT(g, key=key, shape=x.shape),),
    promote="none",
    samples=(Sample(((2, 3),), {"key": (slice(None), 1)}),),
)


def full_key(indices: tuple[Any, ...], axes: tuple[int, ...]) -> Key:
    """NumPy's index from index arrays and the axes they stand at; a mask spans several."""
    key: list[Any] = []
    axis = 0
    for index, at in zip(indices, axes, strict=True):
        key += [slice(None)] * (at - axis)
        key.append(index)
        axis = at + (index.ndim if index.dtype.kind == "b" else 1)
    return tuple(key)


@row_major
def _index(x: Any, *indices: Any, axes: tuple[int, ...]) -> Any:
    return x[full_key(indices, axes)]


def _index_back(g: Any, y: Any, x: Any, *indices: Any, axes: tuple[int, ...]) -> Any:
    # An element that was read several times receives the sum.
    zeros = np.zeros_like(g, shape=x.shape)
    return INDEX_PUT(zeros, g, *indices, axes=axes, accumulate=True)


def _index_put(
    base: Any, value: Any, *indices: Any, axes: tuple[int, ...], accumulate: bool
) -> Any:
    made = np.array(base)
    key = full_key(indices, axes)
    if accumulate:
        np.add.at(made, key, value)
    else:
        made[key] = value
    return made


def _index_put_base(
    g: Any, y: Any, base: Any, value: Any, *indices: Any, axes: tuple[int, ...], accumulate: bool
) -> Any:
    if accumulate:
        return g
    zeros = np.zeros_like(g, shape=value.shape)
    return INDEX_PUT(g, zeros, *indices, axes=axes, accumulate=False)


def _index_put_value(
    g: Any, y: Any, base: Any, value: Any, *indices: Any, axes: tuple[int, ...], accumulate: bool
) -> Any:
    return INDEX(g, *indices, axes=axes)


_TWICE = np.array([1, 0, 1])

INDEX = Op(
    "index",
    _index,
    (_index_back,),
    promote="none",
    reads=(frozenset({("shape", 0), ("from", 1)}),),
    samples=(Sample(((2, 3), _TWICE), {"axes": (0,)}),),
)
INDEX_PUT = Op(
    "index_put",
    _index_put,
    (_index_put_base, _index_put_value),
    promote="none",
    reads=(frozenset({("shape", 1), ("from", 2)}), frozenset({("from", 2)})),
    samples=(
        Sample(((2, 3), (3, 3), _TWICE), {"axes": (0,), "accumulate": True}),
        Sample(((2, 3), (2, 3), np.array([1, 0])), {"axes": (0,), "accumulate": False}),
    ),
)


def put_along(g: Any, indices: Any, *, dim: int, shape: tuple[int, ...]) -> Any:
    """A cotangent added among zeros at `indices` along an axis."""
    return SCATTER_ADD(np.zeros_like(g, shape=shape), indices, g, dim=dim)


def _gather(x: Any, index: Any, *, dim: int) -> Any:
    if not (x.ndim and index.ndim):  # a number counts as a vector of one
        return x.reshape(-1)[index]
    if not index.size:
        return np.zeros(index.shape, x.dtype)
    return x[along(index, dim)]


def along(index: Any, dim: int) -> Key:
    """The full index that takes `index` along one axis and the running one along the others."""
    ndim = index.ndim
    return tuple(
        [
            index
            if axis == dim
            else np.arange(n).reshape((1,) * axis + (n,) + (1,) * (ndim - axis - 1))
            for axis, n in enumerate(index.shape)
        ]
    )


def pieces_of(source: Any, index: Any) -> Any:
    """The part of a source that an index of the same or smaller shape speaks of."""
    if not (source.ndim and index.ndim):
        return source.reshape(-1)[:1]
    return source[tuple([slice(0, n) for n in index.shape])]


def _scatter_add(base: Any, index: Any, source: Any, *, dim: int) -> Any:
    made = np.array(base, order="C")
    if not index.size:
        return made
    if made.ndim and index.ndim:
        np.add.at(made, along(index, dim), pieces_of(source, index))
    else:
        np.add.at(made.reshape(-1), index.reshape(-1), source.reshape(-1)[: index.size])
    return made


def check_source(name: str, index: Any, source: Any) -> None:
    """A source of which only a part was put has no gradient in PyTorch."""
    if len(index.shape) and len(source.shape) and index.shape != source.shape:
        raise RuntimeError(
            f"Function {name} returned an invalid gradient at index 1 - got {list(index.shape)} "
            f"but expected shape compatible with {list(source.shape)}"
        )


def _scatter_source(g: Any, y: Any, base: Any, index: Any, source: Any, *, dim: int) -> Any:
    check_source("ScatterAddBackward0", index, source)
    return GATHER(g, index, dim=dim)


_ALONG = np.array([[0, 2, 0]])

GATHER = Op(
    "gather",
    _gather,
    (lambda g, y, x, index, *, dim: put_along(g, index, dim=dim, shape=x.shape),),
    promote="none",
    samples=(Sample(((2, 3), _ALONG), {"dim": 1}),),
)
SCATTER_ADD = Op(
    "scatter_add",
    _scatter_add,
    (lambda g, y, base, index, source, *, dim: g, None, _scatter_source),
    promote="none",
    samples=(Sample(((2, 3), _ALONG, (1, 3)), {"dim": 1}),),
)
# One of the parts that an axis falls into.
UNBIND = Op(
    "unbind",
    SELECT.forward,
    (_select_back,),
    promote="none",
    is_view=True,
    samples=SELECT.samples,
)
SPLIT = Op(
    "split",
    SLICE.forward,
    (_slice_back,),
    promote="none",
    is_view=True,
    samples=SLICE.samples,
)

SPLIT_WITH_SIZES = Op(
    "split_with_sizes",
    SLICE.forward,
    (_slice_back,),
    promote="none",
    is_view=True,
    samples=SLICE.samples,
)
MASKED_FILL = Op(
    "masked_fill",
    row_major(lambda x, mask, *, value: np.where(mask, np.asarray(value).astype(x.dtype), x)),
    (lambda g, y, x, mask, *, value: np.where(mask, 0, g), None),
    promote="none",
    samples=(Sample(((2,), np.array([True, False])), {"value": 0.0}),),
)
MASKED_FILL_TENSOR = Op(
    "masked_fill_tensor",
    row_major(lambda x, mask, value: np.where(mask, value.astype(x.dtype), x)),
    (
        lambda g, y, x, mask, value: np.where(mask, 0, g),
        None,
        lambda g, y, x, mask, value: np.sum(np.where(mask, g, 0)),
    ),
    "MaskedFillBackward1",
    promote="none",
    samples=(Sample(((2,), np.array([True, False]), ())),),
)

ROWS = (
    SELECT,
    SLICE,
    PUT,
    PIECE,
    INDEX,
    INDEX_PUT,
    GATHER,
    SCATTER_ADD,
    UNBIND,
    SPLIT,
    SPLIT_WITH_SIZES,
    MASKED_FILL,
    MASKED_FILL_TENSOR,
)
