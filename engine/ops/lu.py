"""LU factors and what is solved with them.

The rules follow S. F. Walter and L. Lehmann, "Algorithmic differentiation of linear algebra
functions with application in optimum experimental design" (2018); a wide or tall matrix is a
square one with further columns, or rows, that the square part determines.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.arrays import Array
from engine.numeric import lapack
from engine.op import Op, Sample
from engine.ops.factorization import columns
from engine.ops.index import PIECE, PUT
from engine.ops.linalg import adjoint, turned
from engine.ops.solving import REGULAR, TRIANGULAR

_PIVOTS = np.array([2, 3, 3], np.int32)


def _rows(x: Any, start: int, stop: int) -> Any:
    return PIECE(x, key=(..., slice(start, stop), slice(None)))


def _unpack(packed: Array, *, output: int) -> Any:
    m, n = packed.shape[-2:]
    k = min(m, n)
    if output == 2:
        return np.triu(packed[..., :k, :])
    return np.tril(packed[..., :, :k], -1) + np.eye(m, k, dtype=packed.dtype)


def _unpack_back(g: Any, y: Any, packed: Any, *, output: int) -> Any:
    m, n = packed.shape[-2:]
    if output == 2:
        return PUT(np.triu(g), key=(..., slice(0, min(m, n)), slice(None)), shape=packed.shape)
    return PUT(np.tril(g, -1), key=(..., slice(0, min(m, n))), shape=packed.shape)


def permutation_of(packed: Array, pivots: Array) -> Array:
    """The matrix P of A = P L U."""
    eye = np.broadcast_to(
        np.eye(packed.shape[-2], dtype=packed.dtype), (*packed.shape[:-1], packed.shape[-2])
    )
    return np.ascontiguousarray(turned(lapack.permuted(eye, pivots)))


def _square_back(to_l: Any, to_u: Any, low: Any, up: Any) -> Any:
    middle = np.tril(adjoint(low) @ to_l, -1) + np.triu(to_u @ adjoint(up))
    left = TRIANGULAR(adjoint(low), middle, upper=True, left=True, unit=True)
    return TRIANGULAR(adjoint(up), left, upper=False, left=False, unit=False)


def _factors_back(to_l: Any, to_u: Any, low: Any, up: Any, p: Any) -> Any:
    """The cotangent of A from those of the factors."""
    m, n = low.shape[-2], up.shape[-1]
    if m == n:
        return p @ _square_back(to_l, to_u, low, up)
    if m < n:
        to_rest = TRIANGULAR(adjoint(low), columns(to_u, m, n), upper=True, left=True, unit=True)
        to_l = to_l - to_rest @ adjoint(columns(up, m, n))
        square = _square_back(to_l, columns(to_u, 0, m), low, columns(up, 0, m))
        return p @ np.concatenate([square, to_rest], -1)
    to_rest = TRIANGULAR(adjoint(up), _rows(to_l, n, m), upper=False, left=False, unit=False)
    to_u = to_u - adjoint(_rows(low, n, m)) @ to_rest
    square = _square_back(_rows(to_l, 0, n), to_u, _rows(low, 0, n), up)
    return p @ np.concatenate([square, to_rest], -2)


def _lu_back(g: Any, y: Any, a: Any, *, output: int) -> Any:
    low = y if output == 1 else LU(a, output=1)
    up = y if output == 2 else LU(a, output=2)
    to_l = g if output == 1 else np.zeros_like(low)
    to_u = g if output == 2 else np.zeros_like(up)
    return _factors_back(to_l, to_u, low, up, PERMUTATION(a))


def _factor_back(g: Any, y: Any, a: Any) -> Any:
    k = min(a.shape[-2:])
    low, up = UNPACK(y, output=1), UNPACK(y, output=2)
    return _factors_back(columns(np.tril(g, -1), 0, k), np.triu(_rows(g, 0, k)), low, up,
                         PERMUTATION(a))  # fmt: skip


def _lu_solve(packed: Array, pivots: Array, b: Array, *, left: bool, back: bool) -> Any:
    if not left:
        found = _lu_solve(packed, pivots, adjoint(b), left=True, back=not back)
        return adjoint(found)
    if back:
        z = lapack.substituted(adjoint(packed), b, upper=False)
        z = lapack.substituted(adjoint(packed), z, upper=True, unit=True)
        return lapack.by_columns(lapack.permuted(z, pivots, back=True))
    z = lapack.substituted(packed, lapack.permuted(b, pivots), upper=False, unit=True)
    return lapack.by_columns(lapack.substituted(packed, z, upper=True))


def _lu_solve_b(g: Any, y: Any, packed: Any, pivots: Any, b: Any, *, left: bool, back: bool) -> Any:
    return LU_SOLVE(packed, pivots, g, left=left, back=not back)


def _lu_solve_a(g: Any, y: Any, packed: Any, pivots: Any, b: Any, *, left: bool, back: bool) -> Any:
    if not left:
        g, y, back = adjoint(g), adjoint(y), not back
    low, up = UNPACK(packed, output=1), UNPACK(packed, output=2)
    if back:  # U^H V = B, L^H W = V, X = P W
        p = ORDER(pivots, packed)
        w, to_w = turned(p) @ y, turned(p) @ g
        v, to_v = adjoint(low) @ w, TRIANGULAR(low, to_w, upper=False, left=True, unit=True)
        to_b = TRIANGULAR(up, to_v, upper=True, left=True, unit=False)
        return -np.tril(w @ adjoint(to_v), -1) - np.triu(v @ adjoint(to_b))
    z = up @ y  # L Z = P^T B, U X = Z
    to_z = TRIANGULAR(adjoint(up), g, upper=False, left=True, unit=False)
    to_l = TRIANGULAR(adjoint(low), to_z, upper=True, left=True, unit=True)
    return -np.tril(to_l @ adjoint(z), -1) - np.triu(to_z @ adjoint(y))


UNPACK: Op = Op(
    "lu_unpack",
    _unpack,
    (_unpack_back,),
    promote="none",
    conjugate=False,
    samples=(Sample((REGULAR,), {"output": 1}), Sample(((2, 3),), {"output": 2})),
)
PERMUTATION: Op = Op(
    "lu_permutation", lambda a: permutation_of(a, lapack.lu(a)[1]), (None,), promote="none"
)
ORDER: Op = Op(
    "lu_order", lambda pivots, packed: permutation_of(packed, pivots), (None, None), promote="none"
)
LU: Op = Op(
    "linalg_lu",
    lambda a, *, output: _unpack(lapack.lu(a)[0], output=output),
    (_lu_back,),
    promote="none",
    reads=(frozenset({"y", 0}),),
    conjugate=False,
    samples=tuple(
        Sample((array,), {"output": output})
        for array in (REGULAR, REGULAR[:2], REGULAR[:, :2])
        for output in (1, 2)
    ),
)
LU_SOLVE: Op = Op(
    "linalg_lu_solve",
    _lu_solve,
    (_lu_solve_a, None, _lu_solve_b),
    promote="none",
    conjugate=False,
    samples=tuple(
        Sample((REGULAR, _PIVOTS, (3, 2) if left else (2, 3)), {"left": left, "back": back})
        for left in (True, False)
        for back in (True, False)
    ),
)
ROWS = (
    UNPACK,
    PERMUTATION,
    ORDER,
    LU,
    LU_SOLVE,
    Op(
        "linalg_lu_factor",
        lambda a: lapack.by_columns(lapack.lu(a)[0]),
        (_factor_back,),
        "LinalgLuFactorExBackward0",
        promote="none",
        conjugate=False,
        samples=(Sample((REGULAR,)),),
    ),
)
