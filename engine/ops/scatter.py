"""Values put at given places along an axis, or among all the elements; and taken from there."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.op import Op, Sample, elementwise
from engine.ops.index import GATHER, along, check_source, pieces_of


def _scatter(base: Any, index: Any, source: Any, *, dim: int) -> Any:
    made = np.array(base, order="C")
    if index.size:
        _line(made)[along(_line(index), dim)] = pieces_of(source, index)
    return made


def _line(x: Any) -> Any:
    """A number as a vector of one, so that it has an axis."""
    return x if x.ndim else x.reshape(1)


def _scatter_value(base: Any, index: Any, *, dim: int, value: Any) -> Any:
    made = np.array(base, order="C")
    if index.size:
        _line(made)[along(_line(index), dim)] = value
    return made


def _scatter_value_back(g: Any, y: Any, base: Any, index: Any, *, dim: int, value: Any) -> Any:
    return SCATTER_VALUE(g, index, dim=dim, value=0)


def _scatter_base(g: Any, y: Any, base: Any, index: Any, source: Any, *, dim: int) -> Any:
    return SCATTER_VALUE(g, index, dim=dim, value=0)


def _gathered(g: Any, y: Any, base: Any, index: Any, source: Any, *, dim: int) -> Any:
    check_source("ScatterBackward0", index, source)
    return GATHER(g, index, dim=dim)


def _key(index: Any, dim: int) -> Any:
    return (*(slice(None),) * dim, np.reshape(index, (-1,)))


def _index_select(x: Any, index: Any, *, dim: int) -> Any:
    if not x.ndim:
        return x.copy()
    return np.take(x, np.reshape(index, (-1,)), axis=dim)


def _index_select_back(g: Any, y: Any, x: Any, index: Any, *, dim: int) -> Any:
    return INDEX_ADD(np.zeros_like(g, shape=x.shape), index, g, dim=dim, alpha=1)


def _index_add(base: Any, index: Any, source: Any, *, dim: int, alpha: Any = 1) -> Any:
    made = np.array(base, order="C")
    added = _line(source) * made.dtype.type(alpha) if alpha != 1 else _line(source)
    np.add.at(_line(made), _key(index, dim), added)
    return made


def _index_add_source(
    g: Any, y: Any, base: Any, index: Any, source: Any, *, dim: int, alpha: Any = 1
) -> Any:
    found = np.reshape(INDEX_SELECT(g, index, dim=dim), source.shape)
    return found if alpha == 1 else found * alpha


def _index_copy(base: Any, index: Any, source: Any, *, dim: int) -> Any:
    made = np.array(base, order="C")
    _line(made)[_key(index, dim)] = _line(source)
    return made


def _index_copy_base(g: Any, y: Any, base: Any, index: Any, source: Any, *, dim: int) -> Any:
    return INDEX_FILL(g, index, dim=dim, value=0)


def _index_copy_source(g: Any, y: Any, base: Any, index: Any, source: Any, *, dim: int) -> Any:
    return np.reshape(INDEX_SELECT(g, index, dim=dim), source.shape)


def _index_fill(x: Any, index: Any, *, dim: int, value: Any) -> Any:
    made = np.array(x)
    _line(made)[_key(index, dim)] = value
    return made


def _index_fill_tensor(x: Any, index: Any, value: Any, *, dim: int) -> Any:
    return _index_fill(x, index, dim=dim, value=value)


def _index_fill_value(g: Any, y: Any, x: Any, index: Any, value: Any, *, dim: int) -> Any:
    """The number went to every place of the index once, however often it is named."""
    return np.sum(INDEX_SELECT(g, np.unique(index), dim=dim))


def _take(x: Any, index: Any) -> Any:
    return x.reshape(-1)[index]


def _take_back(g: Any, y: Any, x: Any, index: Any) -> Any:
    zeros = np.zeros_like(g, shape=x.shape)
    return PUT_AT(zeros, index, g, accumulate=True)


def _put_at(base: Any, index: Any, source: Any, *, accumulate: bool) -> Any:
    flat, values = base.flatten(), source.reshape(index.shape)
    if accumulate:
        np.add.at(flat, index, values)
    else:
        flat[index] = values
    made = np.empty_like(base)  # in the base's own order
    made[...] = flat.reshape(base.shape)
    return made


def _put_at_base(g: Any, y: Any, base: Any, index: Any, source: Any, *, accumulate: bool) -> Any:
    if accumulate:
        return g
    return PUT_AT(g, index, np.zeros_like(g, shape=source.shape), accumulate=False)


def _put_at_source(g: Any, y: Any, base: Any, index: Any, source: Any, *, accumulate: bool) -> Any:
    return np.reshape(TAKE(g, index), source.shape)


_ROW = np.array([[0, 2, 1]])
_TWICE = np.array([2, 0, 2])
_ONCE = np.array([2, 0])

SCATTER = Op(
    "scatter",
    _scatter,
    (_scatter_base, None, _gathered),
    promote="none",
    samples=(Sample(((2, 3), _ROW, (1, 3)), {"dim": 1}),),
)
# A number at every place of the index.
SCATTER_VALUE = Op(
    "scatter_value",
    _scatter_value,
    (_scatter_value_back, None),
    "ScatterBackward1",
    promote="none",
    samples=(Sample(((2, 3), _ROW), {"dim": 0 + 1, "value": 2.0}),),
)
INDEX_SELECT = Op(
    "index_select",
    _index_select,
    (_index_select_back, None),
    promote="none",
    samples=(Sample(((2, 3), _TWICE), {"dim": 1}),),
)
INDEX_ADD = Op(
    "index_add",
    _index_add,
    (lambda g, y, base, index, source, *, dim, alpha: g, None, _index_add_source),
    promote="none",
    reads=(frozenset(), frozenset(), frozenset({1, 2})),
    samples=(Sample(((2, 3), _TWICE, (2, 3)), {"dim": 1, "alpha": 2}),),
)
INDEX_COPY = Op(
    "index_copy",
    _index_copy,
    (_index_copy_base, None, _index_copy_source),
    promote="none",
    reads=(frozenset({1}), frozenset(), frozenset({1, 2})),
    samples=(Sample(((2, 3), _ONCE, (2, 2)), {"dim": 1}),),
)
INDEX_FILL: Op = Op(
    "index_fill",
    _index_fill,
    (lambda g, y, x, index, *, dim, value: INDEX_FILL(g, index, dim=dim, value=0), None),
    promote="none",
    samples=(Sample(((2, 3), _TWICE), {"dim": 1, "value": 2.0}),),
)
INDEX_FILL_TENSOR = Op(
    "index_fill_tensor",
    _index_fill_tensor,
    (
        lambda g, y, x, index, value, *, dim: INDEX_FILL(g, index, dim=dim, value=0),
        None,
        _index_fill_value,
    ),
    "IndexFillBackward1",
    promote="none",
    samples=(Sample(((2, 3), _TWICE, ()), {"dim": 1}),),
)
TAKE = Op(
    "take",
    _take,
    (_take_back, None),
    promote="none",
    reads=(frozenset({0, 1}), frozenset()),
    samples=(Sample(((2, 3), np.array([[4, 0], [4, 1]]))),),
)
PUT_AT = Op(
    "put_at",
    _put_at,
    (_put_at_base, None, _put_at_source),
    "PutBackward0",
    promote="none",
    reads=(frozenset({1, ("shape", 2)}), frozenset(), frozenset({1, 2})),
    samples=(
        Sample(((2, 3), np.array([4, 0]), (2,)), {"accumulate": False}),
        Sample(((2, 3), np.array([4, 4]), (2,)), {"accumulate": True}),
    ),
)

ROWS = (
    SCATTER,
    SCATTER_VALUE,
    INDEX_SELECT,
    INDEX_ADD,
    INDEX_COPY,
    INDEX_FILL,
    INDEX_FILL_TENSOR,
    TAKE,
    PUT_AT,
    elementwise(
        "fill_value",
        lambda x, *, value: np.full_like(x, value),
        (lambda g, y, x, *, value: np.zeros_like(g),),
        "FillBackward0",
        promote="none",
        samples=(Sample(((2,),), {"value": 3}),),
    ),
    elementwise(
        "fill_tensor",
        lambda x, value: np.full_like(x, value),
        (lambda g, y, x, value: np.zeros_like(g), lambda g, y, x, value: g),
        "FillBackward1",
        promote="none",
        samples=(Sample(((2,), ())),),
    ),
)
