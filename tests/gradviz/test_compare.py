"""Any two starts, any two calls, the dictionary and the facts; equal to PyTorch's numbers."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pytest

import engine
from engine.nn import functional
from gradviz.diagram import Diagram, Start
from gradviz.evaluate import evaluate
from gradviz.examples import examples
from gradviz.proofs import in_torch
from gradviz.run import Run
from gradviz.script.sandbox import Sandbox
from gradviz.seeds.starts import REDUCTIONS
from gradviz.twin import compare, compare_calls, compare_starts, reading_of, reduction_of
from gradviz.twin.dictionary import dictionary
from gradviz.twin.facts import extra_nodes, mechanism, used_for
from gradviz.twin.timing import timing
from tests.gradviz.programs import article, recorded

SUM, MEAN = (Start("reduction", reduction=name) for name in ("sum", "mean"))


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


def opened(program: object) -> tuple[Diagram, Run]:
    diagram = recorded(program)[0].diagram  # type: ignore[arg-type]
    return diagram, evaluate(diagram)


def without_seed(n: SimpleNamespace) -> None:
    article(n)
    n.y.backward()


def two_rows(n: SimpleNamespace) -> None:
    article(n)
    for numbers in ([1.0, 0.0], [0.0, 1.0]):
        n.y.backward(gradient=engine.tensor(numbers), retain_graph=True)
        n.x.grad = None


def squared(n: SimpleNamespace) -> None:
    article(n)
    n.t = engine.tensor([9.0, 20.0])
    n.loss = functional.mse_loss(n.y, n.t)
    n.loss.backward()


def classified(n: SimpleNamespace) -> None:
    n.scores = engine.tensor([[2.0, 0.5, -1.0], [0.0, 1.0, 3.0]], requires_grad=True) * 1.5
    n.labels = engine.tensor([0, 1])
    n.loss = functional.cross_entropy(n.scores, n.labels)
    n.loss.backward()


def test_mean_is_told_from_sum_by_one_factor() -> None:
    diagram, run = opened(without_seed)
    pair = compare_starts(evaluate, diagram, run, 0, (SUM, MEAN))
    assert pair.scale == 0.5
    assert pair.differences == {"x": 4.5}
    assert (pair.left.title, pair.right.title) == ("y.sum().backward()", "y.mean().backward()")


def test_a_reduction_against_a_seed_that_is_not_its_own() -> None:
    diagram, run = opened(without_seed)
    seed = Start("seed", values=np.array([1.0, 0.5], dtype=np.float32))
    pair = compare_starts(evaluate, diagram, run, 0, (SUM, seed))
    assert pair.scale is None
    assert pair.nodes() == {
        "added:sum": None,
        "y": 0.5,
        "pow@0": 0.5,
        "mul@0": 0.5,
        "x": 4.5,
    }


def test_an_output_without_a_name_is_called_by_its_expression(sandbox: Sandbox) -> None:
    source = "import torch\nx = torch.tensor([2.0, 3.0], requires_grad=True)\n"
    pair = compare(evaluate, *sandbox.run(f"{source}(x**2 + 3 * x).sum().backward()\n")).pair
    assert (pair.left.title, pair.right.title) == (
        "(x ** 2 + 3 * x).sum().backward()",
        "(x ** 2 + 3 * x).backward(gradient=v)",
    )


def test_two_calls_of_one_program() -> None:
    diagram, run = opened(two_rows)
    pair = compare_calls(evaluate, diagram, run, (0, 1))
    assert [side.done.grads["x"].tolist() for side in (pair.left, pair.right)] == [[7, 0], [0, 9]]
    assert pair.source == "y"
    assert pair.largest == 9
    with pytest.raises(ValueError, match="There is no backward call 3; the program makes 2"):
        compare_calls(evaluate, diagram, run, (0, 2))


def test_a_loss_with_a_target_is_read_as_a_reduction() -> None:
    diagram, run = opened(squared)
    reading = reading_of(diagram, diagram.calls[0], run.values)
    assert reading is not None
    assert (reading.reduction, reading.source, reading.chain) == ("mse", "y", ("loss",))
    assert reduction_of(diagram, diagram.calls[0], run.values) is None
    found = compare(evaluate, diagram, run)
    assert found.seed.tolist() == [1.0, -2.0]  # 2 (y - t) / N
    assert set(found.seed_side.diagram.nodes) == {"x", "pow@0", "constant@0", "mul@0", "y"}
    assert found.largest == 0


def test_cross_entropy_is_read_through_its_log_softmax() -> None:
    torch = pytest.importorskip("torch")
    diagram, run = opened(classified)
    found = compare(evaluate, diagram, run)
    scores = torch.tensor([[3.0, 0.75, -1.5], [0.0, 1.5, 4.5]], requires_grad=True)
    torch.nn.functional.cross_entropy(scores, torch.tensor([0, 1])).backward()
    assert (found.name, found.source) == ("cross_entropy", "scores")
    np.testing.assert_allclose(found.seed, scores.grad, rtol=1e-6, atol=1e-7)
    assert found.largest == 0
    assert [node.op for node in extra_nodes(found.reduction, found.source)] == [
        "log_softmax",
        "nll_loss",
    ]


def test_the_dictionary_of_the_article_s_output() -> None:
    diagram, run = opened(without_seed)
    found = dictionary(evaluate, diagram, run)
    assert (found.source, found.y.tolist()) == ("y", [10.0, 18.0])
    rows = {row.name: row for row in found.rows}
    assert list(rows) == list(REDUCTIONS)
    seeds = {
        "sum": [1, 1],
        "mean": [0.5, 0.5],
        "weighted": [1, 0.5],
        "component": [1, 0],
        "norm": [10 / np.sqrt(424), 18 / np.sqrt(424)],
        "logsumexp": [1 / (1 + np.exp(8)), 1 / (1 + np.exp(-8))],
        "max": [0, 1],
        "prod": [18, 10],
        "var": [-8, 8],
        "mse": [10, 18],
        "cross_entropy": [1 / (1 + np.exp(8)) - 1, 1 / (1 + np.exp(-8))],
    }
    values = {"sum": 28, "mean": 14, "weighted": 19, "component": 10, "max": 18, "prod": 180}
    values |= {"norm": np.sqrt(424), "logsumexp": 18.000335, "var": 32, "mse": 212}
    for name, row in rows.items():
        assert row.seed is not None
        np.testing.assert_allclose(row.seed, seeds[name], rtol=1e-4)
        np.testing.assert_allclose(row.grads["x"], np.array([7, 9]) * seeds[name], rtol=1e-4)
        assert row.largest <= 1e-6
        if name in values:
            assert row.value is not None
            assert float(row.value) == pytest.approx(values[name], rel=1e-6)
    scales = {name: row.scale for name, row in rows.items() if row.scale is not None}
    assert scales == {"sum": 1.0, "mean": 0.5}


def test_the_dictionary_takes_the_program_s_own_numbers() -> None:
    diagram, run = opened(squared)
    rows = {row.name: row for row in dictionary(evaluate, diagram, run).rows}
    assert rows["mse"].seed is not None
    assert rows["mse"].seed.tolist() == [1.0, -2.0]
    diagram, run = opened(classified)
    rows = {row.name: row for row in dictionary(evaluate, diagram, run).rows}
    assert rows["cross_entropy"].start.values is not None
    assert rows["cross_entropy"].start.values.tolist() == [0, 1]


def test_weights_that_are_all_alike_are_replaced() -> None:
    def ones(n: SimpleNamespace) -> None:
        article(n)
        n.y.backward(gradient=engine.tensor([1.0, 1.0]))

    diagram, run = opened(ones)
    rows = {row.name: row for row in dictionary(evaluate, diagram, run).rows}
    assert rows["weighted"].seed is not None
    assert rows["weighted"].seed.tolist() == [1.0, 0.5]


def test_a_reduction_that_an_output_does_not_have_says_why() -> None:
    def single(n: SimpleNamespace) -> None:
        n.x = engine.tensor(3.0, requires_grad=True)
        n.y = n.x * 2
        n.y.backward()

    diagram, run = opened(single)
    rows = {row.name: row for row in dictionary(evaluate, diagram, run).rows}
    assert rows["cross_entropy"].problem == (
        "There is no class 0: the output has 0 along its last axis."
    )
    assert rows["prod"].seed is not None
    assert rows["prod"].seed.tolist() == 1


@pytest.mark.parametrize("name", [each.name for each in examples()])
def test_on_every_example_each_seed_equals_its_reduction(name: str, sandbox: Sandbox) -> None:
    source = next(each for each in examples() if each.name == name).source()
    diagram, run = sandbox.run(source)
    for index in range(len(diagram.calls)):
        found = dictionary(sandbox.evaluate, diagram, run, index=index)
        assert [row.problem for row in found.rows] == [""] * len(REDUCTIONS)
        assert all(row.largest <= 1e-5 for row in found.rows)
        assert all(row.grads for row in found.rows)


@pytest.mark.parametrize("name", [each.name for each in examples()])
def test_on_every_example_the_gradients_are_pytorch_s(name: str, sandbox: Sandbox) -> None:
    pytest.importorskip("torch")
    source = next(each for each in examples() if each.name == name).source()
    diagram, run = sandbox.run(source)
    for index in range(len(diagram.calls)):
        found = dictionary(sandbox.evaluate, diagram, run, index=index)
        for row in found.rows:
            assert row.seed is not None
            theirs = in_torch.gradients(diagram, found.source, row.seed, list(row.grads), {})
            for leaf, array in row.grads.items():
                np.testing.assert_allclose(array, theirs[leaf], rtol=1e-5, atol=1e-6)


def test_what_sets_the_two_apart_is_told() -> None:
    diagram, run = opened(without_seed)
    found = compare(evaluate, diagram, run)
    assert mechanism(found.reduction, "y") == "1 node after y (sum); 1 is placed at it"
    assert mechanism(found.seed_side, "y") == "nothing is added; v is placed at y"
    weighted = Start("reduction", reduction="weighted", values=np.array([1, 0.5], np.float32))
    found = compare(evaluate, diagram, run, start=weighted)
    assert mechanism(found.reduction, "y") == "2 nodes after y (mul, sum); 1 is placed at the last"
    assert used_for(Start("seed", preset="ones")) == "the gradients of sum, without a node for it"
    hot = Start("seed", values=np.array([0.0, 1.0]))
    assert used_for(hot) == "one row of the Jacobian: sensitivities, adversarial examples"
    assert used_for(Start(), "mse") == "regression: the distance to a target"


def test_time_is_the_median_of_repeats_and_changes_nothing() -> None:
    diagram, run = opened(without_seed)
    found = compare(evaluate, diagram, run)
    for side in (found.reduction, found.seed_side):
        measured = timing(side, found.source)
        assert measured is not None
        assert measured.seconds > 0
        assert 1 <= measured.repeats <= 51
    assert found.reduction.done.grads["x"].tolist() == [7.0, 9.0]
