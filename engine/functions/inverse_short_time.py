"""The inverse of the short-time Fourier transform: frames laid over one another again."""

from __future__ import annotations

import math

import numpy as np

from engine import dtypes, errors
from engine.functions import shapes
from engine.functions.arithmetic import div, mul
from engine.functions.strided import narrow
from engine.nn.padding import pad
from engine.ops import OPS
from engine.tensor import Tensor, apply

NEEDS_COMPLEX = (
    "istft requires a complex-valued input tensor matching the output from stft with "
    "return_complex=True."
)


NO_WINDOW = (
    "A window was not provided. A rectangular window will be applied.Please provide the same "
    "window used by stft to make the inversion lossless.To suppress this warning and use a "
    "rectangular window, explicitly set `window=torch.ones(n_fft, device=<device>)`."
)
SHORT = (
    "The length of signal is shorter than the length parameter. Result is being padded with zeros "
    "in the tail. Please check your center and hop_length settings."
)


def istft(
    input: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool | None = None,
    length: int | None = None,
    return_complex: bool = False,
) -> Tensor:
    """The signal whose `stft` this is, as (sample,), after the batch if any.

    Raises RuntimeError where the windows do not cover the signal.
    """
    if window is None:
        errors.warn_once(NO_WINDOW)
    if input._array.dtype.kind != "c":
        raise RuntimeError(NEEDS_COMPLEX)
    if return_complex:
        raise NotImplementedError("istft of complex signals is not available")
    hop = n_fft // 4 if hop_length is None else hop_length
    width = n_fft if win_length is None else win_length
    one = input._array.ndim == 2
    spectra = shapes.unsqueeze(input, 0) if one else input
    half = spectra._array.shape[1] != n_fft if onesided is None else onesided
    _check(spectra, n_fft, hop, width, window, half)
    weights = window
    if weights is None:
        weights = Tensor(np.ones(width, input._array.real.dtype))
    if width < n_fft:
        left = (n_fft - width) // 2
        weights = pad(weights, [left, n_fft - width - left])
    scale = 1 / math.sqrt(n_fft) if normalized else 1 / n_fft
    turned = shapes.transpose(spectra, 1, 2)
    if not half:  # the upper half of a real signal's frequencies says nothing new
        turned = narrow(turned, 2, 0, n_fft // 2 + 1)
    frames = apply(OPS["fft_c2r"], (turned,), {"dim": (2,), "scale": scale, "last": n_fft})
    start = n_fft // 2 if center else 0
    out = _overlapped(mul(frames, weights), weights, hop, start, length)
    if one:
        out = shapes.squeeze(out, 0)
    missing = 0 if length is None else length - out._array.shape[-1]
    if missing:
        errors.warn_once(SHORT)
    return pad(out, [0, missing]) if missing else out


def _check(
    input: Tensor, n_fft: int, hop: int, width: int, window: Tensor | None, half: bool
) -> None:
    """Raise RuntimeError where this can be no `stft`."""
    array = input._array
    problem = ""
    if array.ndim != 3 or not array.size:
        problem = "a non-empty spectrum of 2 or 3 axes"
    elif half and n_fft // 2 + 1 != array.shape[1]:
        problem = (
            f"the frequency dimension of the input to match n_fft / 2 + 1, but got {array.shape[1]}"
        )
    elif not half and n_fft != array.shape[1]:
        problem = f"the frequency dimension of the input to match n_fft, but got {array.shape[1]}"
    elif not 0 < hop <= width:
        problem = "0 < hop_length <= win_length"
    elif not 0 < width <= n_fft:
        problem = "0 < win_length <= n_fft"
    elif window is not None and window._array.shape != (width,):
        problem = "a window of size win_length"
    if problem:
        word = dtypes.word(input.dtype)
        raise RuntimeError(f"istft({word}{list(array.shape)}, n_fft={n_fft}) : expected {problem}")


def _overlapped(
    frames: Tensor, weights: Tensor, hop: int, start: int, length: int | None
) -> Tensor:
    """The frames added up, over the squares of the windows that lay on each sample."""
    count, n_fft = frames._array.shape[1:]
    total = n_fft + hop * (count - 1)
    where = {"dim": 1, "size": n_fft, "step": hop}
    added, covered = (
        apply(OPS["fold_windows"], (x,), {"shape": (x._array.shape[0], total), **where})
        for x in (frames, shapes.expand(mul(weights, weights), 1, count, n_fft))
    )
    stop = total - start if length is None else min(start + length, total)
    signal, cover = (narrow(x, 1, start, stop - start) for x in (added, covered))
    if not (np.abs(cover._array) > 1e-11).all():
        raise RuntimeError(f"istft(n_fft={n_fft}) : the windows leave samples uncovered")
    return div(signal, cover)
