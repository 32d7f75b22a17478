"""`Variable`, which scripts from before 2018 wrap their tensors in."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from engine import errors
from engine.tensor import Tensor

_VOLATILE = "volatile was removed and now has no effect. Use `with torch.no_grad():` instead."


class _Kind(type):
    """Calling the class gives a tensor, and every tensor is an instance."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Tensor)

    def __call__(cls, data: Any = None, requires_grad: bool = False, **given: Any) -> Tensor:
        if "volatile" in given:
            warnings.warn(_VOLATILE, UserWarning, stacklevel=2)
        if data is None:
            return Tensor(np.zeros(0, np.float32))
        if not isinstance(data, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
        if requires_grad and data._array.dtype.kind not in "fc":
            raise RuntimeError(errors.ONLY_FLOATING_NEW)
        made: Tensor = data.detach()
        return made.requires_grad_(requires_grad)


class Variable(metaclass=_Kind):
    """The tensor's memory as a leaf: `Variable(tensor, requires_grad=True)`."""
