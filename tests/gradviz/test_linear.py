"""Recombined passes against the passes themselves, and what is not linear is not recombined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import engine
from gradviz.diagram import BackwardCall, Diagram, Start
from gradviz.evaluate import evaluate
from gradviz.examples import Example, examples
from gradviz.jacobians.linear import Combination, unit_diagram, unit_passes
from gradviz.run import Array, Pass, Run
from gradviz.script.sandbox import Sandbox
from gradviz.twin import reduction_of
from tests.gradviz.programs import article, recorded

_RTOL = 1e-12


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


def _double(diagram: Diagram) -> Diagram:
    """The diagram in float64."""
    nodes = {
        key: node
        if node.data is None or node.data.dtype.kind != "f"
        else replace(node, data=node.data.astype(np.float64))
        for key, node in diagram.nodes.items()
    }
    return replace(diagram, nodes=nodes)


def _seeded(diagram: Diagram, index: int, v: Array | None = None) -> Diagram:
    """The diagram with the call `index` started by a seed; by ones where none is given."""
    call, values = diagram.calls[index], evaluate(diagram).values
    reading = reduction_of(diagram, call, values)
    target = reading.source if reading else call.target
    y = values[target].array
    start = Start("seed", values=np.ones_like(y) if v is None else v)
    seeded = BackwardCall(target, start, call.retain_graph, clear=call.clear, edited=True)
    return diagram.with_call(index, seeded)


def _combination(diagram: Diagram, index: int) -> Combination | None:
    """All unit passes of the call known."""
    run = evaluate(diagram)
    made = Combination.of(run, index)
    y = run.values[diagram.calls[index].target].array
    components = tuple(range(y.size))
    units_run = evaluate(unit_diagram(diagram, index, y, components))
    alone, *units = unit_passes(diagram, index, units_run)
    assert made is None or made.agrees(alone)
    for k, done in zip(components, units, strict=True):
        made = None if made is None else made.with_unit(k, done)
    return made


def _assert_equal(ours: Pass, true: Pass) -> None:
    assert [(s.node, s.slot, s.input, s.summed) for s in ours.steps] == [
        (s.node, s.slot, s.input, s.summed) for s in true.steps
    ]
    for one, other in zip(ours.steps, true.steps, strict=True):
        for name in ("upstream", "contribution", "before", "after"):
            mine, theirs = getattr(one, name), getattr(other, name)
            assert (mine is None) == (theirs is None)
            if mine is not None:
                assert mine.shape == theirs.shape
                np.testing.assert_allclose(mine, theirs, rtol=_RTOL, atol=_RTOL)
    assert ours.grads.keys() == true.grads.keys()
    for leaf, grad in ours.grads.items():
        np.testing.assert_allclose(grad, true.grads[leaf], rtol=_RTOL, atol=_RTOL)
    assert ours.cost == true.cost


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_recombined_passes_are_those_that_run(example: Example, sandbox: Sandbox) -> None:
    source = example.path.read_text(encoding="utf-8")
    diagram = _double(sandbox.run(source, example.path.name)[0])
    assert diagram.calls
    rng = np.random.default_rng(3)
    for index in range(len(diagram.calls)):
        seeded = _seeded(diagram, index)
        run = evaluate(seeded)
        if run.passes[index].error is not None:
            assert Combination.of(run, index) is None
            continue
        made = _combination(seeded, index)
        assert made is not None
        v = rng.normal(size=run.values[seeded.calls[index].target].array.shape)
        assert made.knows(v)
        ours, true = made.run(v), evaluate(_seeded(diagram, index, v))
        assert true.passes[index].seed is not None
        assert ours.passes[index].seed is not None
        np.testing.assert_array_equal(ours.passes[index].seed, true.passes[index].seed)
        for mine, theirs in zip(ours.passes, true.passes, strict=True):
            _assert_equal(mine, theirs)


def _article(n: SimpleNamespace) -> None:
    article(n)
    n.y.backward(engine.tensor([1.0, 0.5]))


def test_only_the_components_that_changed_need_their_pass() -> None:
    diagram = recorded(_article)[0].diagram
    made = Combination.of(evaluate(diagram), 0)
    assert made is not None
    assert made.knows(np.array([1.0, 0.5]))
    assert not made.knows(np.array([1.0, 2.0]))
    units = evaluate(unit_diagram(diagram, 0, np.zeros(2, np.float32), (1,))).passes
    made = made.with_unit(1, units[1])
    assert made is not None
    assert made.knows(np.array([1.0, 2.0]))
    assert not made.knows(np.array([3.0, 2.0]))
    assert made.run(np.array([1.0, 2.0])).passes[0].grads["x"].tolist() == [7.0, 18.0]


def test_what_accumulates_over_calls_keeps_what_was_there() -> None:
    def twice(n: SimpleNamespace) -> None:
        article(n)
        n.y.backward(engine.tensor([1.0, 0.5]), retain_graph=True)
        n.y.backward(engine.tensor([1.0, 1.0]), retain_graph=True)
        n.x.grad = None
        n.y.backward(engine.tensor([1.0, 1.0]))

    diagram = recorded(twice)[0].diagram
    made = _combination(diagram, 0)
    assert made is not None
    grads = [done.grads["x"].tolist() for done in made.run(np.array([2.0, 0.0])).passes]
    assert grads == [[14.0, 0.0], [21.0, 9.0], [7.0, 9.0]]


def _hooked(n: SimpleNamespace) -> None:
    n.x = engine.tensor([2.0, 3.0], requires_grad=True)
    n.a = n.x * 2
    n.a.register_hook(lambda g: g * g)
    n.y = n.a + 1
    n.y.backward(engine.tensor([1.0, 0.5]))


def _hooked_leaf(n: SimpleNamespace) -> None:
    n.x = engine.tensor([2.0, 3.0], requires_grad=True)
    n.x.register_hook(lambda g: g.abs() + 1)
    n.y = n.x * 2
    n.y.backward(engine.tensor([1.0, 0.5]))


def _written_grad(n: SimpleNamespace) -> None:
    article(n)
    n.x.grad = engine.tensor([100.0, 100.0])
    n.y.backward(engine.tensor([1.0, 0.5]))


def _not_finite(n: SimpleNamespace) -> None:
    n.x = engine.tensor([0.0, 3.0], requires_grad=True)
    n.y = n.x.sqrt()
    n.y.backward(engine.tensor([1.0, 0.5]))


def _implicit(n: SimpleNamespace) -> None:
    article(n)
    n.y.sum().backward()


def _refused(n: SimpleNamespace) -> None:
    article(n)
    n.y.backward(engine.tensor([1.0, 0.5, 3.0]))


@pytest.mark.parametrize(
    "program", [_hooked, _hooked_leaf, _written_grad, _not_finite, _implicit, _refused]
)
def test_what_is_not_linear_is_left_to_be_run(program: object) -> None:
    trace = recorded(program)[0]  # type: ignore[arg-type]
    run = Run(trace.values, trace.passes)
    assert Combination.of(run, 0) is None
    assert Combination.of(run, 1) is None


def test_a_pass_that_went_another_way_is_seen() -> None:
    def hooked_after(n: SimpleNamespace) -> None:
        n.x = engine.tensor([2.0, 3.0], requires_grad=True)
        n.y = n.x * 2
        n.y.grad_fn.register_hook(lambda sent, _got: (sent[0] * 10, *sent[1:]))
        n.y.backward(engine.tensor([1.0, 0.5]))

    trace = recorded(hooked_after)[0]
    made = Combination.of(Run(trace.values, trace.passes), 0)
    assert made is not None
    alone = evaluate(unit_diagram(trace.diagram, 0, np.zeros(2, np.float32), ())).passes[0]
    assert not made.agrees(alone)
    other = evaluate(recorded(_article)[0].diagram).passes[0]
    assert made.with_unit(0, other) is None
