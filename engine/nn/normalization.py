"""Normalization of `torch.nn.functional`, and the native functions beneath."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from engine.functions import arithmetic, elementwise, reductions, shapes
from engine.functions.pieces import _together
from engine.nn.normalization_sizes import (
    check_batch,
    check_floating,
    check_group,
    check_layer,
    check_running,
)
from engine.ops import OPS
from engine.ops.normalization import deviations
from engine.optim.optimizer import moved
from engine.tensor import Tensor, apply, as_tensor


def _optional(weight: Tensor | None, bias: Tensor | None) -> tuple[Tensor, Tensor]:
    """Numbers in the place of what is not given."""
    return as_tensor(1.0) if weight is None else weight, as_tensor(0.0) if bias is None else bias


def layer_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
    cudnn_enable: bool = True,
) -> Tensor:
    """Over the last axes, mean 0 and variance 1; then times `weight` plus `bias`.

    Raises RuntimeError and TypeError as PyTorch does.
    """
    count = check_layer(input, normalized_shape, weight, bias)
    params = {"count": count, "eps": eps}
    return apply(OPS["layer_norm"], (input, *_optional(weight, bias)), params)


def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Each group of channels with mean 0 and variance 1; then times `weight` plus `bias`.

    `input` is (N, C, …); weight and bias are (C,). Raises RuntimeError and ValueError as PyTorch.
    """
    shape = input._array.shape
    if len(shape) < 2:
        raise RuntimeError(
            f"Expected at least 2 dimensions for input tensor but received {len(shape)}"
        )
    per_group = [shape[0] * shape[1] // num_groups, num_groups, *shape[2:]]
    if prod(per_group[2:]) * per_group[0] == 1:
        raise ValueError(
            f"Expected more than 1 value per channel when training, got input size {list(shape)}"
        )
    return _grouped(input, num_groups, weight, bias, eps)


def _grouped(
    input: Tensor, groups: int, weight: Tensor | None, bias: Tensor | None, eps: float
) -> Tensor:
    check_group(input, groups, weight, bias)
    params = {"groups": groups, "eps": eps}
    return apply(OPS["group_norm"], (input, *_optional(weight, bias)), params)


def _update(running: Tensor | None, now: Any, momentum: float) -> None:
    if running is not None:
        kind = running._array.dtype.type
        moved(running, kind(1 - momentum) * running._array + kind(momentum) * now)


def _channel_statistics(input: Tensor) -> tuple[Any, Any, int]:
    """Mean and variance of each channel, and how many numbers they are of."""
    x = input._array
    axes = (0, *range(2, x.ndim))
    count = x.size // max(x.shape[1], 1)
    return x.mean(axes), x.var(axes), count


def native_batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """The normalized batch, and the means and inverse roots of the variances that were used."""
    check_running(input, running_mean, running_var, weight, bias, training=training)
    inputs = (input, *_optional(weight, bias))
    kind = input._array.dtype
    if not training:
        assert running_mean is not None
        assert running_var is not None
        # As they are now: later batches may move them.
        settled = {"mean": running_mean._array.copy(), "var": running_var._array.copy()}
        out = apply(OPS["batch_norm_settled"], inputs, {**settled, "eps": eps})
        return out, Tensor(np.zeros(0, kind)), Tensor(np.zeros(0, kind))
    if not input._array.size:
        raise NotImplementedError("native_batch_norm of an empty batch is not supported")
    out = apply(OPS["batch_norm"], inputs, {"eps": eps})
    mean, var, count = _channel_statistics(input)
    _update(running_mean, mean, momentum)
    _update(running_var, var * (count / max(count - 1, 1)), momentum)
    return out, Tensor(mean), Tensor((1 / np.sqrt(var + eps)).astype(kind))


def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Each channel with mean 0 and variance 1 over the batch; then times `weight` plus `bias`.

    In training the batch's own statistics are used, and the running ones move towards them (the
    variance without bias); otherwise the running ones are used. Raises ValueError where a channel
    has but one value.
    """
    if training:
        check_batch(input)
    if not input._array.size:  # nothing to normalize, but the history is to go on
        out: Tensor = elementwise.clone(input)
        out = out if weight is None else arithmetic.mul(out, weight[0])
        return out if bias is None else arithmetic.add(out, bias[0])
    given = (running_mean, running_var, training, momentum, eps)
    return native_batch_norm(input, weight, bias, *given)[0]


def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Each channel of each sample with mean 0 and variance 1, as a batch of one sample."""
    shape = input._array.shape
    if use_input_stats and prod(shape[2:]) == 1:
        raise ValueError(
            f"Expected more than 1 spatial element when training, got input size {input.shape}"
        )
    if not use_input_stats and (running_mean is None or running_var is None):
        raise RuntimeError(
            "Expected running_mean and running_var to be defined when use_input_stats is false"
        )
    n, channels = shape[:2]
    w, b, mean, var = (
        None if t is None else t.repeat(n) for t in (weight, bias, running_mean, running_var)
    )
    seen = shapes.reshape(input, (1, n * channels, *shape[2:]))
    out = native_batch_norm(seen, w, b, mean, var, use_input_stats, momentum, eps)[0]
    for running, each in ((running_mean, mean), (running_var, var)):
        if use_input_stats and running is not None and each is not None:
            moved(running, each._array.reshape(n, channels).mean(0))
    return shapes.view(out, *shape)


