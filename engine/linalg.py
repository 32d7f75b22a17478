"""`torch.linalg`: norms and products by the names of that namespace."""

from __future__ import annotations

from engine.functions.products import matmul
from engine.functions.reductions import vector_norm

__all__ = ["matmul", "norm", "vector_norm"]

norm = vector_norm
