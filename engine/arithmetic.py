"""Arithmetic with PyTorch's signatures, and the operators of `Tensor` that call it."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.op import Op
from engine.ops import OPS
from engine.tensor import Tensor, apply, as_tensor

Number = bool | int | float | complex
Operand = Tensor | Number


def _check_broadcast(a: Tensor, b: Tensor) -> None:
    """Raise PyTorch's message where the shapes do not broadcast."""
    x, y = a._array.shape, b._array.shape
    if x == y:
        return
    for back in range(1, min(len(x), len(y)) + 1):
        m, n = x[-back], y[-back]
        if m != n and m != 1 and n != 1:
            raise RuntimeError(
                errors.SIZES_DIFFER.format(a=m, b=n, d=max(len(x), len(y)) - back)
            )


def binary(op: Op, a: Any, b: Any) -> Tensor:
    """Apply a broadcasting op of two operands. Raises RuntimeError where shapes do not fit."""
    left, right = as_tensor(a), as_tensor(b)
    _check_broadcast(left, right)
    return apply(op, (left, right), {})


def add(input: Operand, other: Operand, *, alpha: Number = 1) -> Tensor:
    """input + alpha * other, broadcast."""
    return binary(OPS["add"], input, other if alpha == 1 else mul(other, alpha))


def sub(input: Operand, other: Operand, *, alpha: Number = 1) -> Tensor:
    """input - alpha * other, broadcast."""
    return binary(OPS["sub"], input, other if alpha == 1 else mul(other, alpha))


def mul(input: Operand, other: Operand) -> Tensor:
    """input * other, broadcast."""
    return binary(OPS["mul"], input, other)


def div(input: Operand, other: Operand) -> Tensor:
    """input / other, broadcast; integers become the default float."""
    return binary(OPS["div"], input, other)


def pow(input: Operand, exponent: Operand) -> Tensor:
    """input ** exponent; a number stays a parameter of the op, as in PyTorch."""
    if not isinstance(exponent, Tensor):
        base = as_tensor(input)
        return apply(OPS["pow"], (base,), {"exponent": exponent})
    if not isinstance(input, Tensor):
        return apply(OPS["pow_number"], (exponent,), {"base": input})
    return binary(OPS["pow_tensor"], input, exponent)


def _operator(op: Op) -> Any:
    def method(self: Tensor, other: Any) -> Any:
        if not isinstance(other, (Tensor, int, float, complex)):
            return NotImplemented
        return binary(op, self, other)

    return method


def attach() -> None:
    """Give `Tensor` Python's operators."""
    for name, row in {
        "__add__": "add", "__radd__": "add", "__sub__": "sub", "__rsub__": "rsub",
        "__mul__": "mul", "__rmul__": "mul", "__truediv__": "div",
        "__gt__": "gt", "__lt__": "lt", "__ge__": "ge", "__le__": "le",
        "__eq__": "eq", "__ne__": "ne",
    }.items():  # fmt: skip
        setattr(Tensor, name, _operator(OPS[row]))
    Tensor.__pow__ = lambda self, other: pow(self, other)  # type: ignore[attr-defined]
    Tensor.__rpow__ = lambda self, other: pow(other, self)  # type: ignore[attr-defined]
    Tensor.__neg__ = lambda self: apply(OPS["neg"], (self,), {})  # type: ignore[attr-defined]
