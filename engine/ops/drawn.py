"""Rows of numbers that are drawn: no gradient comes of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.arrays import Array
from engine.op import Op, Sample


def _outcome(p: Array, *, outcome: Array, name: str = "") -> Array:
    return outcome


def _nothing(g: Any, y: Any, p: Any, *, outcome: Array, name: str = "") -> Any:
    return np.zeros_like(g)


ROWS = (
    Op(
        "bernoulli",
        _outcome,
        (_nothing,),
        promote="none",
        samples=(Sample(((2,),), {"outcome": np.array([0.0, 1.0])}),),
        batched=True,
    ),
    Op(  # what a tensor holds after it was filled with random numbers
        "drawn",
        _outcome,
        (_nothing,),
        lambda params: str(params["name"]),
        promote="none",
        samples=(Sample(((2,),), {"outcome": np.array([0.3, 1.2]), "name": "UniformBackward0"}),),
        batched=True,
    ),
)
