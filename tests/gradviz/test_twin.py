"""Reduction and seed: each start the other way, and the measured difference."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import engine
from gradviz.diagram import Diagram, Start
from gradviz.evaluate import evaluate
from gradviz.run import Run
from gradviz.script.sandbox import Sandbox
from gradviz.seeds.starts import REDUCTIONS, preset_seed
from gradviz.twin import compare, parse_start, reduction_of
from tests.gradviz.programs import article, recorded


def with_sum(n: SimpleNamespace) -> None:
    article(n)
    n.loss_sum = n.y.sum()
    n.loss_sum.backward()


def without_seed(n: SimpleNamespace) -> None:
    article(n)
    n.y.backward()


def weighted(n: SimpleNamespace) -> None:
    article(n)
    n.v = engine.tensor([1.0, 0.5])
    n.y.backward(gradient=n.v)


def opened(program: object) -> tuple[Diagram, Run]:
    diagram = recorded(program)[0].diagram  # type: ignore[arg-type]
    return diagram, evaluate(diagram)


def test_evaluating_a_recorded_diagram_gives_what_was_recorded() -> None:
    trace, _, _ = recorded(with_sum)
    run = evaluate(trace.diagram)
    assert run.error is None
    assert {k: v.array.tolist() for k, v in run.values.items()} == {
        k: v.array.tolist() for k, v in trace.values.items()
    }
    ours, theirs = run.passes[0], trace.passes[0]
    assert [(s.node, s.input) for s in ours.steps] == [(s.node, s.input) for s in theirs.steps]
    assert ours.cost == theirs.cost


def test_sum_in_the_script_is_the_seed_of_ones() -> None:
    diagram, run = opened(with_sum)
    found = compare(evaluate, diagram, run)
    assert (found.name, found.source, found.seed.tolist()) == ("sum", "y", [1.0, 1.0])
    assert found.largest == 0.0
    assert "loss_sum" in found.reduction.diagram.nodes
    assert "loss_sum" not in found.seed_side.diagram.nodes
    left, right = found.reduction.done.cost, found.seed_side.done.cost
    assert (left.nodes - right.nodes, left.edges - right.edges, left.steps - right.steps) == (
        1,
        1,
        1,
    )
    assert left.saved_bytes == right.saved_bytes
    assert left.gradient_bytes - right.gradient_bytes == 4


def test_mean_is_one_over_n() -> None:
    diagram, run = opened(with_sum)
    found = compare(evaluate, diagram, run, start=Start("reduction", reduction="mean"))
    assert found.seed.tolist() == [0.5, 0.5]
    assert found.reduction.done.grads["x"].tolist() == [3.5, 4.5]
    assert [node.id for node in found.reduction.done.added] == ["added:mean"]


def test_a_call_without_seed_is_compared_by_sum_and_ones() -> None:
    diagram, run = opened(without_seed)
    assert run.error is not None
    assert run.error.node == "y"
    found = compare(evaluate, diagram, run)
    assert found.seed.tolist() == [1.0, 1.0]
    assert found.reduction.done.root == "added:sum"


def test_a_seed_is_the_weighted_sum() -> None:
    diagram, run = opened(weighted)
    found = compare(evaluate, diagram, run)
    assert found.name == "weighted"
    assert [node.op for node in found.reduction.done.added] == ["constant", "mul", "sum"]
    assert found.seed.tolist() == [1.0, 0.5]
    assert found.reduction.done.grads["x"].tolist() == [7.0, 4.5]
    assert found.largest == 0.0


@pytest.mark.parametrize(
    ("reduction", "seed"),
    [
        ("sum", [1, 1]),
        ("mean", [0.5, 0.5]),
        ("component", [0, 1]),
        ("max", [0, 1]),
        ("norm", [10 / np.sqrt(424), 18 / np.sqrt(424)]),
        ("logsumexp", [1 / (1 + np.exp(8)), 1 / (1 + np.exp(-8))]),
    ],
)
def test_every_reduction_has_its_seed(reduction: str, seed: list[float]) -> None:
    diagram, run = opened(without_seed)
    start = Start("reduction", reduction=reduction, index=1)
    found = compare(evaluate, diagram, run, start=start)
    assert np.allclose(found.seed, seed, rtol=1e-6)
    assert found.largest <= 1e-6
    assert reduction in REDUCTIONS


def test_reductions_of_the_script_are_recognised() -> None:
    def weights(n: SimpleNamespace) -> None:
        article(n)
        n.w = engine.tensor([1.0, 0.5])
        n.loss = (n.w * n.y).sum()
        n.loss.backward()

    diagram, run = opened(weights)
    reading = reduction_of(diagram, diagram.calls[0], run.values)
    assert reading is not None
    assert (reading.reduction, reading.source) == ("weighted", "y")
    found = compare(evaluate, diagram, run)
    assert found.seed.tolist() == [1.0, 0.5]
    assert set(found.seed_side.diagram.nodes) == {"x", "pow@0", "constant@0", "mul@0", "y"}

    diagram, run = opened(without_seed)
    assert reduction_of(diagram, diagram.calls[0], run.values) is None


def test_starts_that_cannot_be_run_say_why() -> None:
    diagram, run = opened(without_seed)
    with pytest.raises(ValueError, match="There is no backward call 2; the program makes 1"):
        compare(evaluate, diagram, run, index=1)
    with pytest.raises(ValueError, match="There is no component 7: the output has 2 elements"):
        compare(evaluate, diagram, run, start=Start("reduction", reduction="component", index=7))


def test_typed_starts() -> None:
    y = np.array([10.0, 18.0], dtype=np.float32)
    assert parse_start("mean", y).reduction == "mean"
    assert parse_start("component:1", y).index == 1
    typed = parse_start("v=1,0.5", y).values
    assert typed is not None
    assert typed.tolist() == [1.0, 0.5]
    assert typed.dtype == np.float32
    for text, message in [
        ("v=1,2,3", "The seed has 3 numbers; the output has 2 elements"),
        ("v=1,two", "is not a seed: write numbers with commas"),
        ("average", "average is not a way to start"),
        ("onehot:5", "onehot:5 is not a seed"),
    ]:
        with pytest.raises(ValueError, match=message):
            parse_start(text, y)


def test_presets_take_the_outputs_shape_and_dtype() -> None:
    y = np.zeros((2, 3), dtype=np.float32)
    assert preset_seed("onehot:4", y).tolist() == [[0, 0, 0], [0, 1, 0]]
    assert preset_seed("1/N", y).sum() == pytest.approx(1)
    signs = preset_seed("random:7", y)
    assert set(np.unique(signs)) <= {-1.0, 1.0}
    assert np.array_equal(signs, preset_seed("random:7", y))
    assert preset_seed("ones", y).dtype == np.float32


def test_a_seed_of_the_wrong_shape_is_refused_as_pytorch_does() -> None:
    diagram, _ = opened(without_seed)
    call = replace(diagram.calls[0], start=Start("seed", values=np.ones(3, dtype=np.float32)))
    run = evaluate(diagram.with_call(0, call))
    assert run.error is not None
    assert run.error.message == (
        "Mismatch in shape: grad_output[0] has a shape of torch.Size([3]) "
        "and output[0] has a shape of torch.Size([2])."
    )
    assert "y" in run.values


def test_a_half_built_diagram_is_evaluated_as_far_as_it_goes() -> None:
    diagram, _ = opened(without_seed)
    run = evaluate(diagram.remove(["pow@0"]))
    assert "mul@0" in run.values
    assert "y" not in run.values


def test_a_product_that_a_gradient_is_computed_by_is_no_weighted_sum() -> None:
    source = (
        "import torch\nx = torch.tensor([2.0, 3.0], requires_grad=True)\n"
        "(g,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)\ng.sum().backward()\n"
    )
    with Sandbox() as sandbox:
        diagram, run = sandbox.run(source)
    reading = reduction_of(diagram, diagram.calls[1], run.values)
    assert reading is not None
    assert (reading.reduction, diagram.nodes[reading.source].name) == ("sum", "g")
