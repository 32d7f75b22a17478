"""Convolutions of `torch.nn.functional`."""

from __future__ import annotations

import warnings
from typing import Any

from engine.functions import shapes
from engine.nn.convolution_sizes import Size, check, check_geometry, size_before, sizes_of
from engine.ops import OPS
from engine.ops.convolution import Sizes, out_size
from engine.tensor import Tensor, apply, as_tensor, refuse


def _batched(input: Tensor, count: int, name: str) -> tuple[Tensor, bool]:
    """The input with a batch axis, and whether it had none."""
    ndim = input._array.ndim
    if ndim == count + 2:
        return input, False
    if ndim == count + 1:
        return shapes.unsqueeze(input, 0), True
    raise RuntimeError(
        f"Expected {count + 1}D (unbatched) or {count + 2}D (batched) input to {name}, "
        f"but got input of size: {list(input._array.shape)}"
    )


def _same(x: Tensor, kernel: Sizes, stride: Sizes, dilation: Sizes) -> tuple[Tensor, Sizes]:
    """The input and padding that keep its size; what is uneven is padded beforehand."""
    if any(s != 1 for s in stride):
        raise RuntimeError("padding='same' is not supported for strided convolutions")
    total = [d * (k - 1) for k, d in zip(kernel, dilation, strict=True)]
    if any(t % 2 for t in total):
        warnings.warn(
            "Using padding='same' with even kernel lengths and odd dilation may require a "
            "zero-padded copy of the input be created",
            UserWarning,
            stacklevel=5,
        )
        more = [side for t in reversed(total) for side in (0, t % 2)]
        while len(more) > 2 and not any(more[-2:]):
            more = more[:-2]
        from engine.nn.padding import constant_pad_nd

        x = constant_pad_nd(x, more)
    return x, tuple(t // 2 for t in total)


def _padding_of(
    x: Tensor, padding: Any, kernel: Sizes, stride: Sizes, dilation: Sizes
) -> tuple[Tensor, Sizes]:
    if padding == "same":
        return _same(x, kernel, stride, dilation)
    if padding == "valid":
        return x, (0,) * len(kernel)
    if isinstance(padding, str):
        raise RuntimeError(f"Invalid padding string: '{padding}'")
    return x, sizes_of(padding, len(kernel), "padding")


def _convolve(
    count: int,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    *,
    stride: Size,
    padding: Any,
    dilation: Size,
    groups: int,
) -> Tensor:
    x, alone = _batched(input, count, f"conv{count}d")
    inputs = (x, weight, as_tensor(0) if bias is None else bias)
    try:
        kernel = weight._array.shape[2:]
        steps = sizes_of(stride, len(kernel), "stride")
        spread = sizes_of(dilation, len(kernel), "dilation")
        x, room = _padding_of(x, padding, kernel, steps, spread)
        check(x, weight, bias, groups, transposed=False)
        geometry = {"stride": steps, "padding": room, "dilation": spread}
        short = x._array.itemsize == 4
        check_geometry(x._array.shape[2:], kernel, **geometry, short=short)
        places = out_size(x._array.shape[2:], kernel, **geometry)
    except (RuntimeError, NotImplementedError) as error:
        refuse("convolution", inputs, {"stride": stride, "groups": groups}, error)
    params = {**geometry, "groups": groups, "places": places}
    out = apply(OPS["convolution"], (x, *inputs[1:]), params)
    return shapes.squeeze(out, 0) if alone else out


def _made(count: int) -> Any:
    def convolve(
        input: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        stride: Size = 1,
        padding: Any = 0,
        dilation: Size = 1,
        groups: int = 1,
    ) -> Tensor:
        return _convolve(
            count,
            input,
            weight,
            bias,
            stride=stride,
            padding=padding,
            dilation=dilation,
            groups=groups,
        )

    convolve.__name__ = convolve.__qualname__ = f"conv{count}d"
    convolve.__doc__ = (
        f"Slide `weight` (out, in / groups, …) over the {count} last axes of `input`.\n\n"
        "`padding` is a number of zeros, 'valid' (none) or 'same' (the output keeps the size).\n"
        "Raises RuntimeError where sizes or dtypes do not fit."
    )
    return convolve


def _transposed(
    count: int,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    *,
    output_padding: Size,
    groups: int,
    **given: Size,
) -> Tensor:
    x, alone = _batched(input, count, f"conv_transpose{count}d")
    inputs = (x, weight, as_tensor(0) if bias is None else bias)
    try:
        kernel, places = weight._array.shape[2:], x._array.shape[2:]
        geometry = {name: sizes_of(value, len(kernel), name) for name, value in given.items()}
        extra = sizes_of(output_padding, len(kernel), "output_padding")
        check(x, weight, bias, groups, transposed=True)
        size = size_before(places, kernel, extra, **geometry)
        if min(size) < 1 or min(out_size(size, kernel, **geometry)) < 1:
            before, after = (" x ".join(map(str, n)) for n in (places, size))
            row = "1 x " if count == 1 else ""  # PyTorch sees a line as a plane of height 1
            raise RuntimeError(
                f"Given input size per channel: ({row}{before}). "
                f"Calculated output size per channel: ({row}{after}). Output size is too small"
            )
    except (RuntimeError, NotImplementedError) as error:
        refuse("convolution_transpose", inputs, {"groups": groups, **given}, error)
    params = {**geometry, "groups": groups, "size": size}
    out = apply(OPS["convolution_transpose"], inputs, params)
    return shapes.squeeze(out, 0) if alone else out


def _made_transposed(count: int) -> Any:
    def convolve(
        input: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        stride: Size = 1,
        padding: Size = 0,
        output_padding: Size = 0,
        groups: int = 1,
        dilation: Size = 1,
    ) -> Tensor:
        return _transposed(
            count,
            input,
            weight,
            bias,
            output_padding=output_padding,
            groups=groups,
            stride=stride,
            padding=padding,
            dilation=dilation,
        )

    convolve.__name__ = convolve.__qualname__ = f"conv_transpose{count}d"
    convolve.__doc__ = (
        f"What conv{count}d's gradient does: each element lays `weight` (in, out / groups, …) down."
        "\n\nRaises RuntimeError where sizes or dtypes do not fit."
    )
    return convolve


conv1d, conv2d, conv3d = (_made(count) for count in (1, 2, 3))
conv_transpose1d, conv_transpose2d, conv_transpose3d = (_made_transposed(c) for c in (1, 2, 3))
