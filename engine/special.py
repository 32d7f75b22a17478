"""`torch.special`: functions of mathematical physics and statistics."""

from __future__ import annotations

import math
from typing import Any

from engine.functions.arithmetic import Operand
from engine.functions.elementwise import round, sigmoid, unary
from engine.functions.error import erf, erfc, erfinv, i0
from engine.functions.exponential import exp2, expm1, log1p, logit, with_number, xlogy
from engine.functions.gamma import digamma, igamma, igammac, lgamma, mvlgamma, polygamma
from engine.functions.numbers import plus, times
from engine.functions.reductions import log_softmax, logsumexp, softmax
from engine.functions.trigonometric import sinc
from engine.ops import OPS
from engine.tensor import Tensor, apply, as_tensor

expit, gammaln, psi, multigammaln = sigmoid, lgamma, digamma, mvlgamma
gammainc, gammaincc = igamma, igammac
erfcx = unary("special_erfcx", "exp(x²) erfc(x).", "erfcx")
entr = unary("special_entr", "-x log x; 0 at 0, minus infinity below.", "entr")
ndtri = unary(
    "special_ndtri", "The number below which a normal one is with probability x.", "ndtri"
)
log_ndtr = unary("special_log_ndtr", "The logarithm of ndtr, exact also far below 0.", "log_ndtr")
i0e = unary("special_i0e", "exp(-|x|) i0(x).", "i0e")
i1 = unary("special_i1", "The modified Bessel function of the first kind, of order 1.", "i1")
i1e = unary("special_i1e", "exp(-|x|) i1(x).", "i1e")


def _bessel(name: str, text: str) -> Any:
    return unary(f"special_{name}", f"{text}; it has no gradient.", name)


airy_ai = _bessel("airy_ai", "The Airy function Ai")
bessel_j0 = _bessel("bessel_j0", "The Bessel function of the first kind, of order 0")
bessel_j1 = _bessel("bessel_j1", "The Bessel function of the first kind, of order 1")
bessel_y0 = _bessel("bessel_y0", "The Bessel function of the second kind, of order 0")
bessel_y1 = _bessel("bessel_y1", "The Bessel function of the second kind, of order 1")
modified_bessel_i0 = _bessel("modified_bessel_i0", "i0")
modified_bessel_i1 = _bessel("modified_bessel_i1", "i1")
modified_bessel_k0 = _bessel("modified_bessel_k0", "The modified one of the second kind, order 0")
modified_bessel_k1 = _bessel("modified_bessel_k1", "The modified one of the second kind, order 1")
scaled_modified_bessel_k0 = _bessel("scaled_modified_bessel_k0", "exp(x) modified_bessel_k0(x)")
scaled_modified_bessel_k1 = _bessel("scaled_modified_bessel_k1", "exp(x) modified_bessel_k1(x)")
spherical_bessel_j0 = _bessel("spherical_bessel_j0", "sin(x) / x")


def ndtr(input: Tensor) -> Tensor:
    """The probability that a standard normal number is below x."""
    return times(plus(erf(times(input, math.sqrt(0.5))), 1), 0.5)


def xlog1py(input: Operand, other: Operand) -> Tensor:
    """Input * log(1 + other), which is 0 where input is 0; one of the two may be a number."""
    return with_number("xlog1py", input, other)


def zeta(input: Operand, other: Operand) -> Tensor:
    """The Hurwitz zeta function: the sum of (k + other)**-input over k = 0, 1, ...

    It has a gradient in `other` only.
    """
    a, b = as_tensor(input), as_tensor(other)
    if a.requires_grad:
        raise NotImplementedError("zeta has no gradient in its first argument")
    return apply(OPS["zeta"], (a, b), {})


__all__ = [
    "airy_ai",
    "bessel_j0",
    "bessel_j1",
    "bessel_y0",
    "bessel_y1",
    "digamma",
    "entr",
    "erf",
    "erfc",
    "erfcx",
    "erfinv",
    "exp2",
    "expit",
    "expm1",
    "gammainc",
    "gammaincc",
    "gammaln",
    "i0",
    "i0e",
    "i1",
    "i1e",
    "log1p",
    "log_ndtr",
    "log_softmax",
    "logit",
    "logsumexp",
    "modified_bessel_i0",
    "modified_bessel_i1",
    "modified_bessel_k0",
    "modified_bessel_k1",
    "multigammaln",
    "ndtr",
    "ndtri",
    "polygamma",
    "psi",
    "round",
    "scaled_modified_bessel_k0",
    "scaled_modified_bessel_k1",
    "sinc",
    "softmax",
    "spherical_bessel_j0",
    "xlog1py",
    "xlogy",
    "zeta",
]  # fmt: skip
