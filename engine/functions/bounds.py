"""Tensors as bounds of another, and the larger and smaller of two that may be nan."""

from __future__ import annotations

from engine.functions.arguments import check_two_tensors
from engine.functions.arithmetic import check_broadcast, named
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


fmax = named("fmax", "The larger, or the one that is a number.", check_two_tensors)
fmin = named("fmin", "The smaller, or the one that is a number.", check_two_tensors)
