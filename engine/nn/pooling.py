"""Averages over windows, of `torch.nn.functional`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.functions import reductions, shapes
from engine.functions.arithmetic import pow as power
from engine.functions.elementwise import abs as absolute
from engine.functions.elementwise import relu, sign
from engine.ops import OPS
from engine.ops.pooling import Sizes, out_size
from engine.tensor import Tensor, apply, refuse

Size = int | Sequence[int]
_WORDS = {1: "one int", 2: "two ints", 3: "three ints"}


def window_of(value: Any, count: int, where: str, name: str, *, optional: bool = False) -> Sizes:
    """One number for each axis. Raises RuntimeError as PyTorch does."""
    if isinstance(value, int):
        return (value,) * count
    given = tuple(int(v) for v in value)
    if len(given) == 1:
        return given * count
    if len(given) != count:
        may = "either be omitted, a single int," if optional else "either be a single int,"
        raise RuntimeError(f"{where}: {name} must {may} or a tuple of {_WORDS[count]}")
    return given


def check_rank(input: Tensor, count: int, name: str) -> None:
    """Raise PyTorch's message unless there are as many axes as the pooling has, and 1 or 2 more."""
    shape = input._array.shape
    if count == 1 and len(shape) not in (2, 3):
        raise RuntimeError(
            f"Expected 2 to 3 dimensions, but got {len(shape)}-dimensional tensor for "
            f"argument #1 'self' (while checking arguments for {name})"
        )
    if len(shape) not in (count + 1, count + 2):
        raise RuntimeError(
            f"non-empty {count + 1}D or {count + 2}D (batch mode) tensor expected for input"
        )
    if not all(shape[1:]):
        raise RuntimeError(
            f"Expected {count + 1}D or {count + 2}D (batch mode) tensor with optional 0 dim batch "
            f"size for input, but got:{list(shape)}"
        )


def places_of(
    input: Tensor, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes, *, ceil: bool
) -> Sizes:
    """How many places the kernel has along each axis. Raises RuntimeError as PyTorch does."""
    shape, count = input._array.shape, len(kernel)
    if not all(stride):
        raise RuntimeError("stride should not be zero")
    if min(dilation) < 1:
        told = " ".join(f"dilation{c}: {d}" for c, d in zip("THW"[-count:], dilation, strict=True))
        raise RuntimeError(f"dilation should be greater than zero, but got {told}")
    for k, p, d in zip(kernel, padding, dilation, strict=True):
        if p < 0:
            raise RuntimeError(f"pad must be non-negative, but got pad: {p}")
        if p > (d * (k - 1) + 1) // 2:
            raise RuntimeError(
                f"pad should be at most half of effective kernel size, but got pad={p}, "
                f"kernel_size={k} and dilation={d}"
            )
    _check_half(kernel, padding)
    made = tuple(
        out_size(n, k, s, p, d, ceil=ceil)
        for n, k, s, p, d in zip(shape[-count:], kernel, stride, padding, dilation, strict=True)
    )
    if min(made) < 1:
        planes = shape[-count - 1]
        before, after = ("x".join(map(str, (planes, *size))) for size in (shape[-count:], made))
        raise RuntimeError(
            f"Given input size: ({before}). Calculated output size: ({after}). "
            "Output size is too small"
        )
    return made


