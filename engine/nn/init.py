"""`torch.nn.init`: how parameters start out, with PyTorch's own random numbers."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from engine.functions.creation import drawn
from engine.optim.optimizer import moved
from engine.tensor import Tensor

_uniform, _normal = drawn("uniform"), drawn("normal")

__all__ = [
    "calculate_gain",
    "constant_",
    "dirac_",
    "eye_",
    "kaiming_normal_",
    "kaiming_uniform_",
    "normal_",
    "ones_",
    "orthogonal_",
    "sparse_",
    "trunc_normal_",
    "uniform_",
    "xavier_normal_",
    "xavier_uniform_",
    "zeros_",
]
_GAINS = {
    "linear": 1.0,
    "conv1d": 1.0,
    "conv2d": 1.0,
    "conv3d": 1.0,
    "conv_transpose1d": 1.0,
    "conv_transpose2d": 1.0,
    "conv_transpose3d": 1.0,
    "sigmoid": 1.0,
    "tanh": 5.0 / 3,
    "relu": math.sqrt(2.0),
    "selu": 3.0 / 4,
}


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """By how much weights before an activation are to be larger, so that variances stay."""
    if nonlinearity in _GAINS:
        return _GAINS[nonlinearity]
    if nonlinearity != "leaky_relu":
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    slope = 0.01 if param is None else param
    if isinstance(slope, bool) or not isinstance(slope, (int, float)):
        raise ValueError(f"negative_slope {slope} not a valid number")
    return math.sqrt(2.0 / (1 + slope**2))


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


def trunc_normal_(
    tensor: Tensor,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: Any = None,
) -> Tensor:
    """Normal numbers between `a` and `b`: those outside are drawn again.

    Where most would lie outside, uniform ones are kept as often as they are likely.
    """

    def below(x: float) -> float:
        return (1.0 + math.erf(x / math.sqrt(2.0))) / 2.0

    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. "
            "The distribution of values may be incorrect.",
            UserWarning,
            stacklevel=2,
        )
    shape, dtype = tensor._array.shape, tensor._array.dtype
    if below((b - mean) / std) - below((a - mean) / std) > 0.3:
        low, high = dtype.type(a), dtype.type(b)

        def draw() -> tuple[Any, Any]:
            made = _normal(shape, dtype, mean=mean, std=std, generator=generator)
            return made, (made < low) | (made > high)

    else:
        peak = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2

        def draw() -> tuple[Any, Any]:
            made = _uniform(shape, dtype, low=a, high=b, generator=generator)
            likely = ((made - mean) / std) ** 2 * dtype.type(-0.5) - dtype.type(peak)
            toss = np.log(_uniform(shape, dtype, generator=generator))
            return made, toss > likely

    made, again = draw()
    while again.any():
        more, refused = draw()
        made = np.where(again, more, made)
        again = again & refused
    moved(tensor, made)
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


def eye_(tensor: Tensor) -> Tensor:
    """The identity matrix."""
    if tensor._array.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    moved(tensor, np.eye(*tensor._array.shape))
    return tensor


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """A convolution's weight that hands its channels on."""
    shape = tensor._array.shape
    if len(shape) not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if shape[0] % groups:
        raise ValueError("dim 0 must be divisible by groups")
    made = np.zeros(shape)
    middle = tuple(n // 2 for n in shape[2:])
    per_group = shape[0] // groups
    for group in range(groups):
        for channel in range(min(per_group, shape[1])):
            made[(group * per_group + channel, channel, *middle)] = 1
    moved(tensor, made)
    return tensor


def orthogonal_(tensor: Tensor, gain: float = 1, generator: Any = None) -> Tensor:
    """Orthogonal rows or columns, whichever are fewer (Saxe et al., 2013)."""
    shape = tensor._array.shape
    if len(shape) < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if 0 in shape:
        return tensor
    rows, columns = shape[0], math.prod(shape[1:])
    made = _normal((rows, columns), tensor._array.dtype, generator=generator)
    factor, rest = np.linalg.qr(made.T if rows < columns else made)
    factor = factor * np.sign(np.diagonal(rest))  # so that every rotation is as likely
    turned = factor.T if rows < columns else factor
    moved(tensor, turned.reshape(shape) * tensor._array.dtype.type(gain))
    return tensor


def fans(tensor: Tensor) -> tuple[int, int]:
    """How many inputs and outputs each unit of a weight (out, in, …) has."""
    shape = tensor._array.shape
    if len(shape) < 2:
        raise ValueError(
            "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"
        )
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


def _fan(tensor: Tensor, mode: str) -> int:
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    return fans(tensor)[0 if mode == "fan_in" else 1]


def _is_empty(tensor: Tensor) -> bool:
    if 0 in tensor._array.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", UserWarning, stacklevel=3)
        return True
    return False


def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Tensor:
    """Uniform within gain * sqrt(3 / fan) (He et al., 2015)."""
    if _is_empty(tensor):
        return tensor
    std = calculate_gain(nonlinearity, a) / math.sqrt(_fan(tensor, mode))
    bound = math.sqrt(3.0) * std
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Tensor:
    """Normal with standard deviation gain / sqrt(fan) (He et al., 2015)."""
    if _is_empty(tensor):
        return tensor
    std = calculate_gain(nonlinearity, a) / math.sqrt(_fan(tensor, mode))
    return normal_(tensor, 0.0, std, generator)


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Uniform within gain * sqrt(6 / (fan_in + fan_out)) (Glorot and Bengio, 2010)."""
    std = gain * math.sqrt(2.0 / float(sum(fans(tensor))))
    bound = math.sqrt(3.0) * std
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Normal with variance gain² * 2 / (fan_in + fan_out) (Glorot and Bengio, 2010)."""
    std = gain * math.sqrt(2.0 / float(sum(fans(tensor))))
    return normal_(tensor, 0.0, std, generator)


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Any = None) -> Tensor:
    """Normal numbers, with so large a part of each column 0 (Martens, 2010)."""
    if tensor._array.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor._array.shape
    normal_(tensor, 0.0, std, generator)
    made = tensor._array.copy()
    permutation = drawn("permutation")
    for column in range(columns):
        made[permutation(rows)[: math.ceil(sparsity * rows)], column] = 0
    moved(tensor, made)
    return tensor
