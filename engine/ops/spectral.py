"""Eigenvalues, singular values, and what is made of them.

The rules are those of M. Giles, "Collected matrix derivative results for forward and reverse mode
algorithmic differentiation" (2008), with the complex case of Z.-Q. Wan and S.-X. Zhang,
"Automatic differentiation for complex valued SVD" (2019). Equal values leave the directions of
their vectors open: the rules divide by zero there, as PyTorch's do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.arrays import Array
from engine.numeric import lapack, tridiagonal
from engine.op import Op, Sample
from engine.ops.index import PIECE
from engine.ops.linalg import adjoint, conjugated, is_complex
from engine.ops.solving import REGULAR, SOLVE, STACK

PHASE = (
    "{name}_backward: The eigenvectors in the complex case are specified up to multiplication by "
    "e^{{i phi}}. The specified loss function depends on this quantity, so it is ill-defined."
)


def _row(x: Any) -> Any:
    return np.expand_dims(x, -2)


def _column(x: Any) -> Any:
    return np.expand_dims(x, -1)


def _diagonal(x: Any) -> Any:
    return np.sum(np.where(np.eye(x.shape[-1], dtype=bool), x, 0), axis=-1)


def _numbers(x: Any) -> Array:
    """The numbers of an array, a name or a tensor."""
    return np.asarray(getattr(x, "value", getattr(x, "_array", x)))


def _check_phase(name: str, inner: Any) -> None:
    """Raise where a loss depends on the phases of complex eigenvectors."""
    if is_complex(inner):
        turns = np.diagonal(_numbers(inner), axis1=-2, axis2=-1).imag
        if not np.allclose(turns, 0, 1e-2, 1e-2):
            raise RuntimeError(PHASE.format(name=name))


def _eigh(a: Array, *, output: int, UPLO: str, point: bool = True) -> Array:
    """Eigenvalues, or vectors, which `point` the way that PyTorch's do where that matters."""
    if np.isinf(a).any():
        raise NotImplementedError("linalg.eigh of matrices with infinities is not available")
    if np.isnan(a).any():
        return np.full(a.shape[: a.ndim - 1 + output], np.nan, a.dtype if output else a.real.dtype)
    values, vectors = np.linalg.eigh(a, "L" if UPLO == "L" else "U")
    if not output:
        return values
    if point and 1 < a.shape[-1] <= tridiagonal.LARGEST:
        for place in np.ndindex(a.shape[:-2]):
            vectors[place] = tridiagonal.turned_round(vectors[place], a[place], upper=UPLO == "U")
    return lapack.by_columns(vectors)


def _eigh_back(g: Any, y: Any, a: Any, *, output: int, UPLO: str, point: bool = True) -> Any:
    if output == 0:
        vectors = EIGH(a, output=1, UPLO=UPLO, point=False)
        return (vectors * _row(g)) @ adjoint(vectors)
    values = EIGH(a, output=0, UPLO=UPLO)
    inner = adjoint(y) @ g
    _check_phase("linalg_eigh", inner)
    inner = (inner - adjoint(inner)) / 2
    return y @ OFF_DIAGONAL(inner / GAPS(values)) @ adjoint(y)


def _eig(a: Array, *, output: int) -> Array:
    kind = np.result_type(a.dtype, np.complex64)
    found = np.linalg.eig(a)[output].astype(kind)
    return lapack.by_columns(found) if output else found


def _eig_back(g: Any, y: Any, a: Any, *, output: int) -> Any:
    vectors = y if output == 1 else EIG(a, output=1)
    if output == 0:
        inner = _column(g) * adjoint(vectors)
        return _real_like(_solve_left(adjoint(vectors), inner), a)
    values = EIG(a, output=0)
    inner = adjoint(y) @ g
    _check_phase("linalg_eig", inner)
    tangent = inner - adjoint(y) @ (y * _row(_diagonal(inner)))
    middle = OFF_DIAGONAL(tangent / conjugated(GAPS(values)))
    return _real_like(_solve_left(adjoint(y), middle @ adjoint(y)), a)


