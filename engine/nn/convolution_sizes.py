"""Sizes of convolutions, and PyTorch's errors where they do not fit."""

from __future__ import annotations

from collections.abc import Sequence

from engine import dtypes
from engine.ops.convolution import Sizes
from engine.tensor import Tensor

Size = int | Sequence[int]


def sizes_of(value: Size, count: int, name: str) -> Sizes:
    """One number for each spatial axis. Raises RuntimeError as PyTorch does."""
    if isinstance(value, int):
        return (value,) * count
    given = tuple(int(v) for v in value)
    if len(given) == 1:
        return given * count
    if len(given) != count:
        raise RuntimeError(
            f"expected {name} to be a single integer value or a list of {count} values to match "
            f"the convolution dimensions, but got {name}={list(given)}"
        )
    return given


def check(x: Tensor, w: Tensor, b: Tensor | None, groups: int, *, transposed: bool) -> None:
    _check_dtypes(x, w, b)
    shape, size = list(w._array.shape), list(x._array.shape)
    if groups <= 0:
        raise RuntimeError("non-positive groups is not supported")
    if w._array.ndim != x._array.ndim:
        raise RuntimeError(
            f"Expected {w._array.ndim}-dimensional input for {w._array.ndim}-dimensional weight "
            f"{shape}, but got {x._array.ndim}-dimensional input of size {size} instead"
        )
    head = f"Given groups={groups}, "
    if shape[0] < groups:
        raise RuntimeError(
            f"{head}expected weight to be at least {groups} at dimension 0, "
            f"but got weight of size {shape} instead"
        )
    if shape[0] % groups:
        raise RuntimeError(
            f"{head}expected weight to be divisible by {groups} at dimension 0, "
            f"but got weight of size [{shape}] instead"
        )
    _check_channels(size, shape, b, groups, transposed=transposed)


def _check_channels(
    size: list[int], shape: list[int], b: Tensor | None, groups: int, *, transposed: bool
) -> None:
    channels = shape[0] if transposed else shape[1] * groups
    if size[1] != channels:
        head = f"Given {'transposed=1' if transposed else f'groups={groups}'}, "
        raise RuntimeError(
            f"{head}weight of size {shape}, expected input{size} to have {channels} "
            f"channels, but got {size[1]} channels instead"
        )
    outs = shape[1] * groups if transposed else shape[0]
    if b is not None and b._array.shape != (outs,):
        head = f"Given {'transposed=1' if transposed else f'weight of size {shape}'}, "
        middle = f"weight of size {shape}, " if transposed else ""
        raise RuntimeError(
            f"{head}{middle}expected bias to be 1-dimensional with {outs} elements, "
            f"but got bias of size {list(b._array.shape)} instead"
        )


def _check_dtypes(x: Tensor, w: Tensor, b: Tensor | None) -> None:
    if b is not None and b._array.dtype != x._array.dtype:
        raise RuntimeError(
            f"Input type ({dtypes.c_name(x.dtype)}) and bias type "
            f"({dtypes.c_name(b.dtype)}) should be the same"
        )
    if w._array.dtype == x._array.dtype:
        return
    if x.dtype is dtypes.float32:
        raise RuntimeError(
            f"Input type ({dtypes.type_name(x.dtype)}) and weight type "
            f"({dtypes.type_name(w.dtype)}) should be the same or input should be a MKLDNN "
            "tensor and weight is a dense tensor"
        )
    raise RuntimeError(
        f"expected scalar type {dtypes.word(x.dtype)} but found {dtypes.word(w.dtype)}"
    )


def check_geometry(
    size: Sizes,
    kernel: Sizes,
    *,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    short: bool,
) -> None:
    """Raise PyTorch's errors; those for float32 (`short`) come from another kernel."""
    if not all(size):
        raise RuntimeError("Only zero batch or zero channel inputs are supported")
    if min(padding) < 0:
        raise RuntimeError("negative padding is not supported")
    if min(stride) <= 0:
        raise RuntimeError("non-positive stride is not supported")
    if min(dilation) <= 0:
        raise RuntimeError(
            "non-positive dilation is not supported"
            if short
            else f"dilation should be greater than zero, but got {list(dilation)}"
        )
    room = [n + 2 * p for n, p in zip(size, padding, strict=True)]
    reach = [d * (k - 1) + 1 for k, d in zip(kernel, dilation, strict=True)]
    if any(r > n for r, n in zip(reach, room, strict=True)):
        raise RuntimeError(
            f"Calculated padded input size per channel: ({' x '.join(map(str, room))}). "
            f"Kernel size: ({' x '.join(map(str, reach))}). "
            "Kernel size can't be greater than actual input size"
        )


def size_before(
    places: Sizes, kernel: Sizes, extra: Sizes, *, stride: Sizes, padding: Sizes, dilation: Sizes
) -> Sizes:
    """The size of the input of which a convolution would make these places."""
    for more, s, d in zip(extra, stride, dilation, strict=True):
        if more < 0:
            raise RuntimeError("negative output_padding is not supported")
        if more >= max(s, d):
            raise RuntimeError(
                "output padding must be smaller than either stride or dilation, but got "
                + _told(extra, stride, dilation)
            )
    return tuple(
        (n - 1) * s - 2 * p + d * (k - 1) + more + 1
        for n, k, s, p, d, more in zip(
            places, kernel, stride, padding, dilation, extra, strict=True
        )
    )


def _told(extra: Sizes, stride: Sizes, dilation: Sizes) -> str:
    axes = ("depth", "height", "width")[-max(2, len(extra)) :]
    if len(extra) == 1:
        extra, stride, dilation = (0, *extra), (1, *stride), (1, *dilation)
    words = [
        f"{name}_{axis}: {value}"
        for name, values in (("output_padding", extra), ("stride", stride), ("dilation", dilation))
        for axis, value in zip(axes, values, strict=True)
    ]
    return " ".join(words)
