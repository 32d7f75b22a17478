"""Which way eigenvectors point: implicit QL steps as PyTorch's library takes them.

An eigenvector may be turned round, and which way a routine leaves it follows from the rotations
it made. The steps are those of the symmetric QL algorithm (G. Golub and C. Van Loan, "Matrix
Computations", section 8.3) on the tridiagonal matrix that reflections lead to. Libraries differ
in the sign of a rotation alone: MKL's makes c positive only where |f| > |g|, newer ones always.
"""

from __future__ import annotations

from math import copysign, hypot, sqrt

import numpy as np

from engine.arrays import Array

LARGEST = 25  # larger matrices are divided first, and are left as NumPy's library leaves them


def turned_round(vectors: Array, a: Array, *, upper: bool) -> Array:
    """Eigenvectors of a Hermitian matrix with the signs, or phases, that PyTorch gives them."""
    wide = a.astype(np.complex128 if a.dtype.kind == "c" else np.float64)
    d, e, q = _tridiagonal(wide, upper=upper)
    eps = float(np.finfo(a.dtype).eps) / 2
    order = np.argsort(_diagonalised(d, e, q, eps), kind="stable")
    agreement = np.sum(q[:, order] * vectors.conj(), axis=0)
    size = np.abs(agreement)
    phase = np.where(size > 0, agreement / np.where(size > 0, size, 1), 1)
    made: Array = (vectors * phase).astype(vectors.dtype)
    return made


def _tridiagonal(a: Array, *, upper: bool) -> tuple[Array, Array, Array]:
    """Diagonal, off-diagonal and the unitary matrix of the reduction by reflections."""
    flip = slice(None, None, -1 if upper else 1)  # the upper triangle is reduced from its end
    a = np.tril(a[flip, flip])
    below = np.tril(a, -1)
    a = below + below.conj().T + np.diag(np.diag(a).real)
    n = len(a)
    q = np.eye(n, dtype=a.dtype)
    for i in range(n - 1):
        reflection = np.eye(n, dtype=a.dtype)
        reflection[i + 1 :, i + 1 :] = _reflection(a[i + 1 :, i].copy())
        a, q = reflection.conj().T @ a @ reflection, q @ reflection
    d, e = (np.diag(a, k).real[flip].copy() for k in (0, -1))
    return d, e, q[flip, flip].copy()


def _reflection(column: Array) -> Array:
    """The matrix whose adjoint turns a column into a real multiple of the first axis."""
    n = len(column)
    first, rest = column[0], float(np.linalg.norm(column[1:]))
    if not rest and not first.imag:
        return np.eye(n, dtype=column.dtype)
    pivot = -copysign(hypot(abs(first), rest), first.real)
    v = column / (first - pivot)
    v[0] = 1
    made: Array = np.eye(n) - (pivot - first) / pivot * np.outer(v, v.conj())
    return made


def _rotation(f: float, g: float) -> tuple[float, float, float]:
    """C, s and r with c f + s g = r and c g = s f."""
    if g == 0:
        return 1.0, 0.0, f
    if f == 0:
        return 0.0, 1.0, g
    r = sqrt(f * f + g * g)
    if abs(f) > abs(g) and f < 0:
        r = -r
    return f / r, g / r, r


def _rotate(q: Array, first: int, second: int, c: float, s: float) -> None:
    """Turn two columns into one another, in place."""
    kept = q[:, second].copy()
    q[:, second] = c * kept - s * q[:, first]
    q[:, first] = s * kept + c * q[:, first]


def _diagonalised(d: Array, e: Array, q: Array, eps: float) -> Array:
    """The eigenvalues; `d`, `e` and `q` are worked on in place."""
    start = 0
    while start < len(d):
        stop = start
        while stop < len(e) and not _is_small(e[stop], d[stop], d[stop + 1], eps):
            stop += 1
        if stop < len(e):
            e[stop] = 0
        block = slice(start, stop + 1)
        parts = d[block], e[start:stop], q[:, block]
        back = abs(d[stop]) < abs(d[start])  # from the end where the larger number is
        if back:
            parts = parts[0][::-1], parts[1][::-1], parts[2][:, ::-1]
        _block(*parts, eps, back=back)
        start = stop + 1
    return d


def _is_small(e: float, above: float, below: float, eps: float) -> bool:
    return bool(abs(e) <= sqrt(abs(above)) * sqrt(abs(below)) * eps)


def _block(d: Array, e: Array, q: Array, eps: float, *, back: bool) -> None:
    """Take QL steps until nothing off the diagonal is left."""
    at = 0
    while at < len(d):
        end = at
        while end < len(e) and e[end] ** 2 > eps * eps * abs(d[end]) * abs(d[end + 1]):
            end += 1
        if end < len(e):
            e[end] = 0
        if end > at + 1:
            _step(d, e, q, at, end)
            continue
        if end == at + 1:
            first, second = (end, at) if back else (at, end)
            d[first], d[second], c, s = _of_two(float(d[first]), float(e[at]), float(d[second]))
            _rotate(q, first, second, c, s)
            e[at] = 0
        at = end + 1


def _step(d: Array, e: Array, q: Array, at: int, end: int) -> None:
    """One implicit QL step from `end` up to `at`, with Wilkinson's shift."""
    g = (d[at + 1] - d[at]) / (2 * e[at])
    g = float(d[end] - d[at] + e[at] / (g + copysign(hypot(g, 1), g)))
    s = c = 1.0
    p = 0.0
    for i in range(end - 1, at - 1, -1):
        f, b = s * float(e[i]), c * float(e[i])
        c, s, r = _rotation(g, f)
        if i != end - 1:
            e[i + 1] = r
        g = float(d[i + 1]) - p
        r = (float(d[i]) - g) * s + 2 * c * b
        p = s * r
        d[i + 1] = g + p
        g = c * r - b
        _rotate(q, i, i + 1, c, -s)
    d[at] -= p
    e[at] = g


def _of_two(a: float, b: float, c: float) -> tuple[float, float, float, float]:
    """The eigenvalues of [[a, b], [b, c]], the larger in size first, and its vector."""
    total, gap, size = a + c, a - c, hypot(a - c, 2 * b)
    sign = -1 if total < 0 else 1
    large = (total + sign * size) / 2
    small = (max(a, c, key=abs) / large) * min(a, c, key=abs) - (b / large) * b if total else -large
    turn = 1 if gap >= 0 else -1
    far = gap + turn * size
    if abs(far) > abs(2 * b):
        x = -2 * b / far
        s = 1 / sqrt(1 + x * x)
        c1, s1 = x * s, s
    elif b == 0:
        c1, s1 = 1.0, 0.0
    else:
        x = -far / (2 * b)
        c1 = 1 / sqrt(1 + x * x)
        s1 = x * c1
    return (large, small, -s1, c1) if sign == turn else (large, small, c1, s1)