def _solve_left(a: Any, b: Any) -> Any:
    return SOLVE(a, b, left=True, vector=False, check=False)


def _real_like(x: Any, a: Any) -> Any:
    return x if is_complex(a) else np.real(x)


def check_finite(name: str, a: Array) -> None:
    """Raise where numbers are not finite, which the routines do not bear."""
    if not np.isfinite(np.sum(a)):
        lapack.failed(name, lapack.NOT_FINITE, np.asarray(np.isnan(a).any((-2, -1))))
        if np.isinf(a).any():
            raise NotImplementedError(f"{name} of matrices with infinities is not available")


def _svd(a: Array, *, output: int, full: bool) -> Array:
    check_finite("linalg.svd", a)
    found = lapack.svd(a, full=full)[output]
    return found if output == 1 else lapack.by_columns(found)


def _svd_back(g: Any, y: Any, a: Any, *, output: int, full: bool) -> Any:
    k = min(a.shape[-2:])
    left, right = SVD(a, output=0, full=False), SVD(a, output=2, full=False)
    if output == 1:
        return (left * _row(g)) @ right
    values = SVD(a, output=1, full=False)
    if output == 0:
        return _left_back(PIECE(g, key=(..., slice(0, k))), left, values, right)
    return adjoint(_left_back(adjoint(PIECE(g, key=(..., slice(0, k), slice(None)))),
                              adjoint(right), values, adjoint(left)))  # fmt: skip


def _left_back(g: Any, left: Any, values: Any, right: Any) -> Any:
    """The cotangent of A from that of U; with the adjoints of all, from that of V."""
    inner = adjoint(left) @ g
    skew = inner - adjoint(inner)
    _check_svd_phase(skew)
    middle = left @ (OFF_DIAGONAL(skew / GAPS(values * values)) * _row(values))
    if left.shape[-2] > left.shape[-1]:
        outside = g / _row(values)
        middle = middle + outside - left @ (adjoint(left) @ outside)
    return middle @ right


def _check_svd_phase(skew: Any) -> None:
    if is_complex(skew):
        turns = np.diagonal(_numbers(skew), axis1=-2, axis2=-1).imag
        if not np.allclose(turns, 0, 1e-2, 1e-2):
            raise NotImplementedError(
                "the gradient of complex singular vectors is available only where the loss does "
                "not depend on their phases"
            )


def _pinv(a: Array, *, atol: Any, rtol: Any, hermitian: bool) -> Any:
    if hermitian:
        values, vectors = np.linalg.eigh(a)
        size = np.abs(values)
        kept = size > limit_of(size, a, atol, rtol)
        return (vectors * _row(np.where(kept, 1 / np.where(kept, values, 1), 0))) @ adjoint(vectors)
    left, values, right = (_svd(a, output=output, full=False) for output in range(3))
    kept = values > limit_of(values, a, atol, rtol)
    inverse = np.where(kept, 1 / np.where(kept, values, 1), 0).astype(values.dtype)
    return adjoint(right) @ (_column(inverse) * adjoint(left))


def limit_of(size: Array, a: Array, atol: Any, rtol: Any) -> Any:
    """What counts as zero among singular values: `atol`, or `rtol` times the largest."""
    if not size.size:
        return size
    if rtol is None:
        known = atol is not None and np.all(np.asarray(atol) > 0)
        rtol = 0.0 if known else max(a.shape[-2:]) * np.finfo(a.dtype).eps
    largest = np.max(size, axis=-1, keepdims=True)
    return np.maximum(_tolerance(atol or 0.0), _tolerance(rtol) * largest)


def _tolerance(given: Any) -> Array:
    array = np.asarray(given)
    return array[..., None] if array.ndim else array


