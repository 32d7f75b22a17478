"""Triangular and orthogonal factors: Cholesky and QR.

The rules are those of S. F. Walter and L. Lehmann, "Algorithmic differentiation of linear algebra
functions with application in optimum experimental design" (2018), and, for Cholesky, of I. Murray,
"Differentiation of the Cholesky decomposition" (2016).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.arrays import Array
from engine.numeric import lapack
from engine.op import Op, Sample
from engine.ops.index import PIECE
from engine.ops.linalg import adjoint, is_complex
from engine.ops.solving import REGULAR, TRIANGULAR


def _cholesky(a: Array, *, upper: bool, name: str, check: bool = True) -> Array:
    """From the triangle that `upper` names; torch.cholesky and linalg.cholesky differ in name."""
    from_upper = upper and name == "cholesky"
    lower = adjoint(np.triu(a)) if from_upper else np.tril(a)
    try:
        made = np.linalg.cholesky(lower)
    except np.linalg.LinAlgError:
        made = _broken_cholesky(lower, name=name, check=check)
    if check and not np.isfinite(np.sum(made)):
        made = _broken_cholesky(lower, name=name, check=check)
    return adjoint(made) if upper else lapack.by_columns(made)


def _broken_cholesky(lower: Array, *, name: str, check: bool) -> Array:
    made, infos = cholesky_reports(lower)
    if check:
        lapack.failed(name, lapack.CHOLESKY, infos)
    return made


def cholesky_reports(lower: Array) -> tuple[Array, ...]:
    """The factors as far as LAPACK came, and its reports."""
    potrf = lapack.routine("potrf", lower)
    square = lower.shape[-2:]
    return lapack.each(
        lower,
        lambda a: potrf(a, lower=True) if a.size else (a, 0),
        (square, lower.dtype),
        ((), np.dtype(np.int32)),
    )


def columns(x: Any, start: int, stop: int) -> Any:
    """Some columns of each matrix."""
    return PIECE(x, key=(..., slice(start, stop)))


def _copyltu(x: Array) -> Any:
    """The Hermitian matrix that has this one's lower triangle, and the real part of its diagonal.

    (Walter and Lehmann's name: the lower triangle is copied to the upper.)
    """
    below = np.tril(x, -1)
    made = below + adjoint(below)
    places = np.arange(x.shape[-1])
    made[..., places, places] = x[..., places, places].real
    return made


def _copyltu_back(g: Any, y: Any, x: Any) -> Any:
    both = g + adjoint(g)
    return (np.tril(both) + np.tril(both, -1)) / 2


def _cholesky_back(g: Any, y: Any, a: Any, *, upper: bool, name: str, check: bool = True) -> Any:
    lower, g = (adjoint(y), adjoint(g)) if upper else (y, g)
    inner = adjoint(lower) @ g
    if is_complex(inner):  # PyTorch leaves the diagonal complex
        middle = (np.tril(inner) + adjoint(np.tril(inner, -1))) / 2
    else:
        middle = COPYLTU(inner) / 2
    left = TRIANGULAR(adjoint(lower), middle, upper=True, left=True, unit=False)
    return TRIANGULAR(lower, left, upper=False, left=False, unit=False)


def _qr(a: Array, *, output: int, mode: str) -> Any:
    if mode == "r":
        return np.zeros((0,), a.dtype) if output == 0 else np.linalg.qr(a, "r")
    found = np.linalg.qr(a, "complete" if mode == "complete" else "reduced")[output]
    return lapack.by_columns(found)


def _qr_back(g: Any, y: Any, a: Any, *, output: int, mode: str) -> Any:
    if mode == "r":
        raise RuntimeError(QR_NEEDS_Q)
    if mode == "complete" and a.shape[-2] > a.shape[-1]:
        raise RuntimeError(QR_COMPLETE)
    q = y if output == 0 else QR(a, output=0, mode=mode)
    r = y if output == 1 else QR(a, output=1, mode=mode)
    m, n = a.shape[-2:]
    if m >= n:
        return _tall_qr_back(g, q, r, output)
    # A = [A1 A2], R = [R1 R2]: Q and R1 come from A1, and R2 is Q^H A2.
    r1 = columns(r, 0, m)
    if output == 0:
        square = _tall_qr_back(g, q, r1, 0)
        return np.concatenate([square, np.zeros_like(columns(a, m, n))], -1)
    g1, g2 = columns(g, 0, m), columns(g, m, n)
    square = _tall_qr_back(columns(a, m, n) @ adjoint(g2), q, r1, 0)
    return np.concatenate([square + _tall_qr_back(g1, q, r1, 1), q @ g2], -1)


def _tall_qr_back(g: Any, q: Any, r: Any, output: int) -> Any:
    both = COPYLTU(r @ adjoint(g) if output == 1 else -(adjoint(g) @ q))
    to_a = q @ both + g if output == 0 else q @ both
    return TRIANGULAR(adjoint(r), to_a, upper=False, left=False, unit=False)


QR_NEEDS_Q = (
    "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use "
    "linalg.qr(A, mode='reduced') if you are going to differentiate through linalg.qr."
)
QR_COMPLETE = "The QR decomposition is not differentiable when mode='complete' and nrows > ncols."
_TALL = np.concatenate([REGULAR, [[0.4, 1.1, -0.6]]])
COPYLTU: Op = Op(
    "copyltu", _copyltu, (_copyltu_back,), conjugate=False, samples=(Sample(((2, 2),)),)
)
QR: Op = Op(
    "linalg_qr",
    _qr,
    (_qr_back,),
    promote="none",
    reads=(frozenset({"y", 0}),),
    conjugate=False,
    samples=tuple(
        Sample((array,), {"output": output, "mode": "reduced"})
        for array in (_TALL, _TALL.T)
        for output in (0, 1)
    ),
)
ROWS = (
    Op(
        "linalg_cholesky",
        _cholesky,
        (_cholesky_back,),
        lambda p: "CholeskyBackward0" if p["name"] == "cholesky" else "LinalgCholeskyExBackward0",
        promote="none",
        conjugate=False,
        samples=(Sample(((1, 1),), {"upper": False, "name": "linalg.cholesky"}),),
    ),
    COPYLTU,
    QR,
)
