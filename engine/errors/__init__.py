"""PyTorch's messages, word for word, and how its warnings are given."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from engine import dtypes
from engine.errors.backward import *  # noqa: F403
from engine.errors.operations import *  # noqa: F403
from engine.errors.tensors import *  # noqa: F403
from engine.errors.tensors import GRAD_DTYPE, GRAD_ITSELF, GRAD_SHAPE, GRAD_TYPE, SCALAR_CONVERSION

if TYPE_CHECKING:
    from engine.tensor import Tensor

_given: set[str] = set()


def warn_once(text: str, *, stacklevel: int = 3) -> None:
    """A warning that PyTorch gives only once in a process."""
    if text not in _given:
        _given.add(text)
        warnings.warn(text, UserWarning, stacklevel=stacklevel)


def warn_scalar_conversion() -> None:
    """A Python number is taken from a tensor that requires grad."""
    warn_once(SCALAR_CONVERSION, stacklevel=4)


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


INFERENCE_SAVED = (
    "Inference tensors cannot be saved for backward. Please do not use Tensors created in "
    "inference mode in computation tracked by autograd. To work around this, you can make a clone "
    "to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of "
    "`torch.inference_mode()`."
)
INFERENCE_VERSION = "Inference tensors do not track version counter."
