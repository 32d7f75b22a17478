"""Resampling of `torch.nn.functional`."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

from engine import dtypes
from engine.ops import OPS
from engine.tensor import Tensor, apply, refuse

_AXES = {"linear": 3, "bilinear": 4, "trilinear": 5}
_MODES = "nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact"
_FORMAT = "Please provide input tensor in (N, C, d1, d2, ...,dK) format and"


def _per_axis(value: Any, count: int, given: list[int], *, factor: bool) -> list[Any]:
    """A number for each spatial axis."""
    if not isinstance(value, (list, tuple)):
        return [value] * count
    if len(value) == count:
        return list(value)
    name = "scale_factor" if factor else "output size"
    told = "scale_factor of shape" if factor else "output size of"
    letter = "s" if factor else "o"
    raise ValueError(
        f"Input and {name if factor else 'output'} must have the same number of spatial "
        f"dimensions, but got input with spatial dimensions of {given} and {told} {value}. "
        f"{_FORMAT} {name} in ({letter}1, {letter}2, ...,{letter}K) format."
    )


def _check_mode(input: Tensor, mode: str, align_corners: bool | None, antialias: bool) -> None:
    ndim = input._array.ndim
    if mode in ("nearest", "area", "nearest-exact"):
        if align_corners is not None:
            raise ValueError(
                "align_corners option can only be set with the interpolating modes: "
                "linear | bilinear | bicubic | trilinear"
            )
    elif mode == "lanczos":
        raise NotImplementedError("interpolation with Lanczos's filter is not supported")
    if antialias and not (mode in ("bilinear", "bicubic") and ndim == 4):
        raise ValueError(
            "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and "
            "requires a 4-D tensor as input"
        )


def _check_axes(input: Tensor, mode: str) -> None:
    ndim = input._array.ndim
    if mode in _AXES and 3 <= ndim <= 5:
        if ndim != _AXES[mode]:
            raise NotImplementedError(
                f"Got {ndim}D input, but {mode} mode needs {_AXES[mode]}D input"
            )
        return
    fits = ndim == 4 if mode == "bicubic" else mode in ("nearest", "nearest-exact", "area")
    if not fits or not 3 <= ndim <= 5:
        raise NotImplementedError(
            f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {ndim}D) for the "
            f"modes: {_MODES} (got {mode})"
        )


def _sizes(
    input: Tensor, size: Any, scale_factor: Any, recompute: bool | None
) -> tuple[list[int], list[float | None]]:
    """The output's sizes, and the factors that the places are computed from."""
    given = list(input._array.shape[2:])
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is not None:
        wanted = _per_axis(size, len(given), given, factor=False)
        if recompute:
            raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
        if not all(isinstance(n, int) for n in wanted):
            raise TypeError("the output size must be of integers")
        return wanted, [None] * len(given)
    if scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    factors = [float(f) for f in _per_axis(scale_factor, len(given), given, factor=True)]
    made = [math.floor(n * f) for n, f in zip(given, factors, strict=True)]
    return made, [None] * len(given) if recompute else list(factors)


def interpolate(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """The last axes in another size, by `mode`.

    The modes are 'nearest', 'nearest-exact', 'linear' (3-d), 'bilinear' and 'bicubic' (4-d),
    'trilinear' (5-d) and 'area'. Raises ValueError, RuntimeError and NotImplementedError as
    PyTorch does.
    """
    _check_mode(input, mode, align_corners, antialias)
    made, factors = _sizes(input, size, scale_factor, recompute_scale_factor)
    _check_axes(input, mode)
    if mode == "area":
        return _by_area(input, made)
    params = {
        "size": tuple(made),
        "scales": tuple(factors),
        "mode": mode,
        "align_corners": bool(align_corners),
        "antialias": antialias,
    }
    try:
        _check_sizes(input, made, mode)
    except (RuntimeError, NotImplementedError) as error:
        refuse("upsample", (input,), params, error)
    return apply(OPS["upsample"], (input,), params)


def _by_area(input: Tensor, size: list[int]) -> Tensor:
    from engine.nn import pooling

    adaptive = {
        1: pooling.adaptive_avg_pool1d,
        2: pooling.adaptive_avg_pool2d,
        3: pooling.adaptive_avg_pool3d,
    }
    return adaptive[len(size)](input, size)


def _check_sizes(input: Tensor, size: list[int], mode: str) -> None:
    shape = input._array.shape
    if min(*shape[2:], *size) < 1:
        letters = "DHW"[-len(size) :]
        before, after = (
            ", ".join(f"{c}: {n}" for c, n in zip(letters, s, strict=True))
            for s in (shape[2:], size)
        )
        raise RuntimeError(
            "Input and output sizes should be greater than 0, but got input "
            f"({before}) output ({after})"
        )
    if not shape[1]:
        raise RuntimeError(
            f"Non-empty {len(shape)}D data tensor expected but got a tensor with sizes "
            f"{list(shape)}"
        )
    if input._array.dtype.kind != "f":
        word = dtypes.word(input.dtype)
        raise NotImplementedError(f"\"upsample_{mode}\" not implemented for '{word}'")


def _deprecated(name: str) -> None:
    warnings.warn(
        f"`nn.functional.{name}` is deprecated. Use `nn.functional.interpolate` instead.",
        UserWarning,
        stacklevel=3,
    )


def upsample(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    """The old name of `interpolate`."""
    _deprecated("upsample")
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """`interpolate` to the nearest element, under its old name."""
    _deprecated("upsample_nearest")
    return interpolate(input, size, scale_factor, "nearest")


def upsample_bilinear(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """`interpolate` between elements with aligned corners, under its old name."""
    _deprecated("upsample_bilinear")
    return interpolate(input, size, scale_factor, "bilinear", True)
