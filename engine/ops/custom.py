"""Rows behind functions with a backward of the user's own."""

from __future__ import annotations

from math import prod
from typing import Any, NoReturn

import numpy as np

from engine.arrays import Array
from engine.op import Op, Sample


def _part(packed: Array, *, start: int, shape: tuple[int, ...], size: int) -> Array:
    return packed[start : start + prod(shape)].reshape(shape)


def _spread(part: Array, *, start: int, shape: tuple[int, ...], size: int) -> Array:
    flat = np.zeros(size, part.dtype)
    flat[start : start + part.size] = part.ravel()
    return flat


def _back_in_place(g: Any, y: Any, packed: Any, **where: Any) -> Any:
    return SPREAD(g, **where)


# Several outputs of one function are parts of one flat array: a part taken, and put back.
PART = Op(
    "part",
    _part,
    (_back_in_place,),
    promote="none",
    samples=(Sample(((6,),), {"start": 2, "shape": (1, 3), "size": 6}),),
)
SPREAD = Op(
    "spread_part",
    _spread,
    (lambda g, y, part, **where: PART(g, **where),),
    promote="none",
    samples=(Sample(((1, 3),), {"start": 2, "shape": (1, 3), "size": 6}),),
)


def _refuse_twice(g: Any, y: Any, result: Any) -> NoReturn:
    raise RuntimeError(
        "trying to differentiate twice a function that was marked with @once_differentiable"
    )


# The result of a backward that may be run but not differentiated.
TWICE = Op(
    "once_differentiable",
    lambda result: result,
    (_refuse_twice,),
    grad_fn="torch::autograd::Error",
    promote="none",
    reads=(frozenset(),),
)
ROWS = (PART, SPREAD)
