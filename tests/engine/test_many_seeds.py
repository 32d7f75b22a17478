"""Many cotangents in one sweep: the same as one sweep for each."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.autograd import calls
from engine.fitting import fit, fit_many
from engine.op import Op, Sample
from engine.ops import OPS
from engine.tensor import Tensor
from tests.engine.test_rows import DIFFERENTIABLE

TOGETHER = [case for case in DIFFERENTIABLE if case.values[0].rule_for_many(0) is not None]


@pytest.mark.parametrize(("op", "sample"), TOGETHER)
@pytest.mark.parametrize("many", [1, 3])
def test_a_rule_for_many_is_the_rule_for_each(op: Op, sample: Sample, many: int) -> None:
    arrays = sample.arrays()
    y = np.asarray(op.forward(*arrays, **sample.params))
    extra = op.extra(y, *arrays, **sample.params) if op.extra else {}
    seeds = np.random.default_rng(0).normal(size=(many, *y.shape))
    for slot, x in enumerate(arrays):
        rule, of_many = op.pullback(slot), op.rule_for_many(slot)
        if rule is None or of_many is None:
            continue
        together = of_many(seeds, y, *arrays, **sample.params, **extra)
        each = [
            fit(rule(seed, y, *arrays, **sample.params, **extra), x.shape, x.dtype)[0]
            for seed in seeds
        ]
        np.testing.assert_allclose(fit_many(together, x.shape, x.dtype)[0], each, rtol=1e-13)


def _of_everything(x: Tensor) -> Tensor:
    """Rows with rules for many and rows without, broadcasting in every direction, a fan-out."""
    rows = engine.softmax(x.reshape(2, 3) * x[0], 1)
    wide = rows.t() + rows.sum(1) - x[:3].unsqueeze(1).exp()
    picked = wide[[0, 2, 0]]
    return engine.cat([picked.flatten(), wide.max().reshape(1), (wide @ wide.T).diagonal()])


@pytest.mark.parametrize("create_graph", [False, True])
def test_a_whole_sweep(create_graph: bool) -> None:
    x = engine.tensor(np.linspace(0.3, 1.4, 6), requires_grad=True)
    y = _of_everything(x)
    seeds = engine.tensor(np.random.default_rng(1).normal(size=(4, *y.shape)))
    (together,) = engine.autograd.grad(
        y, x, seeds, retain_graph=True, create_graph=create_graph, is_grads_batched=True
    )
    for seed, found in zip(seeds, together, strict=True):
        (alone,) = engine.autograd.grad(y, x, seed, retain_graph=True)
        np.testing.assert_allclose(found.detach().numpy(), alone.numpy(), rtol=1e-13)
    assert together.requires_grad == create_graph
    if create_graph:
        (second,) = engine.autograd.grad(together[0].sum(), x)
        (g,) = engine.autograd.grad(_of_everything(x), x, seeds[0], create_graph=True)
        (expected,) = engine.autograd.grad(g.sum(), x)
        np.testing.assert_allclose(second.numpy(), expected.numpy(), rtol=1e-12)


def test_a_leaf_as_its_own_output() -> None:
    x = engine.tensor([1.0, 2.0], requires_grad=True)
    seeds = engine.tensor([[1.0, 0.0], [3.0, 4.0]])
    (found,) = engine.autograd.grad(x, x, seeds, is_grads_batched=True)
    assert found.tolist() == seeds.tolist()


def test_complex_rules_for_many_run_between_conjugations() -> None:
    z = engine.tensor([1 + 2j, 3 - 1j], requires_grad=True)
    seeds = engine.tensor([[1 + 1j, 2 + 0j], [0 + 1j, 1 - 1j]])
    (found,) = engine.autograd.grad(z * z, z, seeds, is_grads_batched=True)
    expected = seeds.numpy() * np.conj(2 * z.detach().numpy())
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-6)


def test_rows_of_which_something_is_known() -> None:
    together = {case.values[0].name for case in TOGETHER}
    assert together >= {"add", "mul", "mm", "sum", "mean", "view", "transpose", "softmax", "mv"}
    assert OPS["index"].rule_for_many(0) is None


def test_a_map_of_a_pullback_is_one_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    x = engine.tensor(np.linspace(0.3, 1.4, 6))
    y, back = engine.func.vjp(_of_everything, x)
    seeds = engine.tensor(np.random.default_rng(1).normal(size=(4, *y.shape)))
    alone = [back(seed)[0].numpy() for seed in seeds]
    sweeps = []
    real = calls.sweep
    monkeypatch.setattr(calls, "sweep", lambda *given: (sweeps.append(1), real(*given))[1])
    (together,) = engine.func.vmap(back)(seeds)
    np.testing.assert_allclose(together.numpy(), alone, rtol=1e-13)
    assert len(sweeps) == 1
    with pytest.raises(RuntimeError):
        engine.func.vmap(back)(seeds[:, 1:])
