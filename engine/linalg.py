"""`torch.linalg`: linear algebra by the names of that namespace."""

from __future__ import annotations

from engine.functions.chains import matrix_power, multi_dot
from engine.functions.contractions import vecdot
from engine.functions.factorization import cholesky_ex, lu_factor, lu_factor_ex
from engine.functions.factorization import linalg_cholesky as cholesky
from engine.functions.factorization import linalg_lu as lu
from engine.functions.factorization import linalg_lu_solve as lu_solve
from engine.functions.factorization import linalg_qr as qr
from engine.functions.norms import cond, matrix_norm, vector_norm
from engine.functions.norms import linalg_norm as norm
from engine.functions.powers import linalg_vander as vander
from engine.functions.products import matmul
from engine.functions.reflections import householder_product
from engine.functions.solving import (
    inv,
    inv_ex,
    solve,
    solve_ex,
    solve_triangular,
    tensorinv,
    tensorsolve,
)
from engine.functions.solving import linalg_det as det
from engine.functions.solving import linalg_slogdet as slogdet
from engine.functions.spectral import (
    eig,
    eigh,
    eigvals,
    eigvalsh,
    lstsq,
    matrix_exp,
    matrix_rank,
    pinv,
    svdvals,
)
from engine.functions.spectral import linalg_svd as svd
from engine.functions.sums import linalg_cross as cross
from engine.numeric.lapack import LinAlgError
from engine.tensor import Tensor

__all__ = [
    "LinAlgError", "cholesky", "cholesky_ex", "cond", "cross", "det", "diagonal", "eig", "eigh",
    "eigvals", "eigvalsh", "householder_product", "inv", "inv_ex", "lstsq", "lu", "lu_factor",
    "lu_factor_ex", "lu_solve", "matmul", "matrix_exp", "matrix_norm", "matrix_power",
    "matrix_rank", "multi_dot", "norm", "pinv", "qr", "slogdet", "solve", "solve_ex",
    "solve_triangular", "svd", "svdvals", "tensorinv", "tensorsolve", "vander", "vecdot",
    "vector_norm",
]  # fmt: skip


def diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """A view of the diagonals of matrices."""
    from engine.functions.arrangement import diagonal

    view: Tensor = diagonal(A, offset, dim1, dim2)
    return view
