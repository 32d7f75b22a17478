"""Exponentials and logarithms beside `exp` and `log`."""

from __future__ import annotations

from typing import Any

from engine import dtypes
from engine.functions.arguments import check_either, check_two_tensors
from engine.functions.arithmetic import Operand, binary, named, pow
from engine.functions.elementwise import to, unary
from engine.ops import OPS
from engine.tensor import Tensor, apply

exp2 = unary("exp2", "2 to the power of each element.")
expm1 = unary("expm1", "exp(x) - 1, exact also near 0.")
log1p = unary("log1p", "log(1 + x), exact also near 0.")
log2 = unary("log2", "The logarithm to base 2.")
log10 = unary("log10", "The logarithm to base 10.")


def logaddexp(input: Tensor, other: Tensor) -> Tensor:
    """log(exp(input) + exp(other)), without overflow."""
    check_two_tensors("logaddexp", input, other)
    for item in (input, other):
        if item._array.dtype.kind == "c":
            raise NotImplementedError("logaddexp of complex numbers is not available")
    return binary(OPS["logaddexp"], input, other)


logaddexp2 = named("logaddexp2", "log2(2**input + 2**other), without overflow.", check_two_tensors)


def xlogy(input: Operand, other: Operand) -> Tensor:
    """Input * log(other), which is 0 where input is 0; one of the two may be a number."""
    return with_number("xlogy", input, other)


def with_number(name: str, input: Operand, other: Operand) -> Tensor:
    """A row of two operands that has variants for a number in place of one of them."""
    check_either(name, input, other)
    if not isinstance(input, Tensor):
        return binary(OPS[f"{name}_number_first"], input, other)
    return binary(OPS[name if isinstance(other, Tensor) else f"{name}_number_last"], input, other)


def logit(input: Tensor, eps: float | None = None) -> Tensor:
    """log(x / (1 - x)), of x held between `eps` and 1 - `eps` where that is given."""
    return apply(OPS["logit"], (input,), {"eps": eps})


ldexp = named("ldexp", "Input * 2**other.", check_two_tensors)


def float_power(input: Operand, exponent: Operand) -> Tensor:
    """Input ** exponent, computed and given in double precision."""
    check_either("float_power", input, exponent, "exponent")
    kinds = [item.dtype for item in (input, exponent) if isinstance(item, Tensor)]
    numbers = [item for item in (input, exponent) if not isinstance(item, Tensor)]
    complex_ = any(kind.is_complex for kind in kinds) or any(
        isinstance(item, complex) for item in numbers
    )
    wide = dtypes.complex128 if complex_ else dtypes.float64

    def widened(item: Any) -> Any:
        return to(item, wide) if isinstance(item, Tensor) else wide._numpy.type(item).item()

    return pow(widened(input), widened(exponent))
