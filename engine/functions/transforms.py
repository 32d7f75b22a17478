"""Fourier transforms along one axis or several: sizes, scales, and what is resized first."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from engine import dtypes
from engine.functions.complexes import conj, conj_physical
from engine.functions.elementwise import to
from engine.functions.shapes import axis_of
from engine.ops import OPS
from engine.tensor import Tensor, apply

Sizes = int | Sequence[int] | None


def _promoted(x: Tensor, *, complex_: bool) -> Tensor:
    """The signal as floats, or as complex numbers."""
    kind = x.dtype
    if not (kind.is_floating_point or kind.is_complex):
        kind = dtypes.get_default_dtype()
    if kind.itemsize == 2:
        raise RuntimeError("Unsupported dtype Half")
    return to(x, kind.to_complex() if complex_ else kind)


def _scale(norm: str | None, n: int, *, forward: bool) -> float:
    """What a transform of n numbers is multiplied by."""
    if norm not in (None, "backward", "forward", "ortho"):
        raise RuntimeError(f'Invalid normalization mode: "{norm}"')
    if norm == "ortho":
        return 1 / math.sqrt(n)
    return 1 / n if (norm == "forward") is forward else 1.0


def _resized(x: Tensor, axis: int, n: int) -> Tensor:
    """The signal cut, or filled up with zeros, to n numbers along an axis."""
    size = x._array.shape[axis]
    if n < size:
        params = {"dim": axis, "start": 0, "stop": n, "step": 1}
        return apply(OPS["slice"], (x,), params)
    if n == size:
        return x
    from engine.nn.padding import constant_pad_nd

    return constant_pad_nd(x, [0, 0] * (x._array.ndim - axis - 1) + [0, n - size])


def _axis(x: Tensor, dim: int) -> int:
    if not x._array.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return axis_of(dim, x._array.ndim)


def _positive(n: int) -> int:
    if n < 1:
        raise RuntimeError(f"Invalid number of data points ({n}) specified")
    return n


def complex_1d(x: Tensor, n: int | None, dim: int, norm: str | None, *, forward: bool) -> Tensor:
    """The transform of a signal, or its inverse."""
    x = _promoted(x, complex_=False)
    axis = _axis(x, dim)
    n = _positive(x._array.shape[axis] if n is None else n)
    x = _resized(x, axis, n)
    params = {"dim": (axis,), "scale": _scale(norm, n, forward=forward)}
    if x._array.dtype.kind == "c":
        return apply(OPS["fft_c2c"], (x,), {**params, "forward": forward})
    made = apply(OPS["fft_r2c"], (x,), {**params, "onesided": False})
    return made if forward else conj(made)


def half_1d(
    name: str, x: Tensor, n: int | None, dim: int, norm: str | None, *, forward: bool
) -> Tensor:
    """The lower half of the transform of a real signal."""
    if x._array.dtype.kind == "c":
        raise RuntimeError(f"{name} expects a real input tensor, but got {dtypes.word(x.dtype)}")
    x = _promoted(x, complex_=False)
    axis = _axis(x, dim)
    n = _positive(x._array.shape[axis] if n is None else n)
    params = {"dim": (axis,), "scale": _scale(norm, n, forward=forward), "onesided": True}
    made = apply(OPS["fft_r2c"], (_resized(x, axis, n),), params)
    return made if forward else conj(made)


def real_1d(x: Tensor, n: int | None, dim: int, norm: str | None, *, forward: bool) -> Tensor:
    """The real signal whose transform has this lower half."""
    x = _promoted(x, complex_=True)
    axis = _axis(x, dim)
    n = _positive(2 * (x._array.shape[axis] - 1) if n is None else n)
    x = _resized(x, axis, n // 2 + 1)
    params = {"dim": (axis,), "scale": _scale(norm, n, forward=forward), "last": n}
    return apply(OPS["fft_c2r"], (conj(x) if forward else x,), params)


def _plan(x: Tensor, s: Sizes, dim: Sizes) -> tuple[tuple[int, ...], list[int]]:
    """The axes of a transform and its sizes, -1 where they are the signal's own."""
    ndim = x._array.ndim
    given = None if dim is None else [dim] if isinstance(dim, int) else list(dim)
    sizes = None if s is None else [s] if isinstance(s, int) else list(s)
    if given is not None:
        axes = tuple(_axis(x, d) for d in given)
        if len(set(axes)) < len(axes):
            raise RuntimeError("FFT dims must be unique")
        if sizes is not None and len(sizes) != len(axes):
            raise RuntimeError("When given, dim and shape arguments must have the same length")
    elif sizes is not None:
        if len(sizes) > ndim:
            raise RuntimeError(
                f"Got shape with {len(sizes)} values but input tensor only has {ndim} dimensions."
            )
        axes = tuple(range(ndim - len(sizes), ndim))
    else:
        axes = tuple(range(ndim))
    return axes, [-1] * len(axes) if sizes is None else sizes


def _sized(x: Tensor, axes: tuple[int, ...], sizes: list[int]) -> list[int]:
    full = [x._array.shape[axis] if n == -1 else n for axis, n in zip(axes, sizes, strict=True)]
    return [_positive(n) for n in full]


