"""Tensors as bounds of another, and the larger and smaller of two that may be nan."""

from __future__ import annotations

import numpy as np

from engine.functions.arithmetic import binary, check_broadcast
from engine.ops import OPS
from engine.tensor import Tensor, apply, as_tensor


def clamp_between(input: Tensor, min: Tensor | None, max: Tensor | None) -> Tensor:
    """Each element held between those of two tensors, either of which may be None."""
    bounds = []
    for bound, none in ((min, -np.inf), (max, np.inf)):
        if bound is None and input._array.dtype.kind in "iub":
            limits = np.iinfo(input._array.dtype)
            bound = Tensor(np.asarray(limits.min if none < 0 else limits.max, limits.dtype))
        bounds.append(as_tensor(none if bound is None else bound))
    for bound in bounds:
        check_broadcast(input._array.shape, bound._array.shape)
    return apply(OPS["clamp_tensors"], (input, *bounds), {})


def fmax(input: Tensor, other: Tensor) -> Tensor:
    """The larger of two elements, or the one that is a number where the other is nan."""
    return binary(OPS["fmax"], input, other)


def fmin(input: Tensor, other: Tensor) -> Tensor:
    """The smaller of two elements, or the one that is a number where the other is nan."""
    return binary(OPS["fmin"], input, other)
