"""PyTorch's errors where sizes and dtypes of a normalization do not fit."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from engine import dtypes
from engine.state import STATE
from engine.tensor import Tensor


def check_floating(input: Tensor, kernel: str) -> None:
    """Raise NotImplementedError where the input is not of floats."""
    if input._array.dtype.kind != "f":
        word = dtypes.word(input.dtype)
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{word}'")


def check_layer(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None,
    bias: Tensor | None,
    *,
    rms: bool = False,
) -> int:
    """Over how many of the last axes the normalization goes."""
    name = "rms_norm" if rms else "layer_norm"
    if isinstance(normalized_shape, int):
        raise TypeError(
            f"{name}(): argument 'normalized_shape' (position 2) must be tuple of ints, not int"
        )
    wanted, shape = list(normalized_shape), list(input._array.shape)
    if not wanted:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least "
            f"one element, but got normalized_shape = {wanted}"
        )
    for part, tensor in (("weight", weight), ("bias", bias)):
        if tensor is not None and list(tensor._array.shape) != wanted:
            raise RuntimeError(
                f"Expected {part} to be of same shape as normalized_shape, but got {part} of "
                f"shape {list(tensor._array.shape)} and normalized_shape = {wanted}"
            )
    if shape[-len(wanted) :] != wanted:
        told = ", ".join(map(str, wanted))
        raise RuntimeError(
            f"Given normalized_shape={wanted}, expected input with shape "
            f"[*{'' if rms else ', '}{told}], but got input of size{shape}"
        )
    if not rms:
        check_floating(input, "LayerNormKernelImpl")
        _check_mixed(input, weight, bias)
    return len(wanted)


def _check_mixed(input: Tensor, *others: Tensor | None) -> None:
    """Parameters have the input's dtype, or are float32 where it is shorter."""
    for other in others:
        if other is None or other.dtype is input.dtype:
            continue
        if input.dtype is dtypes.float64:
            raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")
        if other.dtype is not dtypes.float32:
            raise RuntimeError("mixed dtype (CPU): expect parameter to have scalar type of Float")


def check_group(input: Tensor, groups: int, weight: Tensor | None, bias: Tensor | None) -> None:
    """The channels fall into equal groups, and each has its weight and bias."""
    shape = list(input._array.shape)
    if groups <= 0:
        raise RuntimeError(f"Expected num groups to be greater than 0, got {groups}")
    if shape[1] % groups:
        raise RuntimeError(
            "Expected number of channels in input to be divisible by num_groups, but got input "
            f"of shape {shape} and num_groups={groups}"
        )
    told = [0] if weight is None else list(weight._array.shape)
    for part, tensor in (("weight", weight), ("bias", bias)):
        if tensor is not None and tensor._array.shape != (shape[1],):
            raise RuntimeError(
                f"Expected {part} to be a vector of size equal to the number of channels in "
                f"input, but got {part} of shape {told} and input of shape {shape}"
            )
    check_floating(input, "GroupNormKernelImpl")
    _check_mixed(input, weight, bias)


def check_batch(input: Tensor) -> None:
    """A channel has more than one value, or its variance says nothing."""
    shape = input._array.shape
    if prod(shape[2:]) * shape[0] == 1:
        raise ValueError(
            f"Expected more than 1 value per channel when training, got input size {input.shape}"
        )


def check_running(
    input: Tensor,
    mean: Tensor | None,
    var: Tensor | None,
    weight: Tensor | None,
    bias: Tensor | None,
    *,
    training: bool,
) -> None:
    """Each channel has its statistics, weight and bias."""
    if input._array.ndim < 2:
        low, high = -input._array.ndim, input._array.ndim - 1
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{low}, {high}], but got 1)"
        )
    channels = input._array.shape[1]
    parts = {"running_mean": mean, "running_var": var, "weight": weight, "bias": bias}
    for name, tensor in parts.items():
        if tensor is None:
            if name.startswith("running") and not training:
                raise RuntimeError(f"{name} must be defined in evaluation mode")
        elif tensor._array.size != channels:
            raise RuntimeError(
                f"{name} should contain {channels} elements not {tensor._array.size}"
            )
    for name, tensor in (("running_mean", mean), ("running_var", var)):
        if tensor is not None and tensor.requires_grad and STATE.grad_enabled:
            raise RuntimeError(
                "The function 'native_batch_norm' is not differentiable with respect to argument "
                f"'{name}'. This input cannot have requires_grad True."
            )
    check_floating(input, "batch_norm")
    _check_mixed(input, weight, bias, mean, var)
