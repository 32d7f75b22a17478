"""Casts that few programs use: `x.byte()`, `x.cfloat()`; those that there are no dtypes for."""

from __future__ import annotations

from typing import Any

from engine import dtypes
from engine.functions.elementwise import to
from engine.tensor import Tensor


def _cast(name: str, kind: dtypes.dtype) -> Any:
    def method(self: Tensor, *, memory_format: Any = None) -> Tensor:
        return to(self, kind)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"The tensor as {kind}, or itself where it is that."
    return method


byte, char = _cast("byte", dtypes.uint8), _cast("char", dtypes.int8)
cfloat, cdouble = _cast("cfloat", dtypes.complex64), _cast("cdouble", dtypes.complex128)


def bfloat16(self: Tensor, *, memory_format: Any = None) -> Tensor:
    """Declined: NumPy has no such dtype."""
    raise NotImplementedError("bfloat16 is not available: NumPy has no such dtype")


def chalf(self: Tensor, *, memory_format: Any = None) -> Tensor:
    """Declined: NumPy has no such dtype."""
    raise NotImplementedError("complex32 is not available: NumPy has no such dtype")
