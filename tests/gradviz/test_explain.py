"""The words of a step: its rule, the rule with numbers, what arrived before."""

from types import SimpleNamespace

import engine
from gradviz.evaluate import evaluate
from gradviz.explain import explain
from tests.gradviz.programs import article, recorded


def seeded(n: SimpleNamespace) -> None:
    article(n)
    n.y.backward(engine.tensor([1.0, 1.0]), retain_graph=True)
    n.y.backward(engine.tensor([1.0, 0.0]))


def test_a_rule_is_written_with_the_scripts_names_and_numbers() -> None:
    diagram = recorded(seeded)[0].diagram
    run = evaluate(diagram)
    done = run.passes[0]
    words = {s.node: explain(diagram, run, done, s) for s in done.steps}
    power = words["pow@0"]
    assert power is not None
    assert power.rule == "ū * (2 * x)"
    assert power.numbers == "[1, 1] * (2 * [2, 3]) = [4, 6]"
    assert power.receiver == r"\bar{x}"
    product = words["mul@0"]
    assert product is not None
    assert product.numbers == "[1, 1] * 3 = [3, 3]"


def test_an_unknown_op_has_no_explanation() -> None:
    diagram = recorded(seeded)[0].diagram
    run = evaluate(diagram)
    step = run.passes[0].steps[0]
    assert explain(diagram.remove(["y"]), run, run.passes[0], step) is None
