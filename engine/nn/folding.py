"""Windows as columns and back, and channels spread over space, of `torch.nn.functional`."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from engine import dtypes
from engine.ops import OPS
from engine.ops.convolution import Sizes, out_size
from engine.tensor import Tensor, apply, refuse

Size = int | Sequence[int]


def _pair(value: Size, name: str) -> Sizes:
    given = (value,) * 2 if isinstance(value, int) else tuple(int(v) for v in value)
    given = given * 2 if len(given) == 1 else given
    if len(given) != 2:
        raise RuntimeError(f"It is expected {name} equals to 2, but got size {len(given)}")
    return given


def _geometry(kernel_size: Size, dilation: Size, padding: Size, stride: Size) -> dict[str, Sizes]:
    made = {
        "kernel": _pair(kernel_size, "kernel_size"),
        "dilation": _pair(dilation, "dilation"),
        "padding": _pair(padding, "padding"),
        "stride": _pair(stride, "stride"),
    }
    for name in ("kernel", "dilation", "stride"):
        high, wide = made[name]
        if min(high, wide) < 1:
            told = "kernel size" if name == "kernel" else name
            raise RuntimeError(
                f"{told} should be greater than zero, but got {name}_height: {high} "
                f"{name}_width: {wide}"
            )
    high, wide = made["padding"]
    if min(high, wide) < 0:
        raise RuntimeError(
            f"padding should be non-negative, but got pad_height: {high} pad_width: {wide}"
        )
    return made


def unfold(
    input: Tensor, kernel_size: Size, dilation: Size = 1, padding: Size = 0, stride: Size = 1
) -> Tensor:
    """The windows of (N, C, H, W) as columns: (N, C * kernel, places).

    Raises RuntimeError where no window fits.
    """
    params = _geometry(kernel_size, dilation, padding, stride)
    shape = input._array.shape
    if len(shape) < 3:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-len(shape)}, "
            f"{len(shape) - 1}], but got 2)"
        )
    error: Exception | None = None
    if len(shape) > 4 or not all(shape[1:]):
        error = RuntimeError(
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other "
            f"non-zero dimensions for input, but got: {list(shape)}"
        )
    elif input._array.dtype.kind not in "fcb":
        word = dtypes.word(input.dtype)
        error = NotImplementedError(f"\"im2col_out_cpu\" not implemented for '{word}'")
    else:
        places = out_size(shape[-2:], **params)
        if min(places) < 1:
            told = {name: params[name] for name in ("dilation", "padding")}
            error = RuntimeError(
                f"Given input with spatial size {tuple(shape[-2:])}, "
                f"kernel_size={params['kernel']}, dilation={told['dilation']}, "
                f"padding={told['padding']}, calculated shape of the array of sliding blocks as "
                f"{places}, but its components must be at least one."
            )
    if error is not None:
        refuse("im2col", (input,), params, error)
    return apply(OPS["im2col"], (input,), params)


def fold(
    input: Tensor,
    output_size: Size,
    kernel_size: Size,
    dilation: Size = 1,
    padding: Size = 0,
    stride: Size = 1,
) -> Tensor:
    """Columns (N, C * kernel, places) added up where their windows lie: (N, C, *output_size).

    Raises RuntimeError where there are more or fewer columns than places.
    """
    params = _geometry(kernel_size, dilation, padding, stride)
    size = _pair(output_size, "output_size")
    shape, kernel = input._array.shape, params["kernel"]
    error = None
    if len(shape) not in (2, 3) or not all(shape[-2:]):
        error = (
            "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and "
            f"non-zero dimensions for input, but got: {list(shape)}"
        )
    elif shape[-2] % prod(kernel):
        error = (
            "Expected size of input's dimension 1 to be divisible by the product of kernel_size, "
            f"but got input.size(1)={shape[-2]} and kernel_size={kernel}."
        )
    else:
        high, wide = places = out_size(size, **params)
        if prod(places) != shape[-1] or min(places) < 1:
            error = (
                f"Given output_size={size}, kernel_size={kernel}, "
                f"dilation={params['dilation']}, padding={params['padding']}, "
                f"stride={params['stride']}, expected size of input's dimension 2 to match the "
                f"calculated number of sliding blocks {high} * {wide} = {high * wide}, but got "
                f"input.size(2)={shape[-1]}."
            )
    if error is not None:
        refuse("col2im", (input,), params, RuntimeError(error))
    return apply(OPS["col2im"], (input,), {**params, "size": size})


def _check_planes(input: Tensor, name: str, factor: int, word: str) -> None:
    ndim = input._array.ndim
    if ndim < 3:
        raise RuntimeError(
            f"{name} expects input to have at least 3 dimensions, but got input with {ndim} "
            "dimension(s)"
        )
    if factor <= 0:
        raise RuntimeError(f"{name} expects a positive {word}, but got {factor}")


def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """(…, C * r², H, W) as (…, C, H * r, W * r)."""
    _check_planes(input, "pixel_shuffle", upscale_factor, "upscale_factor")
    channels, square = input._array.shape[-3], upscale_factor**2
    if channels % square:
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square "
            f"of upscale_factor, but input.size(-3)={channels} is not divisible by {square}"
        )
    return apply(OPS["pixel_shuffle"], (input,), {"factor": upscale_factor})


def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    """(…, C, H * r, W * r) as (…, C * r², H, W)."""
    _check_planes(input, "pixel_unshuffle", downscale_factor, "downscale_factor")
    for axis, name in ((-2, "height"), (-1, "width")):
        n = input._array.shape[axis]
        if n % downscale_factor:
            raise RuntimeError(
                f"pixel_unshuffle expects {name} to be divisible by downscale_factor, but "
                f"input.size({axis})={n} is not divisible by {downscale_factor}"
            )
    return apply(OPS["pixel_unshuffle"], (input,), {"factor": downscale_factor})


def channel_shuffle(input: Tensor, groups: int) -> Tensor:
    """One channel of each group after the other."""
    shape: Any = input._array.shape
    if len(shape) <= 2:
        raise RuntimeError(
            f"channel_shuffle expects input with > 2 dims, but got input with sizes {list(shape)}"
        )
    if groups <= 0:
        raise RuntimeError(
            f"Number of groups to divide channels in must be positive. Value of groups:{groups}"
        )
    if shape[1] % groups:
        raise RuntimeError(
            f"Number of channels must be divisible by groups. Got {shape[1]} channels and "
            f"{groups} groups."
        )
    return apply(OPS["channel_shuffle"], (input,), {"groups": groups})
