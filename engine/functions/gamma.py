"""The gamma function's logarithm and its derivatives."""

from __future__ import annotations

from typing import Any

from engine import dtypes
from engine.functions.arguments import check_two_tensors, refuse_type
from engine.functions.arithmetic import binary
from engine.functions.elementwise import unary
from engine.ops import OPS
from engine.state import is_grad_enabled
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


def _incomplete(name: str, text: str) -> Any:
    def function(input: Tensor, other: Tensor) -> Tensor:
        check_two_tensors(name, input, other)
        if input.requires_grad and is_grad_enabled():
            raise NotImplementedError(f"{name} has no gradient in its first argument")
        if input._array.dtype.kind in "iub" and other._array.dtype.kind in "iub":
            word = dtypes.word(dtypes.promote_types(input.dtype, other.dtype))
            raise NotImplementedError(f"\"{name}_cpu\" not implemented for '{word}'")
        return binary(OPS[name], input, other)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return function


igamma = _incomplete("igamma", "The share of gamma(input) that is integrated from 0 to other.")
igammac = _incomplete("igammac", "1 - igamma, exact also where that is small.")


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
