"""`Parameter` and `Buffer`: the tensors that a module finds among its attributes."""

from __future__ import annotations

from typing import Any

from engine import dtypes
from engine.tensor import Tensor


class Parameter(Tensor):
    """A leaf that is learned; it requires grad unless told not to."""

    def __init__(self, data: Tensor | None = None, requires_grad: bool = True) -> None:
        held = Tensor() if data is None else data
        super().__init__(held._array, requires_grad=False)
        if requires_grad and held._array.dtype.kind not in "fc":
            raise RuntimeError(
                "Only Tensors of floating point and complex dtype can require gradients"
            )
        self._requires_grad = requires_grad

    def __repr__(self) -> str:
        return f"Parameter containing:\n{super().__repr__()}"


class Buffer(Tensor):
    """A tensor that belongs to the module's state and is not learned."""

    def __init__(self, data: Tensor | None = None, *, persistent: bool = True) -> None:
        super().__init__((Tensor() if data is None else data)._array)
        self.persistent = persistent


def blank(*shape: int, dtype: dtypes.dtype | None = None) -> Parameter:
    """A parameter that is yet to be initialised."""
    import numpy as np

    kind: Any = (dtype or dtypes.get_default_dtype())._numpy
    return Parameter(Tensor(np.zeros(shape, kind)))
