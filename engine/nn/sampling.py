"""Sampling at given places, of `torch.nn.functional`."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from engine import dtypes
from engine.ops import OPS
from engine.tensor import Tensor, apply, refuse

_MODES = ("bilinear", "nearest", "bicubic")
_PADDINGS = ("zeros", "border", "reflection")
_CHANGED = (
    "Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. "
    "Please specify align_corners=True if the old behavior is desired. See the documentation of "
    "grid_sample for details."
)


def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:
    """(N, C, H, W) at the places of `grid` (N, h, w, 2), which count from -1 to 1; also in 3-d.

    Outside there are zeros, the 'border', or a 'reflection'. Raises ValueError and RuntimeError
    as PyTorch does.
    """
    if mode not in _MODES:
        raise ValueError(
            "nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or "
            f"'bicubic', but got: '{mode}'"
        )
    if padding_mode not in _PADDINGS:
        raise ValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or "
            f"'reflection', but got: '{padding_mode}'"
        )
    if align_corners is None:
        warnings.warn(_CHANGED, UserWarning, stacklevel=2)
    return _sampled(input, grid, mode, padding_mode, bool(align_corners))


def _sampled(input: Tensor, grid: Tensor, mode: str, padding: str, align: bool) -> Tensor:
    params = {
        "mode": mode,
        "padding": padding,
        "align_corners": align,
        "axes": input._array.ndim - 2,
    }
    try:
        _check(input, grid, mode)
    except (RuntimeError, NotImplementedError) as error:
        refuse("grid_sample", (input, grid), params, error)
    return apply(OPS["grid_sample"], (input, grid), params)


def _check(input: Tensor, grid: Tensor, mode: str) -> None:
    x, places = input._array, grid._array
    head = "grid_sampler(): expected"
    shown = f"input with sizes {list(x.shape)} and grid with sizes {list(places.shape)}"
    if x.shape[0] != places.shape[0]:
        raise RuntimeError(f"{head} grid and input to have same batch size, but got {shown}")
    if places.shape[-1] != x.ndim - 2:
        raise RuntimeError(
            f"{head} grid to have size {x.ndim - 2} in last dimension, but got grid with sizes "
            f"{list(places.shape)}"
        )
    for axis in range(2, x.ndim):
        if not x.shape[axis]:
            raise RuntimeError(
                f"{head} input to have non-empty spatial dimensions, but input has sizes "
                f"{list(x.shape)} with dimension {axis} being empty"
            )
    if x.ndim not in (4, 5) or x.ndim != places.ndim:
        raise RuntimeError(
            f"{head} 4D or 5D input and grid with same number of dimensions, but got {shown}"
        )
    if x.ndim == 5 and mode == "bicubic":
        raise RuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")
    if x.dtype.kind != "f":
        word = dtypes.word(input.dtype)
        raise NotImplementedError(
            f"\"grid_sampler_{x.ndim - 2}d_cpu_kernel_impl\" not implemented for '{word}'"
        )
    if x.dtype != places.dtype:
        raise RuntimeError(
            f"expected scalar type {dtypes.word(input.dtype)} but found {dtypes.word(grid.dtype)}"
        )


def grid_sampler(
    input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Tensor:
    """`nn.functional.grid_sample`, with numbers for the modes."""
    words = (_MODES[interpolation_mode], _PADDINGS[padding_mode])
    return _sampled(input, grid, *words, align_corners)


grid_sampler_2d = grid_sampler_3d = grid_sampler


def affine_grid(theta: Tensor, size: Sequence[int], align_corners: bool | None = None) -> Tensor:
    """The places of an image under affine maps `theta` (N, 2, 3), or of a volume (N, 3, 4)."""
    if align_corners is None:
        warnings.warn(_CHANGED, UserWarning, stacklevel=2)
    if not theta.dtype.is_floating_point:
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    wanted = list(size)
    count = len(wanted) - 2
    if count not in (2, 3):
        raise NotImplementedError(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, "
            f"respectively. Got size {size}."
        )
    if theta._array.ndim != 3 or theta._array.shape[1:] != (count, count + 1):
        raise ValueError(
            f"Expected a batch of {count}D affine matrices of shape Nx{count}x{count + 1} for size "
            f"{size}. Got {theta.shape}."
        )
    if min(wanted) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    params = {"size": tuple(wanted[2:]), "align_corners": bool(align_corners)}
    return apply(OPS["affine_grid"], (theta,), params)
