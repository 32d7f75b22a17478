"""Where a factorisation breaks down: LAPACK's reports, and the error that PyTorch makes of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.arrays import Array


class _LinAlgError(RuntimeError):
    """A matrix does not allow what was asked; `torch.linalg.LinAlgError`."""


LinAlgError = _LinAlgError

INVERSE = (
    "The diagonal element {info} is zero, the inversion could not be completed because the input "
    "matrix is singular."
)
SOLVE = "The solver failed because the input matrix is singular."
CHOLESKY = (
    "The factorization could not be completed because the input is not positive-definite (the "
    "leading minor of order {info} is not positive-definite)."
)
NOT_FINITE = (
    "The algorithm failed to converge because the input matrix contained non-finite values."
)
NO_CONVERGENCE = (
    "The algorithm failed to converge because the input matrix is ill-conditioned or has too many "
    "repeated {what} values (error code: {info})."
)
LU_FACTOR = (
    "U[{info},{info}] is zero and using it on lu_solve would result in a division by zero. If you "
    "still want to perform the factorization, consider calling linalg.lu(A, pivot) or "
    "linalg.lu_factor_ex(A, pivot)"
)


def failed(name: str, text: str, infos: Array, kind: type[RuntimeError] = LinAlgError) -> None:
    """Raise where a report is not 0, naming the first such matrix of a stack."""
    bad = np.flatnonzero(infos)
    if bad.size:
        where = f"(Batch element {bad[0]}): " if infos.ndim else ""
        raise kind(f"{name}: {where}{text.format(info=int(infos.reshape(-1)[bad[0]]))}")


def routine(name: str, x: Array) -> Any:
    """LAPACK's routine for this dtype."""
    from scipy.linalg import get_lapack_funcs

    return get_lapack_funcs((name,), (x,))[0]


def each(x: Array, function: Any, *shapes: tuple[tuple[int, ...], Any]) -> tuple[Array, ...]:
    """Run `function` on each matrix of a stack; `shapes` are those of its results, with dtypes."""
    stack = x.shape[:-2]
    results = tuple(np.zeros(stack + shape, kind) for shape, kind in shapes)
    for place in np.ndindex(stack):
        for result, value in zip(results, function(x[place]), strict=True):
            result[place] = value
    return results


def by_columns(x: Array) -> Array:
    """The matrices with their columns in one piece, as LAPACK leaves them."""
    return np.swapaxes(np.ascontiguousarray(np.swapaxes(x, -1, -2)), -1, -2)


def lu(x: Array) -> tuple[Array, Array, Array]:
    """The factors of each matrix packed in one, the pivots counted from 1, and the reports."""
    m, n = x.shape[-2:]
    getrf = routine("getrf", x)

    def factored(a: Array) -> tuple[Any, ...]:
        packed, pivots, info = getrf(a) if a.size else (a, np.zeros(0, np.int32), 0)
        return packed, pivots + 1, info

    i32 = np.dtype(np.int32)
    packed, pivots, infos = each(x, factored, ((m, n), x.dtype), ((min(m, n),), i32), ((), i32))
    return packed, pivots, infos


def substituted(a: Array, b: Array, *, upper: bool, unit: bool = False) -> Array:
    """The solution of a triangular system by substitution; divides by zero where a has one."""
    n = a.shape[-1]
    stack = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    x = np.array(np.broadcast_to(b, stack + b.shape[-2:]))
    with np.errstate(all="ignore"):
        for i in range(n)[:: -1 if upper else 1]:
            known = slice(i + 1, n) if upper else slice(0, i)
            x[..., i, :] -= (a[..., i, None, known] @ x[..., known, :])[..., 0, :]
            if not unit:
                x[..., i, :] /= a[..., i, None, i]
    return x


def permuted(b: Array, pivots: Array, *, back: bool = False) -> Array:
    """Rows exchanged as the pivots say, one after the other; with `back` undone."""
    stack = np.broadcast_shapes(b.shape[:-2], pivots.shape[:-1])
    order = np.array(np.broadcast_to(np.arange(b.shape[-2]), (*pivots.shape[:-1], b.shape[-2])))
    for i in range(pivots.shape[-1]):
        other = pivots[..., i, None].astype(np.intp) - 1
        here, there = order[..., i].copy(), np.take_along_axis(order, other, -1)
        np.put_along_axis(order, other, here[..., None], -1)
        order[..., i] = there[..., 0]
    if back:
        order = np.argsort(order, -1)
    wide = np.broadcast_to(b, stack + b.shape[-2:])
    return np.take_along_axis(
        wide, np.broadcast_to(order, (*stack, order.shape[-1]))[..., None], -2
    )


def svd(a: Array, *, full: bool) -> tuple[Array, Array, Array]:
    """U, S and Vh of each matrix, with the signs that PyTorch's library (MKL) leaves them.

    Which sign a pair of vectors gets follows from the route to a bidiagonal matrix. MKL takes the
    R of a tall matrix once it has half as many rows again as columns, and reduces a wide one as
    it is; NumPy's library takes the one step later, and takes the L of a wide matrix. Rows of
    zeros keep it from that.
    """
    m, n = a.shape[-2:]
    if n > 1 and int(1.5 * n) <= m:
        q, r = np.linalg.qr(a, "complete" if full else "reduced")
        u, s, vh = np.linalg.svd(r[..., :n, :])
        return np.concatenate([q[..., :n] @ u, q[..., n:]], -1), s, vh
    u, s, vh = np.linalg.svd(a, full)
    if 1 < m < n and int(m * 11 / 6) <= n:
        wide = _padded(a)
        padded_u, _, padded_vh = np.linalg.svd(wide, full)
        u = np.ascontiguousarray(padded_u[..., :m, :m])
        as_they_are = full and wide.shape[-1] == n and wide.shape[-2] == m + 1
        vh = padded_vh if as_they_are else np.concatenate(
            [padded_vh[..., :m, :n], vh[..., m:, :]], -2
        )  # fmt: skip
    return u, s, vh


def _padded(a: Array) -> Array:
    """A wide matrix with zeros below, and at the right, until it counts as nearly square."""
    m, n = a.shape[-2:]
    rows, columns = m, n
    while int(rows * 11 / 6) <= columns:
        rows += 1
        columns = max(n, rows + 1)
    made = np.zeros((*a.shape[:-2], rows, columns), a.dtype)
    made[..., :m, :n] = a
    return made
