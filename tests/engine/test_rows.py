"""Every row of the table: finite differences to second order, its formula, and what it saves."""

from __future__ import annotations

import importlib
from pkgutil import iter_modules

import numpy as np
import pytest

from engine import ops
from engine.autograd import grad
from engine.check import gradcheck, gradgradcheck
from engine.formula import needs_of, read
from engine.func import jvp
from engine.op import Op, Sample
from engine.ops import OPS
from engine.ops.division import NOT_IMPLEMENTED
from engine.tensor import Tensor, apply


def _samples(op: Op) -> list[Sample]:
    if op.samples:
        return list(op.samples)
    return [Sample(((2,),) * (2 if op.variadic else len(op.pullbacks)))]


DIFFERENTIABLE = [
    pytest.param(op, sample, id=f"{name}-{number}")
    for name, op in OPS.items()
    for number, sample in enumerate(_samples(op))
    if any(op.reaches(slot) for slot in range(len(sample.inputs))) and op.grad_fn != NOT_IMPLEMENTED
]


# PyTorch's rule takes log-probabilities that sum to 1, and has no derivative itself.
DIFFERENCES = [p for p in DIFFERENTIABLE if p.values[0].name != "ctc_loss"]


def _on_tensors(op: Op, sample: Sample):
    """The row as a function of real numbers: complex ones come and go as pairs."""
    complex_ = [a.dtype.kind == "c" for a in sample.arrays()]

    def function(*inputs: Tensor) -> Tensor:
        given = [
            apply(OPS["view_as_complex"], (t,), {}) if c else t
            for t, c in zip(inputs, complex_, strict=True)
        ]
        made = apply(op, tuple(given), sample.params)
        return apply(OPS["view_as_real"], (made,), {}) if made.dtype.is_complex else made

    return function


def _real_arrays(sample: Sample) -> list[np.ndarray]:
    return [np.stack([a.real, a.imag], -1) if a.dtype.kind == "c" else a for a in sample.arrays()]


@pytest.mark.parametrize(("op", "sample"), DIFFERENCES)
def test_first_derivative(op: Op, sample: Sample) -> None:
    assert gradcheck(_on_tensors(op, sample), _real_arrays(sample)) == []


@pytest.mark.parametrize(("op", "sample"), DIFFERENCES)
def test_second_derivative(op: Op, sample: Sample) -> None:
    arrays = _real_arrays(sample)
    assert gradgradcheck(_on_tensors(op, sample), arrays, rtol=1e-5, atol=1e-6) == []


