"""Tensors on the "meta" device: a shape and a dtype, and no numbers."""

from __future__ import annotations

from math import prod
from typing import Any, NoReturn

import numpy as np

from engine import dtypes
from engine.arrays import Array
from engine.tensor import Tensor


class MetaTensor(Tensor):
    """What is asked for its numbers, and so every op, raises NotImplementedError."""

    is_meta = True

    def __init__(self, shape: tuple[int, ...], kind: np.dtype[Any]) -> None:
        self._shape = shape
        self._kind = kind

    @property
    def _array(self) -> Array:  # type: ignore[override]
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise NotImplementedError("A tensor on the meta device has no numbers to compute with.")

    @property
    def shape(self) -> dtypes.Size:
        return dtypes.Size(self._shape)

    @property
    def ndim(self) -> int:
        return len(self._shape)

    @property
    def dtype(self) -> dtypes.dtype:
        return dtypes.of(self._kind)

    @property
    def device(self) -> Any:
        from engine.functions.device import Device

        return Device("meta")

    def numel(self) -> int:
        """The number of elements."""
        return prod(self._shape)

    def __repr__(self) -> str:
        kind = "" if self.dtype is dtypes.get_default_dtype() else f", dtype={self.dtype}"
        return f"tensor(..., device='meta', size={self._shape}{kind})"