def _resized_all(x: Tensor, axes: tuple[int, ...], sizes: list[int]) -> Tensor:
    for axis, n in zip(axes, sizes, strict=True):
        size = x._array.shape[axis]
        if n < size:
            x = _resized(x, axis, n)
    pads = {axis: n - x._array.shape[axis] for axis, n in zip(axes, sizes, strict=True)}
    if not any(pads.values()):
        return x
    from engine.nn.padding import constant_pad_nd

    ends = [pads.get(axis, 0) for axis in reversed(range(x._array.ndim))]
    return constant_pad_nd(x, [n for end in ends for n in (0, end)])


def complex_nd(x: Tensor, s: Sizes, dim: Sizes, norm: str | None, *, forward: bool) -> Tensor:
    """The transform over several axes, or its inverse."""
    axes, sizes = _plan(x, s, dim)
    sizes = _sized(x, axes, sizes)
    x = _resized_all(_promoted(x, complex_=True), axes, sizes)
    scale = _scale(norm, math.prod(sizes), forward=forward)
    return apply(OPS["fft_c2c"], (x,), {"dim": axes, "scale": scale, "forward": forward})


def half_nd(x: Tensor, s: Sizes, dim: Sizes, norm: str | None) -> Tensor:
    """The transform of a real signal over several axes, half of it along the last."""
    if x._array.dtype.kind == "c":
        raise RuntimeError(
            f"rfftn expects a real-valued input tensor, but got {dtypes.word(x.dtype)}"
        )
    axes, sizes = _plan(x, s, dim)
    _at_least_one("rfftn", axes)
    sizes = _sized(x, axes, sizes)
    x = _resized_all(_promoted(x, complex_=False), axes, sizes)
    scale = _scale(norm, math.prod(sizes), forward=True)
    return apply(OPS["fft_r2c"], (x,), {"dim": axes, "scale": scale, "onesided": True})


def _at_least_one(name: str, axes: tuple[int, ...]) -> None:
    if not axes:
        raise RuntimeError(f"{name} must transform at least one axis")


def _doubled(x: Tensor, axes: tuple[int, ...], sizes: list[int]) -> tuple[list[int], int]:
    """The sizes of a half transform, and how many real numbers its last axis stands for."""
    last = 2 * (x._array.shape[axes[-1]] - 1) if sizes[-1] == -1 else sizes[-1]
    _positive(last)
    return _sized(x, axes, [*sizes[:-1], last // 2 + 1]), last


def real_nd(x: Tensor, s: Sizes, dim: Sizes, norm: str | None) -> Tensor:
    """The real signal over several axes whose transform has this half."""
    axes, sizes = _plan(x, s, dim)
    _at_least_one("irfftn", axes)
    sizes, last = _doubled(x, axes, sizes)
    x = _resized_all(_promoted(x, complex_=True), axes, sizes)
    scale = _scale(norm, math.prod(sizes[:-1]) * last, forward=False)
    return apply(OPS["fft_c2r"], (x,), {"dim": axes, "scale": scale, "last": last})


def hermitian_nd(x: Tensor, s: Sizes, dim: Sizes, norm: str | None) -> Tensor:
    """The transform over several axes of a signal that is Hermitian along the last."""
    axes, sizes = _plan(x, s, dim)
    _at_least_one("hfftn", axes)
    sizes, last = _doubled(x, axes, sizes)
    x = _resized_all(_promoted(x, complex_=True), axes, sizes)
    if len(axes) > 1:
        scale = _scale(norm, math.prod(sizes[:-1]), forward=True)
        x = apply(OPS["fft_c2c"], (x,), {"dim": axes[:-1], "scale": scale, "forward": True})
    scale = _scale(norm, last, forward=True)
    return apply(OPS["fft_c2r"], (conj(x),), {"dim": axes[-1:], "scale": scale, "last": last})


def inverse_hermitian_nd(x: Tensor, s: Sizes, dim: Sizes, norm: str | None) -> Tensor:
    """The inverse of `hermitian_nd`, half of it along the last axis."""
    if x._array.dtype.kind == "c":
        raise RuntimeError(
            f"ihfftn expects a real-valued input tensor, but got {dtypes.word(x.dtype)}"
        )
    axes, sizes = _plan(x, s, dim)
    _at_least_one("ihfftn", axes)
    sizes = _sized(x, axes, sizes)
    x = _resized_all(_promoted(x, complex_=False), axes, sizes)
    scale = _scale(norm, sizes[-1], forward=False)
    made = apply(OPS["fft_r2c"], (x,), {"dim": axes[-1:], "scale": scale, "onesided": True})
    if len(axes) == 1:
        return conj(made)
    scale = _scale(norm, math.prod(sizes[:-1]), forward=False)
    params = {"dim": axes[:-1], "scale": scale, "forward": False}
    return apply(OPS["fft_c2c"], (conj_physical(made),), params)


def frequencies(places: Any, n: int, d: float, dtype: Any) -> Tensor:
    """The frequencies of a transform of n samples, `d` apart."""
    kind = (dtype or dtypes.get_default_dtype())._numpy
    return Tensor((places / (n * d)).astype(kind))


def rolled(x: Tensor, dim: Sizes, turn: Callable[[int], int]) -> Tensor:
    """The signal rolled by half of its size along axes."""
    from engine.functions.arrangement import roll

    axes = range(x._array.ndim) if dim is None else [dim] if isinstance(dim, int) else dim
    shifts = [turn(x._array.shape[axis]) for axis in axes]
    return roll(x, shifts, list(axes))
