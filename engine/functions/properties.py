"""Properties that have functions of the same name; a method whose arguments come the other way."""

from __future__ import annotations

from engine.functions import complexes, gamma
from engine.tensor import Tensor

real = property(complexes.real, doc="The real parts, a view; a real tensor as it is.")
imag = property(complexes.imag, doc="The imaginary parts, a view.")


def polygamma(self: Tensor, n: int) -> Tensor:
    """The n-th derivative of digamma, n >= 0."""
    return gamma.polygamma(n, self)
