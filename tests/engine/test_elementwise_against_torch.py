"""Elementwise functions under PyTorch and under the engine: values, graphs, gradients, errors."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from tests.engine.against import assert_same, leaves

UNARY = [
    "torch.tan(x)", "torch.asin(x / 3)", "torch.arccos(x / 3)", "torch.atan(x)", "torch.sinh(x)",
    "torch.cosh(x)", "torch.asinh(x)", "torch.acosh(x.abs() + 1)", "torch.atanh(x / 3)",
    "torch.sinc(x)", "torch.deg2rad(x)", "torch.rad2deg(x)", "torch.exp2(x)", "torch.expm1(x)",
    "torch.log1p(x.abs())", "torch.log2(x.abs())", "torch.log10(x.abs())", "torch.trunc(x)",
    "torch.fix(x)", "torch.frac(x)", "torch.round(x, decimals=1)", "torch.round(x, decimals=-1)",
    "torch.nan_to_num(x)", "torch.frexp(x)[0]", "torch.square(x)", "x ** 0.5",
    "x ** -0.5", "x ** 3", "2.5 ** x", "torch.positive(x) * 2", "torch.clamp(x, -1, 1)",
    "torch.clamp(x, min=0)", "torch.clamp_min(x, 0.5)", "torch.clamp_max(x, 0.5)", "x.absolute()",
    "torch.float_power(x.abs(), 1.5)", "torch.angle(x) + x", "torch.rsub(x, 2)", "2 / x", "+x + 1",
]  # fmt: skip
BINARY = [
    "torch.atan2(x, z)", "torch.hypot(x, z)", "torch.fmod(x, z)", "torch.remainder(x, z)",
    "torch.div(x, z, rounding_mode='floor')", "torch.div(x, z, rounding_mode='trunc')",
    "torch.div(x, z)", "torch.copysign(x, z)", "torch.fmax(x, z)", "torch.fmin(x, z)",
    "torch.nextafter(x, z)", "torch.logaddexp(x, z)", "torch.logaddexp2(x, z)",
    "torch.xlogy(x, z.abs())", "torch.xlogy(2, z.abs()) + x", "torch.xlogy(x, 2) + z",
    "torch.ldexp(x, z)", "torch.rsub(x, z)", "torch.rsub(x, z, alpha=3)", "torch.lerp(x, z, 0.3)",
    "torch.lerp(x, z, 0.8)", "torch.lerp(x, z, z * z / 5)", "torch.addcmul(x, x, z)",
    "torch.addcmul(x, x, z, value=0.5)", "torch.addcdiv(x, x, z, value=2)", "torch.clamp(x, z, x)",
    "torch.clamp(x, min=z)", "torch.clamp(x, max=z)", "torch.clamp(x, z, x + 1)",
    "torch.clamp_min(x, z)", "torch.clamp_max(x, z)", "torch.maximum(x, z)", "x.abs() ** z",
    "torch.float_power(x.abs(), z)", "torch.fmod(x, 0.7) + z", "x % 0.7 + z",
    "x.copysign(-2.0) + z",
]  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("program", UNARY)
def test_one_operand(program: str, dtype: str) -> None:
    assert_same(f"y = {program}", leaves({"x": (2, 3)}, dtype))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("program", BINARY)
def test_two_operands(program: str, dtype: str) -> None:
    assert_same(f"y = {program}", leaves({"x": (2, 3), "z": (3,)}, dtype))


# Of what kinds that are no float are compared with: they are computed in single precision.
TOLERANCE = {"float16": 2e-3}


@pytest.mark.parametrize("program", UNARY[:17] + BINARY[:3] + BINARY[11:13] + BINARY[19:25])
def test_second_derivatives(program: str) -> None:
    first = f"(g,) = torch.autograd.grad(({program}).sum(), x, create_graph=True)"
    arrays = leaves({"x": (3,), "z": (3,), "w": (3,)})
    assert_same(f"{first}\ny = g * w", arrays, shallow=True, tolerance=1e-10)


KINKS = np.array([-np.inf, -3, -1, -0.5, -0.0, 0.0, 0.5, 1, 2, 3, np.inf, np.nan])
AT_KINKS = [
    "torch.asin(x)", "torch.acosh(x)", "torch.atanh(x)", "torch.log1p(x)", "torch.sinc(x)",
    "torch.sign(x)", "torch.abs(x)", "torch.frac(x)", "torch.relu(x)",
    "torch.clamp(x, -1, 1)", "torch.clamp_min(x, 0)", "x ** 0.5", "x ** -0.5", "x ** 0",
    "torch.rsqrt(x)", "torch.logit(x)", "torch.xlogy(x, 2)", "torch.nan_to_num(x, 1.0, 2.0, -2.0)",
    "torch.hypot(x, x)", "torch.fmod(x, 2)", "x % -1.5", "torch.angle(x)", "torch.copysign(x, -1)",
]  # fmt: skip
PAIRS_AT_KINKS = [
    "torch.atan2(x, z)", "torch.hypot(x, z)", "torch.fmod(x, z)", "torch.remainder(x, z)",
    "torch.div(x, z, rounding_mode='floor')", "torch.fmax(x, z)", "torch.fmin(x, z)",
    "torch.maximum(x, z)", "torch.minimum(x, z)", "torch.xlogy(x, z)", "torch.logaddexp(x, z)",
    "torch.copysign(x, z)", "torch.nextafter(x, z)", "torch.clamp(x, min=z)",
    "torch.clamp(x, z, x + 1)", "torch.where(x > z, x, z)", "torch.lerp(x, z, 0.5)",
]  # fmt: skip


@pytest.mark.parametrize("program", AT_KINKS)
def test_infinities_zeros_and_nan(program: str) -> None:
    assert_same(f"y = {program}", {"x": KINKS})


@pytest.mark.parametrize("program", PAIRS_AT_KINKS)
def test_every_pair_of_kinks(program: str) -> None:
    first, second = (side.ravel() for side in np.meshgrid(KINKS, KINKS))
    assert_same(f"y = {program}", {"x": first, "z": second})


@pytest.mark.parametrize(
    "program",
    [
        "v.sin_()", "v.cos_()", "v.tan_()", "v.atan_()", "v.sinh_()", "v.erf_()", "v.trunc_()",
        "v.frac_()", "v.floor_()", "v.square_()", "v.reciprocal_()", "v.clip_(-1, 1)",
        "v.clamp_min_(0)", "v.round_(decimals=1)", "v.fmod_(0.7)", "v.remainder_(0.7)",
        "v.copysign_(-1)", "v.lerp_(z, 0.5)", "v.addcmul_(z, z)", "v.addcdiv_(z, z, value=2)",
        "v.atan2_(z)", "v.hypot_(z)", "v.negative_()", "v.nan_to_num_()", "v.exp2_()",
        "v.multiply_(z)", "v.divide_(z)", "v.subtract_(z)", "v.ldexp_(z)", "torch.sin_(v)",
        "torch.relu_(v)", "torch.exp_(v)",
    ],
)  # fmt: skip
def test_in_place(program: str) -> None:
    arrays = {"w": np.array([0.3, -0.4, 1.2, -1.7]), "z": np.array([0.9, 0.4, -0.6, 1.1])}
    assert_same(f"v = w * 1\n{program}\ny = v * 2 + z", arrays)


@pytest.mark.parametrize("program", ["x.sin_()", "x.clamp_(0)", "x.round_()", "torch.tan_(x)"])
def test_in_place_on_a_leaf_is_refused(program: str) -> None:
    assert_same(program, leaves({"x": (3,)}))


@pytest.mark.parametrize("kind", ["bool", "uint8", "int32", "int64", "float16", "complex64"])
@pytest.mark.parametrize(
    "program",
    [
        "torch.tan(k)", "torch.exp2(k)", "torch.log1p(k)", "torch.deg2rad(k)", "torch.floor(k)",
        "torch.trunc(k)", "torch.frac(k)", "torch.round(k)", "torch.round(k, decimals=1)",
        "torch.abs(k)", "torch.neg(k)", "torch.sign(k)", "torch.sgn(k)", "torch.square(k)",
        "torch.clamp(k, 0, 2)", "torch.clamp(k, min=0.5)", "torch.clamp_max(k, 1)", "k ** 2",
        "k ** 1.5", "2 ** k", "2.5 ** k", "k ** -1", "torch.copysign(k, -1)", "k % 2", "k // 2",
        "torch.fmod(k, 2)", "torch.div(k, 2, rounding_mode='trunc')", "2 - k", "k - 1.5", "1 / k",
        "torch.nan_to_num(k)", "torch.float_power(k, 2)", "torch.xlogy(k, 2)", "torch.hypot(k, k)",
        "torch.bitwise_not(k)", "torch.positive(k)", "torch.signbit(k)", "torch.isposinf(k)",
        "torch.addcmul(k, k, k)", "torch.lerp(k, k, 0.5)", "k > 1",
        "torch.relu(k)", "torch.sigmoid(k)", "torch.real(k)", "torch.angle(k)", "k.byte()",
        "k.cfloat()", "torch.maximum(k, k)", "torch.fmax(k, k)", "torch.atan2(k, k)", "-k",
        "torch.gcd(k, k)", "k << 1", "k & k", "torch.logical_xor(k, k)", "torch.isreal(k)",
    ],
)  # fmt: skip
def test_other_dtypes_are_computed_or_refused(program: str, kind: str) -> None:
    values = np.array([0, 1, 2, 3]) if kind in ("bool", "uint8") else np.array([1, -1, 2, 5])
    assert_same(f"y = {program}", {"k": values.astype(kind)}, tolerance=TOLERANCE.get(kind, 2e-6))


def test_what_is_declined_says_so() -> None:
    z = engine.tensor([1j])
    with pytest.raises(NotImplementedError, match="not available"):
        engine.logaddexp(z, z)
    for cast in ("bfloat16", "chalf"):
        with pytest.raises(NotImplementedError, match="not available"):
            getattr(engine.tensor([1.0]), cast)()


@pytest.mark.parametrize(
    "program",
    [
        "y = x // 2", "y = x // x", "y = 2 % x", "y = torch.heaviside(x, x)",
        "torch.addcdiv(torch.tensor([1]), torch.tensor([1]), torch.tensor([1]))",
        "torch.lerp(x, torch.ones(3, dtype=torch.float32), 0.5)", "torch.addcmul(x, x, 3)",
        "torch.clamp(x)", "torch.div(x, 2, rounding_mode='up')", "torch.tan(3)",
        "torch.tensor([1]) // torch.tensor([0])", "torch.tensor([1]) % 0", "x << 1",
        "torch.gcd(torch.tensor([4, 6]), torch.tensor([6, 9, 2]))", "torch.imag(x)",
        "torch.atan2(x, torch.ones(2))", "torch.isclose(x, torch.ones(3, dtype=torch.float32))",
        "torch.frexp(torch.tensor([1]))", "torch.tensor([2]) ** -1", "torch.view_as_real(x)",
    ],
)  # fmt: skip
def test_refusals(program: str) -> None:
    assert_same(program if program.startswith("y") else f"y = {program}", leaves({"x": (3,)}))


@pytest.mark.parametrize(
    "program",
    [
        "torch.gcd(torch.tensor([4, 6]), torch.tensor([6, 9]))", "torch.tensor([1, -2]) << 3",
        "torch.lcm(torch.tensor([4, 0]), torch.tensor([6, 0]))", "torch.tensor([8, -8]) >> 70",
        "torch.tensor([8, -8]) >> 2", "1 << torch.tensor([3])", "torch.tensor([1]) << -1",
        "torch.signbit(torch.tensor([-0.0, 1]))", "torch.isneginf(torch.tensor([-torch.inf]))",
        "torch.heaviside(torch.tensor([-1.0, 0, 1, torch.nan]), torch.tensor(0.5))",
        "torch.isclose(torch.tensor([1.0, torch.nan]), torch.tensor([1 + 1e-7, torch.nan]))",
        "torch.frexp(torch.tensor([3.0, 0.1]))[1]", "torch.tensor([1.0]).new_zeros(2, 3)",
        "torch.tensor([1]).new_full((2,), 3)", "torch.logspace(0, 2, 3)",
        "torch.tensor([1.0]).new_tensor([1, 2])", "torch.scalar_tensor(3)",
        "torch.tensor([1, 2]).greater(1)", "torch.not_equal(torch.tensor([1, 2]), 2)",
        "torch.tensor([1, 2]).gt_(1)", "torch.tensor([True, False]).logical_not_()",
        "torch.tensor([-1.0, 0, 2]).heaviside_(torch.tensor(0.5))",
        "torch.tensor([1.0, 2]).eq_(1)", "torch.asarray([1, 2])",
        "torch.tensor([1.0, 2]).less_equal(torch.tensor(1))",
        "torch.tensor([-3, 3]) ** torch.tensor([-1, 2])", "torch.tensor([-1.5, 300]).byte()",
    ],
)  # fmt: skip
def test_without_gradients(program: str) -> None:
    assert_same(f"y = {program}", {})


@pytest.mark.parametrize(
    "call",
    [
        "torch.add(x, [1.0])", "torch.mul(None, x)", "torch.sub(x, 'a')", "torch.gt(2, x)",
        "torch.eq(x, None)", "torch.fmod(2, x)", "torch.copysign(2, x)", "torch.maximum(x, 2)",
        "torch.minimum(2, x)", "torch.fmax(x, 2.5)", "torch.atan2(x, 2)", "torch.hypot(2, x)",
        "torch.nextafter(x, True)", "torch.logaddexp(x, 1)", "torch.ldexp(x, 2)",
        "torch.pow(x, 'a')", "torch.float_power(x, None)", "torch.logical_and(x, 1)",
        "torch.heaviside(x, 2)", "torch.gcd(x, 2)", "torch.complex(x, 2)", "torch.polar(2, x)",
        "torch.isclose(x, 2)", "torch.allclose(x, 2)", "torch.equal(2, x)", "torch.clamp(x, 'a')",
        "torch.clamp_min(2, x)", "torch.clamp_max(x, [1])", "torch.where(x > 0, 2)",
        "torch.xlogy(x, None)", "torch.addcmul(x, 2, x)", "torch.sin('a')",
    ],
)  # fmt: skip
def test_arguments_of_the_wrong_kind(call: str) -> None:
    assert_same(f"y = {call}", leaves({"x": (3,)}))
