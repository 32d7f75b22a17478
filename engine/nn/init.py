"""`torch.nn.init`: how parameters start out."""

from __future__ import annotations

import math
from typing import Any

from engine.functions.creation import drawn
from engine.optim import moved
from engine.tensor import Tensor

_uniform, _normal = drawn("uniform"), drawn("normal")

__all__ = [
    "constant_",
    "kaiming_uniform_",
    "normal_",
    "ones_",
    "uniform_",
    "xavier_uniform_",
    "zeros_",
]


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    """Uniform numbers from `a` to `b`."""
    array = tensor._array
    moved(tensor, _uniform(array.shape, array.dtype, low=a, high=b, generator=generator))
    return tensor


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Normal numbers."""
    array = tensor._array
    moved(tensor, _normal(array.shape, array.dtype, mean=mean, std=std, generator=generator))
    return tensor


def constant_(tensor: Tensor, val: float) -> Tensor:
    """One number everywhere."""
    moved(tensor, val)
    return tensor


def ones_(tensor: Tensor) -> Tensor:
    """Ones."""
    return constant_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """Zeros."""
    return constant_(tensor, 0.0)


def fans(tensor: Tensor) -> tuple[int, int]:
    """How many inputs and outputs each unit of a weight (out, in, …) has."""
    shape = tensor._array.shape
    if len(shape) < 2:
        raise ValueError(
            "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"
        )
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Tensor:
    """Uniform within gain * sqrt(3 / fan) (He et al., 2015)."""
    fan = fans(tensor)[0 if mode == "fan_in" else 1]
    gain = math.sqrt(2.0) if nonlinearity == "relu" else math.sqrt(2.0 / (1 + a**2))
    bound = math.sqrt(3.0) * (gain / math.sqrt(fan))
    return uniform_(tensor, -bound, bound, generator)


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Uniform within gain * sqrt(6 / (fan_in + fan_out)) (Glorot and Bengio, 2010)."""
    std = gain * math.sqrt(2.0 / float(sum(fans(tensor))))
    bound = math.sqrt(3.0) * std
    return uniform_(tensor, -bound, bound, generator)
