"""Discrete Fourier transforms: complex to complex, real to complex, complex to real.

Each is linear, so that its rule is its adjoint: the transform with the other sign in the exponent.
A real signal's transform may keep half of the frequencies, the others being their conjugates.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.arrays import Array
from engine.op import Op, Sample
from engine.ops.index import PUT
from engine.ops.linalg import scaled

Axes = tuple[int, ...]


def _c2c(x: Array, *, dim: Axes, scale: float, forward: bool) -> Any:
    if not dim:
        return np.array(x, np.result_type(x.dtype, np.complex64))
    made = np.fft.fftn(x, axes=dim) if forward else np.fft.ifftn(x, axes=dim, norm="forward")
    return scaled(made, scale).astype(np.result_type(x.dtype, np.complex64), copy=False)


def _c2c_back(g: Any, y: Any, x: Any, *, dim: Axes, scale: float, forward: bool) -> Any:
    return C2C(g, dim=dim, scale=scale, forward=not forward)


def _r2c(x: Array, *, dim: Axes, scale: float, onesided: bool) -> Any:
    made = np.fft.rfftn(x, axes=dim) if onesided else np.fft.fftn(x, axes=dim)
    return scaled(made, scale).astype(np.result_type(x.dtype, np.complex64), copy=False)


def _r2c_back(g: Any, y: Any, x: Any, *, dim: Axes, scale: float, onesided: bool) -> Any:
    if onesided:  # the frequencies that were left out receive nothing
        half = (*(slice(None),) * dim[-1], slice(0, x.shape[dim[-1]] // 2 + 1))
        g = PUT(g, key=half, shape=x.shape)
    return np.real(C2C(g, dim=dim, scale=scale, forward=False))


def _c2r(x: Array, *, dim: Axes, scale: float, last: int) -> Any:
    sizes = [x.shape[axis] for axis in dim[:-1]]
    made = np.fft.irfftn(x, [*sizes, last], axes=dim, norm="forward")
    return scaled(made, scale).astype(x.real.dtype, copy=False)


def _c2r_back(g: Any, y: Any, x: Any, *, dim: Axes, scale: float, last: int) -> Any:
    n = x.shape[dim[-1]]
    twice = np.full(n, 2.0)  # all but the lowest frequency, and the highest where it is alone
    twice[0] = 1
    twice[last - n + 1 :] = 1
    weights = twice.reshape((n,) + (1,) * (len(x.shape) - dim[-1] - 1))
    return R2C(g, dim=dim, scale=scale, onesided=True) * weights


_COMPLEX = np.array([[0.3 + 1j, -0.2 + 0.5j, 1.1 - 0.7j], [0.8 - 0.1j, 0.4 + 0.9j, -0.6 + 0.2j]])

C2C = Op(
    "fft_c2c",
    _c2c,
    (_c2c_back,),
    "FftC2CBackward0",
    promote="none",
    conjugate=False,
    samples=(Sample((_COMPLEX,), {"dim": (0, 1), "scale": 0.5, "forward": True}),),
)
R2C = Op(
    "fft_r2c",
    _r2c,
    (_r2c_back,),
    "FftR2CBackward0",
    promote="none",
    reads=(frozenset({0}),),  # PyTorch saves the signal, of which its shape would do
    conjugate=False,
    samples=(
        Sample(((2, 3),), {"dim": (0, 1), "scale": 1.0, "onesided": True}),
        Sample(((4,),), {"dim": (0,), "scale": 0.5, "onesided": False}),
    ),
)
C2R = Op(
    "fft_c2r",
    _c2r,
    (_c2r_back,),
    "FftC2RBackward0",
    promote="none",
    conjugate=False,
    samples=tuple(
        Sample((_COMPLEX,), {"dim": (0, 1), "scale": 0.5, "last": last}) for last in (4, 5)
    ),
)
# The frames of a signal, turned in place as PyTorch does it.
TURNED = Op(
    "transpose_frames",
    lambda x: np.swapaxes(x, 1, 2),
    (lambda g, y, x: np.swapaxes(g, 1, 2),),
    "TransposeBackward1",
    promote="none",
    conjugate=False,
    samples=(Sample(((1, 2, 3),)),),
)
ROWS = (C2C, R2C, C2R, TURNED)
