"""Backward calls as a list."""

from dataclasses import replace

import numpy as np

from gradviz.diagram import BackwardCall, Diagram, Node, Start, Upper
from gradviz.edit import calls, healing
from gradviz.edit.outcome import Refusal
from gradviz.evaluate import evaluate

X = np.array([2.0, 3.0])


def square() -> Diagram:
    nodes = [Node("x", "leaf", data=X, name="x"), Node("y", "mul", ("x", "x"), name="y")]
    return Diagram({node.id: node for node in nodes}, (BackwardCall("y", line=4),))


def made(found: Diagram | Refusal) -> Diagram:
    assert isinstance(found, Diagram), found
    return found


def refused(found: Diagram | Refusal) -> str:
    assert isinstance(found, Refusal)
    return found.sentence


def reductions(diagram: Diagram) -> list[str | None]:
    return [call.start.reduction for call in diagram.calls]


def three() -> Diagram:
    diagram = square()
    for name in ("sum", "mean"):
        diagram = made(calls.add(diagram, "y", Start("reduction", name)))
    return diagram


def test_calls_are_added_at_the_end_or_in_between() -> None:
    assert reductions(three()) == [None, "sum", "mean"]
    between = made(calls.add(three(), "y", Start("reduction", "norm"), index=1))
    assert reductions(between) == [None, "norm", "sum", "mean"]
    assert all(call.edited for call in between.calls[1:])
    assert between.calls[1].line is None
    assert refused(calls.add(square(), "z")) == "There is no node “z”."
    unknown = Start("reduction", "median")
    assert refused(calls.add(square(), "y", unknown)) == "There is no reduction median."


def test_order_and_number() -> None:
    assert reductions(made(calls.move(three(), 2, 0))) == ["mean", None, "sum"]
    assert reductions(made(calls.move(three(), 0, 2))) == ["sum", "mean", None]
    assert reductions(made(calls.remove(three(), 1))) == [None, "mean"]
    assert refused(calls.move(three(), 0, 3)) == "There is no backward call 4; there are 3."
    assert refused(calls.remove(square(), 1)) == "There is no backward call 2; there are 1."
    again = made(calls.duplicate(three(), 0))
    assert reductions(again) == [None, None, "sum", "mean"]
    assert (again.calls[0].line, again.calls[1].line) == (4, None)


def test_a_call_is_switched_off_and_on() -> None:
    off = made(calls.set_enabled(three(), 1, wanted=False))
    assert [bool(done.steps) for done in evaluate(off).passes] == [False, False, True]
    assert calls.set_enabled(off, 1, wanted=False) is off
    on = made(calls.set_enabled(off, 1, wanted=True))
    assert on.calls[1].enabled


def test_target_flags_inputs_and_clearing() -> None:
    diagram = made(calls.set_target(three(), 0, "x"))
    assert (diagram.calls[0].target, diagram.calls[0].edited) == ("x", True)
    diagram = made(calls.set_flags(diagram, 1, retain_graph=True))
    assert (diagram.calls[1].retain_graph, diagram.calls[1].create_graph) == (True, False)
    diagram = made(calls.set_inputs(diagram, 1, ["x", "x"]))
    assert diagram.calls[1].inputs == ("x",)
    assert made(calls.set_inputs(diagram, 1, None)).calls[1].inputs is None
    assert refused(calls.set_inputs(diagram, 1, [])).startswith("A backward call needs at least")
    assert made(calls.set_clear(diagram, 2, ["x"])).calls[2].clear == ("x",)
    assert refused(calls.set_clear(diagram, 2, ["y"])) == "y is no leaf and has no .grad to clear."


def test_what_a_start_cannot_be_made_of() -> None:
    start = Start("reduction", "component", index=5)
    assert refused(calls.set_start(square(), 0, start, X)) == (
        "There is no component 5: the output has 2 elements."
    )
    assert made(calls.set_start(square(), 0, start)).calls[0].start is start
    onehot = Start("seed", preset="onehot:7")
    assert refused(calls.set_start(square(), 0, onehot, X)).startswith("onehot:7 is not a seed")
    # No seed for two elements is what the app is about: PyTorch refuses, when the call runs.
    assert isinstance(calls.set_start(three(), 1, Start(), X), Diagram)


def test_a_seed_by_rule_follows_the_target() -> None:
    diagram = made(calls.set_start(square(), 0, Start("seed", preset="ones"), X))
    wide = diagram.put(Node("z", "stack", ("y", "y"), {"dim": 0}))
    (done,) = evaluate(made(calls.set_target(wide, 0, "z"))).passes
    assert done.seed is not None
    assert done.seed.tolist() == [[1, 1], [1, 1]]
    assert done.grads["x"].tolist() == [8, 12]


def cubes() -> Diagram:
    """(x³).sum() twice; the first keeps its graph, and a third call starts from its gradient."""
    nodes = [
        Node("x", "leaf", data=X, name="x"),
        Node("c", "pow", ("x",), {"exponent": 3}, name="c"),
    ]
    total = BackwardCall("c", Start("reduction", "sum"), retain_graph=True)
    first = replace(total, create_graph=True)
    second = BackwardCall("grad1:x", Start("reduction", "sum"), clear=("x",))
    return Diagram({node.id: node for node in nodes}, (first, total, second))


def test_a_gradient_is_followed_through_the_list() -> None:
    assert evaluate(cubes()).passes[2].grads["x"].tolist() == [12, 18]  # 6 x
    moved = made(calls.move(cubes(), 0, 1))
    assert [call.target for call in moved.calls] == ["c", "c", "grad2:x"]
    assert evaluate(moved).passes[2].grads["x"].tolist() == [12, 18]
    between = made(calls.add(cubes(), "c", index=0))
    assert between.calls[3].target == "grad2:x"


def test_a_call_goes_with_the_one_whose_gradient_it_starts_from() -> None:
    assert [call.target for call in made(calls.remove(cubes(), 0)).calls] == ["c"]
    assert [call.target for call in made(calls.remove(cubes(), 1)).calls] == ["c", "grad1:x"]
    assert made(healing.delete(cubes(), ["c"])).calls == ()
    assert [call.target for call in made(healing.delete(cubes(), ["x"])).calls] == ["c", "c"]


def test_a_call_comes_after_the_one_whose_gradient_it_starts_from() -> None:
    sentence = (
        "Backward call 1 starts from a gradient that call 2 gives, which has to come before it."
    )
    assert refused(calls.move(cubes(), 2, 0)) == sentence
    off = made(calls.set_flags(cubes(), 0, create_graph=False))  # the call itself then says so
    error = evaluate(off).passes[2].error
    assert error is not None
    assert error.message == "Pass 1 gives no gradient of x to start from: it needs create_graph."
    assert refused(calls.set_target(cubes(), 0, "grad1:x")) == "There is no node “grad1:x”."
    assert made(calls.set_target(cubes(), 1, "grad1:x")).calls[1].target == "grad1:x"


def test_nodes_that_a_call_made_follow_its_number() -> None:
    diagram = cubes().put(Node("g", "mul", ("x", "x"), upper=Upper(0, "c", "x")))
    assert made(calls.move(diagram, 0, 1)).nodes["g"].upper == Upper(1, "c", "x")
    assert made(calls.remove(diagram, 0)).nodes["g"].upper is None
    assert made(calls.set_enabled(diagram, 1, wanted=False)).nodes is diagram.nodes
