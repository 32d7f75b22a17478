"""Activations."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.op import Op, Sample

ROWS = (
    # fmt: off
    Op("relu", lambda x: np.maximum(x, 0), (lambda g, y, x: g * (y > 0),)),
    # fmt: on
)
