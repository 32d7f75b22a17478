"""Arithmetic and comparison of two operands, broadcast against each other."""

from __future__ import annotations

from typing import Any

from engine import dtypes, errors
from engine.functions.arguments import (
    check_either,
    check_second,
    check_two_tensors,
    refuse_type,
)
from engine.op import Op
from engine.ops import OPS
from engine.plain import broadcast, number, pair, single
from engine.plain import check_broadcast as check_broadcast
from engine.state import STATE
from engine.tensor import Tensor, apply, as_tensor

Number = bool | int | float | complex
Operand = Tensor | Number

_ADD, _SUB, _RSUB, _MUL, _DIV = (OPS[name] for name in ("add", "sub", "rsub", "mul", "div"))


def _operand(op: Op, value: Any, argument: str, position: int) -> Tensor:
    try:
        return as_tensor(value)
    except TypeError:
        refuse_type(op.name, argument, position, "Tensor", value)


def binary(op: Op, a: Any, b: Any, **params: Any) -> Tensor:
    """Apply a broadcasting op of two operands. Raises RuntimeError where shapes do not fit."""
    left = a if isinstance(a, Tensor) else _operand(op, a, "input", 1)
    right = b if isinstance(b, Tensor) else _operand(op, b, "other", 2)
    return broadcast(op, left, right, params) if params else pair(op, left, right)


def _scaled(name: str, input: Any, other: Any, alpha: Any) -> Tensor:
    return binary(OPS[f"{name}_scaled"], input, other, alpha=alpha)


def add(input: Operand, other: Operand, *, alpha: Number = 1) -> Tensor:
    """Input + alpha * other, broadcast."""
    if alpha != 1:
        return _scaled("add", input, other, alpha)
    return binary(_ADD, input, other)


def sub(input: Operand, other: Operand, *, alpha: Number = 1) -> Tensor:
    """Input - alpha * other, broadcast."""
    if alpha != 1:
        return _scaled("sub", input, other, alpha)
    if _is_bool(input) or (type(other) is not float and _is_bool(other)):
        _check_bool_sub(input, other)
    return binary(_SUB, input, other)


def _is_bool(operand: Any) -> bool:
    if isinstance(operand, Tensor):
        return bool(operand._array.dtype.kind == "b")
    return isinstance(operand, bool)


def _check_bool_sub(a: Any, b: Any) -> None:
    kinds = [as_tensor(operand)._array.dtype.kind for operand in (a, b)]
    if kinds == ["b", "b"]:
        raise RuntimeError(errors.BOOL_MINUS_BOOL)
    raise RuntimeError(errors.BOOL_MINUS)


def rsub(input: Tensor, other: Operand, *, alpha: Number = 1) -> Tensor:
    """Other - alpha * input, broadcast."""
    check_second("rsub", input, other)
    if _is_bool(input) or _is_bool(other):
        _check_bool_sub(other, input)
    if isinstance(other, Tensor):
        return binary(OPS["rsub_tensor"], input, other, alpha=alpha)
    return binary(_RSUB, input if alpha == 1 else mul(input, alpha), other)


def mul(input: Operand, other: Operand) -> Tensor:
    """Input * other, broadcast."""
    return binary(_MUL, input, other)


def div(input: Operand, other: Operand, *, rounding_mode: str | None = None) -> Tensor:
    """Input / other, broadcast; integers become the default float.

    `rounding_mode` "floor" or "trunc" rounds the quotient, whose gradient is then 0.
    """
    if rounding_mode is None:
        return binary(_DIV, input, other)
    if rounding_mode in ("floor", "trunc"):
        if _divides_by_zero(input, other):
            raise RuntimeError("ZeroDivisionError")
        return binary(OPS["div_rounded"], input, other, mode=rounding_mode)
    raise RuntimeError(
        "div expected rounding_mode to be one of None, 'trunc', or 'floor' "
        f"but found '{rounding_mode}'"
    )


def rdiv(input: Tensor, other: Operand) -> Tensor:
    """Other / input, which PyTorch computes as the reciprocal times `other`."""
    return mul(apply(OPS["reciprocal"], (input,), {}), other)


def floor_divide(input: Operand, other: Operand) -> Tensor:
    """The quotient rounded down; a backward pass through it is refused."""
    if _divides_by_zero(input, other):
        raise RuntimeError("ZeroDivisionError")
    return binary(OPS[_with_number("floor_divide", input, other)], input, other)


def remainder(input: Operand, other: Operand) -> Tensor:
    """What is left of `input` after floor division; its sign is that of `other`."""
    if _divides_by_zero(input, other):
        raise RuntimeError("ZeroDivisionError")
    return binary(OPS[_with_number("remainder", input, other)], input, other)


def _with_number(name: str, a: Any, b: Any) -> str:
    """The row's name, which differs where one of the operands is a number."""
    if not isinstance(a, Tensor) or a._wrapped:
        return f"number_{name}"
    return name if isinstance(b, Tensor) else f"{name}_number"


def _divides_by_zero(a: Any, b: Any) -> bool:
    left, right = as_tensor(a)._array, as_tensor(b)._array
    return left.dtype.kind in "iub" and right.dtype.kind in "iub" and not right.all()


