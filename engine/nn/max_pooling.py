"""Maxima over windows, and their inverses, of `torch.nn.functional`."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from engine import dtypes
from engine.functions import shapes
from engine.nn.pooling import Size, adaptive_size, check_rank, places_of, window_of
from engine.ops import OPS
from engine.ops.max_pooling import adaptive_table, kernel_table, largest_places
from engine.ops.pooling import Sizes, out_size
from engine.tensor import Tensor, apply, refuse

Pooled = Tensor | tuple[Tensor, Tensor]


def _picked(input: Tensor, tables: list[Any], kind: str) -> tuple[Tensor, Tensor]:
    places = Tensor(largest_places(input._array, tables))
    params = {"count": len(tables), "kind": kind}
    return apply(OPS["max_pool"], (input, places), params), places


def _max_pool(
    count: int,
    input: Tensor,
    kernel_size: Size,
    stride: Any,
    padding: Size,
    dilation: Size,
    ceil_mode: bool,
) -> tuple[Tensor, Tensor]:
    name = f"max_pool{count}d"
    kernel = window_of(kernel_size, count, name, "kernel_size")
    omitted = stride is None or (not isinstance(stride, int) and not len(stride))
    steps = kernel if omitted else window_of(stride, count, name, "stride", optional=True)
    room = window_of(padding, count, name, "padding")
    spread = window_of(dilation, count, name, "dilation")
    try:
        check_rank(input, count, name)
        if input._array.dtype.kind not in "fiu":
            word = dtypes.word(input.dtype)
            raise NotImplementedError(f"\"{name}\" not implemented for '{word}'")
        made = places_of(input, kernel, steps, room, spread, ceil=ceil_mode)
    except (RuntimeError, NotImplementedError) as error:
        refuse("max_pool", (input,), {"kernel": kernel, "stride": steps}, error)
    size = input._array.shape[-count:]
    tables = [
        kernel_table(*axis) for axis in zip(size, kernel, steps, room, spread, made, strict=True)
    ]
    return _picked(input, tables, f"MaxPool{count}DWithIndices")


def _line(input: Tensor, given: dict[str, Any]) -> tuple[Tensor, Tensor]:
    """One axis, pooled as a plane of height one."""
    shape = input._array.shape
    if len(shape) not in (2, 3) or not all(shape[1:]):
        raise RuntimeError(
            "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size "
            f"for input, but got:{list(shape)}"
        )
    kernel = _one(given["kernel_size"])
    step = kernel if given["stride"] in (None, []) else _one(given["stride"])
    room, spread = _one(given["padding"]), _one(given["dilation"])
    for name, value in (("kernel_size", kernel), ("stride", step), ("dilation", spread)):
        if value <= 0:
            raise RuntimeError(f"max_pool1d() {name} must be greater than zero, but got {value}")
    if room < 0:
        raise RuntimeError(f"max_pool1d() padding must be non-negative, but got {room}")
    if room > kernel // 2:
        raise RuntimeError(
            "max_pool1d() padding should be at most half of kernel size, but got "
            f"padding={room} and kernel_size={kernel}"
        )
    made = out_size(shape[-1], kernel, step, room, spread, ceil=given["ceil_mode"])
    if made < 1:
        raise RuntimeError(f"max_pool1d() Invalid computed output size: {made}")
    values, places = _max_pool(
        2,
        shapes.unsqueeze(input, -2),
        (1, kernel),
        (1, step),
        (0, room),
        (1, spread),
        given["ceil_mode"],
    )
    return shapes.squeeze(values, -2), shapes.squeeze(places, -2)


def _one(value: Size) -> int:
    return value if isinstance(value, int) else int(value[0])


def _made(count: int) -> Any:
    def pool(
        input: Tensor,
        kernel_size: Size,
        stride: Any = None,
        padding: Size = 0,
        dilation: Size = 1,
        ceil_mode: bool = False,
        return_indices: bool = False,
    ) -> Pooled:
        if count == 1:
            given = {
                "kernel_size": kernel_size,
                "stride": stride,
                "padding": padding,
                "dilation": dilation,
                "ceil_mode": ceil_mode,
            }
            both = _line(input, given)
        else:
            both = _max_pool(count, input, kernel_size, stride, padding, dilation, ceil_mode)
        return both if return_indices else both[0]

    pool.__name__ = pool.__qualname__ = f"max_pool{count}d"
    pool.__doc__ = (
        f"The largest element of each window over the last {count} axes; of equal ones the first "
        "receives the gradient.\n\nWith `return_indices` also where it lies, among the flattened "
        "axes. Raises RuntimeError where sizes do not fit."
    )
    return pool


max_pool1d, max_pool2d, max_pool3d = (_made(count) for count in (1, 2, 3))


def max_pool1d_with_indices(input: Tensor, *args: Any, **kwargs: Any) -> Pooled:
    """`max_pool1d` with `return_indices`."""
    return max_pool1d(input, *args, **{**kwargs, "return_indices": True})  # type: ignore[no-any-return]


def max_pool2d_with_indices(input: Tensor, *args: Any, **kwargs: Any) -> Pooled:
    """`max_pool2d` with `return_indices`."""
    return max_pool2d(input, *args, **{**kwargs, "return_indices": True})  # type: ignore[no-any-return]


def max_pool3d_with_indices(input: Tensor, *args: Any, **kwargs: Any) -> Pooled:
    """`max_pool3d` with `return_indices`."""
    return max_pool3d(input, *args, **{**kwargs, "return_indices": True})  # type: ignore[no-any-return]


def _adaptive(count: int, input: Tensor, output_size: Any) -> tuple[Tensor, Tensor]:
    name = f"adaptive_max_pool{count}d"
    size = adaptive_size(input, output_size, count, name)
    if input._array.dtype.kind != "f":
        raise NotImplementedError(f"\"{name}\" not implemented for '{dtypes.word(input.dtype)}'")
    here = input._array.shape[-count:]
    tables = [adaptive_table(n, out) for n, out in zip(here, size, strict=True)]
    if 0 in size:
        raise NotImplementedError(f"{name} of no places is not supported")
    return _picked(input, tables, f"AdaptiveMaxPool{count}D")


def adaptive_max_pool1d(input: Tensor, output_size: Any, return_indices: bool = False) -> Pooled:
    """The largest elements of so many stretches that cover the last axis."""
    check_rank(input, 1, "adaptive_max_pool1d")
    plane = shapes.unsqueeze(input, -2)
    values, places = _adaptive(2, plane, (1, _one(output_size)))
    values = shapes.squeeze(values, -2)
    return (values, shapes.squeeze(places, -2)) if return_indices else values


def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Pooled:
    """The largest elements of so many windows that cover the last two axes."""
    both = _adaptive(2, input, output_size)
    return both if return_indices else both[0]


def adaptive_max_pool3d(input: Tensor, output_size: Any, return_indices: bool = False) -> Pooled:
    """The largest elements of so many windows that cover the last three axes."""
    both = _adaptive(3, input, output_size)
    return both if return_indices else both[0]


def _unpooled_size(
    shape: Sizes, kernel: Sizes, stride: Sizes, padding: Sizes, wanted: Sequence[int] | None
) -> Sizes:
    count = len(kernel)
    usual = tuple(
        (n - 1) * s + k - 2 * p
        for n, k, s, p in zip(shape[-count:], kernel, stride, padding, strict=True)
    )
    if wanted is None:
        return usual
    given = tuple(wanted)
    if len(given) == count + 2:
        given = given[2:]
    if len(given) != count:
        raise ValueError(
            f"output_size should be a sequence containing {count} or {count + 2} elements, "
            f"but it has a length of '{len(given)}'"
        )
    for axis in range(count):
        low, high = usual[axis] - stride[axis], usual[axis] + stride[axis]
        if not low < given[axis] < high:
            raise ValueError(
                f'invalid output_size "{given}" (dim {axis} must be between {low} and {high})'
            )
    return given


def _unpool(
    count: int,
    input: Tensor,
    indices: Tensor,
    kernel_size: Size,
    stride: Any,
    padding: Size,
    output_size: Sequence[int] | None,
) -> Tensor:
    name = f"max_unpool{count}d"
    kernel = window_of(kernel_size, count, name, "kernel_size")
    omitted = stride is None or (not isinstance(stride, int) and not len(stride))
    steps = kernel if omitted else window_of(stride, count, name, "stride")
    room = window_of(padding, count, name, "padding")
    size = _unpooled_size(input._array.shape, kernel, steps, room, output_size)
    if count == 1:
        planes = shapes.unsqueeze(input, -1), shapes.unsqueeze(indices, -1)
        return shapes.squeeze(_placed(*planes, (*size, 1)), -1)
    return _placed(input, indices, size)


def _placed(input: Tensor, indices: Tensor, size: Sizes) -> Tensor:
    x, places, count = input._array, indices._array, len(size)
    error = None
    if places.dtype != np.int64:
        error = f"elements in indices should be type int64 but got: {dtypes.word(indices.dtype)}"
    elif x.ndim not in (count + 1, count + 2):
        error = (
            f"Input to max_unpooling{count}d should be a {count + 1}d or {count + 2}d Tensor, "
            f"but got a tensor with {x.ndim} dimensions."
        )
    elif x.shape != places.shape:
        error = (
            "Expected shape of indices to be same as that of the input tensor "
            f"({list(x.shape)}) but got indices tensor with shape: {list(places.shape)}"
        )
    else:
        outside = places[(places < 0) | (places >= prod(size))]
        if outside.size:
            volume = "x".join(map(str, size))
            error = (
                f"Found an invalid max index: {int(outside[-1])} (output volumes are of size "
                f"{volume})"
            )
    params = {"size": size, "kind": f"MaxUnpool{count}D", "add": False}
    if error is None and x.dtype.kind != "f":
        word = dtypes.word(input.dtype)
        raise NotImplementedError(f"\"max_unpool{count}d\" not implemented for '{word}'")
    if error is not None:
        refuse("max_unpool", (input, indices), params, RuntimeError(error))
    return apply(OPS["max_unpool"], (input, indices), params)


def _unpooling(count: int) -> Any:
    def unpool(
        input: Tensor,
        indices: Tensor,
        kernel_size: Size,
        stride: Any = None,
        padding: Size = 0,
        output_size: Sequence[int] | None = None,
    ) -> Tensor:
        return _unpool(count, input, indices, kernel_size, stride, padding, output_size)

    unpool.__name__ = unpool.__qualname__ = f"max_unpool{count}d"
    unpool.__doc__ = (
        f"The elements back at the places that max_pool{count}d took them from, 0 elsewhere."
    )
    return unpool


max_unpool1d, max_unpool2d, max_unpool3d = (_unpooling(count) for count in (1, 2, 3))
