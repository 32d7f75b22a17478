"""Singular values and principal components from a random sample of a matrix's range.

The algorithms 5.1 and 4.4 of N. Halko, P.-G. Martinsson and J. Tropp, "Finding structure with
randomness" (2009), with PyTorch's draws.
"""

from __future__ import annotations

from engine.functions import shapes
from engine.functions.arithmetic import sub
from engine.functions.complexes import conj
from engine.functions.creation import randn
from engine.functions.factorization import linalg_qr
from engine.functions.products import matmul
from engine.functions.reductions import mean
from engine.functions.spectral import linalg_svd
from engine.tensor import Tensor


def _adjoint(x: Tensor) -> Tensor:
    turned: Tensor = conj(shapes.transpose(x, -2, -1))
    return turned


def _basis(A: Tensor, q: int, niter: int) -> Tensor:
    """An orthonormal basis of nearly the range of A."""
    sample = randn(A._array.shape[-1], q, dtype=A.dtype)
    basis: Tensor = linalg_qr(matmul(A, sample)).Q
    for _ in range(niter):
        basis = linalg_qr(matmul(_adjoint(A), basis)).Q
        basis = linalg_qr(matmul(A, basis)).Q
    return basis


def svd_lowrank(
    A: Tensor, q: int | None = 6, niter: int | None = 2, M: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """U, S and V with A - M nearly U diag(S) V^H, `q` columns each."""
    if isinstance(q, Tensor):
        raise NotImplementedError("svd_lowrank takes the number of columns as a number")
    if M is not None:
        A = sub(A, shapes.expand(M, *A._array.shape))
    m, n = A._array.shape[-2:]
    tall = A if m >= n else _adjoint(A)
    basis = _basis(tall, 6 if q is None else q, 2 if niter is None else niter)
    u, s, vh = linalg_svd(matmul(_adjoint(basis), tall), full_matrices=False)
    left, right = matmul(basis, u), _adjoint(vh)
    return (left, s, right) if m >= n else (right, s, left)


def pca_lowrank(
    A: Tensor, q: int | None = None, center: bool = True, niter: int = 2
) -> tuple[Tensor, Tensor, Tensor]:
    """U, S and V of a matrix whose columns are centred first; V holds the principal directions."""
    if isinstance(q, Tensor):
        raise NotImplementedError("pca_lowrank takes the number of columns as a number")
    m, n = A._array.shape[-2:]
    if q is None:
        q = min(6, m, n)
    elif not 0 <= q <= min(m, n):
        raise ValueError(
            f"q(={q}) must be non-negative integer and not greater than min(m, n)={min(m, n)}"
        )
    if niter < 0:
        raise ValueError(f"niter(={niter}) must be non-negative integer")
    if center:
        A = sub(A, mean(A, (-2,), keepdim=True))
    return svd_lowrank(A, q, niter)
