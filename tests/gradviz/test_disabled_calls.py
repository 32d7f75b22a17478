"""A backward call that is switched off stays in the list, and nothing of it happens."""

from dataclasses import replace

import numpy as np

from gradviz.accumulation import history
from gradviz.diagram import BackwardCall, Diagram, Node, Start
from gradviz.evaluate import evaluate
from gradviz.labels import sentence, titles
from gradviz.report import report


def thrice(*off: int) -> Diagram:
    """Three calls of (x * x).sum(); the third clears x's gradient first."""
    nodes = [
        Node("x", "leaf", data=np.array([2.0, 3.0]), name="x"),
        Node("y", "mul", ("x", "x"), name="y"),
    ]
    call = BackwardCall("y", Start("reduction", "sum"), retain_graph=True)
    calls = (call, call, replace(call, clear=("x",)))
    return Diagram(
        {node.id: node for node in nodes},
        tuple(replace(call, enabled=at not in off) for at, call in enumerate(calls)),
    )


def grads(diagram: Diagram) -> list[list[float] | None]:
    return [
        done.grads["x"].tolist() if "x" in done.grads else None for done in evaluate(diagram).passes
    ]


def test_all_of_them_run() -> None:
    assert grads(thrice()) == [[4, 6], [8, 12], [4, 6]]


def test_a_call_that_is_off_adds_nothing_and_clears_nothing() -> None:
    assert grads(thrice(0)) == [None, [4, 6], [4, 6]]
    assert grads(thrice(1)) == [[4, 6], [4, 6], [4, 6]]
    assert grads(thrice(2)) == [[4, 6], [8, 12], [8, 12]]


def test_what_a_freed_graph_would_refuse_is_not_reached() -> None:
    first, second, third = thrice(1).calls
    freed = replace(thrice(), calls=(replace(first, retain_graph=False), second, third))
    assert [done.error is None for done in evaluate(freed).passes] == [True, True, False]


def test_it_is_told_as_what_it_is() -> None:
    diagram = thrice(2)
    run = evaluate(diagram)
    assert run.passes[2].steps == ()
    assert run.passes[2].seed is None
    assert sentence(run.passes[2], 0, titles(diagram)) == "this backward call is switched off"
    assert [moment.how for moment in history(run, "x")] == ["first", "added", "untouched"]


def test_an_input_without_a_value_is_named() -> None:
    diagram = thrice().put(Node("w", "leaf"))
    call = replace(diagram.calls[0], inputs=("w",))
    (done,) = evaluate(replace(diagram, calls=(call,))).passes
    assert done.error is not None
    assert done.error.message == "w has no value, so no gradient can reach it."


def test_the_report_says_so() -> None:
    diagram = thrice(1)
    passes = report(diagram, evaluate(diagram))["passes"]
    assert isinstance(passes, list)
    assert [done["enabled"] for done in passes] == [True, False, True]
