"""The error function and its relatives, entropy, and modified Bessel functions."""

from __future__ import annotations

from engine.functions.elementwise import unary

erf = unary("erf", "2/sqrt(pi) times the integral of exp(-t²) from 0 to x.")
erfc = unary("erfc", "1 - erf(x), exact also where that is small.")
erfinv = unary("erfinv", "The number whose erf the element is; infinite at -1 and 1.")
i0 = unary("i0", "The modified Bessel function of the first kind, of order 0.")
