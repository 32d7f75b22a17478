"""Eigenvalues, singular values, pseudo-inverses, least squares, the exponential."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.functions import shapes
from engine.functions.checks import check_floating, check_kernel, check_matrix, check_square
from engine.functions.outputs import named_outputs, together
from engine.ops import OPS
from engine.ops.least_squares import least_squares
from engine.ops.spectral import EIG, limit_of
from engine.state import STATE
from engine.tensor import Tensor, apply

Eigh = named_outputs("linalg_eigh", "eigenvalues", "eigenvectors")
Eig = named_outputs("linalg_eig", "eigenvalues", "eigenvectors")
LinalgSvd = named_outputs("linalg_svd", "U", "S", "Vh")
Svd = named_outputs("svd", "U", "S", "V")
Lstsq = named_outputs("linalg_lstsq", "solution", "residuals", "rank", "singular_values")


def _eigh(A: Tensor, uplo: str) -> tuple[Tensor, ...]:
    check_square("linalg.eigh", A)
    if uplo.upper() not in ("L", "U"):
        raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {uplo}")
    check_kernel("linalg_eigh_cpu", A)
    params = {"UPLO": uplo.upper()}
    row = OPS["linalg_eigh"]
    return together([apply(row, (A,), {**params, "output": output}) for output in (0, 1)])


def eigh(input: Tensor, UPLO: str = "L") -> Any:
    """Eigenvalues, ascending, and eigenvectors of Hermitian matrices, read from one triangle."""
    return Eigh(*_eigh(input, UPLO))


def eigvalsh(input: Tensor, UPLO: str = "L") -> Tensor:
    """The eigenvalues of Hermitian matrices, ascending."""
    return _eigh(input, UPLO)[0]


def _eig(A: Tensor, name: str) -> tuple[Tensor, ...]:
    check_square(name, A)
    if A._array.dtype.kind not in "fc":
        raise RuntimeError(f"Unknown Complex ScalarType for {dtypes.word(A.dtype)}")
    check_kernel("linalg_eig_out_cpu", A)
    if not np.isfinite(A._array).all():
        raise RuntimeError("torch.linalg.eig: input tensor should not contain infs or NaNs.")
    return together([apply(EIG, (A,), {"output": output}) for output in (0, 1)])


def eig(input: Tensor) -> Any:
    """Eigenvalues and eigenvectors, complex."""
    return Eig(*_eig(input, "linalg.eig"))


def eigvals(input: Tensor) -> Tensor:
    """The eigenvalues, complex."""
    name = "linalg.eig" if input.requires_grad else "linalg.eigvals"
    return _eig(input, name)[0]


def _svd(A: Tensor, *, full: bool) -> tuple[Tensor, ...]:
    check_matrix("linalg.svd", A)
    check_floating("linalg.svd", A, "linalg_svd_cpu")
    row = OPS["linalg_svd"]
    return together([apply(row, (A,), {"output": k, "full": full}) for k in range(3)])


def linalg_svd(A: Tensor, full_matrices: bool = True, *, driver: str | None = None) -> Any:
    """U, S and Vh with A = U diag(S) Vh, the singular values descending."""
    _check_driver(driver)
    return LinalgSvd(*_svd(A, full=full_matrices))


def _check_driver(driver: str | None) -> None:
    if driver is not None:
        raise RuntimeError(
            "torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with "
            "cuSOLVER backend."
        )


def svdvals(A: Tensor, *, driver: str | None = None) -> Tensor:
    """The singular values, descending."""
    _check_driver(driver)
    return _svd(A, full=False)[1]


def svd(input: Tensor, some: bool = True, compute_uv: bool = True) -> Any:
    """U, S and V with A = U diag(S) V^H; without vectors, zeros in their place."""
    if input._array.ndim < 2:
        raise RuntimeError(
            "linalg.svd: input should have at least 2 dimensions, but has "
            f"{input._array.ndim} dimensions instead"
        )
    u, s, vh = _svd(input, full=not some)
    if not compute_uv:
        (*stack, m, n), kind = input._array.shape, input._array.dtype
        return Svd(
            Tensor(np.zeros((*stack, m, m), kind)), s, Tensor(np.zeros((*stack, n, n), kind))
        )
    return Svd(u, s, shapes.transpose(vh, -2, -1).conj())


def pinv(
    input: Tensor,
    rcond: Any = None,
    hermitian: bool = False,
    *,
    atol: Any = None,
    rtol: Any = None,
) -> Tensor:
    """The pseudo-inverse; singular values of at most max(atol, rtol * largest) count as zero."""
    if (
        input._array.ndim < 2
        or input._array.dtype.kind not in "fc"
        or input._array.dtype.itemsize == 2
    ):
        raise RuntimeError(
            f"linalg.pinv({dtypes.word(input.dtype)}{{{list(input._array.shape)}}}): expected a "
            "tensor with 2 or more dimensions of float, double, cfloat or cdouble types"
        )
    if hermitian:
        check_square("linalg.pinv", input)
    numbers = [
        given._array if isinstance(given, Tensor) else given
        for given in (atol, rtol if rcond is None else rcond)
    ]
    if any(np.ndim(given) > input._array.ndim - 2 for given in numbers if given is not None):
        raise NotImplementedError("pinv with a tolerance of more axes than the stack has")
    params = {"atol": numbers[0], "rtol": numbers[1], "hermitian": hermitian}
    return apply(OPS["linalg_pinv"], (input,), params)


def pinverse(input: Tensor, rcond: float = 1e-15) -> Tensor:
    """The pseudo-inverse."""
    return pinv(input, rcond)


def matrix_rank(
    input: Tensor,
    tol: Any = None,
    hermitian: bool = False,
    *,
    atol: Any = None,
    rtol: Any = None,
) -> Tensor:
    """How many singular values are above the tolerance."""
    check_matrix("torch.linalg.matrix_rank", input, "input")
    if input._array.dtype.kind not in "fc" or input._array.dtype.itemsize == 2:
        raise RuntimeError("This function doesn't handle types other than float and double")

    quiet = Tensor(input._array)
    values = eigvalsh(quiet).abs() if hermitian else svdvals(quiet)
    bounds = [given._array if isinstance(given, Tensor) else given for given in (atol, rtol)]
    if tol is not None:
        bounds = [tol._array if isinstance(tol, Tensor) else tol, 0.0]
    limit = limit_of(values._array, input._array, *bounds)
    return Tensor(np.asarray((values._array > limit).sum(-1)))


def lstsq(
    input: Tensor, b: Tensor, rcond: float | None = None, *, driver: str | None = None
) -> Any:
    """The X of smallest norm that brings A X nearest to B, with ranks and singular values.

    Gradients are those of the usual driver; with another one named they are declined.
    """
    vector = _check_lstsq(input, b)
    if driver is not None and STATE.grad_enabled and (input.requires_grad or b.requires_grad):
        raise NotImplementedError("Gradients of linalg.lstsq are there where no driver is named.")
    a, columns = input._array, b._array[..., None] if vector else b._array
    method = driver or "gelsy"
    if method not in ("gels", "gelsy", "gelsd", "gelss"):
        raise RuntimeError(
            "torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)"
        )
    _, ranks, values = least_squares(a, columns, rcond)
    m, n = a.shape[-2:]
    full = bool((ranks == min(m, n)).all())
    if method == "gels" and not full:
        raise NotImplementedError("driver='gels' is available for matrices of full rank")
    params = {"rcond": rcond, "vector": vector}
    over = {"over": m > n and full and method != "gelsy"}
    row = OPS["linalg_lstsq"]
    outputs = [
        apply(row, (input, b), {**params, "output": 0}),
        apply(row, (input, b), {**params, **over, "output": 1}),
    ]
    return Lstsq(
        *together(outputs),
        Tensor(np.asarray(ranks) if method != "gels" else np.zeros((0,), np.int64)),
        Tensor(values if method in ("gelsd", "gelss") else np.zeros((0,), values.dtype)),
    )


def _check_lstsq(A: Tensor, B: Tensor) -> bool:
    name, a, b = "torch.linalg.lstsq", A._array, B._array
    if a.ndim < 2:
        raise RuntimeError(f"{name}: input must have at least 2 dimensions.")
    if b.ndim < 1:
        raise RuntimeError(f"{name}: other must have at least 1 dimension.")
    if a.dtype != b.dtype:
        raise RuntimeError(
            f"{name}: Expected input and other to have the same dtype, but got input's dtype "
            f"{dtypes.word(A.dtype)} and other's dtype {dtypes.word(B.dtype)}"
        )
    if a.dtype.kind not in "fc" or a.dtype.itemsize == 2:
        raise RuntimeError("This function doesn't handle types other than float and double")
    vector = b.ndim == 1 or (a.ndim - 1 == b.ndim and b.shape == a.shape[:-1])
    if a.shape[-2] != b.shape[-1 if vector else -2]:
        raise RuntimeError(
            f"{name}: input.size(-2) should match other.size({-1 if vector else -2})"
        )
    return bool(vector)


def matrix_exp(input: Tensor) -> Tensor:
    """The exponential of each square matrix."""
    check_square("linalg.matrix_exp", input)
    if input._array.dtype.kind not in "fc":
        check_floating("linalg.matrix_exp", input)
    return apply(OPS["linalg_matrix_exp"], (input,), {})