def pinv_back(g: Any, y: Any, a: Any, **params: Any) -> Any:
    """The cotangent of a matrix from that of its pseudo-inverse."""
    # G. Golub and V. Pereyra (1973): dP = -P dA P + P P* dA* (1 - A P) + (1 - P A) dA* P* P
    back, to_y = adjoint(y), adjoint(g)
    first, second = to_y @ y @ back, back @ y @ to_y
    return first - a @ y @ first + second - second @ y @ a - back @ g @ back


def _matrix_exp(a: Array) -> Array:
    from scipy.linalg import expm

    if not a.size:
        return np.array(a)
    if not np.isfinite(np.sum(a)):
        return np.full_like(a, np.nan)
    return np.asarray(expm(a)).astype(a.dtype)


def _matrix_exp_back(g: Any, y: Any, a: Any) -> Any:
    # The block above the diagonal is the derivative at A* in the direction g
    # (N. Higham, "Functions of Matrices", 2008, section 3.2).
    n = a.shape[-1]
    back = adjoint(a)
    upper = np.concatenate([back, g], -1)
    lower = np.concatenate([np.zeros_like(back), back], -1)
    both = MATRIX_EXP(np.concatenate([upper, lower], -2))
    return PIECE(both, key=(..., slice(0, n), slice(n, 2 * n)))


def _off_diagonal(x: Array) -> Array:
    return np.where(np.eye(x.shape[-1], dtype=bool), 0, x)


def _gaps(values: Array) -> Array:
    """The column's value minus the row's, and 1 on the diagonal."""
    return np.where(np.eye(values.shape[-1], dtype=bool), 1, _row(values) - _column(values))


def _gaps_back(g: Any, y: Any, values: Any) -> Any:
    apart = OFF_DIAGONAL(g)
    return np.sum(apart, axis=-2) - np.sum(apart, axis=-1)


OFF_DIAGONAL: Op = Op(
    "off_diagonal",
    _off_diagonal,
    (lambda g, y, x: OFF_DIAGONAL(g),),
    conjugate=False,
    samples=(Sample(((2, 2),)),),
)
GAPS: Op = Op("gaps", _gaps, (_gaps_back,), conjugate=False, samples=(Sample(((3,),)),))
EIGH: Op = Op(
    "linalg_eigh",
    _eigh,
    (_eigh_back,),
    promote="none",
    reads=(frozenset({"y", 0}),),
    conjugate=False,
    samples=tuple(Sample(((1, 1),), {"output": output, "UPLO": "L"}) for output in (0, 1)),
)
EIG: Op = Op(
    "linalg_eig",
    _eig,
    (_eig_back,),
    promote="none",
    reads=(frozenset({"y", 0}),),
    conjugate=False,
    samples=(Sample((REGULAR,), {"output": 0}),),
)
SVD: Op = Op(
    "linalg_svd",
    _svd,
    (_svd_back,),
    promote="none",
    conjugate=False,
    samples=tuple(
        Sample((array,), {"output": output, "full": False})
        for array in (REGULAR, REGULAR[:2], REGULAR[:, :2])
        for output in range(3)
    ),
)
MATRIX_EXP: Op = Op(
    "linalg_matrix_exp",
    _matrix_exp,
    (_matrix_exp_back,),
    promote="none",
    conjugate=False,
    samples=(Sample((REGULAR,)), Sample((STACK,))),
)
_EXACT = {"atol": None, "rtol": None, "hermitian": False}
PINV: Op = Op(
    "linalg_pinv",
    _pinv,
    (pinv_back,),
    promote="none",
    conjugate=False,
    samples=(Sample((REGULAR[:2],), _EXACT), Sample((REGULAR[:, :2],), _EXACT)),
)
ROWS = (
    OFF_DIAGONAL,
    GAPS,
    EIGH,
    EIG,
    SVD,
    MATRIX_EXP,
    PINV,
)
