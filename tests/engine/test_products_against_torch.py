"""Products of vectors, matrices and more give what PyTorch gives."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.against import ENGINE, TORCH, assert_same, leaves, numbers, run

DTYPES = ["float64", "float32"]


def _complex(shapes: dict[str, tuple[int, ...]]) -> dict[str, np.ndarray]:
    return {
        name: numbers(shape, "float64", seed) + 1j * numbers(shape, "float64", seed + 20)
        for seed, (name, shape) in enumerate(shapes.items())
    }


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("left", [(3,), (2, 3), (4, 2, 3), (1, 2, 3), (5, 1, 2, 3)])
@pytest.mark.parametrize("right", [(3,), (3, 2), (4, 3, 2), (5, 4, 3, 2)])
def test_matmul_in_every_rank(left: tuple[int, ...], right: tuple[int, ...], dtype: str) -> None:
    assert_same("y = torch.matmul(a, b)", leaves({"a": left, "b": right}, dtype))


@pytest.mark.parametrize(
    ("program", "shapes"),
    [
        ("y = torch.addmm(c, a, b)", {"c": (4,), "a": (2, 3), "b": (3, 4)}),
        ("y = torch.addmm(c, a, b, beta=2)", {"c": (2, 4), "a": (2, 3), "b": (3, 4)}),
        ("y = torch.addmm(c, a, b, beta=0.5, alpha=3)", {"c": (1, 4), "a": (2, 3), "b": (3, 4)}),
        ("y = torch.addmm(c / 0, a, b, beta=0)", {"c": (2, 4), "a": (2, 3), "b": (3, 4)}),
        ("y = torch.addmv(c, a, b)", {"c": (2,), "a": (2, 3), "b": (3,)}),
        ("y = c.addmv(a, b, beta=2, alpha=0.5)", {"c": (2,), "a": (2, 3), "b": (3,)}),
        ("y = torch.addmv(c, a, b)", {"c": (), "a": (2, 3), "b": (3,)}),
        ("y = torch.addbmm(c, a, b)", {"c": (2, 4), "a": (5, 2, 3), "b": (5, 3, 4)}),
        ("y = torch.addbmm(c, a, b, beta=2, alpha=3)", {"c": (4,), "a": (5, 2, 3), "b": (5, 3, 4)}),
        ("y = torch.baddbmm(c, a, b)", {"c": (5, 2, 4), "a": (5, 2, 3), "b": (5, 3, 4)}),
        ("y = c.baddbmm(a, b, beta=2, alpha=3)", {"c": (2, 1), "a": (5, 2, 3), "b": (5, 3, 4)}),
        ("y = torch.addr(c, a, b)", {"c": (2, 3), "a": (2,), "b": (3,)}),
        ("y = torch.addr(c, a, b, beta=2, alpha=3)", {"c": (3,), "a": (2,), "b": (3,)}),
        ("y = torch.outer(a, b)", {"a": (2,), "b": (3,)}),
        ("y = torch.ger(a, b)", {"a": (2,), "b": (3,)}),
        ("y = torch.vdot(a, b)", {"a": (3,), "b": (3,)}),
        ("y = torch.inner(a, b)", {"a": (2, 3), "b": (4, 3)}),
        ("y = torch.inner(a, b)", {"a": (3,), "b": (3,)}),
        ("y = torch.inner(a, b)", {"a": (), "b": (3,)}),
        ("y = torch.tensordot(a, b, dims=2)", {"a": (2, 3, 4), "b": (3, 4, 5)}),
        ("y = torch.tensordot(a, b, dims=([1], [0]))", {"a": (2, 3, 4), "b": (3, 4, 5)}),
        ("y = torch.tensordot(a, b, dims=([2, 0], [1, 2]))", {"a": (2, 3, 4), "b": (3, 4, 2)}),
        ("y = torch.tensordot(a, b, dims=0)", {"a": (2,), "b": (3, 2)}),
        ("y = torch.tensordot(a, b, dims=2)", {"a": (2, 3), "b": (2, 3)}),
        ("y = torch.kron(a, b)", {"a": (2, 3), "b": (3, 2)}),
        ("y = torch.kron(a, b)", {"a": (2,), "b": (2, 1, 3)}),
        ("y = torch.linalg.vecdot(a, b)", {"a": (2, 3), "b": (2, 3)}),
        ("y = torch.linalg.vecdot(a, b, dim=0)", {"a": (2, 3), "b": (2, 1)}),
        ("y = torch.linalg.cross(a, b)", {"a": (2, 3), "b": (2, 3)}),
        ("y = torch.linalg.cross(a, b, dim=0)", {"a": (3, 2), "b": (3, 1)}),
        ("y = torch.cross(a, b, dim=1)", {"a": (2, 3), "b": (2, 3)}),
        ("y = torch.linalg.multi_dot([a, b])", {"a": (2, 3), "b": (3, 4)}),
        ("y = torch.linalg.multi_dot([a, b, a, c])", {"a": (2, 5), "b": (5, 2), "c": (5, 3)}),
        ("y = torch.linalg.multi_dot([a, b, c])", {"a": (3,), "b": (3, 4), "c": (4,)}),
        ("y = torch.chain_matmul(a, b, c)", {"a": (2, 3), "b": (3, 4), "c": (4, 5)}),
        ("y = F.bilinear(a, b, w)", {"a": (4, 2), "b": (4, 3), "w": (5, 2, 3)}),
        ("y = F.bilinear(a, b, w, c)", {"a": (2, 2), "b": (2, 3), "w": (5, 2, 3), "c": (5,)}),
        ("y = F.bilinear(a, b, w)", {"a": (2,), "b": (3,), "w": (1, 2, 3)}),
        ("y = torch.linalg.vander(a)", {"a": (3,)}),
        ("y = torch.linalg.vander(a, N=4)", {"a": (2, 3)}),
        ("y = torch.vander(k)", {"k": (3,)}),
        ("y = torch.vander(k, 4, True)", {"k": (3,)}),
        ("y = torch.vander(k, 1)", {"k": (3,)}),
        ("y = torch.vander(k, 0)", {"k": (3,)}),
    ],
)
def test_products(program: str, shapes: dict[str, tuple[int, ...]]) -> None:
    for dtype in DTYPES:
        tolerance = 1e-12 if dtype == "float64" else 1e-5
        assert_same(program, leaves(shapes, dtype), tolerance=tolerance)


@pytest.mark.parametrize("power", [-3, -2, -1, 0, 1, 2, 3, 4, 5, 6])
def test_powers_of_a_matrix(power: int) -> None:
    program = f"y = torch.linalg.matrix_power(a, {power})"
    assert_same(program, leaves({"a": (2, 2)}), tolerance=1e-11)
    assert_same(program, leaves({"a": (3, 2, 2)}), tolerance=1e-11)


@pytest.mark.parametrize(
    "equation",
    [
        "ij,jk->ik", "ij,jk", "ij->ji", "ij->", "ij->j", "bij,bjk->bik", "i,j->ij", "ij,jk,kl->il",
        "ii->i", "ii", "iij->ij", "ijj->i", "ij,k->", "i,i->", "bn,anm,bm->ba", "...ii->...i",
        "ij,j->i", "abc,cd->abd", "ij,ij->ij", "ij,ij->", "...ij,...jk->...ik", "...a,a...->...",
        "...,...", "ij->i...", "...i->i", ",", " i j -> j i ", "Ab->bA", "i,ij", "ji,jk",
    ],
)  # fmt: skip
def test_einsum(equation: str) -> None:
    sizes = dict(zip("abdijklnmcA", (2, 3, 2, 3, 3, 2, 4, 2, 3, 2, 2), strict=True))
    inputs = equation.partition("->")[0].replace(" ", "").split(",")
    shapes = {
        f"x{k}": tuple(2 if c == "." else sizes[c] for c in part.replace("...", "."))
        for k, part in enumerate(inputs)
    }
    program = f"y = torch.einsum('{equation}', {', '.join(shapes)})"
    assert_same(program, leaves(shapes), tolerance=1e-12)
    assert_same(program, _complex(shapes), tolerance=1e-12)


def test_einsum_of_lists() -> None:
    arrays = leaves({"a": (2, 3), "b": (3, 2)})
    assert_same("y = torch.einsum(a, [0, 1], b, [1, 2], [0, 2])", arrays)
    assert_same("y = torch.einsum(a, [Ellipsis, 0], [0, Ellipsis])", arrays)
    assert_same("y = torch.einsum('ij,jk', [a, b])", arrays)


@pytest.mark.parametrize(
    "program",
    [
        "y = a @ b",
        "y = torch.matmul(a, b[:, 0])",
        "y = torch.dot(a[0], b[:, 1])",
        "y = torch.vdot(a[0], b[:, 1])",
        "y = torch.addmm(b, b, a, beta=2, alpha=1j)",
        "y = torch.outer(a[0], b[0])",
        "y = torch.linalg.cross(a, b.mT)",
        "y = torch.linalg.vecdot(a, b.mT)",
        "y = torch.kron(a, b)",
        "y = torch.bmm(a[None], b[None])",
    ],
)
def test_complex_products(program: str) -> None:
    arrays = _complex({"a": (3, 3), "b": (3, 3)})
    assert_same(program, arrays, tolerance=1e-12)


def test_integers_multiply() -> None:
    program = "k = torch.tensor([[1, 2], [3, 4]])\ny = "
    for call in (
        "k @ k", "torch.addmm(k, k, k, beta=2, alpha=3)", "torch.einsum('ij,jk->ik', k, k)",
        "torch.kron(k, k)", "torch.linalg.matrix_power(k, 3)", "torch.vander(k[0])",
        "torch.linalg.vander(k)", "torch.addr(k, k[0], k[1])", "torch.tensordot(k, k, 1)",
    ):  # fmt: skip
        assert_same(program + call, {})


@pytest.mark.parametrize(
    "program",
    [
        "y = torch.addmm(a[0], a, b[:2])",
        "y = torch.addmm(a[0], a[0], b)",
        "y = torch.addmm(b[0], b, b[:, :2].float())",
        "y = torch.addmm(torch.ones(7, dtype=torch.float64), a, b)",
        "y = torch.addmv(a[0], a, b)",
        "y = torch.addmv(b[0], a, b[0])",
        "y = torch.addmv(a[:, 0].float(), a, a[0])",
        "y = torch.addbmm(a, a[None], b[None, :2])",
        "y = torch.addbmm(a[0, 0].float(), a[None], b[None])",
        "y = torch.baddbmm(a, a[None], b[None, :2])",
        "y = torch.baddbmm(a[0, 0].float(), a[None], b[None])",
        "y = torch.addr(a, a[0], a)",
        "y = torch.addr(a, a[0], b[0])",
        "y = torch.vdot(a[0], b[:2, 0])",
        "y = torch.outer(a, b[0])",
        "y = torch.inner(a, b[:, :2])",
        "y = torch.tensordot(a, a, 1)",
        "y = torch.tensordot(a, b, -1)",
        "y = torch.tensordot(a, b, 3)",
        "y = torch.tensordot(a, b, ([0], [0, 1]))",
        "y = torch.tensordot(a, b.float(), 1)",
        "y = torch.linalg.cross(a[:, :2], a[:, :2])",
        "y = torch.linalg.cross(a[0], a)",
        "y = torch.linalg.vecdot(a, a.float())",
        "y = torch.linalg.multi_dot([a])",
        "y = torch.linalg.multi_dot([a, a])",
        "y = torch.linalg.multi_dot([a, b.float()])",
        "y = torch.linalg.multi_dot([a, b[0], b])",
        "y = torch.linalg.multi_dot([a[None], b])",
        "y = torch.linalg.matrix_power(a, 2)",
        "y = torch.linalg.matrix_power(a[0], 2)",
        "y = torch.linalg.matrix_power(a[:, :2] * 0, -1)",
        "y = torch.linalg.vander(a, N=1)",
        "y = F.bilinear(a, a[:1], b[None])",
        "y = F.bilinear(a, a[:, :2], b[None])",
        "y = F.bilinear(a, a, b[None], b[0])",
        "y = torch.einsum('ij,jk', a, a)",
        "y = torch.einsum('ij', a, b)",
        "y = torch.einsum('ij,jk', a)",
        "y = torch.einsum('ij->k', a)",
        "y = torch.einsum('ij->ii', a)",
        "y = torch.einsum('i', a)",
        "y = torch.einsum('ii', a)",
        "y = torch.einsum('i1', a)",
        "y = torch.einsum('ij-', a)",
        "y = torch.einsum('ij->ij->', a)",
        "y = torch.einsum('i...j...', a)",
        "y = torch.einsum('ij->i....', a)",
        "y = torch.einsum('i.j', a)",
        "y = torch.einsum('ij,jk', a, b.float())",
        "y = torch.einsum(a, [0, 60])",
        "y = torch.einsum('ij')",
    ],
)
def test_errors(program: str) -> None:
    arrays = leaves({"a": (2, 3), "b": (3, 3)})
    theirs = run(TORCH, program, arrays)
    assert theirs.error is not None
    assert run(ENGINE, program, arrays).error == theirs.error


def test_second_derivatives() -> None:
    arrays = leaves({"a": (2, 3), "b": (3, 2)})
    for value in (
        "torch.addmm(a[0, 0], a, b, beta=2, alpha=3)", "torch.einsum('ij,jk->ik', a, b)",
        "torch.kron(a, b)", "torch.linalg.cross(a, b.mT)", "torch.tensordot(a, b, 1)",
        "F.bilinear(a, b.mT, torch.einsum('ij,kl->ikj', a, b))",
    ):  # fmt: skip
        program = (
            f"z = ({value} ** 2).sum()\n"
            "g, = torch.autograd.grad(z, a, create_graph=True)\n"
            "y = (g * g).sum()"
        )
        assert_same(program, arrays, tolerance=1e-10, shallow=True)


@pytest.mark.parametrize(
    "program",
    [
        "y = c * 1\ny.addmm_(a, b, beta=2)",
        "y = c * 1\ny.addbmm_(a[None], b[None])",
        "y = (c * 1)[None].clone()\ny.baddbmm_(a[None], b[None], alpha=3)",
        "y = c[:, 0] * 1\ny.addmv_(b.mT[:2], a[0])",
        "y = c * 1\ny.addr_(c[:, 0], c[0])",
    ],
)
def test_products_in_place(program: str) -> None:
    assert_same(program, leaves({"c": (2, 4), "a": (2, 3), "b": (3, 4)}))
