"""Norms taken in another dtype than the numbers have."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.arrays import Array
from engine.op import Op, Sample
from engine.ops import reduction
from engine.ops.elementwise import ROWS as _ELEMENTWISE

NORM = next(row for row in reduction.ROWS if row.name == "vector_norm")
_TO = next(row for row in _ELEMENTWISE if row.name == "to")


def _norm_in(x: Array, *, kind: np.dtype[Any], **params: Any) -> Array:
    return np.asarray(NORM.forward(x.astype(kind), **params))


def _norm_in_back(g: Any, y: Any, x: Any, *, kind: np.dtype[Any], **params: Any) -> Any:
    rule = NORM.pullback(0)
    assert rule is not None
    return rule(g, y, _TO(x, dtype=kind), **params)


ROWS = (
    Op(
        "vector_norm_in",
        _norm_in,
        (_norm_in_back,),
        "LinalgVectorNormBackward0",
        promote="none",
        conjugate=False,
        samples=(
            Sample(
                ((2, 3),),
                {"kind": np.dtype(np.float64), "ord": 2, "dim": (1,), "keepdim": False},
            ),
        ),
    ),
)
