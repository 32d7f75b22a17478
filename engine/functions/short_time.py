"""The short-time Fourier transform: a signal cut into frames that overlap."""

from __future__ import annotations

import math

import numpy as np

from engine import errors
from engine.dtypes import type_name
from engine.functions import shapes
from engine.functions.arithmetic import mul
from engine.functions.complexes import view_as_real
from engine.functions.strided import as_strided
from engine.nn.padding import pad
from engine.ops import OPS
from engine.tensor import Tensor, apply

NO_WINDOW = (
    "A window was not provided. A rectangular window will be applied,which is known to cause "
    "spectral leakage. Other windows such as torch.hann_window or torch.hamming_window are "
    "recommended to reduce spectral leakage.To suppress this warning and use a rectangular window, "
    "explicitly set `window=torch.ones(n_fft, device=<device>)`."
)
NEEDS_COMPLEX = (
    "stft requires the return_complex parameter be given for real inputs, and will further require "
    "that return_complex=True in a future PyTorch release."
)
DEPRECATED = (
    "stft with return_complex=False is deprecated. In a future pytorch release, stft will return "
    "complex tensors for all inputs, and return_complex=False will raise an error.\nNote: you can "
    "still call torch.view_as_real on the complex output to recover the old return format."
)


def stft(
    input: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
) -> Tensor:
    """The transforms of the frames of a signal, as (frequency, frame), after the batch if any."""
    if window is None:
        errors.warn_once(NO_WINDOW)
    complex_ = input._array.dtype.kind == "c" or (
        window is not None and window._array.dtype.kind == "c"
    )
    if return_complex is None:
        if not complex_:
            raise RuntimeError(NEEDS_COMPLEX)
        return_complex = True
    if not (return_complex or complex_):
        errors.warn_once(DEPRECATED)
    if center:
        input = _padded(input, n_fft // 2, pad_mode)
    hop = n_fft // 4 if hop_length is None else hop_length
    width = n_fft if win_length is None else win_length
    shown = "None" if window is None else f"{type_name(window.dtype)}{{{[*window._array.shape]}}}"
    where = (
        f"stft({type_name(input.dtype)}{list(input._array.shape)}, n_fft={n_fft}, "
        f"hop_length={hop}, win_length={width}, window={shown}, normalized={int(normalized)}, "
        f"onesided={_optional(onesided)}, return_complex={_optional(return_complex)}, "
        "align_to_window=None)"
    )
    _check(where, input, n_fft, hop, width, window)
    frames = _frames(input, n_fft, hop, window, width)
    params = {"dim": (2,), "scale": 1 / math.sqrt(n_fft) if normalized else 1.0}
    if frames._array.dtype.kind == "c":
        if onesided:
            raise RuntimeError("Cannot have onesided output if window or input is complex")
        made = apply(OPS["fft_c2c"], (frames,), {**params, "forward": True})
    else:
        half = True if onesided is None else onesided
        made = apply(OPS["fft_r2c"], (frames,), {**params, "onesided": half})
    made = apply(OPS["transpose_frames"], (made,), {})
    if input._array.ndim == 1:
        made = apply(OPS["squeeze"], (made,), {"dim": (0,), "kind": 4})
    return made if return_complex else view_as_real(made)


def _padded(input: Tensor, size: int, mode: str) -> Tensor:
    shape = input._array.shape
    wide = shapes.view(input, *(1,) * (3 - len(shape)), *shape)
    wide = pad(wide, [size, size], mode)
    return shapes.view(wide, *wide._array.shape[-len(shape) :])


def _optional(flag: bool | None) -> int | None:
    return None if flag is None else int(flag)


def _frames(input: Tensor, n_fft: int, hop: int, window: Tensor | None, width: int) -> Tensor:
    """The signal's frames, `hop` apart, each times the window."""
    x = shapes.unsqueeze(input, 0) if input._array.ndim == 1 else input
    count = 1 + (x._array.shape[1] - n_fft) // hop
    steps = [step // x._array.itemsize for step in x._array.strides]
    size = (x._array.shape[0], count, n_fft)
    frames = as_strided(x, size, (steps[0], hop * steps[1], steps[1]))
    if window is None and width == n_fft:
        return frames
    if window is None:
        window = Tensor(np.ones(width, input._array.dtype))
    left = (n_fft - width) // 2
    return mul(frames, pad(window, [left, n_fft - width - left]) if width < n_fft else window)


def _check(
    where: str, input: Tensor, n_fft: int, hop: int, width: int, window: Tensor | None
) -> None:
    """Raise RuntimeError where there can be no such frames."""
    array = input._array
    problem = ""
    if array.dtype.kind not in "fc":
        problem = "expected a tensor of floating point or complex values"
    elif array.ndim not in (1, 2):
        problem = "expected a 1D or 2D tensor"
    elif not 0 < n_fft <= array.shape[-1]:
        problem = f"expected 0 < n_fft < {array.shape[-1]}, but got n_fft={n_fft}"
    elif hop <= 0:
        problem = f"expected hop_length > 0, but got hop_length={hop}"
    elif not 0 < width <= n_fft:
        problem = f"expected 0 < win_length <= n_fft, but got win_length={width}"
    elif window is not None and window._array.shape != (width,):
        problem = (
            f"expected a 1D window tensor of size equal to win_length={width}, but got window "
            f"with size {list(window._array.shape)}"
        )
    if problem:
        raise RuntimeError(f"{where} : {problem}")
