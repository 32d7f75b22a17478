"""Questions of one or two numbers that few programs ask, and comparisons by their longer names."""

from __future__ import annotations

import numpy as np

from engine import dtypes
from engine.functions import arithmetic
from engine.functions.arguments import check_either, check_tensors, check_two_tensors
from engine.functions.arithmetic import binary, named
from engine.functions.elementwise import unary
from engine.ops import OPS
from engine.tensor import Tensor

greater, greater_equal = arithmetic.gt, arithmetic.ge
less, less_equal, not_equal = arithmetic.lt, arithmetic.le, arithmetic.ne

signbit = unary("signbit", "Whether the sign is minus; of -0 too.")
isposinf = unary("isposinf", "Whether each element is infinite and positive.")
isneginf = unary("isneginf", "Whether each element is infinite and negative.")


def isreal(input: Tensor) -> Tensor:
    """Whether each element has no imaginary part."""
    return Tensor(np.isreal(input._array))


def isclose(
    input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Tensor:
    """Whether |input - other| <= atol + rtol * |other|, for each element."""
    check_two_tensors("isclose", input, other)
    if input._array.dtype != other._array.dtype:
        raise RuntimeError(f"{dtypes.word(input.dtype)} did not match {dtypes.word(other.dtype)}")
    arithmetic.check_broadcast(input._array.shape, other._array.shape)
    close = np.isclose(input._array, other._array, rtol, atol, equal_nan=equal_nan)
    return Tensor(np.asarray(close))


logical_xor = named("logical_xor", "One or the other, as truth values.", check_two_tensors)


def heaviside(input: Tensor, values: Tensor) -> Tensor:
    """0 below 0, 1 above it, and `values` at 0."""
    check_tensors("heaviside", input=input, values=values)
    if input._array.dtype != values._array.dtype:
        raise RuntimeError("heaviside is not yet implemented for tensors with different dtypes.")
    return binary(OPS["heaviside"], input, values)


gcd = named("gcd", "The greatest common divisor.", check_two_tensors)
lcm = named("lcm", "The least common multiple.", check_two_tensors)
bitwise_left_shift = named("bitwise_left_shift", "Bits moved up by `other` places.", check_either)
bitwise_right_shift = named(
    "bitwise_right_shift", "Bits moved down by `other` places.", check_either
)
