"""PyTorch's messages, word for word, and how its warnings are given."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from engine import dtypes
from engine.errors.backward import *  # noqa: F403
from engine.errors.operations import *  # noqa: F403
from engine.errors.tensors import *  # noqa: F403
from engine.errors.tensors import (
    GRAD_DTYPE,
    GRAD_ITSELF,
    GRAD_SHAPE,
    GRAD_TYPE,
    INFERENCE_REQUIRES_GRAD,
    SCALAR_CONVERSION,
)
from engine.state import STATE

if TYPE_CHECKING:
    from engine.tensor import Tensor

_given: set[str] = set()
_always: list[bool] = []  # holds True where every warning is to be given each time


def warn_once(text: str, *, stacklevel: int = 3) -> None:
    """A warning that PyTorch gives only once in a process."""
    if _always or text not in _given:
        _given.add(text)
        warnings.warn(text, UserWarning, stacklevel=stacklevel)


def set_warn_always(b: bool) -> None:
    """Whether a warning that is otherwise given once in a process is given each time."""
    if not isinstance(b, bool):
        raise RuntimeError(f"setWarnOnlyOnce expects a bool, but got {type(b).__name__}")
    _always[:] = [True] if b else []


def is_warn_always_enabled() -> bool:
    """Whether every warning is given each time."""
    return bool(_always)


def warn_scalar_conversion() -> None:
    """A Python number is taken from a tensor that requires grad."""
    warn_once(SCALAR_CONVERSION, stacklevel=4)


def check_can_require_grad(tensor: Tensor, dtype_text: str) -> None:
    """Raise RuntimeError for integers, and for what was made in inference mode, outside it."""
    if tensor._array.dtype.kind not in "fc":
        raise RuntimeError(dtype_text)
    if tensor._inference and not STATE.mode.inference:
        raise RuntimeError(INFERENCE_REQUIRES_GRAD)


def check_assigned_grad(tensor: Tensor, grad: Any) -> None:
    """Raise what PyTorch raises where `grad` cannot be the tensor's `.grad`."""
    from engine.tensor import Tensor

    if not isinstance(grad, Tensor):
        raise TypeError(GRAD_TYPE.format(type=type(grad).__name__))
    if grad is tensor:
        raise RuntimeError(GRAD_ITSELF)
    if grad._array.dtype != tensor._array.dtype:
        raise RuntimeError(
            GRAD_DTYPE.format(grad=dtypes.c_name(grad.dtype), tensor=dtypes.word(tensor.dtype))
        )
    if grad._array.shape != tensor._array.shape:
        raise RuntimeError(
            GRAD_SHAPE.format(grad=list(grad._array.shape), tensor=list(tensor._array.shape))
        )
