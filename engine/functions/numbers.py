"""Arithmetic with a number that is no tensor, as PyTorch's own composite functions use it."""

from __future__ import annotations

from engine.ops import OPS
from engine.tensor import Tensor, apply


def plus(input: Tensor, number: float) -> Tensor:
    """Input + number."""
    return apply(OPS["add_number"], (input,), {"value": number})


def minus(input: Tensor, number: float) -> Tensor:
    """Input - number."""
    return apply(OPS["sub_number"], (input,), {"value": number})


def minus_from(input: Tensor, number: float) -> Tensor:
    """Number - input."""
    return apply(OPS["rsub_number"], (input,), {"value": number})


def times(input: Tensor, number: float) -> Tensor:
    """Input * number."""
    return apply(OPS["mul_number"], (input,), {"value": number})


def over(input: Tensor, number: float) -> Tensor:
    """Input / number."""
    return apply(OPS["div_number"], (input,), {"value": number})
