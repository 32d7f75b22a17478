"""Special functions under PyTorch and under the engine: values, graphs, gradients, errors."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.against import assert_same, leaves

EVERYWHERE = [
    "torch.lgamma(x)", "torch.digamma(x)", "torch.polygamma(0, x)", "torch.polygamma(1, x)",
    "torch.polygamma(2, x)", "torch.polygamma(3, x)", "x.polygamma(2)",
    "torch.special.gammaln(x)", "x.digamma()",
    "torch.special.psi(x)", "torch.erf(x)", "torch.erfc(x)", "torch.special.erfcx(x)",
    "torch.special.ndtr(x)", "torch.special.log_ndtr(x)", "torch.i0(x)", "torch.special.i0e(x)",
    "torch.special.i1(x)", "torch.special.i1e(x)", "torch.special.expit(x)", "x.erf()",
    "torch.special.exp2(x)", "torch.special.expm1(x)", "torch.special.sinc(x)",
    "torch.special.softmax(x, 0)", "torch.special.logsumexp(x, 0)", "torch.mvlgamma(x + 4, 2)",
    "torch.special.multigammaln(x.abs() + 2, 3)",
]  # fmt: skip
WITHIN = [
    "torch.erfinv(u)", "torch.special.ndtri(u)", "torch.logit(u)", "torch.special.logit(u, 0.3)",
    "torch.special.entr(u)", "torch.special.xlogy(x, u)", "torch.special.xlog1py(x, u)",
    "torch.special.xlog1py(2, u)", "torch.special.xlog1py(x, 2.0)", "torch.special.log1p(u)",
    "u.logit(eps=0.4)",
]  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("program", EVERYWHERE)
def test_of_any_number(program: str, dtype: str) -> None:
    precise = 1e-5 if dtype == "float32" else 1e-8 if "polygamma(1" in program else 1e-9
    assert_same(f"y = {program}", leaves({"x": (5,)}, dtype), tolerance=precise)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("program", WITHIN)
def test_of_probabilities(program: str, dtype: str) -> None:
    arrays = {"x": np.array([1.5, -0.4, 0.7]), "u": np.array([0.2, 0.55, 0.9])}
    precise = 2e-6 if dtype == "float32" else 1e-11
    assert_same(
        f"y = {program}", {n: a.astype(dtype) for n, a in arrays.items()}, tolerance=precise
    )


KINKS = np.array([-np.inf, -3, -1.5, -1, -0.0, 0.0, 1, 3, np.inf, np.nan])


@pytest.mark.parametrize(
    "program",
    [
        "torch.lgamma(x)", "torch.digamma(x)", "torch.polygamma(2, x)", "torch.erf(x)",
        "torch.erfinv(x)", "torch.erfc(x)", "torch.i0(x)", "torch.special.i1(x)",
        "torch.special.i0e(x)", "torch.special.i1e(x)", "torch.special.entr(x)",
        "torch.special.ndtri(x)", "torch.special.log_ndtr(x)", "torch.logit(x, 0.1)",
        "torch.special.ndtr(x)", "torch.special.xlog1py(x, x)",
    ],
)  # fmt: skip
def test_poles_and_ends(program: str) -> None:
    poles = KINKS if "digamma" not in program else KINKS[4:]  # at its poles trigamma is rounding
    assert_same(f"y = {program}", {"x": poles}, tolerance=1e-8)


@pytest.mark.parametrize("kind", ["bool", "int64", "float16", "complex64"])
@pytest.mark.parametrize(
    "program",
    [
        "torch.lgamma(k)", "torch.digamma(k)", "torch.polygamma(1, k)", "torch.polygamma(2, k)",
        "torch.erf(k)", "torch.erfinv(k)", "torch.special.erfcx(k)", "torch.special.ndtri(k)",
        "torch.special.ndtr(k)", "torch.special.entr(k)", "torch.i0(k)", "torch.special.i1e(k)",
        "torch.logit(k)", "torch.special.xlog1py(k, k)", "torch.special.log_ndtr(k)",
        "torch.mvlgamma(k, 1)",
    ],
)  # fmt: skip
def test_other_dtypes_are_computed_or_refused(program: str, kind: str) -> None:
    values = np.array([1, 2, 1, 3]).astype(kind)
    assert_same(f"y = {program}", {"k": values}, tolerance=2e-3 if kind == "float16" else 5e-6)


@pytest.mark.parametrize(
    "program",
    ["torch.polygamma(-1, x)", "torch.mvlgamma(x, 0)", "torch.lgamma(2.0)", "torch.erf([1])"],
)
def test_refusals(program: str) -> None:
    assert_same(f"y = {program}", leaves({"x": (3,)}))


def test_zeta() -> None:
    arrays = {"k": np.array([2.0, 3, 4]), "u": np.array([0.2, 0.55, 0.9])}
    assert_same("y = torch.special.zeta(k, u)", arrays, shallow=True)


@pytest.mark.parametrize(
    "name",
    [
        "airy_ai", "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "modified_bessel_i0",
        "modified_bessel_i1", "modified_bessel_k0", "modified_bessel_k1", "spherical_bessel_j0",
        "scaled_modified_bessel_k0", "scaled_modified_bessel_k1",
    ],
)  # fmt: skip
def test_bessel_functions_have_no_gradient(name: str) -> None:
    assert_same(f"y = torch.special.{name}(x)", {"x": np.append(KINKS, 0.3)}, tolerance=1e-8)
    assert_same(f"y = torch.special.{name}(k)", {"k": np.ones(2, np.complex64)})


@pytest.mark.parametrize("name", ["igamma", "igammac", "special.gammainc", "special.gammaincc"])
def test_incomplete_gamma(name: str) -> None:
    arrays = {"k": np.array([0.4, 1, 2.5]), "x": np.array([0.3, 1.5, 2.0])}
    assert_same(f"y = torch.{name}(k, x)", arrays, shallow=True, tolerance=1e-11)
    assert_same(f"y = torch.{name}(k, k)", {"k": np.ones(2, int)})


def test_zeta_declines_its_first_gradient() -> None:
    import engine

    order = engine.tensor([2.0], requires_grad=True)
    with pytest.raises(NotImplementedError, match="first argument"):
        engine.special.zeta(order, engine.tensor([1.0]))
