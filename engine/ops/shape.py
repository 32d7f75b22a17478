"""Shape operators: the numbers stay, the axes change."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.op import Op, Sample

ROWS = (
    # fmt: off
    Op("view", lambda x, *, shape: np.reshape(x, shape), (lambda g, y, x, *, shape: np.reshape(g, x.shape),),
       promote="none", samples=(Sample(((2, 3),), {"shape": (6,)}),)),
    # fmt: on
)
