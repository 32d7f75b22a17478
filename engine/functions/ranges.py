"""Evenly spaced numbers, and the identity matrix."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import dtypes
from engine.functions.creation import _checked, _leaf, _numpy_type
from engine.tensor import Tensor


def arange(
    start: Any = 0,
    end: Any = None,
    step: Any = 1,
    *,
    dtype: dtypes.dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """start, start + step, … below `end`; from 0 where only one bound is given."""
    if end is None:
        start, end = 0, start
    bounds = [v.item() if isinstance(v, Tensor) else v for v in (start, end, step)]
    if dtype is not None and dtype._numpy.kind in "iu":
        bounds = [int(v) for v in bounds]  # before they are counted
    low, high, by = bounds
    if not (math.isfinite(low) and math.isfinite(high)):
        raise RuntimeError(f"unsupported range: {low:g} -> {high:g}")
    if by == 0:
        raise RuntimeError("step must be nonzero")
    if (high - low) * by < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    if dtype is None:
        whole = all(isinstance(v, (int, np.integer)) for v in bounds)
        dtype = dtypes.int64 if whole else dtypes.get_default_dtype()
    count = max(0, int(np.ceil((high - low) / by)))
    _checked((count,))
    kind = dtype._numpy
    if kind.kind in "iu" and all(isinstance(v, (int, np.integer)) for v in bounds):
        made = np.arange(low, high, by, dtype=kind)
    else:
        made = (low + by * np.arange(count)).astype(kind)
    return _leaf(made, requires_grad, device)


def linspace(
    start: Any,
    end: Any,
    steps: int,
    *,
    dtype: dtypes.dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """`steps` evenly spaced numbers from `start` to `end`, both included."""
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    ends = [v.item() if isinstance(v, Tensor) else v for v in (start, end)]
    turned = any(isinstance(v, complex) for v in ends)
    if dtype is None and turned:
        dtype = dtypes.get_default_dtype().to_complex()
    kind = _numpy_type(dtype)
    low, high = ends if turned else (float(v) for v in ends)
    _checked((steps,))
    if steps == 1:
        return _leaf(np.full((1,), low, kind), requires_grad, device)
    # PyTorch counts the first half up from the start and the second half down from the end.
    number = kind.type if kind.kind in "fc" else float
    step = number((number(high) - number(low)) / number(max(steps - 1, 1)))
    places = np.arange(steps).astype(kind if kind.kind in "fc" else float)
    up, down = number(low) + step * places, number(high) - step * places[::-1]
    made = np.where(np.arange(steps) < steps // 2, up, down)
    return _leaf(made.astype(kind), requires_grad, device)


def eye(
    n: int,
    m: int | None = None,
    *,
    dtype: dtypes.dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Ones on the diagonal of a matrix of zeros."""
    for letter, size in (("n", n), ("m", m)):
        if size is not None and size < 0:
            raise RuntimeError(f"{letter} must be greater or equal to 0, got {size}")
    _checked((n, n if m is None else m))
    return _leaf(np.eye(n, m, dtype=_numpy_type(dtype)), requires_grad, device)
