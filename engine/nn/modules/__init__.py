"""Layers: modules of `torch.nn`, by family."""

from __future__ import annotations

from engine.late import Late
from engine.nn.table import PLACES

__getattr__ = Late(__name__, PLACES)
__all__ = [*PLACES]
