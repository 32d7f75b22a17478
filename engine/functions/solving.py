"""Inverses, solutions of linear systems, determinants."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import dtypes, errors
from engine.functions import shapes
from engine.functions.arithmetic import add, check_broadcast, eq
from engine.functions.checks import check_floating, check_kernel, check_matrix, check_square
from engine.functions.elementwise import log, where
from engine.functions.outputs import named_outputs, together
from engine.numeric import lapack
from engine.ops import OPS
from engine.tensor import Tensor, apply

InvEx = named_outputs("linalg_inv_ex", "inverse", "info")
SolveEx = named_outputs("linalg_solve_ex", "result", "info")
LinalgSlogdet = named_outputs("linalg_slogdet", "sign", "logabsdet")
Slogdet = named_outputs("slogdet", "sign", "logabsdet")
TriangularSolve = named_outputs("triangular_solve", "solution", "cloned_coefficient")


def _reports(a: Tensor) -> Tensor:
    return Tensor(lapack.lu(a._array)[2])


def inv(A: Tensor) -> Tensor:
    """The inverse of each square matrix; LinAlgError where one is singular."""
    check_square("linalg.inv", A)
    check_floating("linalg.inv", A)
    return apply(OPS["linalg_inv"], (A,), {})


def inverse(input: Tensor) -> Tensor:
    """The inverse of each square matrix; LinAlgError where one is singular."""
    return inv(input)


def inv_ex(A: Tensor, *, check_errors: bool = False) -> Any:
    """The inverses, and which of them failed; singular ones hold infinities and nan."""
    if check_errors:
        found = inv(A)
    else:
        check_square("linalg.inv", A)
        check_floating("linalg.inv", A)
        found = apply(OPS["linalg_inv"], (A,), {"check": False})
    return InvEx(found, _reports(A))


def _solve(A: Tensor, B: Tensor, *, left: bool, check: bool) -> Tensor:
    name = "linalg.solve"
    check_matrix(name, A)
    a, b = A._array.shape, B._array.shape
    vector = len(b) == 1 or (len(a) - 1 == len(b) and b == a[:-1])
    check_floating(name, A)
    if A._array.dtype != B._array.dtype:
        raise RuntimeError(
            f"{name}: Expected A and B to have the same dtype, but found A of type "
            f"{dtypes.word(A.dtype)} and B of type {dtypes.word(B.dtype)} instead"
        )
    check_square(name, A)
    if not left and vector:
        raise RuntimeError(
            f"{name}: Vector broadcasting of the left hand side is not supported for left=False. "
            "In this case linalg.solve is equivalent to B / A.squeeze(-1)"
        )
    if not vector:
        check_matrix(name, B, "B")
    check_fit(name, a, (*b, 1) if vector else b, left=left)
    check_broadcast((*b, 1)[:-2] if vector else b[:-2], a[:-2])
    return apply(OPS["linalg_solve"], (A, B), {"left": left, "vector": vector, "check": check})


def check_fit(name: str, a: tuple[int, ...], b: tuple[int, ...], *, left: bool) -> None:
    """Raise RuntimeError where the sizes of a system do not match."""
    if a[-2] != (b[-2] if left else b[-1]):
        equation = "AX = B" if left else "XA = B"
        raise RuntimeError(
            f"{name}: Incompatible shapes of A and B for the equation {equation} "
            f"({a[-2]}x{a[-1]} and {b[-2]}x{b[-1]})"
        )


def solve(A: Tensor, B: Tensor, *, left: bool = True) -> Tensor:
    """X with A X = B, or with X A = B; LinAlgError where a matrix is singular."""
    return _solve(A, B, left=left, check=True)


def solve_ex(A: Tensor, B: Tensor, *, left: bool = True, check_errors: bool = False) -> Any:
    """The solutions, and which of them failed."""
    return SolveEx(_solve(A, B, left=left, check=check_errors), _reports(A))


def solve_triangular(
    A: Tensor, B: Tensor, *, upper: bool, left: bool = True, unitriangular: bool = False
) -> Tensor:
    """X with A X = B where only a triangle of A is read."""
    name = "linalg.solve_triangular"
    check_square(name, A)
    check_matrix(name, B, "B")
    check_fit(name, A._array.shape, B._array.shape, left=left)
    check_broadcast(B._array.shape[:-2], A._array.shape[:-2])
    check_kernel("triangular_solve_cpu", A)
    params = {"upper": upper, "left": left, "unit": unitriangular}
    return apply(OPS["linalg_solve_triangular"], (A, B), params)


TRIANGULAR_SOLVE = (
    "torch.triangular_solve is deprecated in favor of torch.linalg.solve_triangularand will be "
    "removed in a future PyTorch release.\ntorch.linalg.solve_triangular has its arguments "
    "reversed and does not return a copy of one of the inputs.\nX = torch.triangular_solve(B, A)."
    "solution\nshould be replaced with\nX = torch.linalg.solve_triangular(A, B)."
)


def triangular_solve(
    input: Tensor,
    A: Tensor,
    upper: bool = True,
    transpose: bool = False,
    unitriangular: bool = False,
) -> Any:
    """The solution of A X = input, or of A^T X = input, and a copy of A."""
    errors.warn_once(TRIANGULAR_SOLVE)
    _check_pair("triangular_solve", A, input)
    params = {"upper": upper, "transpose": transpose, "unit": unitriangular}
    stack = np.broadcast_shapes(A._array.shape[:-2], input._array.shape[:-2])
    solution, copy = (
        apply(OPS["triangular_solve"], (input, A), {**params, "output": output, "stack": stack})
        for output in (0, 1)
    )
    return TriangularSolve(*together([solution, copy]))


def _check_pair(name: str, A: Tensor, b: Tensor) -> None:
    m, n = A._array.shape[-2:]
    rows, columns = b._array.shape[-2:]
    if m != n:
        raise RuntimeError(
            f"{name}: A must be batches of square matrices, but they are {m} by {n} matrices"
        )
    if n != rows:
        raise RuntimeError(
            f"Incompatible matrix sizes for {name}: each A matrix is {m} by {n} but each b matrix "
            f"is {rows} by {columns}"
        )


def det(input: Tensor) -> Tensor:
    """The determinant of each square matrix."""
    return linalg_det(input)


def linalg_det(A: Tensor) -> Tensor:
    """The determinant of each square matrix."""
    check_square("linalg.det", A)
    check_floating("linalg.det", A, "lu_cpu")
    return apply(OPS["linalg_det"], (A,), {})


def _slogdet(A: Tensor) -> list[Tensor]:
    check_square("linalg.slogdet", A)
    check_floating("linalg.slogdet", A)
    outputs = [apply(OPS["linalg_slogdet"], (A,), {"output": output}) for output in (0, 1)]
    return list(together(outputs))


def linalg_slogdet(A: Tensor) -> Any:
    """The sign of each determinant and the logarithm of its size."""
    return LinalgSlogdet(*_slogdet(A))


def slogdet(input: Tensor) -> Any:
    """The sign of each determinant and the logarithm of its size."""
    return Slogdet(*_slogdet(input))


def logdet(input: Tensor) -> Tensor:
    """The logarithm of each determinant; nan where it is negative."""
    sign, size = _slogdet(input)
    if input._array.dtype.kind == "c":
        return add(log(sign), size)
    return where(eq(sign, -1.0), float("nan"), size)  # type: ignore[no-any-return]


def cholesky_solve(input: Tensor, input2: Tensor, upper: bool = False) -> Tensor:
    """X with A X = input, where `input2` is the Cholesky factor of A."""
    _check_pair("cholesky_solve", input2, input)
    check_broadcast(input._array.shape[:-2], input2._array.shape[:-2])
    return apply(OPS["cholesky_solve"], (input, input2), {"upper": upper})


def cholesky_inverse(input: Tensor, upper: bool = False) -> Tensor:
    """The inverse of the matrix whose Cholesky factor this is."""
    check_square("cholesky_inverse", input)
    return apply(OPS["cholesky_inverse"], (input,), {"upper": upper})


def tensorinv(input: Tensor, ind: int = 2) -> Tensor:
    """The inverse of A as a map from its last axes to its first `ind`."""
    if ind <= 0:
        raise RuntimeError("Expected a strictly positive integer for 'ind'")
    shape = input._array.shape
    rows, columns = math.prod(shape[:ind]), math.prod(shape[ind:])
    if rows != columns:
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[ind:]) == "
            f"prod(self.shape[:ind]), but got {columns} != {rows}"
        )
    return shapes.reshape(inv(shapes.reshape(input, rows, columns)), *shape[ind:], *shape[:ind])


def tensorsolve(input: Tensor, other: Tensor, dims: Any = None) -> Tensor:
    """X with tensordot(A, X) = B."""
    if dims is not None:
        moved = [axis for axis in range(input._array.ndim) if axis not in dims]
        input = shapes.permute(input, *moved, *dims)
    shape = input._array.shape
    rest = shape[other._array.ndim :]
    rows, columns = math.prod(rest), other._array.size
    if rows != columns:
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == "
            f"prod(self.shape[:other.ndim]), but got {rows} != {columns}"
        )
    found = solve(shapes.reshape(input, columns, rows), shapes.flatten(other))
    return shapes.reshape(found, *rest)
