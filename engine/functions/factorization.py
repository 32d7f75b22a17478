"""Triangular and orthogonal factors of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.functions.arithmetic import check_broadcast
from engine.functions.checks import check_floating, check_kernel, check_matrix, check_square
from engine.functions.outputs import named_outputs, together
from engine.functions.solving import check_fit
from engine.numeric import lapack
from engine.ops import OPS
from engine.ops.factorization import cholesky_reports
from engine.ops.linalg import adjoint
from engine.ops.lu import permutation_of
from engine.tensor import Tensor, apply

CholeskyEx = named_outputs("linalg_cholesky_ex", "L", "info")
LinalgQr = named_outputs("linalg_qr", "Q", "R")
Qr = named_outputs("qr", "Q", "R")
Lu = named_outputs("linalg_lu", "P", "L", "U")
LuFactor = named_outputs("linalg_lu_factor", "LU", "pivots")
LuFactorEx = named_outputs("linalg_lu_factor_ex", "LU", "pivots", "info")
LuUnpack = named_outputs("lu_unpack", "P", "L", "U")

_CHOLESKY = "linalg.cholesky"

# Warnings that PyTorch gives once: the names of an older day.
CHOLESKY = (
    "torch.cholesky is deprecated in favor of torch.linalg.cholesky and will be removed in a "
    "future PyTorch release.\nL = torch.cholesky(A)\nshould be replaced with\nL = "
    "torch.linalg.cholesky(A)\nand\nU = torch.cholesky(A, upper=True)\nshould be replaced with\nU "
    "= torch.linalg.cholesky(A).mH\nThis transform will produce equivalent results for all valid "
    "(symmetric positive definite) inputs."
)
QR = (
    "torch.qr is deprecated in favor of torch.linalg.qr and will be removed in a future PyTorch "
    "release.\nThe boolean parameter 'some' has been replaced with a string parameter 'mode'.\nQ, "
    "R = torch.qr(A, some)\nshould be replaced with\nQ, R = torch.linalg.qr(A, 'reduced' if some "
    "else 'complete')"
)
LU = (
    "torch.lu is deprecated in favor of torch.linalg.lu_factor / torch.linalg.lu_factor_ex and "
    "will be removed in a future PyTorch release.\nLU, pivots = torch.lu(A, compute_pivots)\n"
    "should be replaced with\nLU, pivots = torch.linalg.lu_factor(A, compute_pivots)\nand\n"
    "LU, pivots, info = torch.lu(A, compute_pivots, get_infos=True)\nshould be replaced with\n"
    "LU, pivots, info = torch.linalg.lu_factor_ex(A, compute_pivots)"
)
LU_SOLVE = (
    "torch.lu_solve is deprecated in favor of torch.linalg.lu_solveand will be removed in a future "
    "PyTorch release.\nNote that torch.linalg.lu_solve has its arguments reversed.\nX = "
    "torch.lu_solve(B, LU, pivots)\nshould be replaced with\nX = torch.linalg.lu_solve(LU, pivots, "
    "B)"
)


def _cholesky(A: Tensor, name: str, *, upper: bool, check: bool) -> Tensor:
    check_square(name, A)
    if name == "cholesky":
        check_kernel("cholesky_cpu", A)
    else:
        check_floating(name, A, "cholesky_cpu")
    return apply(OPS["linalg_cholesky"], (A,), {"upper": upper, "name": name, "check": check})


def linalg_cholesky(input: Tensor, *, upper: bool = False) -> Tensor:
    """L with A = L L^H, or its adjoint; LinAlgError unless A is positive definite."""
    return _cholesky(input, _CHOLESKY, upper=upper, check=True)


def cholesky(input: Tensor, upper: bool = False) -> Tensor:
    """L with A = L L^H, or, read from the upper triangle, U with A = U^H U."""
    errors.warn_once(CHOLESKY)
    return _cholesky(input, "cholesky", upper=upper, check=True)


def cholesky_ex(input: Tensor, *, upper: bool = False, check_errors: bool = False) -> Any:
    """The factors as far as they go, and where they end."""
    factor = _cholesky(input, _CHOLESKY, upper=upper, check=check_errors)
    array = input._array
    lower = adjoint(np.triu(array)) if upper else np.tril(array)
    return CholeskyEx(factor, Tensor(cholesky_reports(lower)[1]))


def _qr(A: Tensor, mode: str) -> tuple[Tensor, ...]:
    check_matrix("linalg.qr", A)
    check_floating("linalg.qr", A, "geqrf_cpu")
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), "
            "'r', or 'complete'"
        )
    outputs = [apply(OPS["linalg_qr"], (A,), {"output": output, "mode": mode}) for output in (0, 1)]
    return together(outputs)


def linalg_qr(A: Tensor, mode: str = "reduced") -> Any:
    """Q and R with A = Q R, Q orthogonal and R upper triangular."""
    return LinalgQr(*_qr(A, mode))


def qr(input: Tensor, some: bool = True) -> Any:
    """Q and R with A = Q R."""
    errors.warn_once(QR)
    return Qr(*_qr(input, "reduced" if some else "complete"))


def _check_pivot(A: Tensor, name: str, *, pivot: bool) -> None:
    if A._array.ndim < 2:
        raise RuntimeError(
            f"{name}: Expected tensor with 2 or more dimensions. Got size: "
            f"{list(A._array.shape)} instead"
        )
    check_kernel("lu_cpu", A)
    if not pivot:
        raise RuntimeError("linalg.lu_factor: LU without pivoting is not implemented on the CPU")


def linalg_lu(A: Tensor, *, pivot: bool = True) -> Any:
    """P, L and U with A = P L U."""
    _check_pivot(A, "linalg.lu", pivot=pivot)
    low, up = (apply(OPS["linalg_lu"], (A,), {"output": output}) for output in (1, 2))
    return Lu(apply(OPS["lu_permutation"], (A,), {}), *together([low, up]))


def lu_factor(A: Tensor, *, pivot: bool = True) -> Any:
    """L and U packed in one matrix, and the rows that were exchanged."""
    packed, pivots, infos = lu_factor_ex(A, pivot=pivot)
    lapack.failed("torch.linalg.lu_factor", lapack.LU_FACTOR, infos._array, RuntimeError)
    return LuFactor(packed, pivots)


def lu_factor_ex(A: Tensor, *, pivot: bool = True, check_errors: bool = False) -> Any:
    """L and U packed in one matrix, the rows that were exchanged, and where a pivot is zero."""
    _check_pivot(A, "torch.lu_factor", pivot=pivot)
    _, pivots, infos = lapack.lu(A._array)
    if check_errors:
        lapack.failed("torch.linalg.lu_factor", lapack.LU_FACTOR, infos, RuntimeError)
    return LuFactorEx(apply(OPS["linalg_lu_factor"], (A,), {}), Tensor(pivots), Tensor(infos))


def lu(A: Tensor, pivot: bool = True, get_infos: bool = False) -> Any:
    """L and U packed in one matrix, the rows that were exchanged, and reports if asked for."""
    errors.warn_once(LU)
    found = lu_factor_ex(A, pivot=pivot, check_errors=not get_infos)
    return tuple(found) if get_infos else (found.LU, found.pivots)


def lu_unpack(
    LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True
) -> Any:
    """P, L and U from what `lu_factor` gives."""
    if LU_pivots._array.dtype != np.int32:
        raise RuntimeError(
            "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 "
            "dtype.\nNote: this function is intended to be used with the output produced by "
            "torch.linalg.lu_factor"
        )
    empty = Tensor(np.zeros((0,), LU_data._array.dtype))
    p, factors = empty, (empty, empty)
    if unpack_pivots:
        p = Tensor(np.array(permutation_of(LU_data._array, LU_pivots._array)))
    if unpack_data:
        row = OPS["lu_unpack"]
        factors = together([apply(row, (LU_data,), {"output": k}) for k in (1, 2)])  # type: ignore[assignment]
    return LuUnpack(p, *factors)


def linalg_lu_solve(
    LU: Tensor, pivots: Tensor, B: Tensor, *, left: bool = True, adjoint: bool = False
) -> Tensor:
    """X with A X = B (X A = B, A^H X = B) from the packed factors of A."""
    check_square("torch.linalg.lu_solve", LU, "LU")
    check_matrix("torch.linalg.lu_solve", B, "B")
    if pivots._array.dtype != np.int32:
        raise RuntimeError("linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32")
    check_fit("linalg.lu_solve", LU._array.shape, B._array.shape, left=left)
    check_broadcast(B._array.shape[:-2], LU._array.shape[:-2])
    return apply(OPS["linalg_lu_solve"], (LU, pivots, B), {"left": left, "back": adjoint})


def lu_solve(b: Tensor, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
    """X with A X = b from the packed factors of A."""
    errors.warn_once(LU_SOLVE)
    return linalg_lu_solve(LU_data, LU_pivots, b)
