"""`torch.fft`: discrete Fourier transforms."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.functions import transforms
from engine.functions.transforms import Sizes
from engine.tensor import Tensor

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "hfft2", "hfftn", "ifft", "ifft2",
    "ifftn", "ifftshift", "ihfft", "ihfft2", "ihfftn", "irfft", "irfft2", "irfftn", "rfft",
    "rfft2", "rfftfreq", "rfftn",
]  # fmt: skip

Norm = str | None


def fft(input: Tensor, n: int | None = None, dim: int = -1, norm: Norm = None) -> Tensor:
    """The transform along an axis."""
    return transforms.complex_1d(input, n, dim, norm, forward=True)


def ifft(input: Tensor, n: int | None = None, dim: int = -1, norm: Norm = None) -> Tensor:
    """The inverse transform along an axis."""
    return transforms.complex_1d(input, n, dim, norm, forward=False)


def rfft(input: Tensor, n: int | None = None, dim: int = -1, norm: Norm = None) -> Tensor:
    """The transform of a real signal along an axis, n // 2 + 1 frequencies of it."""
    return transforms.half_1d("rfft", input, n, dim, norm, forward=True)


def irfft(input: Tensor, n: int | None = None, dim: int = -1, norm: Norm = None) -> Tensor:
    """The real signal of n numbers whose `rfft` this is."""
    return transforms.real_1d(input, n, dim, norm, forward=False)


def hfft(input: Tensor, n: int | None = None, dim: int = -1, norm: Norm = None) -> Tensor:
    """The transform, real, of a Hermitian signal of which half is given."""
    return transforms.real_1d(input, n, dim, norm, forward=True)


def ihfft(input: Tensor, n: int | None = None, dim: int = -1, norm: Norm = None) -> Tensor:
    """The half of a Hermitian signal whose `hfft` this is."""
    return transforms.half_1d("ihfft", input, n, dim, norm, forward=False)


def fftn(input: Tensor, s: Sizes = None, dim: Sizes = None, norm: Norm = None) -> Tensor:
    """The transform over several axes, all where none are given."""
    return transforms.complex_nd(input, s, dim, norm, forward=True)


def ifftn(input: Tensor, s: Sizes = None, dim: Sizes = None, norm: Norm = None) -> Tensor:
    """The inverse transform over several axes."""
    return transforms.complex_nd(input, s, dim, norm, forward=False)


def rfftn(input: Tensor, s: Sizes = None, dim: Sizes = None, norm: Norm = None) -> Tensor:
    """The transform of a real signal over several axes, half of it along the last."""
    return transforms.half_nd(input, s, dim, norm)


def irfftn(input: Tensor, s: Sizes = None, dim: Sizes = None, norm: Norm = None) -> Tensor:
    """The real signal whose `rfftn` this is."""
    return transforms.real_nd(input, s, dim, norm)


def hfftn(input: Tensor, s: Sizes = None, dim: Sizes = None, norm: Norm = None) -> Tensor:
    """The transform, real, of a signal that is Hermitian along the last axis."""
    return transforms.hermitian_nd(input, s, dim, norm)


def ihfftn(input: Tensor, s: Sizes = None, dim: Sizes = None, norm: Norm = None) -> Tensor:
    """The half of a Hermitian signal whose `hfftn` this is."""
    return transforms.inverse_hermitian_nd(input, s, dim, norm)


def _over_two(function: Any, name: str) -> Any:
    def transform(
        input: Tensor, s: Sizes = None, dim: Sizes = (-2, -1), norm: Norm = None
    ) -> Tensor:
        made: Tensor = function(input, s, dim, norm)
        return made

    transform.__name__ = transform.__qualname__ = name
    transform.__doc__ = f"`{function.__name__}` over the last two axes, or those given."
    return transform


fft2 = _over_two(fftn, "fft2")
ifft2 = _over_two(ifftn, "ifft2")
rfft2 = _over_two(rfftn, "rfft2")
irfft2 = _over_two(irfftn, "irfft2")
hfft2 = _over_two(hfftn, "hfft2")
ihfft2 = _over_two(ihfftn, "ihfft2")


def fftfreq(n: int, d: float = 1.0, *, dtype: Any = None, **_: Any) -> Tensor:
    """The frequencies of `fft`: 0, the positive ones, then the negative ones."""
    places = np.arange(n)
    places[(n + 1) // 2 :] -= n
    return transforms.frequencies(places, n, d, dtype)


def rfftfreq(n: int, d: float = 1.0, *, dtype: Any = None, **_: Any) -> Tensor:
    """The frequencies of `rfft`."""
    return transforms.frequencies(np.arange(n // 2 + 1), n, d, dtype)


def fftshift(input: Tensor, dim: Sizes = None) -> Tensor:
    """The lowest frequency moved to the middle."""
    return transforms.rolled(input, dim, lambda n: n // 2)


def ifftshift(input: Tensor, dim: Sizes = None) -> Tensor:
    """The inverse of `fftshift`."""
    return transforms.rolled(input, dim, lambda n: (n + 1) // 2)