def rms_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    eps: float | None = None,
) -> Tensor:
    """Over the last axes, divided by the root of the mean square; then times `weight`.

    `eps` is by default the smallest step of the dtype.
    """
    count = check_layer(input, normalized_shape, weight, None, rms=True)
    check_floating(input, "rms_norm")
    if eps is None:
        eps = float(np.finfo(input._array.dtype).eps)
    axes = tuple(range(-count, 0))
    short = input._array.dtype == np.float16  # PyTorch computes those in float32
    x: Tensor = input.float() if short else input
    mean = reductions.mean(arithmetic.pow(x, 2), axes, True)
    size = elementwise.rsqrt(apply(OPS["add_number"], (mean,), {"value": eps}))
    out = arithmetic.mul(x, size)
    out = out if weight is None else arithmetic.mul(out, weight)
    return out.half() if short else out


def local_response_norm(
    input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> Tensor:
    """Divide by (k + alpha * mean of the squares of `size` neighbouring channels) ** beta."""
    from engine.nn.padding import pad
    from engine.nn.pooling import avg_pool2d, avg_pool3d

    shape = input._array.shape
    if len(shape) < 3:
        raise ValueError(
            "Expected 3D or higher dimensionality"
            f"                          input (got {len(shape)} dimensions)"
        )
    if not input._array.size:
        return input
    square = arithmetic.mul(input, input)
    before, behind = size // 2, (size - 1) // 2
    if len(shape) == 3:
        wide = pad(shapes.unsqueeze(square, 1), (0, 0, before, behind))
        mean = shapes.squeeze(avg_pool2d(wide, (size, 1), 1), 1)
    else:
        view = shapes.view(square, shape[0], 1, shape[1], shape[2], -1)
        wide = pad(view, (0, 0, 0, 0, before, behind))
        mean = shapes.view(shapes.squeeze(avg_pool3d(wide, (size, 1, 1), 1), 1), *shape)
    divisor = arithmetic.pow(arithmetic.add(arithmetic.mul(mean, alpha), k), beta)
    return arithmetic.div(input, divisor)


def _statistics(x: Any, axes: tuple[int, ...], eps: float) -> tuple[Tensor, Tensor]:
    centred, size = deviations(x, axes, eps)
    return Tensor((x - centred).mean(axes, keepdims=True)), Tensor(1 / size)


def native_layer_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None,
    bias: Tensor | None,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """`layer_norm`, and the means and inverse roots of the variances."""
    out = layer_norm(input, normalized_shape, weight, bias, eps)
    axes = tuple(range(-len(tuple(normalized_shape)), 0))
    return (out, *_statistics(input._array, axes, eps))


def native_group_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    N: int,
    C: int,
    HxW: int,
    group: int,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """`group_norm`, and the means and inverse roots of the variances of each group."""
    check_floating(input, "GroupNormKernelImpl")
    out = _grouped(input, group, weight, bias, eps)
    view = input._array.reshape(N, group, C // group * HxW)
    tied = OPS["group_norm_statistic"]
    mean, size = (Tensor(t._array[..., 0]) for t in _statistics(view, (2,), eps))
    made = [out, apply(tied, (input, mean), {}), apply(tied, (input, size), {})]
    return _together(made)  # type: ignore[return-value]
