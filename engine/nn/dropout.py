"""Dropout of `torch.nn.functional`.

The masks are those that PyTorch draws from the same seed, except on processors for which it has
Intel's own stream of coin tosses.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from engine.functions import shapes
from engine.functions.creation import drawn
from engine.functions.in_place import check_writable, write
from engine.tensor import Tensor

_uniform = drawn("uniform")
_ALPHA = -1.7580993408473766  # what SELU tends to far on the left


def _check(p: float) -> None:
    if not 0.0 <= p <= 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def check_seeded(p: float) -> None:
    """Decline to drop within attention before a seed was set.

    Raises NotImplementedError. The stream of a process without a seed is no one's to rely on.
    """
    from engine.random import default_generator

    if 0 < p < 1 and not default_generator.is_repeatable:
        raise NotImplementedError("Dropout within attention needs a seed: call torch.manual_seed.")


def _kept(shape: tuple[int, ...], p: float, like: Any) -> Any:
    """1 where an element stays, 0 where it is dropped."""
    if p == 1:
        return np.zeros(shape, like.dtype)
    # The mask is laid out as the input is, and drawn in the order of its memory.
    if shape != like.shape or like.flags.c_contiguous:
        order = tuple(range(len(shape)))
    else:
        order = tuple(np.argsort([-step for step in like.strides], kind="stable").tolist())
    tosses = _uniform(tuple([shape[axis] for axis in order]), np.dtype(np.float64))
    return (tosses < 1 - p).astype(like.dtype).transpose(np.argsort(order))


def _dropped(
    input: Tensor, p: float, *, training: bool, inplace: bool, channels: bool = False
) -> Tensor:
    x = input._array
    if not training or p == 0 or not x.size:
        return input
    if inplace:
        check_writable(input)
    shape = (*x.shape[:2], *(1,) * (x.ndim - 2)) if channels else x.shape
    mask = _kept(shape, p, x)
    if p < 1:
        mask /= x.dtype.type(1 - p)
    out = input * Tensor(mask)
    return write(input, out) if inplace else out


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Each element 0 with probability `p`; those that stay are divided by 1 - p."""
    _check(p)
    return _dropped(input, p, training=training, inplace=inplace)


def dropout1d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Whole channels of (N, C, L) dropped, or of (C, L)."""
    _check(p)
    ndim = input._array.ndim
    if ndim not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {ndim}D input. Note that "
            "dropout1d exists to provide channel-wise dropout on inputs with 1 spatial dimension, "
            "a channel dimension, and an optional batch dimension (i.e. 2D or 3D inputs)."
        )
    return _batched(input, ndim == 2, p, training=training, inplace=inplace)


def _batched(input: Tensor, alone: bool, p: float, *, training: bool, inplace: bool) -> Tensor:
    x = shapes.unsqueeze(input, 0) if alone else input
    out = _dropped(x, p, training=training, inplace=inplace, channels=True)
    return shapes.squeeze(out, 0) if alone else out


def _warn_axes(name: str, ndim: int, usual: str, count: int) -> None:
    warnings.warn(
        f"{name}: Received a {ndim}-D input to {name}, which is deprecated and will result in an "
        "error in a future release. To retain the behavior and silence this warning, please use "
        f"dropout instead. Note that {name} exists to provide channel-wise dropout on inputs with "
        f"{count} spatial dimensions, a channel dimension, and an optional batch dimension (i.e. "
        f"{usual} inputs).",
        UserWarning,
        stacklevel=3,
    )


def dropout2d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Whole channels of (N, C, H, W) dropped."""
    _check(p)
    ndim = input._array.ndim
    if ndim not in (3, 4):
        _warn_axes("dropout2d", ndim, "3D or 4D", 2)
    if ndim == 3:
        warnings.warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D "
            "dropout behavior is desired - input is interpreted as shape (N, C, L), where C is "
            "the channel dim. This behavior will change in a future release to interpret the "
            "input as one without a batch dimension, i.e. shape (C, H, W). To maintain the 1D "
            "channel-wise dropout behavior, please switch to using dropout1d instead.",
            UserWarning,
            stacklevel=2,
        )
    return _dropped(input, p, training=training, inplace=inplace, channels=True)


def dropout3d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Whole channels of (N, C, D, H, W) dropped, or of (C, D, H, W)."""
    _check(p)
    ndim = input._array.ndim
    if ndim not in (4, 5):
        _warn_axes("dropout3d", ndim, "4D or 5D", 3)
    return _batched(input, ndim != 5, p, training=training, inplace=inplace)


def _alpha(input: Tensor, p: float, *, training: bool, inplace: bool, channels: bool) -> Tensor:
    """Dropped elements take SELU's far value; mean and variance are kept by scale and shift."""
    _check(p)
    x = input._array
    if not training or p == 0 or not x.size:
        return input
    if p == 1:
        return _dropped(input, p, training=True, inplace=inplace)
    if inplace:
        check_writable(input)
    shape = (*x.shape[:2], *(1,) * (x.ndim - 2)) if channels else x.shape
    mask = _kept(shape, p, x)
    a = 1.0 / math.sqrt((_ALPHA * _ALPHA * p + 1) * (1 - p))
    shift = ((mask - 1) * (-_ALPHA * a) - _ALPHA * a * p).astype(x.dtype)
    out = input * Tensor((mask * a).astype(x.dtype)) + Tensor(shift)
    return write(input, out) if inplace else out


def alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """Dropout that keeps mean 0 and variance 1, for networks of SELU."""
    return _alpha(input, p, training=training, inplace=inplace, channels=False)


def feature_alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """`alpha_dropout` of whole channels."""
    return _alpha(input, p, training=training, inplace=inplace, channels=True)
