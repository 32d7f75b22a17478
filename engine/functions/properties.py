"""Properties of tensors that have functions of the same name."""

from __future__ import annotations

from engine.functions import complexes

real = property(complexes.real, doc="The real parts, a view; a real tensor as it is.")
imag = property(complexes.imag, doc="The imaginary parts, a view.")
