"""Complex numbers made, taken apart and turned."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from engine.op import Op, Sample, elementwise
from engine.ops.elementwise import is_complex
from engine.ops.signs import SGN

# What complex numbers need is said by each rule here.
_row = partial(elementwise, conjugate=False)
_COMPLEX = (Sample((np.array([1.5 + 2j, -0.3 - 1j]),)),)


def _pairs(x: Any) -> Any:
    """A view of complex numbers as pairs of real ones along a new last axis."""
    real = x.real
    return as_strided(real, (*x.shape, 2), (*x.strides, real.itemsize))


def _from_pairs(x: Any) -> Any:
    """Pairs along the last axis as complex numbers, on the same memory where it allows that."""
    kind = np.dtype(f"c{2 * x.itemsize}")
    if x.strides[-1] != x.itemsize or any(step % kind.itemsize for step in x.strides[:-1]):
        x = np.ascontiguousarray(x)
    return x.view(kind)[..., 0]


def _complex(real: Any, imag: Any) -> Any:
    shape = np.broadcast_shapes(np.shape(real), np.shape(imag))
    made = np.empty(shape, np.result_type(real, np.complex64))
    made.real, made.imag = real, imag
    return made


def _polar(size: Any, angle: Any) -> Any:
    return _complex(size * np.cos(angle), size * np.sin(angle))


def _polar_size(g: Any, y: Any, size: Any, angle: Any) -> Any:
    # The direction of y: 0 where y is, as in PyTorch.
    return REAL(np.conjugate(g) * SGN(y))


def _polar_angle(g: Any, y: Any, size: Any, angle: Any) -> Any:
    return REAL(np.conjugate(g) * (y * 1j))


def _angle(x: Any) -> Any:
    if x.dtype.kind == "c":
        return np.angle(x)
    return np.where(np.isnan(x), x, np.where(x < 0, x.dtype.type(np.pi), 0))


def _angle_back(g: Any, y: Any, x: Any) -> Any:
    if not is_complex(x):
        return np.zeros_like(g)
    square = np.absolute(x) ** 2
    turned = COMPLEX(-IMAG(x) * g, REAL(x) * g)
    return np.where(square == 0, 0, turned / np.where(square == 0, 1, square))


REAL: Op = _row("real", np.real, (lambda g, y, x: COMPLEX(g, np.zeros_like(g)),), samples=_COMPLEX)
IMAG: Op = _row("imag", np.imag, (lambda g, y, x: COMPLEX(np.zeros_like(g), g),), samples=_COMPLEX)
COMPLEX: Op = _row(
    "complex",
    _complex,
    (lambda g, y, re, im: REAL(g), lambda g, y, re, im: IMAG(g)),
    reads=(frozenset({0, 1}), frozenset({0, 1})),
)
VIEW_AS_REAL: Op = _row(
    "view_as_real",
    _pairs,
    (lambda g, y, x: VIEW_AS_COMPLEX(g),),
    is_view=True,
    samples=_COMPLEX,
)
VIEW_AS_COMPLEX: Op = _row(
    "view_as_complex",
    _from_pairs,
    (lambda g, y, x: VIEW_AS_REAL(g),),
    is_view=True,
    samples=(Sample(((3, 2),)),),
)
POLAR: Op = _row("polar", _polar, (_polar_size, _polar_angle))

ROWS = (
    _row("conj", np.conjugate, (lambda g, y, x: np.conjugate(g),)),
    _row("conj_physical", np.conjugate, (lambda g, y, x: np.conjugate(g),)),
    REAL,
    IMAG,
    COMPLEX,
    VIEW_AS_REAL,
    VIEW_AS_COMPLEX,
    POLAR,
    _row("angle", _angle, (_angle_back,), promote="float", reads=(frozenset({0}),)),
)