@pytest.mark.parametrize(("op", "sample"), DIFFERENCES)
def test_adjoint(op: Op, sample: Sample) -> None:
    """<v, J u> = <J^T v, u>, J u being what the pullback's own derivative by v gives."""
    draw = np.random.default_rng(5)
    row, arrays = _on_tensors(op, sample), _real_arrays(sample)
    slots = [i for i, a in enumerate(arrays) if a.dtype.kind == "f"]
    along = [draw.normal(size=arrays[i].shape) for i in slots]

    def function(*leaves: Tensor) -> Tensor:
        given = [Tensor(np.array(a)) for a in arrays]
        for slot, leaf in zip(slots, leaves, strict=True):
            given[slot] = leaf
        return row(*given)

    leaves = [Tensor(np.array(arrays[i]), requires_grad=True) for i in slots]
    y, moved = jvp(function, tuple(leaves), tuple(Tensor(u) for u in along))
    v = draw.normal(size=y.shape)
    back = grad(function(*leaves), leaves, Tensor(v), allow_unused=True)
    there = float(np.sum(v * moved.detach().numpy()))
    here = sum(
        float(np.sum(g.numpy() * u)) for g, u in zip(back, along, strict=True) if g is not None
    )
    np.testing.assert_allclose(here, there, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize(("op", "sample"), DIFFERENTIABLE)
def test_formula_has_the_value_that_the_rule_computes(op: Op, sample: Sample) -> None:
    arrays = sample.arrays()
    y = np.asarray(op.forward(*arrays, **sample.params))
    g = np.random.default_rng(3).uniform(0.5, 1.5, y.shape)
    extra = op.extra(y, *arrays, **sample.params) if op.extra else {}
    for slot in range(len(arrays)):
        rule = op.pullback(slot)
        if rule is None:
            continue
        formula, _ = read(op, slot, g, y, arrays, sample.params)
        np.testing.assert_array_equal(
            formula.value, np.asarray(rule(g, y, *arrays, **sample.params, **extra))
        )
        assert str(formula)
        assert formula.tex.count("{") == formula.tex.count("}")


@pytest.mark.parametrize(("op", "sample"), DIFFERENTIABLE)
def test_what_is_said_to_be_saved_is_what_the_rule_reads(op: Op, sample: Sample) -> None:
    """A rule gives the same whatever stands in the places that it does not read."""
    if op.reads is not None and op.name == "pow":
        return  # PyTorch saves the base of a power even where the rule for x ** 1 has no use for it
    arrays = sample.arrays()
    y = np.asarray(op.forward(*arrays, **sample.params))
    extra = op.extra(y, *arrays, **sample.params) if op.extra else {}
    wanted = tuple(op.reaches(slot) for slot in range(len(arrays)))
    plan = op.plan(wanted)
    spoilt = [
        a if keep else np.full_like(a, 77) for a, keep in zip(arrays, plan.values, strict=True)
    ]
    shown = y if plan.output else np.full_like(y, 77)
    for slot, rule in plan.active:
        honest = rule(np.ones_like(y), y, *arrays, **sample.params, **extra)
        again = rule(np.ones_like(y), shown, *spoilt, **sample.params, **extra)
        np.testing.assert_array_equal(honest, again, err_msg=f"{op.name} slot {slot}")


@pytest.mark.parametrize(
    ("name", "slot", "plain", "tex"),
    [
        ("mul", 0, "ȳ * b", r"\bar{y} \odot b"),
        ("div", 0, "ȳ / b", r"\frac{\bar{y}}{b}"),
        ("exp", 0, "ȳ * y", r"\bar{y} \odot y"),
        ("tanh", 0, "ȳ * (1 - y * y)", r"\bar{y} \odot \left(1 - y \odot y\right)"),
        ("sum", 0, "ȳ * ones", r"\bar{y} \, \mathbf{1}"),
        ("mean", 0, "ȳ * ones / 6", r"\frac{\bar{y} \, \mathbf{1}}{6}"),
        ("mm", 0, "ȳ @ b.T", r"\bar{y} \, b^{T}"),
        ("mm", 1, "a.T @ ȳ", r"a^{T} \, \bar{y}"),
        ("pow", 0, "ȳ * (3 * x ** 2)", r"\bar{y} \odot \left(3 \, x^{2}\right)"),
        ("relu", 0, "ȳ * (y > 0)", r"\bar{y} \odot \left(y > 0\right)"),
        ("select", 0, "put(ȳ at [:, 2])", r"\mathrm{put}_{[:, 2]}\left(\bar{y}\right)"),
        ("softmax", 0, "y * (ȳ - sum(ȳ * y))", None),
    ],
)
def test_how_a_rule_is_written(name: str, slot: int, plain: str, tex: str | None) -> None:
    op = OPS[name]
    sample = _samples(op)[0]
    arrays = sample.arrays()
    y = np.asarray(op.forward(*arrays, **sample.params))
    formula, _ = read(op, slot, np.ones_like(y), y, arrays, sample.params)
    assert str(formula) == plain
    if tex is not None:
        assert formula.tex == tex


def test_needs_are_found_by_tracing() -> None:
    assert needs_of(OPS["mul"], 0, 2) == {1}
    assert needs_of(OPS["exp"], 0, 1) == {"y"}
    assert needs_of(OPS["sum"], 0, 1) == {("shape", 0)}
    assert needs_of(OPS["div"], 1, 2) == {0, 1}


def test_the_tables_flat_rows_send_zeros() -> None:
    for name in ("sign", "floor", "ceil", "round"):
        rule = OPS[name].pullback(0)
        assert rule is not None
        assert rule(np.ones(2), None, np.ones(2)).tolist() == [0, 0]


def test_each_row_has_a_name_of_its_own() -> None:
    families = [importlib.import_module(f"engine.ops.{m.name}") for m in iter_modules(ops.__path__)]
    names = [row.name for family in families for row in getattr(family, "ROWS", ())]
    assert sorted(names) == sorted(OPS)
