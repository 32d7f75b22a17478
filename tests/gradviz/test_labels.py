"""Titles of nodes, names of steps and calls, and the sentence of a step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from gradviz import labels, language
from gradviz.diagram import BackwardCall, Diagram, Node, Start
from gradviz.evaluate import evaluate
from gradviz.run import Pass
from tests.gradviz.pictures import array, reduced, refused, seeded


@pytest.fixture
def chinese() -> Iterator[None]:
    language.use("zh")
    yield
    language.use("en")


def title(*nodes: Node) -> str:
    diagram = Diagram({node.id: node for node in nodes})
    return labels.titles(diagram)[nodes[-1].id]


X = Node("x", "leaf", name="x", data=array(2, 3))
Y = Node("y", "leaf", name="y", data=array(2, 3))
THREE = Node("3", "constant", data=np.array(3.0), is_number=True)


@pytest.mark.parametrize(
    ("nodes", "text"),
    [
        ((X,), "x"),
        ((THREE,), "3"),
        ((X, Node("n", "pow", ("x",), {"exponent": 2})), "x ** 2"),
        ((X, THREE, Node("n", "mul", ("x", "3"))), "3 * x"),
        ((X, THREE, Node("n", "rsub", ("x", "3"))), "3 - x"),
        ((X, Node("n", "sum", ("x",))), "x.sum()"),
        ((X, Node("n", "sum", ("x",), {"dim": 1, "keepdim": False})), "x.sum(1)"),
        ((X, Node("n", "neg", ("x",))), "-x"),
        ((X, Node("n", "getitem", ("x",), {"index": 0})), "x[0]"),
        ((X, Node("n", "getitem", ("x",), {"index": (slice(1, None), None)})), "x[1:, None]"),
        ((X, Y, Node("n", "mm", ("x", "y"))), "x @ y"),
        ((X, Y, Node("a", "add", ("x", "y")), Node("n", "mul", ("a", "x"))), "(x + y) * x"),
        ((X, Y, Node("a", "sub", ("x", "y")), Node("n", "sub", ("x", "a"))), "x - (x - y)"),
        ((X, Y, Node("n", "cat", ("x", "y"), {"dim": 0})), "cat(x, y, 0)"),
        ((Node("n", "mul", (None, None)),), "? * ?"),
        ((Node("n", "leaf", name="evil\x00\nname"),), "evil  name"),
    ],
)
def test_a_title_says_what_the_node_is(nodes: tuple[Node, ...], text: str) -> None:
    assert title(*nodes) == text


def test_titles_stay_short_however_deep_the_expression() -> None:
    nodes = [X] + [Node(f"n{k}", "sin", (f"n{k - 1}" if k else "x",)) for k in range(2000)]
    found = labels.titles(Diagram({node.id: node for node in nodes}))
    assert max(map(len, found.values())) <= 24
    long = title(Node("n", "leaf", name="a" * 20 + "b" * 20))
    assert long == "a" * 12 + "…" + "b" * 11


def test_a_name_given_again_is_counted() -> None:
    again = Node("x#2", "sin", ("x",), name="x")
    assert title(X, again) == "x (2)"


def test_steps_are_named_by_what_they_do() -> None:
    diagram, run = seeded()
    known = labels.titles(diagram)
    names = [labels.step_name(step, known) for step in run.passes[0].steps]
    assert names == ["y → x ** 2", "y → 3 * x", "3 * x → x", "x ** 2 → x"]


def test_the_sentence_of_a_step() -> None:
    diagram, run = seeded()
    known, done = labels.titles(diagram), run.passes[0]
    assert labels.sentence(done, 3, known) == "step 3 of 4: 3 * x sends [3, 3] to x"
    assert labels.sentence(done, 4, known) == (
        "step 4 of 4: x ** 2 sends [4, 6] to x, which held [3, 3] and now holds [7, 9]"
    )


def test_the_sentence_says_what_was_summed() -> None:
    diagram, run = seeded()
    done = run.passes[0]
    steps = (replace(done.steps[0], summed=(0,)), *done.steps[1:])
    text = labels.sentence(replace(done, steps=steps), 1, labels.titles(diagram))
    assert text.endswith("(summed over axis 0, which was broadcast)")


def test_the_sentence_of_the_start() -> None:
    diagram, run = seeded()
    known = labels.titles(diagram)
    assert labels.sentence(run.passes[0], 0, known) == "start: the seed v = [1, 1] is placed at y"
    diagram, run = reduced()
    done = run.passes[0]
    known = {**labels.titles(diagram), **labels.added_titles(done, labels.titles(diagram))}
    assert labels.sentence(done, 0, known) == "start: Σ sum was added to y; 1 is placed at it"
    diagram, run = refused()
    assert labels.sentence(run.passes[0], 0, labels.titles(diagram)) == (
        "RuntimeError: grad can be implicitly created only for scalar outputs"
    )


def test_the_sentence_in_chinese(chinese: None) -> None:
    diagram, run = seeded()
    text = labels.sentence(run.passes[0], 4, labels.titles(diagram))
    assert "[4, 6]" in text
    assert "step" not in text


@pytest.mark.parametrize(
    ("start", "text"),
    [
        (Start(), "y.backward()"),
        (Start("seed", name="w"), "y.backward(gradient=w)"),
        (Start("reduction", reduction="mean"), "y.mean().backward()"),
        (Start("reduction", reduction="component", index=1), "y[1].backward()"),
        (Start("reduction", reduction="weighted"), "(w * y).sum().backward()"),
    ],
)
def test_a_call_is_titled_as_it_would_be_written(start: Start, text: str) -> None:
    diagram, run = seeded()
    done = replace(run.passes[0], call=replace(run.passes[0].call, start=start))
    assert labels.call_title(done, labels.titles(diagram)) == text


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("y", "y"),
        ("p[0, 1]", "p[0, 1]"),
        ("f(a + b)", "f(a + b)"),
        ("x ** 2", "(x ** 2)"),
        ("a * (b + c)", "(a * (b + c))"),
        ("-x", "(-x)"),
        ("∇x", "(∇x)"),
    ],
)
def test_a_method_is_called_on_the_whole_title(title: str, text: str) -> None:
    assert labels.receiver(title) == text


def test_the_weights_of_a_sum_are_called_as_the_seed_was() -> None:
    diagram, run = seeded()
    start = Start("reduction", reduction="weighted", values=np.array([1.0, 0.5]), name="v")
    done = started(diagram, replace(run.passes[0].call, start=start))
    known = labels.titles(diagram)
    assert list(labels.added_titles(done, known).values()) == ["v", "v * y", "Σ weighted"]
    assert labels.call_title(done, known) == "(v * y).sum().backward()"


def test_a_component_of_a_matrix_is_written_as_it_is_found() -> None:
    table = Node("y", "leaf", name="y", data=np.ones((2, 2), np.float32))
    diagram = Diagram({"y": table})
    start = Start("reduction", reduction="component", index=3)
    done = started(diagram, BackwardCall("y", start))
    assert labels.call_title(done, labels.titles(diagram)) == "y.reshape(-1)[3].backward()"


def started(diagram: Diagram, call: BackwardCall) -> Pass:
    return evaluate(replace(diagram, calls=(call,))).passes[0]
