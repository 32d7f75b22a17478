"""Functions of complex numbers."""

from __future__ import annotations

from engine.ops import OPS
from engine.tensor import Tensor, apply


def conj(input: Tensor) -> Tensor:
    """The complex conjugate; a real tensor as it is."""
    return apply(OPS["conj"], (input,), {}) if input._array.dtype.kind == "c" else input