def pow(input: Operand, exponent: Operand) -> Tensor:
    """Input ** exponent; a number stays a parameter of the op, as in PyTorch."""
    if type(input) is not Tensor or type(exponent) is not int:
        check_either("pow", input, exponent, "exponent")
    if isinstance(exponent, Tensor):
        if isinstance(input, Tensor):
            return binary(OPS["pow_tensor"], input, exponent)
        return apply(OPS["pow_number"], (exponent,), {"base": input})
    return single(OPS["pow"], as_tensor(input), {"exponent": exponent})


def square(input: Tensor) -> Tensor:
    """Input ** 2."""
    return pow(input, 2)


def named(name: str, text: str, check: Any) -> Any:
    """The function of two operands that is a row, `check` having seen what they are."""
    op = OPS[name]

    def function(input: Operand, other: Operand) -> Tensor:
        if type(input) is not Tensor or type(other) is not Tensor:
            check(name, input, other)
        return binary(op, input, other)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return function


gt = named("gt", "input > other, elementwise.", check_second)
lt = named("lt", "input < other, elementwise.", check_second)
ge = named("ge", "input >= other, elementwise.", check_second)
le = named("le", "input <= other, elementwise.", check_second)
eq = named("eq", "input == other, elementwise.", check_second)
ne = named("ne", "input != other, elementwise.", check_second)
maximum = named(
    "maximum", "The larger of two elements; equal ones share the gradient.", check_two_tensors
)
minimum = named(
    "minimum", "The smaller of two elements; equal ones share the gradient.", check_two_tensors
)
logical_and = named("logical_and", "Both, as truth values.", check_two_tensors)
logical_or = named("logical_or", "Either, as truth values.", check_two_tensors)
bitwise_and = named("bitwise_and", "The bits set in both.", check_either)
bitwise_or = named("bitwise_or", "The bits set in either.", check_either)
bitwise_xor = named("bitwise_xor", "The bits set in one of the two.", check_either)


def equal(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape and elements."""
    check_two_tensors("equal", input, other)
    a, b = input._array, other._array
    return a.shape == b.shape and bool((a == b).all())


def allclose(
    input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    """Whether |input - other| <= atol + rtol * |other| everywhere."""
    import numpy as np

    check_two_tensors("allclose", input, other)
    if input._array.dtype != other._array.dtype:
        raise RuntimeError(
            errors.DTYPE_BOTH.format(a=dtypes.word(input.dtype), b=dtypes.word(other.dtype))
        )
    check_broadcast(input._array.shape, other._array.shape)
    return bool(np.allclose(input._array, other._array, rtol, atol, equal_nan=equal_nan))


def _operator(function: Any) -> Any:
    def method(self: Tensor, other: Any) -> Any:
        if not isinstance(other, (Tensor, int, float, complex)):
            from engine.functions.creation import from_array

            other = from_array(other)
            if other is NotImplemented:
                return NotImplemented
        return function(self, other)

    return method


def _row_operator(op: Op, function: Any) -> Any:
    """The operator of `function`, which for floats is its row and nothing more."""

    def method(self: Tensor, other: Any) -> Any:
        if self._array.dtype.kind == "f" and not STATE.mode.unusual:
            kind = type(other)
            if kind is float or kind is int:
                return pair(op, self, number(other, self._array))
            if isinstance(other, Tensor) and other._array.dtype is self._array.dtype:
                return pair(op, self, other)
        return general(self, other)

    general = _operator(function)
    return method


def _turned(function: Any) -> Any:
    return lambda self, other: function(as_tensor(other), self)


def _shifted(way: str) -> Any:
    return lambda self, other: binary(OPS[f"bitwise_{way}_shift"], self, other)


OPERATORS: dict[str, Any] = {
    name: _operator(function)
    for name, function in {
        "__rsub__": rsub,
        "__rtruediv__": rdiv,
        "__rdiv__": rdiv,
        "__lshift__": _shifted("left"),
        "__rshift__": _shifted("right"),
        "__rlshift__": _turned(_shifted("left")),
        "__rrshift__": _turned(_shifted("right")),
        "__floordiv__": floor_divide,
        "__rfloordiv__": _turned(floor_divide),
        "__mod__": remainder,
        "__rmod__": _turned(remainder),
        "__pow__": pow,
        "__rpow__": lambda self, other: pow(other, self),
        "__gt__": gt,
        "__lt__": lt,
        "__ge__": ge,
        "__le__": le,
        "__eq__": eq,
        "__ne__": ne,
        "__and__": bitwise_and,
        "__rand__": bitwise_and,
        "__or__": bitwise_or,
        "__ror__": bitwise_or,
        "__xor__": bitwise_xor,
        "__rxor__": bitwise_xor,
    }.items()
}
OPERATORS |= {
    "__add__": _row_operator(_ADD, add),
    "__radd__": _row_operator(_ADD, add),
    "__sub__": _row_operator(_SUB, sub),
    "__mul__": _row_operator(_MUL, mul),
    "__rmul__": _row_operator(_MUL, mul),
    "__truediv__": _row_operator(_DIV, div),
}
FUNCTIONS: dict[str, Any] = {
    f.__name__: f
    for f in (
        add, sub, rsub, mul, div, floor_divide, remainder, pow, square, gt, lt, ge, le, eq, ne,
        maximum, minimum, logical_and, logical_or, bitwise_and, bitwise_or, bitwise_xor, equal,
        allclose,
    )
} | {"subtract": sub, "multiply": mul, "divide": div, "true_divide": div}  # fmt: skip
