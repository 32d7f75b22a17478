"""Functions of complex numbers under PyTorch and under the engine."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.against import assert_same

Z = np.array([0.5 + 1.2j, -0.7 + 0.3j, 1.1 - 0.4j, -0.2 - 1.5j])
W = np.array([1.5 - 0.2j, 0.4 + 0.9j, -1.2 + 0.6j, 0.8 + 0.1j])
X, A = np.array([0.5, -0.8, 1.3, 2.1]), np.array([0.4, 1.7, -0.6, 0.9])
PARTS = [
    "torch.real(z)", "torch.imag(z)", "z.real * z.imag", "torch.abs(z)", "z.abs() ** 2", "abs(z)",
    "torch.angle(z)", "torch.sgn(z)", "torch.conj(z) * w", "torch.conj_physical(z) * w",
    "torch.view_as_real(z)", "torch.view_as_real(z)[..., 1] + x", "torch.resolve_conj(z) * 1",
    "torch.resolve_neg(z) * 1", "z.real.sin() + x", "torch.real(z * w.conj())", "z.imag + 0",
    "torch.angle(x) + x", "torch.real(x) * 2", "torch.conj(x) * 2",
]  # fmt: skip
MADE = [
    "torch.complex(x, a)", "torch.complex(x, a) * z", "torch.polar(x.abs(), a)",
    "torch.view_as_complex(torch.stack([x, a], -1))", "torch.complex(x, a).abs()", "x * 1j + a",
    "torch.polar(x.abs(), a).angle()", "x + z", "x * z", "z / x", "x / z", "z - x", "z ** 2",
    "1j * z",
    "z ** 1.5", "z ** w", "z ** (1 + 2j)", "torch.where(x > 0, z, w)", "x.cdouble() * z", "-z",
    "torch.lerp(z, w, 0.3)", "torch.addcmul(z, w, w)", "torch.addcdiv(z, w, z)", "z.cdouble() * 2",
]  # fmt: skip
HOLOMORPHIC = [
    "exp", "log", "sqrt", "rsqrt", "sin", "cos", "tan", "tanh", "sinh", "cosh", "asin", "acos",
    "atan", "asinh", "acosh", "atanh", "sigmoid", "reciprocal", "square", "exp2", "expm1", "log1p",
    "log2", "log10", "sinc", "positive",
]  # fmt: skip


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("program", PARTS + MADE)
def test_parts_and_products(program: str, dtype: str) -> None:
    kind = "float32" if dtype == "complex64" else "float64"
    arrays = {"z": Z.astype(dtype), "w": W.astype(dtype), "x": X.astype(kind), "a": A.astype(kind)}
    assert_same(f"y = {program}", arrays, tolerance=4e-6 if kind == "float32" else 1e-11)


@pytest.mark.parametrize("name", HOLOMORPHIC)
def test_gradients_are_conjugates_of_derivatives(name: str) -> None:
    assert_same(f"y = torch.{name}(z) * (2 - 1j)", {"z": Z}, tolerance=1e-11)


@pytest.mark.parametrize("program", ["torch.abs(z)", "torch.sgn(z)", "torch.angle(z)", "z ** 2"])
def test_at_zero(program: str) -> None:
    assert_same(f"y = {program}", {"z": np.array([0j, 1 + 0j, -1 + 0j, 1j])})


def test_views_share_memory() -> None:
    program = """
        v = w * 1
        v.real.mul_(x)
        torch.view_as_real(v)[..., 1] *= 2
        y = v * z
    """
    arrays = {"w": W, "x": X, "z": Z}
    assert_same("\n".join(line.strip() for line in program.splitlines()), arrays, shallow=True)


@pytest.mark.parametrize(
    "program",
    [
        "torch.imag(x)", "torch.view_as_real(x)", "torch.view_as_complex(x)", "torch.complex(x, z)",
        "torch.view_as_complex(torch.stack([x, a]).t())", "torch.view_as_complex(x[0])",
        "torch.complex(x, a.float())", "torch.polar(x.long(), a.long())", "torch.deg2rad(z)",
        "torch.view_as_complex(torch.stack([x, a], -1).long())", "torch.floor(z)", "torch.sign(z)",
        "torch.clamp(z, 0, 1)", "torch.maximum(z, w)", "z > w", "torch.erf(z)", "F.gelu(z)",
        "torch.nan_to_num(z)", "F.silu(z)", "F.mse_loss(z, w)", "torch.is_complex(z)",
    ],
)  # fmt: skip
def test_refusals(program: str) -> None:
    names = {"z": Z, "w": W, "x": X, "a": A}
    assert_same(f"y = {program}\ny = torch.tensor(y) if isinstance(y, bool) else y", names)