def _check_half(kernel: Sizes, padding: Sizes) -> None:
    """A kernel that is spread out counts by its own size here."""
    if all(p <= k // 2 for k, p in zip(kernel, padding, strict=True)):
        return
    head = "pad should be smaller than or equal to half of kernel size, but got"
    *_, high, wide = kernel
    *_, top, side = padding
    if len(kernel) == 2:
        raise RuntimeError(f"{head} padW = {side}, padH = {top}, kW = {wide}, kH = {high}")
    raise RuntimeError(
        f"{head} kT: {kernel[0]} kW: {wide} kH: {high} padT: {padding[0]} padW: {side} padH: {top}"
    )


def _check_volume(input: Tensor, kernel: Sizes) -> None:
    size = input._array.shape[-3:]
    if any(n < k for n, k in zip(size, kernel, strict=True)):
        before = " ".join(f"{c}: {n}" for c, n in zip("THW", size, strict=True))
        after = " ".join(f"k{c}: {k}" for c, k in zip("THW", kernel, strict=True))
        raise RuntimeError(f"input image ({before}) smaller than kernel size ({after})")


def _average(
    input: Tensor, kernel: Size, stride: Any, padding: Size, count: int, **given: Any
) -> Tensor:
    name = f"avg_pool{count}d"
    size = window_of(kernel, count, name, "kernel_size")
    # An empty list stands for PyTorch's own default, the kernel's size.
    omitted = stride is None or (not isinstance(stride, int) and not len(stride))
    steps = size if omitted else window_of(stride, count, name, "stride", optional=True)
    room = window_of(padding, count, name, "padding")
    params = {"kernel": size, "stride": steps, "padding": room, **given}
    try:
        check_rank(input, count, name)
        if given["divisor_override"] == 0:
            raise RuntimeError("divisor must be not zero")
        places_of(input, size, steps, room, (1,) * count, ceil=given["ceil_mode"])
        if count == 3:
            _check_volume(input, size)
    except RuntimeError as error:
        refuse("avg_pool", (input,), params, error)
    return apply(OPS["avg_pool"], (input,), params)


def avg_pool1d(
    input: Tensor,
    kernel_size: Size,
    stride: Any = None,
    padding: Size = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """The average of each window along the last axis; see `avg_pool2d`."""
    check_rank(input, 1, "avg_pool1d")
    kernel, room = _single(kernel_size, "kernel_size"), _single(padding, "padding")
    step = kernel if stride is None or stride == [] else _single(stride, "stride")
    plane = shapes.unsqueeze(input, -2)
    out = avg_pool2d(plane, (1, kernel), (1, step), (0, room), ceil_mode, count_include_pad)
    return shapes.squeeze(out, -2)


def _single(value: Size, name: str, where: str = "avg_pool1d") -> int:
    if isinstance(value, int):
        return value
    if len(value) != 1:
        raise RuntimeError(f"{where}() argument '{name}' should contain one int (got {len(value)})")
    return int(value[0])


def avg_pool2d(
    input: Tensor,
    kernel_size: Size,
    stride: Any = None,
    padding: Size = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """The average of each window over the last two axes.

    Zeros of the padding count unless `count_include_pad` is false; `ceil_mode` lets the last
    window hang over the edge; `divisor_override` is divided by in place of the window's size.
    """
    return _average(
        input,
        kernel_size,
        stride,
        padding,
        2,
        ceil_mode=ceil_mode,
        count_include_pad=count_include_pad,
        divisor_override=divisor_override,
    )


def avg_pool3d(
    input: Tensor,
    kernel_size: Size,
    stride: Any = None,
    padding: Size = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """The average of each window over the last three axes; see `avg_pool2d`."""
    return _average(
        input,
        kernel_size,
        stride,
        padding,
        3,
        ceil_mode=ceil_mode,
        count_include_pad=count_include_pad,
        divisor_override=divisor_override,
    )


def adaptive_size(input: Tensor, output_size: Any, count: int, name: str) -> Sizes:
    """How many places each axis is to have; None leaves an axis as it is."""
    shape = input._array.shape
    wanted = (output_size,) * count if isinstance(output_size, int) else tuple(output_size)
    if len(wanted) != count:
        raise RuntimeError(f"{name}: output_size must be {count}")
    if len(shape) not in (count + 1, count + 2):
        colon = ":" if "max" in name else ""
        raise RuntimeError(
            f"{name}(): Expected {count + 1}D or {count + 2}D tensor, but got{colon} {list(shape)}"
        )
    for axis in range(len(shape) - count, len(shape)):
        if not shape[axis]:
            raise RuntimeError(
                f"{name}(): Expected input to have non-zero size for non-batch dimensions, "
                f"but input has sizes {list(shape)} with dimension {axis} being empty"
            )
    made = tuple(n if w is None else int(w) for w, n in zip(wanted, shape[-count:], strict=True))
    if min(made) < 0:
        raise RuntimeError(
            f"{name}: elements of output_size must be greater than or equal to 0 but received "
            f"{{{', '.join(map(str, made))}}}"
        )
    return made


def _adaptive(input: Tensor, output_size: Any, count: int) -> Tensor:
    name = f"adaptive_avg_pool{count}d"
    size = adaptive_size(input, output_size, count, name)
    if input._array.dtype.kind != "f":
        from engine import dtypes

        raise NotImplementedError(f"\"{name}\" not implemented for '{dtypes.word(input.dtype)}'")
    if size == (1,) * count:
        return reductions.mean(input, tuple(range(-count, 0)), True)
    return apply(OPS["avg_pool"], (input,), {"output_size": size})


def adaptive_avg_pool1d(input: Tensor, output_size: Size) -> Tensor:
    """The averages of so many stretches that cover the last axis."""
    check_rank(input, 1, "adaptive_avg_pool1d")
    wanted = _single(output_size, "output_size", "adaptive_avg_pool1d")
    return shapes.squeeze(_adaptive(shapes.unsqueeze(input, -2), (1, wanted), 2), -2)


def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """The averages of so many windows that cover the last two axes."""
    return _adaptive(input, output_size, 2)


def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """The averages of so many windows that cover the last three axes."""
    return _adaptive(input, output_size, 3)


def _power_average(total: Tensor, norm_type: float, size: int) -> Tensor:
    """The root of averaged powers, as PyTorch writes it; negative sums keep their sign."""
    return power(sign(total) * relu(absolute(total)) * size, 1.0 / norm_type)


def lp_pool1d(
    input: Tensor, norm_type: float, kernel_size: int, stride: Any = None, ceil_mode: bool = False
) -> Tensor:
    """(sum x^p)^(1/p) of each window along the last axis."""
    total = avg_pool1d(power(input, norm_type), kernel_size, stride, 0, ceil_mode)
    return _power_average(total, norm_type, kernel_size)


def lp_pool2d(
    input: Tensor, norm_type: float, kernel_size: Size, stride: Any = None, ceil_mode: bool = False
) -> Tensor:
    """(sum x^p)^(1/p) of each window over the last two axes."""
    high, wide = window_of(kernel_size, 2, "lp_pool2d", "kernel_size")
    total = avg_pool2d(power(input, norm_type), kernel_size, stride, 0, ceil_mode)
    return _power_average(total, norm_type, high * wide)


def lp_pool3d(
    input: Tensor, norm_type: float, kernel_size: Size, stride: Any = None, ceil_mode: bool = False
) -> Tensor:
    """(sum x^p)^(1/p) of each window over the last three axes."""
    deep, high, wide = window_of(kernel_size, 3, "lp_pool3d", "kernel_size")
    total = avg_pool3d(power(input, norm_type), kernel_size, stride, 0, ceil_mode)
    return _power_average(total, norm_type, deep * high * wide)
