"""How results lie in memory: row by row, as those of most of PyTorch's operators do."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np


def row_major(forward: Callable[..., Any]) -> Callable[..., Any]:
    """The forward function, whose result lies row by row whatever NumPy makes of the inputs.

    `view` works on such a result; elementwise operators keep their input's order instead.
    """

    @wraps(forward)
    def function(*inputs: Any, **params: Any) -> Any:
        made = forward(*inputs, **params)
        return made if made.flags.c_contiguous else np.ascontiguousarray(made)

    return function
