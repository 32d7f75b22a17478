"""Tensors as bounds of another, and the larger and smaller of two that may be nan."""

from __future__ import annotations

from engine.functions.arithmetic import binary, check_broadcast
from engine.ops import OPS
from engine.tensor import Tensor, apply, as_tensor


def clamp_between(input: Tensor, min: Tensor | None, max: Tensor | None) -> Tensor:
    """Each element held between those of two tensors, either of which may be None."""
    if input._array.dtype.kind == "c":
        raise NotImplementedError("clamp is not supported for complex types")
    low, high = (as_tensor(0 if bound is None else bound) for bound in (min, max))
    for bound in (low, high):
        check_broadcast(input._array.shape, bound._array.shape)
    given = "max" if min is None else "min" if max is None else "both"
    return apply(OPS["clamp_tensors"], (input, low, high), {"bounds": given})


def fmax(input: Tensor, other: Tensor) -> Tensor:
    """The larger of two elements, or the one that is a number where the other is nan."""
    return binary(OPS["fmax"], input, other)


def fmin(input: Tensor, other: Tensor) -> Tensor:
    """The smaller of two elements, or the one that is a number where the other is nan."""
    return binary(OPS["fmin"], input, other)
