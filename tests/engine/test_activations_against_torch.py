"""Activations under PyTorch and under the engine: values, graphs, gradients, errors."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from tests.engine.against import assert_same, leaves

SMOOTH = [
    "F.gelu(x)", "F.gelu(x, approximate='tanh')", "F.silu(x)", "F.mish(x)", "F.softplus(x)",
    "F.softplus(x, beta=2, threshold=1)", "F.logsigmoid(x)", "F.softsign(x)", "F.tanhshrink(x)",
    "F.glu(x)", "F.glu(x, dim=0)", "F.softmin(x, dim=1)", "F.sigmoid(x)", "F.tanh(x)",
]  # fmt: skip
IN_PIECES = [
    "F.relu(x)", "F.relu6(x)", "F.elu(x)", "F.elu(x, 0.5)", "F.selu(x)", "F.celu(x)",
    "F.celu(x, 2.0)", "F.leaky_relu(x)", "F.leaky_relu(x, -0.5)", "F.rrelu(x)", "F.hardtanh(x)",
    "F.hardtanh(x, -0.5, 2)", "F.hardsigmoid(x)", "F.hardswish(x)", "F.hardshrink(x)",
    "F.hardshrink(x, 1.0)", "F.softshrink(x)", "F.softshrink(x, 1.0)", "F.threshold(x, 0.5, 2.0)",
    "torch.selu(x)", "torch.celu(x)", "torch.hardshrink(x)", "torch.threshold(x, 0.1, 20)",
    "x.hardshrink()", "torch.rrelu(x)",
]  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("program", SMOOTH + IN_PIECES)
def test_values_graph_and_gradient(program: str, dtype: str) -> None:
    assert_same(f"y = {program}", leaves({"x": (4, 6)}, dtype), tolerance=_precision(dtype))


def _precision(dtype: str) -> float:
    return 5e-6 if dtype == "float32" else 5e-9  # PyTorch writes 1/6 in single precision


KINKS = np.array([-np.inf, -30, -3, -1, -0.5, -0.0, 0.0, 0.5, 1, 3, 6, 20, 21, np.inf, np.nan])


@pytest.mark.parametrize("program", IN_PIECES + SMOOTH[2:9])
def test_kinks_infinities_and_nan(program: str) -> None:
    assert_same(f"y = {program}", {"x": KINKS}, tolerance=5e-8)


TWICE = [p for p in IN_PIECES + SMOOTH if "hardsigmoid" not in p]  # PyTorch has no second of it


@pytest.mark.parametrize("program", TWICE)
def test_second_derivatives(program: str) -> None:
    first = f"(g,) = torch.autograd.grad({program}.sum(), x, create_graph=True)"
    arrays = leaves({"x": (2, 6), "z": (2, 6)})
    assert_same(f"{first}\ny = g * z", arrays, shallow=True, tolerance=1e-8)


@pytest.mark.parametrize(
    "shapes",
    [
        {"x": (2, 3, 4), "w": (3,)}, {"x": (2, 3), "w": (3,)}, {"x": (4,), "w": (1,)},
        {"x": (2, 3, 4), "w": (1,)}, {"x": (), "w": (1,)}, {"x": (2, 3), "w": ()},
        {"x": (2, 3), "w": (2,)}, {"x": (4,), "w": (2,)}, {"x": (2, 3), "w": (3, 1)},
    ],
)  # fmt: skip
def test_prelu(shapes: dict[str, tuple[int, ...]]) -> None:
    assert_same("y = F.prelu(x, w)", leaves(shapes))


@pytest.mark.parametrize(
    "program",
    [
        "F.relu(v, inplace=True)", "F.relu_(v)", "F.elu(v, inplace=True)", "F.elu_(v, 0.5)",
        "F.selu(v, inplace=True)", "F.celu_(v, 2.0)", "F.leaky_relu(v, 0.2, inplace=True)",
        "F.leaky_relu_(v, -0.2)", "F.elu_(v, -0.5)", "F.hardtanh_(v)", "F.relu6(v, inplace=True)",
        "F.threshold_(v, 0.5, 2.0)", "F.silu(v, inplace=True)", "F.mish(v, inplace=True)",
        "F.hardswish(v, inplace=True)", "F.hardsigmoid(v, inplace=True)", "torch.selu_(v)",
        "F.rrelu_(v)", "v.relu_()", "v.sigmoid_()", "v.tanh_()",
    ],
)  # fmt: skip
def test_in_place(program: str) -> None:
    assert_same(f"v = w * 1\n{program}\ny = v * 2", leaves({"w": (6,)}), tolerance=1e-8)


@pytest.mark.parametrize("kind", ["bool", "uint8", "int64", "float16", "complex64"])
@pytest.mark.parametrize("program", IN_PIECES[:1] + IN_PIECES[2:19] + SMOOTH[:9])
def test_other_dtypes_are_computed_or_refused(program: str, kind: str) -> None:
    values = np.array([0, 1, 2, 3]) if kind in ("bool", "uint8") else np.array([1, -1, 2, -2])
    arrays = {"k": values.astype(kind)}
    assert_same(f"y = {program}".replace("(x", "(k"), arrays, tolerance=4e-3)


@pytest.mark.parametrize(
    "program",
    [
        "F.glu(torch.ones(3))", "F.glu(torch.tensor(1.0))", "F.hardtanh(x, 2, 1)",
        "F.softshrink(x, -1.0)", "F.gelu(x, approximate='exact')", "F.celu(x, 0)", "F.softmin(x)",
        "F.prelu(x, torch.ones(1, dtype=torch.float32))", "F.glu(x, dim=3)",
        "F.relu_(x)", "F.elu_(x)",
    ],
)  # fmt: skip
def test_refusals_and_warnings(program: str) -> None:
    assert_same(f"y = {program}", leaves({"x": (3,)}))


@pytest.mark.parametrize("program", ["F.relu(x)", "F.elu(x)", "F.silu(x)", "F.softplus(x)"])
def test_nothing_at_all(program: str) -> None:
    assert_same(f"y = {program}", leaves({"x": (0, 3)}))


def test_what_draws_numbers_is_declined() -> None:
    from engine.nn import functional

    x = engine.tensor([1.0, 2.0])
    with pytest.raises(NotImplementedError, match="not available"):
        functional.rrelu(x, training=True)
    with pytest.raises(NotImplementedError, match="not available"):
        functional.gumbel_softmax(x)
