"""Linear algebra gives what PyTorch gives: values, graphs, gradients, errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine
from engine.check import gradcheck, gradgradcheck
from tests.engine.against import ENGINE, TORCH, assert_same, numbers, run

_A = np.array([[2.0, 0.3, 0.5], [0.4, -1.5, 0.2], [0.7, 0.1, 1.2]])
_STACK = np.stack([_A, _A.T - 0.5 * np.eye(3)])
_POSITIVE = np.stack([_A @ _A.T + np.eye(3), _STACK[1] @ _STACK[1].T + np.eye(3)])
_TALL = np.concatenate([_A, [[0.4, 1.1, -0.6], [0.2, -0.9, 0.8]]])
MATRIX = {"a": _A}
STACK = {"a": _STACK}
COMPLEX = {"a": _A + 0.5j * np.roll(_A, 1)}
SYMMETRIC = {"a": _POSITIVE}
TALL = {"a": _TALL}
WIDE = {"a": np.ascontiguousarray(_TALL.T)}


def _with_b(arrays: dict[str, np.ndarray], *shape: int) -> dict[str, np.ndarray]:
    made = numbers(shape, "float64", 5)
    if arrays["a"].dtype.kind == "c":
        made = made + 1j * numbers(shape, "float64", 6)
    return {**arrays, "b": made}


@pytest.mark.parametrize("name", ["inv", "det", "pinv", "matrix_exp", "svdvals"])
@pytest.mark.parametrize("arrays", [MATRIX, STACK])
def test_functions_of_a_matrix(name: str, arrays: dict[str, np.ndarray]) -> None:
    assert_same(f"y = torch.linalg.{name}(a)", arrays, tolerance=1e-11)
    single = {"a": arrays["a"].astype("float32")}
    assert_same(f"y = torch.linalg.{name}(a)", single, tolerance=2e-5)


@pytest.mark.parametrize("name", ["inv", "det", "pinv", "matrix_exp", "svdvals"])
def test_functions_of_a_complex_matrix(name: str) -> None:
    assert_same(f"y = torch.linalg.{name}(a)", COMPLEX, tolerance=1e-11)


@pytest.mark.parametrize(
    "program",
    [
        "y = torch.inverse(a)",
        "y = a.det()",
        "y = torch.linalg.slogdet(a)[1]",
        "y = torch.slogdet(a).logabsdet",
        "y = torch.slogdet(a.detach()).sign",
        "y = torch.logdet(a)",
        "y = torch.linalg.inv_ex(a).inverse",
        "y = torch.linalg.inv_ex(a).info",
        "y = torch.linalg.qr(a).Q",
        "y = torch.linalg.qr(a).R",
        "y = torch.qr(a).R",
        "y = torch.linalg.lu(a).P",
        "y = torch.linalg.lu(a).L",
        "y = torch.linalg.lu(a).U",
        "y = torch.linalg.lu_factor(a).LU",
        "y = torch.linalg.lu_factor(a).pivots",
        "y = torch.linalg.lu_factor_ex(a).info",
        "y = torch.lu(a)[0]",
        "y = torch.lu_unpack(*torch.linalg.lu_factor(a))[1]",
        "y = torch.lu_unpack(*torch.linalg.lu_factor(a))[2]",
        "y = torch.lu_unpack(*torch.linalg.lu_factor(a))[0]",
        "y = torch.linalg.svd(a).U",
        "y = torch.linalg.svd(a).S",
        "y = torch.linalg.svd(a).Vh",
        "y = torch.svd(a).V",
        "y = torch.svd(a, compute_uv=False).S",
        "y = torch.linalg.eigvals(a).abs()",
        "y = torch.linalg.matrix_rank(a)",
        "y = torch.pinverse(a)",
        "y = torch.matrix_exp(a)",
        "y = torch.linalg.cond(a)",
        "y = torch.linalg.tensorinv(a.reshape(-1, 3, 3)[0].reshape(3, 1, 3), 1)",
        "q, r = torch.linalg.qr(a)\ny = q @ (2 * r)",
        "u, s, v = torch.linalg.svd(a)\ny = u @ torch.diag_embed(s ** 2) @ v",
        "y = torch.linalg.matrix_exp(a).sum() + torch.linalg.det(a).sum()",
    ],
)
@pytest.mark.parametrize("arrays", [MATRIX, STACK])
def test_of_square_matrices(program: str, arrays: dict[str, np.ndarray]) -> None:
    assert_same(program, arrays, tolerance=1e-10)


@pytest.mark.parametrize("arrays", [TALL, WIDE])
@pytest.mark.parametrize(
    "program",
    [
        "y = torch.linalg.pinv(a)",
        "y = torch.linalg.pinv(a, rtol=0.5)",
        "y = torch.linalg.pinv(a, atol=1.0)",
        "y = torch.linalg.qr(a).Q",
        "y = torch.linalg.qr(a).R",
        "y = torch.linalg.qr(a[:, :2], 'complete').R",
        "y = torch.linalg.lu(a).L",
        "y = torch.linalg.lu(a).U",
        "y = torch.linalg.lu_factor(a).LU",
        "y = torch.linalg.svd(a, full_matrices=False).U",
        "y = torch.linalg.svd(a).S",
        "y = torch.linalg.svd(a, False).Vh",
        "y = torch.linalg.svd(a).U[:, :3]",
        "y = torch.linalg.cond(a)",
        "y = torch.linalg.matrix_rank(a, atol=1.5)",
        "y = torch.linalg.householder_product(a[:3], a[0, :2])",
    ],
)
def test_of_other_matrices(program: str, arrays: dict[str, np.ndarray]) -> None:
    assert_same(program, arrays, tolerance=1e-10)


@pytest.mark.parametrize(
    "program",
    [
        "y = torch.linalg.cholesky(a)",
        "y = torch.linalg.cholesky(a, upper=True)",
        "y = torch.cholesky(a)",
        "y = torch.cholesky(a, upper=True)",
        "y = torch.linalg.cholesky_ex(a).L",
        "y = torch.linalg.cholesky_ex(a).info",
        "y = torch.cholesky_inverse(torch.linalg.cholesky(a))",
        "y = torch.cholesky_inverse(a, upper=True)",
        "y = torch.linalg.eigvalsh(a)",
        "y = torch.linalg.eigvalsh(a, 'U')",
        "y = torch.linalg.eigh(a).eigenvalues",
        "y = torch.linalg.eigh(a).eigenvectors",
        "y = torch.linalg.eigh(a, 'U').eigenvectors",
        "v = torch.linalg.eigh(a, UPLO='U').eigenvectors\ny = v @ torch.ones(3, 3).double() @ v.mT",
        "w, v = torch.linalg.eigh(a)\ny = v @ torch.diag_embed(w.sqrt()) @ v.mT",
        "y = torch.linalg.pinv(a, hermitian=True)",
        "y = torch.linalg.matrix_rank(a, hermitian=True)",
        "y = torch.logdet(a)",
    ],
)
def test_of_symmetric_matrices(program: str) -> None:
    assert_same(program, SYMMETRIC, tolerance=1e-10, shallow="v.mT" in program)


@pytest.mark.parametrize("size", [2, 3, 5, 8, 13])
def test_vectors_point_the_same_way(size: int) -> None:
    drawn = np.random.default_rng(size)
    arrays = {"a": drawn.standard_normal((3, size, size))}
    for program in (
        "y = torch.linalg.eigh(a).eigenvectors",
        "y = torch.linalg.eigh(a, 'U').eigenvectors",
        "y = torch.linalg.svd(a).U",
        "y = torch.linalg.svd(a[:, :, :2]).U",
        "y = torch.linalg.svd(a[:, :2]).Vh[:, :2]",
        "y = torch.linalg.svd(a[:, :, : size - 1], False).Vh",
        "y = torch.linalg.qr(a).Q",
    ):
        assert_same(program.replace("size", str(size)), arrays, tolerance=1e-8)
    arrays = {"a": arrays["a"] + 1j * drawn.standard_normal((3, size, size))}
    for triangle in "LU":
        assert_same(f"y = torch.linalg.eigh(a.detach(), '{triangle}')[1]", arrays, tolerance=1e-8)


_EIGH: Any = pytest.mark.parametrize(
    "program",
    [
        "y = torch.linalg.eigh(a + a.mH).eigenvalues",
        "y = torch.linalg.eigh(a + a.mH).eigenvectors.abs()",
        "y = torch.linalg.svd(a).S",
        "y = torch.linalg.svd(a).U.abs()",
        "y = torch.linalg.svd(a).Vh.abs()",
        "y = torch.linalg.cholesky(a @ a.mH)",
        "y = torch.linalg.cholesky(a.detach() @ a.detach().mH + a - a, upper=True)",
        "y = torch.linalg.qr(a).R",
        "y = torch.linalg.qr(a).Q",
        "y = torch.linalg.lu(a).L",
        "y = torch.linalg.slogdet(a).sign",
        "y = torch.linalg.slogdet(a).logabsdet",
        "y = torch.linalg.eigvals(a).real.sum()",
        "y = torch.linalg.eig(a).eigenvectors.abs().sum()",
    ],
)


@_EIGH
def test_complex_factors(program: str) -> None:
    assert_same(program, COMPLEX, tolerance=1e-10, shallow=True)


@pytest.mark.parametrize(
    "program",
    [
        "y = torch.linalg.eigh(a + a.mH).eigenvectors",
        "y = torch.linalg.eig(a).eigenvectors",
    ],
)
def test_phases_of_eigenvectors_have_no_gradient(program: str) -> None:
    program += "\ny.backward(torch.ones(3, 3, dtype=torch.complex128) * (1 + 2j))"
    theirs = run(TORCH, program, COMPLEX)
    assert theirs.error is not None
    assert run(ENGINE, program, COMPLEX).error == theirs.error


_SYSTEMS = [
    "y = torch.linalg.solve(a, b)",
    "y = torch.linalg.solve(a, b[..., 0])",
    "y = torch.linalg.solve(a, b.mT, left=False)",
    "y = torch.linalg.solve_ex(a, b).result",
    "y = torch.linalg.solve_triangular(a, b, upper=True)",
    "y = torch.linalg.solve_triangular(a, b, upper=False, unitriangular=True)",
    "y = torch.linalg.solve_triangular(a, b.mT, upper=True, left=False)",
    "y = torch.triangular_solve(b, a).solution",
    "y = torch.triangular_solve(b, a, upper=False, transpose=True)[0]",
    "y = torch.triangular_solve(b, a)[1]",
    "y = torch.cholesky_solve(b, a.tril())",
    "y = torch.cholesky_solve(b, a.triu(), upper=True)",
    "y = torch.linalg.lu_solve(*torch.linalg.lu_factor(a), b)",
    "y = torch.linalg.lu_solve(*torch.linalg.lu_factor(a), b, adjoint=True)",
    "y = torch.linalg.lu_solve(*torch.linalg.lu_factor(a), b.mT, left=False)",
    "y = torch.lu_solve(b, *torch.linalg.lu_factor(a))",
    "y = torch.linalg.lstsq(a, b).solution",
]


@pytest.mark.parametrize("program", _SYSTEMS)
def test_systems(program: str) -> None:
    assert_same(program, _with_b(MATRIX, 3, 2), tolerance=1e-10)
    assert_same(program, _with_b(STACK, 2, 3, 2), tolerance=1e-10)


@pytest.mark.parametrize("program", [p for p in _SYSTEMS if "lstsq" not in p])
def test_complex_systems(program: str) -> None:
    assert_same(program, _with_b(COMPLEX, 3, 2), tolerance=1e-10)


@pytest.mark.parametrize(
    "program",
    [
        "y = torch.linalg.solve(a, b)",
        "y = torch.linalg.solve_triangular(a, b, upper=True)",
        "y = torch.linalg.lu_solve(*torch.linalg.lu_factor(a), b)",
    ],
)
def test_systems_broadcast(program: str) -> None:
    assert_same(program, _with_b(STACK, 3, 2), tolerance=1e-10)
    assert_same(program, _with_b(MATRIX, 4, 3, 2), tolerance=1e-10)


@pytest.mark.parametrize("driver", ["gels", "gelsy", "gelsd", "gelss"])
def test_least_squares(driver: str) -> None:
    call = f"torch.linalg.lstsq(a.detach(), b.detach(), driver='{driver}')"
    for arrays, rows in ((TALL, 5), (WIDE, 3)):
        for place in range(4):
            assert_same(f"y = {call}[{place}]", _with_b(arrays, rows, 2), tolerance=1e-10)
    assert_same(f"y = {call}.solution", _with_b(TALL, 5), tolerance=1e-10)


def test_gradients_of_least_squares() -> None:
    for arrays, rows in ((TALL, 5), (WIDE, 3)):
        program = "y = torch.linalg.lstsq(a, b).solution"
        assert_same(program, _with_b(arrays, rows, 2), tolerance=1e-10)
    a = engine.ones(3, 2, requires_grad=True)
    with pytest.raises(NotImplementedError, match="no driver is named"):
        engine.linalg.lstsq(a, engine.ones(3, 1), driver="gelsd")


@pytest.mark.parametrize("left", [True, False])
@pytest.mark.parametrize("transpose", [True, False])
def test_products_with_reflections(left: bool, transpose: bool) -> None:
    arrays = {"a": _TALL[:, :2].copy(), "b": numbers((5, 5), "float64", 3)}
    program = f"y = torch.ormqr(a, a[0], b, {left}, {transpose})"
    assert_same(program, arrays, tolerance=1e-11)


@pytest.mark.parametrize(
    "program",
    [
        "y = torch.linalg.tensorsolve(a.reshape(1, 3, 3), b)",
        "y = torch.linalg.tensorsolve(a.reshape(3, 1, 3), b[0], dims=(1,))",
        "y = torch.linalg.tensorinv(a.reshape(3, 1, 3), ind=1)",
        "y = torch.linalg.tensorinv(a.reshape(1, 3, 3), ind=2)",
        "y = torch.linalg.diagonal(a)",
        "y = torch.linalg.diagonal(a, offset=1)",
        "y = torch.linalg.matmul(a, a)",
    ],
)
def test_maps_of_tensors(program: str) -> None:
    assert_same(program, {"a": _A, "b": numbers((1, 3), "float64", 4)}, tolerance=1e-11)


def test_singular_matrices() -> None:
    singular = {"a": np.ones((2, 2)), "b": np.ones((2, 1))}
    for program in (
        "y = torch.linalg.det(a)",
        "y = torch.linalg.slogdet(a)[1]",
        "y = torch.linalg.slogdet(a.detach())[0]",
        "y = torch.linalg.inv_ex(a).info",
        "y = torch.linalg.lu_factor_ex(a).info",
        "y = torch.linalg.lu(a).U",
        "y = torch.linalg.matrix_rank(a)",
        "y = torch.linalg.pinv(a)",
    ):
        assert_same(program, singular, tolerance=1e-11)


def test_equal_values_leave_vectors_open() -> None:
    for program in ("y = torch.linalg.eigh(a)[1]", "y = torch.linalg.svd(a)[0]"):
        assert_same(program, {"a": np.eye(2)})


def test_named_results_are_printed() -> None:
    program = "m = torch.tensor([[2.0, 1.0], [1.0, 3.0]])\ny = repr(torch.linalg.{0}(m))"
    for call in ("qr", "slogdet", "lu_factor", "cholesky_ex", "inv_ex", "lu", "lu_factor_ex"):
        mine, theirs = (run(side, program.format(call), {}) for side in (ENGINE, TORCH))
        assert mine.names["y"] == theirs.names["y"]


@pytest.mark.parametrize("name", ["inv", "det", "slogdet", "qr", "svd", "eigh", "cholesky", "lu"])
def test_empty_stacks(name: str) -> None:
    for shape in ((0, 0), (0, 3, 3)):
        program = f"y = torch.linalg.{name}(a)\ny = y if hasattr(y, 'dtype') else y[1]"
        assert_same(program, {"a": np.zeros(shape)})


_ERRORS = [
    *(
        f"y = torch.linalg.{name}({argument})"
        for name in (
            "inv", "det", "slogdet", "eigh", "eigvalsh", "eig", "eigvals", "qr", "svd", "svdvals",
            "pinv", "cholesky", "lu", "lu_factor", "matrix_exp", "cond", "matrix_norm", "inv_ex",
            "matrix_rank", "cholesky_ex",
        )
        for argument in ("a[0]", "(a * 2).long()")
    ),
    *(
        f"y = torch.linalg.{name}(a[:2])"
        for name in ("inv", "det", "slogdet", "eigh", "eig", "cholesky", "matrix_exp")
    ),
    *(
        f"y = torch.linalg.{name}(a.half())"
        for name in ("inv", "det", "slogdet", "eigh", "eig", "qr", "svd", "pinv", "cholesky", "lu")
    ),
    "y = torch.linalg.inv(a * 0)",
    "y = torch.inverse(torch.stack([a, a * 0]))",
    "y = torch.linalg.solve(a * 0, a)",
    "y = torch.linalg.solve(torch.stack([a, a * 0]), a)",
    "y = torch.linalg.cholesky(-a)",
    "y = torch.cholesky(torch.stack([a @ a.mT, -a]))",
    "y = torch.linalg.lu_factor(a * 0)",
    "y = torch.linalg.svd(torch.stack([a, a * 0 / 0]))",
    "y = torch.linalg.eig(a / 0)",
    "y = torch.linalg.solve(a, a[:2])",
    "y = torch.linalg.solve(a, a[:, :2], left=False)",
    "y = torch.linalg.solve(a[:2], a)",
    "y = torch.linalg.solve(a, a.float())",
    "y = torch.linalg.solve(a, a[0, 0])",
    "y = torch.linalg.solve(torch.stack([a, a]), a[None].expand(5, 3, 3))",
    "y = torch.linalg.solve_triangular(a, a[0], upper=True)",
    "y = torch.linalg.solve_triangular(a, a[:2], upper=True)",
    "y = torch.linalg.lstsq(a, a[:2])",
    "y = torch.linalg.lstsq(a[0], a)",
    "y = torch.linalg.lstsq(a, a.float())",
    "y = torch.linalg.qr(a, 'x')",
    "y = torch.linalg.eigh(a, 'x')",
    "y = torch.linalg.lu(a, pivot=False)",
    "y = torch.linalg.qr(a[:, :2], 'complete').Q.sum().backward()",
    "y = torch.linalg.qr(a, 'r').R.sum().backward()",
    "y = torch.svd(a, compute_uv=False).U.sum().backward()",
    "y = torch.linalg.tensorinv(a)",
    "y = torch.linalg.tensorsolve(a, a)",
    "y = torch.linalg.householder_product(a[:2], a[0])",
    "y = torch.ormqr(a, a[0, :2], a)",
    "y = torch.cholesky_solve(a[:2], a)",
    "y = torch.cholesky_inverse(a[:2])",
    "y = torch.lu_unpack(a, torch.tensor([1, 2, 3]))",
]  # fmt: skip


@pytest.mark.parametrize("program", _ERRORS)
def test_errors(program: str) -> None:
    theirs = run(TORCH, program, MATRIX)
    assert theirs.error is not None
    assert run(ENGINE, program, MATRIX).error == theirs.error


def test_the_error_has_its_name() -> None:
    program = (
        "try:\n    torch.linalg.inv(torch.zeros(2, 2))\n"
        "except torch.linalg.LinAlgError as e:\n    y = str(e)"
    )
    assert run(ENGINE, program, {}).names["y"] == run(TORCH, program, {}).names["y"]
    assert issubclass(engine.linalg.LinAlgError, RuntimeError)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: engine.linalg.cholesky(x @ x.mT),
        lambda x: engine.linalg.cholesky(x @ x.mT, upper=True),
        lambda x: engine.linalg.eigh(x + x.mT)[0],
        lambda x: engine.linalg.eigh(x + x.mT)[1],
        lambda x: engine.cholesky_solve(x, x.tril()),
        lambda x: engine.cholesky_inverse(x.tril()),
        lambda x: engine.linalg.svd(x)[0] + engine.linalg.svd(x)[2],
        lambda x: engine.linalg.pinv(x @ x.mT, hermitian=True),
    ],
)
def test_rules_that_want_symmetry_hold_to_second_order(function: Any) -> None:
    assert gradcheck(function, [_A]) == []
    assert gradgradcheck(function, [_A], rtol=1e-4, atol=1e-5) == []
