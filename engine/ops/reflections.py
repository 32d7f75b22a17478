"""Products of Householder reflections H = 1 - tau v v*, as LAPACK packs them.

Each v stands below the diagonal of a column, with a 1 on it. The rules go through the product one
reflection at a time: with M = g R*, R being what stands to the right of H, the cotangents are
-v* M v for tau, and -(conj(tau) M + tau M*) v for v.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.arrays import Array
from engine.numeric import lapack
from engine.op import Op, Sample
from engine.ops.factorization import columns
from engine.ops.linalg import adjoint, conjugated
from engine.ops.lu import UNPACK


def _vector(w: Any, place: int) -> Any:
    return columns(w, place, place + 1)


def _factor(tau: Any, place: int) -> Any:
    return np.expand_dims(columns(tau, place, place + 1), -1)


def _reflected(x: Any, v: Any, tau: Any) -> Any:
    """H x."""
    return x - tau * (v @ (adjoint(v) @ x))


def _multiplied(w: Any, tau: Any, x: Any, *, back: bool) -> Any:
    """H1 H2 … Hk x, or, back, its adjoint Hk* … H2* H1* x."""
    places = range(tau.shape[-1])
    for place in places if back else reversed(places):
        factor = _factor(tau, place)
        x = _reflected(x, _vector(w, place), conjugated(factor) if back else factor)
    return x


def _swept(g: Any, w: Any, tau: Any, x: Any, *, back: bool) -> tuple[list[Any], list[Any]]:
    """The cotangents of every v, and of every tau, where the product is with x."""
    count = tau.shape[-1]
    order = list(reversed(range(count))) if back else list(range(count))
    right = (
        [x] if count else []
    )  # what stands to the right of each reflection, the last one's first
    for place in reversed(order[1:]):
        factor = _factor(tau, place)
        factor = conjugated(factor) if back else factor
        right.append(_reflected(right[-1], _vector(w, place), factor))
    to_v: list[Any] = [None] * count
    to_tau: list[Any] = [None] * count
    for place, rest in zip(order, reversed(right), strict=True):
        v, factor = _vector(w, place), _factor(tau, place)
        factor = conjugated(factor) if back else factor
        forth, across = g @ (adjoint(rest) @ v), rest @ (adjoint(g) @ v)
        to_v[place] = -(conjugated(factor) * forth + factor * across)
        pull = -np.squeeze(adjoint(v) @ forth, -1)
        to_tau[place] = conjugated(pull) if back else pull
        g = _reflected(g, v, conjugated(factor))
    return to_v, to_tau


def _packed(to_v: list[Any], v: Any) -> Any:
    """Cotangents of vectors where the vectors stand; the other columns receive nothing."""
    n = v.shape[-1]
    rest = columns(np.zeros_like(v), len(to_v), n)
    return np.tril(np.concatenate([*to_v, rest], -1), -1)


def _joined(to_tau: list[Any], tau: Any) -> Any:
    return np.concatenate([*to_tau, columns(np.zeros_like(tau), 0, 0)], -1)


def _identity(v: Any) -> Any:
    return UNPACK(np.zeros_like(v), output=1)


def _householder(v: Array, tau: Array) -> Array:
    product = _multiplied(UNPACK(v, output=1), tau, _identity(v), back=False)
    return lapack.by_columns(product)


def _householder_v(g: Any, y: Any, v: Any, tau: Any) -> Any:
    return _packed(_swept(g, UNPACK(v, output=1), tau, _identity(v), back=False)[0], v)


def _householder_tau(g: Any, y: Any, v: Any, tau: Any) -> Any:
    w = UNPACK(v, output=1)
    return _joined(_swept(g, w, tau, _identity(v), back=False)[1], tau)


def _ormqr(v: Array, tau: Array, c: Array, *, left: bool, transpose: bool) -> Array:
    w = UNPACK(v, output=1)
    if left:
        return lapack.by_columns(_multiplied(w, tau, c, back=transpose))
    product = _multiplied(w, tau, adjoint(c), back=not transpose)
    return lapack.by_columns(adjoint(product))


def _ormqr_swept(g: Any, v: Any, tau: Any, c: Any, *, left: bool, transpose: bool) -> Any:
    w = UNPACK(v, output=1)
    if left:
        return _swept(g, w, tau, c, back=transpose)
    return _swept(adjoint(g), w, tau, adjoint(c), back=not transpose)


def _ormqr_v(g: Any, y: Any, v: Any, tau: Any, c: Any, *, left: bool, transpose: bool) -> Any:
    return _packed(_ormqr_swept(g, v, tau, c, left=left, transpose=transpose)[0], v)


def _ormqr_tau(g: Any, y: Any, v: Any, tau: Any, c: Any, *, left: bool, transpose: bool) -> Any:
    return _joined(_ormqr_swept(g, v, tau, c, left=left, transpose=transpose)[1], tau)


def _ormqr_c(g: Any, y: Any, v: Any, tau: Any, c: Any, *, left: bool, transpose: bool) -> Any:
    return ORMQR(v, tau, g, left=left, transpose=not transpose)


_V = np.array([[1.0, 0.2], [0.4, 1.0], [-0.6, 0.7]])
_TAU = np.array([0.8, 1.1])
HOUSEHOLDER: Op = Op(
    "linalg_householder_product",
    _householder,
    (_householder_v, _householder_tau),
    promote="none",
    conjugate=False,
    samples=(Sample((_V, _TAU)), Sample((_V, _TAU[:1]))),
)
ORMQR: Op = Op(
    "ormqr",
    _ormqr,
    (_ormqr_v, _ormqr_tau, _ormqr_c),
    promote="none",
    conjugate=False,
    samples=tuple(
        Sample((_V, _TAU, (3, 2) if left else (2, 3)), {"left": left, "transpose": transpose})
        for left in (True, False)
        for transpose in (True, False)
    ),
)
ROWS = (HOUSEHOLDER, ORMQR)
