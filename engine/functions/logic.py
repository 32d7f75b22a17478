"""Questions of one or two numbers that few programs ask, and comparisons by their longer names."""

from __future__ import annotations

import numpy as np

from engine import dtypes
from engine.functions import arithmetic
from engine.functions.arithmetic import Operand, binary
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
    if input._array.dtype != other._array.dtype:
        raise RuntimeError(f"{dtypes.word(input.dtype)} did not match {dtypes.word(other.dtype)}")
    arithmetic.check_broadcast(input._array.shape, other._array.shape)
    close = np.isclose(input._array, other._array, rtol, atol, equal_nan=equal_nan)
    return Tensor(np.asarray(close))


def logical_xor(input: Tensor, other: Tensor) -> Tensor:
    """One or the other, not both, as truth values."""
    return binary(OPS["logical_xor"], input, other)


def heaviside(input: Tensor, values: Tensor) -> Tensor:
    """0 below 0, 1 above it, and `values` at 0."""
    if input._array.dtype != values._array.dtype:
        raise RuntimeError("heaviside is not yet implemented for tensors with different dtypes.")
    return binary(OPS["heaviside"], input, values)


def gcd(input: Tensor, other: Tensor) -> Tensor:
    """The greatest common divisor."""
    return binary(OPS["gcd"], input, other)


def lcm(input: Tensor, other: Tensor) -> Tensor:
    """The least common multiple."""
    return binary(OPS["lcm"], input, other)


def bitwise_left_shift(input: Operand, other: Operand) -> Tensor:
    """The bits of `input` moved up by `other` places."""
    return binary(OPS["bitwise_left_shift"], input, other)


def bitwise_right_shift(input: Operand, other: Operand) -> Tensor:
    """The bits of `input` moved down by `other` places."""
    return binary(OPS["bitwise_right_shift"], input, other)
