"""Linear systems: inverses, solutions, and the least squares.

The rules are those of M. Giles, "Collected matrix derivative results for forward and reverse mode
algorithmic differentiation" (2008); conjugates stand where complex numbers need them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.arrays import Array
from engine.numeric import lapack
from engine.op import Op, Sample
from engine.ops.linalg import adjoint, conjugated, is_complex, turned

# Rows and columns of small regular matrices.
REGULAR = np.array([[2.0, 0.3, 0.5], [0.4, -1.5, 0.2], [0.7, 0.1, 1.2]])
STACK = np.stack([REGULAR, REGULAR.T - np.eye(3)])


def solved(a: Array, b: Array) -> Array:
    """The solution of each system, with infinities and nan where a matrix is singular."""
    try:
        return np.asarray(np.linalg.solve(a, b))
    except np.linalg.LinAlgError:
        packed, pivots, _ = lapack.lu(a)
        z = lapack.substituted(packed, lapack.permuted(b, pivots), upper=False, unit=True)
        return lapack.substituted(packed, z, upper=True)


def _identity_like(a: Array) -> Array:
    return np.broadcast_to(np.eye(a.shape[-1], dtype=a.dtype), a.shape)


def _inv(a: Array, *, check: bool = True) -> Array:
    try:
        return lapack.by_columns(np.linalg.inv(a))
    except np.linalg.LinAlgError:
        if check:
            lapack.failed("linalg.inv", lapack.INVERSE, lapack.lu(a)[2])
        return lapack.by_columns(solved(a, _identity_like(a)))


def _solve(a: Array, b: Array, *, left: bool, vector: bool, check: bool = True) -> Any:
    if not left:
        return turned(_solve(turned(a), turned(b), left=True, vector=False, check=check))
    columns = b[..., None] if vector else b
    try:
        x = np.linalg.solve(a, columns)
    except np.linalg.LinAlgError:
        if check:
            lapack.failed("torch.linalg.solve", lapack.SOLVE, lapack.lu(a)[2])
        x = solved(a, columns)
    return x[..., 0] if vector else lapack.by_columns(x)


def _solve_b(g: Any, y: Any, a: Any, b: Any, *, left: bool, vector: bool, check: bool) -> Any:
    return SOLVE(adjoint(a), g, left=left, vector=vector, check=False)


def _solve_a(g: Any, y: Any, a: Any, b: Any, *, left: bool, vector: bool, check: bool) -> Any:
    to_b = SOLVE(adjoint(a), g, left=left, vector=vector, check=False)
    if vector:
        return -np.expand_dims(to_b, -1) * np.expand_dims(conjugated(y), -2)
    return -(to_b @ adjoint(y)) if left else -(adjoint(y) @ to_b)


def triangle(x: Any, *, upper: bool, unit: bool = False) -> Any:
    """The part of each matrix on one side of the diagonal, without it where that is all ones."""
    if upper:
        return np.triu(x, 1) if unit else np.triu(x)
    return np.tril(x, -1) if unit else np.tril(x)


def _triangular(a: Array, b: Array, *, upper: bool, left: bool, unit: bool) -> Any:
    if left:
        return lapack.by_columns(lapack.substituted(a, b, upper=upper, unit=unit))
    return turned(lapack.substituted(turned(a), turned(b), upper=not upper, unit=unit))


def _triangular_b(g: Any, y: Any, a: Any, b: Any, *, upper: bool, left: bool, unit: bool) -> Any:
    return TRIANGULAR(adjoint(a), g, upper=not upper, left=left, unit=unit)


def _triangular_a(g: Any, y: Any, a: Any, b: Any, *, upper: bool, left: bool, unit: bool) -> Any:
    to_b = TRIANGULAR(adjoint(a), g, upper=not upper, left=left, unit=unit)
    product = to_b @ adjoint(y) if left else adjoint(y) @ to_b
    return -triangle(product, upper=upper, unit=unit)


def _coefficients(a: Any, *, transpose: bool) -> Any:
    return turned(a) if transpose else a


def _old_triangular(b: Array, a: Array, *, upper: bool, transpose: bool, unit: bool, output: int,
                    stack: tuple[int, ...]) -> Any:  # fmt: skip
    if output == 1:
        return lapack.by_columns(np.array(np.broadcast_to(a, stack + a.shape[-2:])))
    return _triangular(
        _coefficients(a, transpose=transpose), b, upper=upper != transpose, left=True, unit=unit
    )


def _old_triangular_b(g: Any, y: Any, b: Any, a: Any, *, upper: bool, transpose: bool, unit: bool,
                      output: int, stack: tuple[int, ...]) -> Any:  # fmt: skip
    if output == 1:
        return np.zeros_like(b)
    a = _coefficients(a, transpose=transpose)
    return _triangular_b(g, y, a, b, upper=upper != transpose, left=True, unit=unit)


def _old_triangular_a(g: Any, y: Any, b: Any, a: Any, *, upper: bool, transpose: bool, unit: bool,
                      output: int, stack: tuple[int, ...]) -> Any:  # fmt: skip
    if output == 1:
        return g
    a = _coefficients(a, transpose=transpose)
    back = _triangular_a(g, y, a, b, upper=upper != transpose, left=True, unit=unit)
    return _coefficients(back, transpose=transpose)


def _det_back(g: Any, y: Any, a: Any) -> Any:
    # PyTorch's answer at a singular matrix is 0, whose inverse is not asked for.
    scale = np.expand_dims(np.expand_dims(g * conjugated(y), -1), -1)
    ones = np.broadcast_to(np.eye(a.shape[-1]), a.shape)
    singular = np.expand_dims(np.expand_dims(y == 0, -1), -1)
    return scale * adjoint(INV(np.where(singular, ones, a), check=False))


def _slogdet(a: Array, *, output: int) -> Array:
    return np.asarray(np.linalg.slogdet(a)[output])


def _slogdet_back(g: Any, y: Any, a: Any, *, output: int) -> Any:
    if output == 0:
        if not is_complex(a):
            return np.zeros_like(a)
        turn = conjugated(g) * y
        g = (conjugated(turn) - turn) / 2  # a complex sign turns, and keeps its length
    return np.expand_dims(np.expand_dims(g, -1), -1) * adjoint(INV(a, check=False))


def _factor(a: Array, *, upper: bool) -> Array:
    """The lower factor in a matrix that holds it, or its adjoint."""
    return adjoint(np.triu(a)) if upper else np.tril(a)


def _cholesky_solve(b: Array, a: Array, *, upper: bool) -> Array:
    lower = _factor(a, upper=upper)
    z = lapack.substituted(lower, b, upper=False)
    return lapack.by_columns(lapack.substituted(adjoint(lower), z, upper=True))


def _cholesky_solve_a(g: Any, y: Any, b: Any, a: Any, *, upper: bool) -> Any:
    half = CHOLESKY_SOLVE(g, a, upper=upper) @ adjoint(y)
    both = half + adjoint(half)
    return -(a @ both) if upper else -(both @ a)


def _cholesky_inverse(a: Array, *, upper: bool) -> Array:
    return _cholesky_solve(_identity_like(a), a, upper=upper)


def _cholesky_inverse_back(g: Any, y: Any, a: Any, *, upper: bool) -> Any:
    both = y @ (g + adjoint(g)) @ y
    return -(a @ both) if upper else -(both @ a)


SOLVE: Op = Op(
    "linalg_solve",
    _solve,
    (_solve_a, _solve_b),
    "LinalgSolveExBackward0",
    promote="none",
    conjugate=False,
    samples=(
        Sample((REGULAR, (3, 2)), {"left": True, "vector": False, "check": True}),
        Sample((REGULAR, (2, 3)), {"left": False, "vector": False, "check": True}),
        Sample((STACK, (2, 3)), {"left": True, "vector": True, "check": True}),
    ),
)
INV: Op = Op(
    "linalg_inv",
    _inv,
    (lambda g, y, a, *, check=True: -(adjoint(y) @ g @ adjoint(y)),),
    "LinalgInvExBackward0",
    promote="none",
    conjugate=False,
    samples=(Sample((REGULAR,)), Sample((STACK,))),
)
TRIANGULAR: Op = Op(
    "linalg_solve_triangular",
    _triangular,
    (_triangular_a, _triangular_b),
    promote="none",
    conjugate=False,
    samples=(
        Sample((REGULAR, (3, 2)), {"upper": True, "left": True, "unit": False}),
        Sample((REGULAR, (2, 3)), {"upper": False, "left": False, "unit": True}),
    ),
)
CHOLESKY_SOLVE: Op = Op(
    "cholesky_solve",
    _cholesky_solve,
    (lambda g, y, b, a, *, upper: CHOLESKY_SOLVE(g, a, upper=upper), _cholesky_solve_a),
    promote="none",
    conjugate=False,
    samples=(Sample(((1, 1), (1, 1)), {"upper": False}),),
)

_OLD = {"upper": True, "unit": False, "output": 0, "stack": ()}

ROWS = (
    Op(
        "triangular_solve",
        _old_triangular,
        (_old_triangular_b, _old_triangular_a),
        promote="none",
        reads=(frozenset({"y", 1, ("shape", 0)}), frozenset({"y", 1, ("shape", 0)})),
        conjugate=False,
        samples=tuple(
            Sample(((3, 2), REGULAR), {**_OLD, "transpose": transpose})
            for transpose in (True, False)
        ),
    ),
    SOLVE,
    INV,
    TRIANGULAR,
    CHOLESKY_SOLVE,
    Op(
        "cholesky_inverse",
        _cholesky_inverse,
        (_cholesky_inverse_back,),
        promote="none",
        conjugate=False,
        samples=(Sample(((1, 1),), {"upper": False}),),
    ),
    Op(
        "linalg_det",
        np.linalg.det,
        (_det_back,),
        promote="none",
        conjugate=False,
        samples=(Sample((REGULAR,)), Sample((STACK,))),
    ),
    Op(
        "linalg_slogdet",
        _slogdet,
        (_slogdet_back,),
        promote="none",
        reads=(frozenset({"y", 0}),),
        conjugate=False,
        samples=(Sample((STACK,), {"output": 1}),),
    ),
)
