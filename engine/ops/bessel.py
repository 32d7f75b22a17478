"""Bessel functions; those of the first kind that are modified have gradients. By SciPy."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from engine.op import Op, elementwise
from engine.ops.kernels import kernel

_row = partial(elementwise, promote="float")


@kernel("i0_vml_cpu")
def _i0(x: Any) -> Any:
    from scipy.special import i0

    return i0(x)


@kernel("i0e_cpu")
def _i0e(x: Any) -> Any:
    from scipy.special import i0e

    return i0e(x)


@kernel("i1_cpu")
def _i1(x: Any) -> Any:
    from scipy.special import i1

    return i1(x)


@kernel("i1e_cpu")
def _i1e(x: Any) -> Any:
    from scipy.special import i1e

    return i1e(x)


def _away_from_zero(x: Any) -> tuple[Any, Any]:
    """Whether x is far enough from 0 to divide by it, and what to divide by."""
    kind = x.dtype if isinstance(x.dtype, np.dtype) else x.dtype._numpy
    eps = float(np.finfo(kind).eps)
    far = np.absolute(x) > eps
    return far, np.where(far, x, eps)


def _i1_back(g: Any, y: Any, x: Any) -> Any:
    far, x = _away_from_zero(x)
    return g * np.where(far, I0(x) - y / x, 0.5)


def _i1e_back(g: Any, y: Any, x: Any) -> Any:
    far, x = _away_from_zero(x)
    return g * np.where(far, I0E(x) - y * (np.sign(x) + 1 / x), 0.5)


I0: Op = _row("i0", _i0, (lambda g, y, x: g * I1(x),))
I0E: Op = _row("i0e", _i0e, (lambda g, y, x: g * (I1E(x) - np.sign(x) * y),), "SpecialI0EBackward0")
I1: Op = _row("i1", _i1, (_i1_back,), "SpecialI1Backward0")
I1E: Op = _row("i1e", _i1e, (_i1e_back,), "SpecialI1EBackward0")


def _without_gradient(name: str, scipy_name: str) -> Op:
    @kernel(f"{name}_cpu", "ce")
    def function(x: Any) -> Any:
        from scipy import special

        return getattr(special, scipy_name)(x)

    return _row(name, function, (None,))


@kernel("airy_ai_cpu", "ce")
def _airy(x: Any) -> Any:
    from scipy.special import airy

    return airy(x)[0]


@kernel("spherical_bessel_j0_cpu", "ce")
def _spherical(x: Any) -> Any:
    from scipy.special import spherical_jn

    return spherical_jn(0, x)


# PyTorch has no derivatives of these: their results require none.
_NAMES = {
    "bessel_j0": "j0",
    "bessel_j1": "j1",
    "bessel_y0": "y0",
    "bessel_y1": "y1",
    "modified_bessel_i0": "i0",
    "modified_bessel_i1": "i1",
    "modified_bessel_k0": "k0",
    "modified_bessel_k1": "k1",
    "scaled_modified_bessel_k0": "k0e",
    "scaled_modified_bessel_k1": "k1e",
}

ROWS = (
    I0,
    I0E,
    I1,
    I1E,
    *(_without_gradient(name, scipy_name) for name, scipy_name in _NAMES.items()),
    _row("airy_ai", _airy, (None,)),
    _row("spherical_bessel_j0", _spherical, (None,)),
)
