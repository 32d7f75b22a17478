"""Norms, condition numbers and distances give what PyTorch gives."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.against import ENGINE, TORCH, assert_same, leaves, numbers, run

INF = "float('inf')"
MATRIX = leaves({"x": (3, 3)})
TABLE = leaves({"x": (3, 2)})
STACK = leaves({"x": (2, 3, 4)})
VECTOR = leaves({"x": (4,)})
POINTS = leaves({"x": (4, 3), "z": (2, 3)})
ZEROS = {"x": np.zeros((2, 3))}


@pytest.mark.parametrize("order", ["None", "2", "1", "-1", "3", "0.5", INF, f"-{INF}", "'fro'"])
def test_norms_of_all_elements(order: str) -> None:
    assert_same(f"y = torch.norm(x, {order})", VECTOR)
    assert_same(f"y = x.norm({order}, dim=1)", STACK)
    assert_same(f"y = x.norm({order}, (0, 2), True)", STACK, tolerance=1e-11)
    if order not in ("None", "'fro'"):
        assert_same(f"y = torch.linalg.vector_norm(x, {order}, dim=(1, 2))", STACK, tolerance=1e-11)
        assert_same(f"y = torch.linalg.norm(x, {order})", VECTOR)


def test_a_count_has_no_gradient_to_speak_of() -> None:
    """PyTorch leaves `.grad` out where the engine puts zeros."""
    assert_same("y = x.norm(0, dim=1).detach()", STACK)


@pytest.mark.parametrize("order", ["2", "-2", "1", "-1", INF, f"-{INF}", "'fro'", "'nuc'"])
def test_norms_of_matrices(order: str) -> None:
    assert_same(f"y = torch.linalg.norm(x, {order})", MATRIX, tolerance=1e-11)
    assert_same(f"y = torch.linalg.norm(x, {order})", TABLE, tolerance=1e-11)
    for where in ("", ", dim=(0, 2)", ", dim=(1, 0)", ", dim=(-2, -1), keepdim=True",
                  ", dim=(2, 0), keepdim=True"):  # fmt: skip
        program = f"y = torch.linalg.matrix_norm(x, {order}{where})"
        assert_same(program, STACK, tolerance=1e-11)
    assert_same(f"y = torch.linalg.cond(x, {order})", MATRIX, tolerance=1e-9)
    single = {"x": MATRIX["x"].astype("float32")}
    assert_same(f"y = torch.linalg.matrix_norm(x, {order})", single, tolerance=1e-5)


@pytest.mark.parametrize(
    "program",
    [
        "y = torch.norm(x, 'nuc', dim=(0, 1))",
        "y = torch.norm(x, 'fro', dim=(1, 2), keepdim=True)",
        "y = torch.linalg.norm(x)",
        "y = torch.linalg.norm(x, dim=1)",
        "y = torch.linalg.norm(x, dim=(1, 2))",
        "y = torch.linalg.norm(x, 'nuc', dim=(2, 1), keepdim=True)",
        "y = torch.linalg.norm(x.float(), dtype=torch.float64)",
        "y = torch.linalg.vector_norm(x.float(), 3, dtype=torch.float64)",
        "y = torch.linalg.matrix_norm(x.float(), 1, dtype=torch.float64)",
        "y = torch.linalg.cond(x[:, :, :3])",
        "y = torch.linalg.cond(x[0])",
    ],
)
def test_axes_and_dtypes(program: str) -> None:
    # A gradient that goes back to single precision may round either way.
    assert_same(program, STACK, tolerance=1e-6 if "float" in program else 1e-11)


@pytest.mark.parametrize("order", ["2", "1", INF, "'fro'", "'nuc'"])
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
def test_norms_of_nothing(order: str, shape: tuple[int, ...]) -> None:
    assert_same(f"y = torch.linalg.matrix_norm(x, {order})", {"x": np.zeros(shape)})


def test_norms_of_complex_numbers() -> None:
    arrays = {"x": numbers((3, 3), "float64") + 1j * numbers((3, 3), "float64", 4)}
    for call in (
        "vector_norm(x)", "vector_norm(x, 1)", "vector_norm(x, 3)", f"vector_norm(x, {INF})",
        "matrix_norm(x)", "matrix_norm(x, 2)", "matrix_norm(x, 'nuc')", "matrix_norm(x, 1)",
    ):  # fmt: skip
        assert_same(f"y = torch.linalg.{call}", arrays, tolerance=1e-11)


@pytest.mark.parametrize("order", ["2", "1", "3", "1.5", INF])
def test_zero_vectors(order: str) -> None:
    assert_same(f"y = torch.norm(x, {order})", ZEROS)
    assert_same(f"y = torch.linalg.vector_norm(x, {order}, dim=1)", ZEROS)
    assert_same(f"y = F.pairwise_distance(x, x + 0, {order}, eps=0.0)", ZEROS)
    assert_same(f"y = torch.dist(x, x + 0, {order})", ZEROS)


@pytest.mark.parametrize("p", ["2.0", "1.0", "0.0", "3.0", "1.5", "0.5", INF])
def test_distances_between_points(p: str) -> None:
    coinciding = {"x": np.array([[1.0, 2.0], [1.0, 2.0], [0.0, 0.0]]), "z": np.array([[1.0, 2.0]])}
    for arrays in (POINTS, coinciding):
        assert_same(f"y = torch.cdist(x, z, p={p})", arrays)
        assert_same(f"y = F.pdist(x, {p})", arrays, tolerance=1e-11)
        if p != "0.0":
            assert_same(f"y = torch.dist(x, z[0], {p})", arrays)
            assert_same(f"y = F.pairwise_distance(x, z[:1], {p})", arrays, tolerance=1e-11)
    stacks = leaves({"x": (2, 3, 2), "z": (4, 2)})
    assert_same(f"y = torch.cdist(x, z, p={p})", stacks)


def test_many_points_go_through_a_product() -> None:
    many = leaves({"x": (30, 2), "z": (3, 2)})
    assert_same("y = torch.cdist(x, z)", many, tolerance=1e-7)
    stacked = leaves({"x": (2, 30, 2), "z": (3, 2)})
    assert_same("y = torch.cdist(x, z)", stacked, tolerance=1e-7)
    mode = "compute_mode='use_mm_for_euclid_dist'"
    assert_same(f"y = torch.cdist(x, z, {mode})", POINTS, tolerance=1e-7)
    mode = "compute_mode='donot_use_mm_for_euclid_dist'"
    assert_same(f"y = torch.cdist(x, z, 2.0, {mode})", many)


@pytest.mark.parametrize(
    "program",
    [
        "y = F.cosine_similarity(x, x.flip(0))",
        "y = F.cosine_similarity(x, z[:1], dim=0)",
        "y = F.cosine_similarity(x, z[0], dim=-1)",
        "y = F.cosine_similarity(x * 0, x)",
        "y = torch.cosine_similarity(x, x + 1, eps=10.0)",
        "y = F.normalize(x)",
        "y = F.normalize(x, dim=0)",
        "y = F.normalize(x, p=1.0)",
        f"y = F.normalize(x, p={INF})",
        "y = F.normalize(x * 0)",
        "y = F.normalize(x, eps=100.0)",
        "y = F.pairwise_distance(x, x.flip(0), keepdim=True)",
        "y = F.pairwise_distance(x[0], z[0])",
        "y = torch.pairwise_distance(x, z[0])",
        "y = torch.pdist(x)",
    ],
)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_similarities(program: str, dtype: str) -> None:
    arrays = leaves({"x": (4, 3), "z": (2, 3)}, dtype)
    assert_same(program, arrays, tolerance=1e-11 if dtype == "float64" else 1e-5)


def test_second_derivatives() -> None:
    values = [
        "torch.linalg.norm(x, 'nuc')",
        "torch.linalg.matrix_norm(x, 2)",
        "F.cosine_similarity(x, x ** 2).sum()",
        "F.normalize(x).sum()",
        "torch.cdist(x, x[:2] + 3, compute_mode='use_mm_for_euclid_dist').sum()",
        "torch.dist(x, x ** 2, 3)",
    ]
    for value in values:
        program = (
            f"z = {value}\ng, = torch.autograd.grad(z, x, create_graph=True)\ny = (g * g).sum()"
        )
        assert_same(program, MATRIX, tolerance=1e-9, shallow=True)


@pytest.mark.parametrize(
    "program",
    [
        "y = torch.norm(x, 'xx')",
        "y = torch.norm(x.long())",
        "y = torch.norm(x, dim=2)",
        "y = torch.norm(x[0], 'nuc')",
        "y = torch.norm(x[None], 'nuc')",
        "y = torch.norm(x, 'nuc', dim=0)",
        "y = torch.norm(x[None], 'fro', dim=(0, 1, 2))",
        "y = torch.linalg.norm(x, 'xx')",
        "y = torch.linalg.norm(x, 0)",
        "y = torch.linalg.norm(x, 3)",
        "y = torch.linalg.norm(x[0], 'fro')",
        "y = torch.linalg.norm(x[None], 2)",
        "y = torch.linalg.norm(x[None], 2, dim=(0, 1, 2))",
        "y = torch.linalg.norm(x, dim=(0, 0))",
        "y = torch.linalg.norm(x.long())",
        "y = torch.linalg.vector_norm(x, 'fro')",
        "y = torch.linalg.vector_norm(x.long())",
        "y = torch.linalg.vector_norm(x, dtype=torch.int64)",
        "y = torch.linalg.vector_norm(x, dtype=torch.float32)",
        "y = torch.linalg.vector_norm(x[:0], -1)",
        "y = torch.linalg.vector_norm(x[:0], float('inf'))",
        "y = torch.linalg.vector_norm(x[:0], float('inf'), dim=0)",
        "y = torch.linalg.matrix_norm(x[0])",
        "y = torch.linalg.matrix_norm(x, 5)",
        "y = torch.linalg.matrix_norm(x, dim=(0, 0))",
        "y = torch.linalg.matrix_norm(x, dim=(0,))",
        "y = torch.linalg.matrix_norm(x.long())",
        "y = torch.linalg.cond(x[0])",
        "y = torch.cdist(x, x[:, :2])",
        "y = torch.cdist(x[0], x)",
        "y = torch.cdist(x, x, p=-1)",
        "y = torch.cdist(x.long(), x)",
        "y = torch.cdist(x.expand(2, 3, 3), x.expand(3, 3, 3))",
        "y = torch.cdist(x, x, compute_mode='x')",
        "y = F.pdist(x[0])",
        "y = F.pdist(x, -1.0)",
        "y = torch.dist(x, x[:, :2])",
        "y = F.cosine_similarity(x.long(), x.long())",
        "y = F.cosine_similarity(x, x[:, :2])",
    ],
)
def test_errors(program: str) -> None:
    theirs = run(TORCH, program, MATRIX)
    assert theirs.error is not None
    assert run(ENGINE, program, MATRIX).error == theirs.error
