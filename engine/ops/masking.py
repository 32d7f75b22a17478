"""Elements that a mask picks, and elements put where a mask holds."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.op import Op, Sample
from engine.ops.index import MASKED_FILL, PUT


def _masked_select(x: Any, mask: Any) -> Any:
    x, mask = np.broadcast_arrays(x, mask)
    return x[mask]


def _masked_select_back(g: Any, y: Any, x: Any, mask: Any) -> Any:
    zeros = np.zeros_like(g, shape=np.broadcast_shapes(x.shape, mask.shape))
    return MASKED_SCATTER(zeros, mask, g)


def _masked_scatter(base: Any, mask: Any, source: Any) -> Any:
    """The source's elements, one after the other, where the mask holds."""
    made, mask = np.broadcast_arrays(base, mask)
    made = np.array(made, order="C")
    made[mask] = source.reshape(-1)[: np.count_nonzero(mask)]
    return made


def _masked_scatter_base(g: Any, y: Any, base: Any, mask: Any, source: Any) -> Any:
    return MASKED_FILL(g, mask, value=0)


def _masked_scatter_source(g: Any, y: Any, base: Any, mask: Any, source: Any) -> Any:
    """The elements of the source that were not needed receive 0."""
    used = MASKED_SELECT(g, mask)
    flat = (int(np.prod(source.shape)),)
    return np.reshape(PUT(used, key=(slice(0, used.shape[0]),), shape=flat), source.shape)


_MASK = np.array([[True, False, True], [False, True, False]])

MASKED_SELECT = Op(
    "masked_select",
    _masked_select,
    (_masked_select_back, None),
    promote="none",
    reads=(frozenset({0, 1}), frozenset()),
    samples=(Sample(((2, 3), _MASK)), Sample(((3,), _MASK))),
)
MASKED_SCATTER = Op(
    "masked_scatter",
    _masked_scatter,
    (_masked_scatter_base, None, _masked_scatter_source),
    promote="none",
    samples=(Sample(((2, 3), _MASK, (5,))), Sample(((3,), _MASK, (2, 2)))),
)

ROWS = (MASKED_SELECT, MASKED_SCATTER)
