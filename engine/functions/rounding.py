"""Rounding and what is left of it, signs, and numbers next to others."""

from __future__ import annotations

from typing import NamedTuple

from engine.functions.arguments import check_second, check_two_tensors
from engine.functions.arithmetic import Operand, binary, named
from engine.functions.elementwise import refuse_complex_gradient, unary
from engine.ops import OPS
from engine.tensor import Tensor, apply

trunc = fix = unary("trunc", "The integer part.")
frac = unary("frac", "What trunc cuts off, with the element's sign.")


def fmod(input: Tensor, other: Operand) -> Tensor:
    """What is left of `input` after division towards 0; its sign is that of `input`."""
    check_second("fmod", input, other)
    row = "fmod" if isinstance(other, Tensor) else "fmod_number"
    return binary(OPS[row], input, other)


def copysign(input: Tensor, other: Operand) -> Tensor:
    """The magnitude of `input` with the sign of `other`."""
    check_second("copysign", input, other)
    row = "copysign" if isinstance(other, Tensor) else "copysign_number"
    return binary(OPS[row], input, other)


nextafter = named(
    "nextafter",
    "The next number that the dtype has from `input` towards `other`.",
    check_two_tensors,
)


def nan_to_num(
    input: Tensor,
    nan: float | None = None,
    posinf: float | None = None,
    neginf: float | None = None,
) -> Tensor:
    """Numbers in place of nan (0) and the infinities (the largest there are)."""
    refuse_complex_gradient("nan_to_num", input)
    params = {"nan": 0.0 if nan is None else nan, "posinf": posinf, "neginf": neginf}
    return apply(OPS["nan_to_num"], (input,), params)


class Parts(NamedTuple):
    """Mantissas and exponents."""

    mantissa: Tensor
    exponent: Tensor

    def __repr__(self) -> str:
        return (
            f"torch.return_types.frexp(\nmantissa={self.mantissa!r},\nexponent={self.exponent!r})"
        )


def frexp(input: Tensor) -> Parts:
    """Mantissas of magnitude in [0.5, 1) and exponents, with input = mantissa * 2**exponent."""
    if input._array.dtype.kind != "f":
        raise RuntimeError("torch.frexp() only supports floating-point dtypes")
    mantissa, exponent = (apply(OPS["frexp"], (input,), {"output": i}) for i in (0, 1))
    return Parts(mantissa, exponent.detach())
