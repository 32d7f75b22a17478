"""The gamma function's logarithm and its derivatives."""

from __future__ import annotations

from engine import dtypes
from engine.functions.arguments import refuse_type
from engine.functions.elementwise import unary
from engine.ops import OPS
from engine.tensor import Tensor, apply

lgamma = unary("lgamma", "The logarithm of |gamma(x)|.")
digamma = unary("digamma", "The derivative of lgamma.")


def polygamma(n: int, input: Tensor) -> Tensor:
    """The n-th derivative of digamma, n >= 0."""
    if not isinstance(n, int):
        refuse_type("polygamma", "n", 1, "int", n)
    if n < 0:
        raise RuntimeError("polygamma(n, x) does not support negative n.")
    return apply(OPS["polygamma"], (input,), {"n": n})


def mvlgamma(input: Tensor, p: int) -> Tensor:
    """The logarithm of the multivariate gamma function of dimension `p`."""
    if p < 1:
        raise RuntimeError("p has to be greater than or equal to 1")
    if input._array.dtype.kind == "b":
        raise RuntimeError("The input tensor may not be a boolean tensor.")
    if input._array.dtype.kind == "c":
        word = dtypes.word(input.dtype)
        raise NotImplementedError(f"\"arange_cpu\" not implemented for '{word}'")
    return apply(OPS["mvlgamma"], (input,), {"p": p})
