"""The script of a diagram that is drawn on: it follows each edit, or says why there is none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gradviz.diagram import LEAF, Diagram, Node, Start
from gradviz.edit import calls, leaves, nodes
from gradviz.edit.healing import delete
from gradviz.edit.nodes import Added
from gradviz.evaluate import evaluate
from gradviz.program import drawn
from gradviz.program.call import NotWritten
from gradviz.program.drawn import Followed, follow
from gradviz.program.writing import program
from tests.gradviz.programs import scripted

NO_PROGRAM = "# There is no program for this diagram: "
NO_GRADIENT = "Pass 1 gives no gradient of x to start from: it needs create_graph."
SUM = Start("reduction", reduction="sum")


class Hand:
    """Edits one after the other, each followed as the window does."""

    def __init__(self, diagram: Diagram, base: Diagram | None = None) -> None:
        self.diagram, self.base = diagram, base

    @classmethod
    def on(cls, source: str) -> Hand:
        diagram, _run = scripted(source)
        return cls(diagram, diagram)

    def draw(self, edit: object) -> Followed:
        found = edit.diagram if isinstance(edit, Added) else edit
        assert isinstance(found, Diagram), found
        found = replace(found, drawn=True)
        made = follow(found, evaluate(found), self.base, scripted)
        self.diagram = made.diagram
        self.base = made.diagram if made.whole else self.base
        return made

    @property
    def text(self) -> str:
        return self.diagram.source or ""


def by_hand(op: str, **params: object) -> Hand:
    """x = [2, 3] and y, an op of it."""
    x = Node("x", LEAF, name="x", data=np.array([2.0, 3.0], np.float32))
    hand = Hand(Diagram().put(x, Node("y", op, ("x",), params, name="y")))
    hand.draw(hand.diagram)
    return hand


def twice() -> Hand:
    """A call on y, and one on the gradient that it gives."""
    hand = by_hand("pow", exponent=3)
    hand.draw(calls.add(hand.diagram, "y", SUM))
    hand.draw(calls.set_flags(hand.diagram, 0, create_graph=True))
    hand.draw(calls.add(hand.diagram, "grad1:x", SUM))
    return hand


# What has no program


@pytest.mark.parametrize("how", ["create_graph", "enabled"])
@pytest.mark.parametrize("start", [SUM, Start(), Start("seed", preset="ones")])
def test_a_call_from_a_gradient_that_is_not_given_any_more(how: str, start: Start) -> None:
    hand = twice()
    hand.draw(calls.set_start(hand.diagram, 1, start))
    text = hand.text
    off = (
        calls.set_flags(hand.diagram, 0, create_graph=False)
        if how == "create_graph"
        else calls.set_enabled(hand.diagram, 0, wanted=False)
    )
    made = hand.draw(off)
    assert not made.whole
    assert made.run.values["y"].array.tolist() == [8.0, 27.0]
    assert hand.text == f"{NO_PROGRAM}Backward call 2 fails: {NO_GRADIENT}\n"
    with pytest.raises(NotWritten, match="Backward call 2 fails"):
        program(made.diagram, made.run)
    on = (
        calls.set_flags(hand.diagram, 0, create_graph=True)
        if how == "create_graph"
        else calls.set_enabled(hand.diagram, 0, wanted=True)
    )
    assert hand.draw(on).whole
    assert hand.text == text


def test_a_seed_that_its_rule_does_not_make_of_a_smaller_output() -> None:
    hand = by_hand("exp")
    hand.draw(calls.add(hand.diagram, "y", Start("seed", preset="onehot:1")))
    assert "v = torch.tensor([0.0, 1.0])\ny.backward(gradient=v)\n" in hand.text
    made = hand.draw(leaves.set_text(hand.diagram, "x", "[5]"))
    assert not made.whole
    assert made.run.values["x"].array.tolist() == [5.0]
    assert hand.text.startswith(f"{NO_PROGRAM}Backward call 1 fails: onehot:1 is not a seed")
    assert hand.draw(leaves.set_text(hand.diagram, "x", "[5, 7]")).whole
    assert "x = torch.tensor([5.0, 7.0], requires_grad=True)\n" in hand.text


GRADIENT = """\
import torch
x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x ** 2
y.sum().backward(create_graph=True)
g = x.grad
x.grad = None
g.sum().backward()
"""


def test_a_gradient_that_the_script_builds_upon() -> None:
    hand = Hand.on(GRADIENT)
    hand.draw(nodes.add(hand.diagram, "exp", at=(5.0, 6.0), sources=["y"]))
    text = hand.text
    assert text == GRADIENT.replace("** 2\n", "** 2\ntorch.exp(y)\n")
    assert not hand.draw(calls.set_flags(hand.diagram, 0, create_graph=False)).whole
    assert hand.text == f"{NO_PROGRAM}g has no value: {NO_GRADIENT}\n"
    assert hand.draw(calls.set_flags(hand.diagram, 0, create_graph=True)).whole
    assert hand.text == text


def test_an_input_of_a_call_that_stands_within_a_line_gets_a_name() -> None:
    x = Node("x", LEAF, name="x", data=np.array([2.0, 3.0], np.float32))
    d = Node("d", "exp", ("x",))
    hand = Hand(Diagram().put(x, d, Node("y", "pow", ("d",), {"exponent": 3}, name="y")))
    hand.draw(calls.add(hand.diagram, "y", SUM))
    assert "y = torch.exp(x) ** 3\n" in hand.text
    assert hand.draw(calls.set_inputs(hand.diagram, 0, ["d"])).whole
    assert "t = torch.exp(x)\ny = t**3\ny.sum().backward(inputs=[t])\n" in hand.text
    hand.draw(calls.set_flags(hand.diagram, 0, create_graph=True))
    assert hand.draw(calls.add(hand.diagram, "grad1:d", SUM)).whole
    assert "inputs=[t])\nt.grad.sum().backward()\n" in hand.text


def test_a_defect_of_the_writer_does_not_cost_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: object) -> None:
        raise KeyError("nowhere")

    hand = by_hand("exp")
    with monkeypatch.context() as patched:
        patched.setattr(drawn, "rewritten", broken)
        made = hand.draw(leaves.set_text(hand.diagram, "x", "[0]"))
    assert not made.whole
    assert made.run.values["y"].array.tolist() == [1.0]
    assert hand.text == f"{NO_PROGRAM}KeyError: 'nowhere'\n"
    assert hand.draw(leaves.set_text(hand.diagram, "x", "[1]")).whole


# What was written by hand stays

SCRIPT = """\
import torch
x = torch.tensor([2.0, 3.0], requires_grad=True)  # leaf
w = torch.tensor([1.0, 4.0])

y = x - w  # out
y.backward()  # go
"""

SEED = Start("seed", preset="ones")
WEIGHTED = Start("reduction", reduction="weighted", values=np.array([1.0, 4.0], np.float32))


def another_node(diagram: Diagram) -> object:
    return nodes.add(diagram, "exp", at=(5.0, 6.0), sources=["y"])


def swapped(diagram: Diagram) -> object:
    y = diagram.nodes["y"]
    return diagram.put(replace(y, inputs=tuple(reversed(y.inputs))))


def another_leaf(diagram: Diagram) -> object:
    return diagram.put(Node("k", LEAF, name="k", data=np.array([1.0], np.float32)))


def other_numbers(diagram: Diagram) -> object:
    return leaves.set_text(diagram, "x", "[7, 8]")


FIRST = {edit.__name__: edit for edit in (another_node, swapped, another_leaf, other_numbers)}
STARTS = {
    "sum": (SUM, "y.sum().backward()"),
    "seed": (SEED, "v = torch.ones_like(y)\ny.backward(gradient=v)"),
    "weighted": (WEIGHTED, "w1 = torch.tensor([1.0, 4.0])\n(w1 * y).sum().backward()"),
}


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("first", FIRST)
def test_only_the_line_of_the_call_changes(first: str, start: str) -> None:
    hand = Hand.on(SCRIPT)
    hand.draw(FIRST[first](hand.diagram))
    text = hand.text
    assert text.count("  # ") == 3
    chosen, line = STARTS[start]
    made = hand.draw(calls.set_start(hand.diagram, 0, chosen))
    assert (made.whole, made.told) == (True, "")
    assert hand.text == text.replace("y.backward()", line)
    hand.draw(calls.set_start(hand.diagram, 0, Start("reduction", reduction="mean")))
    assert hand.text == text.replace("y.backward()", "y.mean().backward()")
    hand.draw(calls.set_start(hand.diagram, 0, Start()))
    assert hand.text == text


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ({"create_graph": True}, "retain_graph=False, create_graph=True"),
        ({"retain_graph": True}, "retain_graph=True"),
        ({"retain_graph": True, "create_graph": True}, "create_graph=True"),
    ],
)
def test_the_flags_of_a_call(flags: dict[str, bool], said: str) -> None:
    hand = Hand.on(SCRIPT.replace("y.backward", "y.sum().backward"))
    hand.draw(another_node(hand.diagram))
    text = hand.text
    hand.draw(calls.set_flags(hand.diagram, 0, **flags))
    assert hand.text == text.replace("backward()", f"backward({said})")


def test_a_call_of_several_keeps_its_line_when_those_before_it_move() -> None:
    seeded = SCRIPT.replace("y.backward()", "y.backward(gradient=w)")
    hand = Hand.on(f"{seeded}w2 = w * x\n")
    hand.draw(calls.add(hand.diagram, "w2", SUM))
    hand.draw(another_node(hand.diagram))
    text = hand.text
    assert text.endswith("y.backward(gradient=w)  # go\nw2 = w * x\nw2.sum().backward()\n")
    assert hand.draw(calls.set_start(hand.diagram, 0, SEED)).told == ""
    hand.draw(calls.set_start(hand.diagram, 1, Start("reduction", reduction="mean")))
    lines = "v = torch.ones_like(y)\ny.backward(gradient=v)"
    expected = text.replace("y.backward(gradient=w)", lines).replace("w2.sum()", "w2.mean()")
    assert hand.text == expected
    hand.draw(calls.remove(hand.diagram, 0))
    assert hand.text == expected.replace(f"{lines}  # go\n", "")


def test_an_unfinished_node_leaves_calls_their_lines() -> None:
    hand = Hand.on(SCRIPT)
    assert not hand.draw(nodes.add(hand.diagram, "exp", at=(5.0, 6.0))).whole
    hand.draw(calls.set_start(hand.diagram, 0, SEED))
    assert hand.draw(calls.set_start(hand.diagram, 0, SUM)).told == ""
    text = SCRIPT.replace("y.backward()", "y.sum().backward()")
    assert hand.text.startswith(text)
    hand.draw(hand.diagram.remove(["exp"]))
    assert hand.text == text


def test_it_is_said_where_remarks_are_lost() -> None:
    hand = Hand.on(SCRIPT.replace("y.backward()", "y.sum().backward()"))
    hand.draw(another_node(hand.diagram))
    text = hand.text
    hand.draw(calls.set_flags(hand.diagram, 0, captures=True))
    assert hand.text == text  # it names no inputs, so it is run as before
    made = hand.draw(calls.set_inputs(hand.diagram, 0, ["x"]))
    assert "x_grad = torch.autograd.grad(t, x)[0]\n" in hand.text
    assert "#" not in hand.text
    assert made.told.startswith("The edit does not fit the lines of the script")


def test_a_seed_that_was_drawn_leaves_no_line_behind() -> None:
    hand = by_hand("exp")
    hand.draw(calls.add(hand.diagram, "y", SUM))
    text = hand.text
    for start in (SEED, WEIGHTED, SEED, SUM):
        hand.draw(calls.set_start(hand.diagram, 0, start))
    assert hand.text == text


# Calls whose inputs go

PRODUCT = """\
import torch
x = torch.tensor([2.0, 3.0], requires_grad=True)  # leaf
w = torch.tensor([1.0, 3.0], requires_grad=True)
y = (x * w).sum()
"""


def squared(source: str) -> Hand:
    """The script with x in both slots of its product, so that nothing reads w."""
    hand = Hand.on(source)
    product = next(node for node in hand.diagram.nodes.values() if node.op == "mul")
    hand.draw(hand.diagram.put(replace(product, inputs=("x", "x"))))
    return hand


def test_a_call_that_captures_nothing_more_goes() -> None:
    hand = squared(f"{PRODUCT}g, = torch.autograd.grad(y, [w])\nx.sum().backward()\n")
    made = hand.draw(delete(hand.diagram, ["w"]))
    assert [call.captures for call in made.diagram.calls] == [False]
    assert "autograd.grad" not in hand.text
    read, its = scripted(hand.text)
    assert (its.error, len(read.calls)) == (None, 1)


def test_a_call_without_an_input_left_fills_every_leaf() -> None:
    hand = squared(f"{PRODUCT}y.backward(inputs=[w])  # go\n")
    made = hand.draw(delete(hand.diagram, ["w"]))
    assert made.diagram.calls[0].inputs is None
    assert made.run.passes[0].grads["x"].tolist() == [4.0, 6.0]
    assert hand.text.endswith("  # leaf\ny = (x * x).sum()\ny.backward()  # go\n")


def test_a_call_for_what_is_not_finished_is_not_in_the_script() -> None:
    hand = by_hand("exp")
    hand.draw(calls.add(hand.diagram, "y", SUM))
    hand.draw(nodes.add(hand.diagram, "exp", at=(5.0, 6.0)))
    made = hand.draw(calls.set_inputs(hand.diagram, 0, ["exp"]))
    assert len(made.diagram.calls) == 1
    assert ".backward(" not in hand.text
    assert "# Not finished" in hand.text


@pytest.mark.parametrize("start", [SUM, SEED])
def test_a_call_on_a_gradient_has_a_program_in_numpy(start: Start) -> None:
    hand = twice()
    made = hand.draw(calls.set_start(hand.diagram, 1, start))
    values: dict[str, object] = {}
    exec(program(made.diagram, made.run, "numpy").text, values)
    expected = made.run.passes[1].grads["x"]
    np.testing.assert_allclose(np.asarray(values["x_grad"]), expected)
    assert expected.tolist() == [24.0, 45.0]  # 3x² and its derivative


# Gradients that are built upon


def test_the_call_that_gives_a_gradient_may_start_from_a_reduction() -> None:
    hand = Hand.on(GRADIENT.replace("y = x ** 2\ny.sum()", "y = (x ** 2).sum()\ny"))
    made = hand.draw(calls.set_start(hand.diagram, 0, Start("reduction", reduction="prod")))
    assert made.whole
    assert made.run.passes[1].grads["x"].tolist() == [2.0, 2.0]
    _read, its = scripted(hand.text)
    assert its.error is None
    assert its.passes[-1].grads["x"].tolist() == [2.0, 2.0]


def test_an_input_that_is_part_of_a_gradient() -> None:
    hand = Hand.on(GRADIENT)
    inner = next(key for key, node in hand.diagram.nodes.items() if node.op == "expand")
    made = hand.draw(calls.set_inputs(hand.diagram, 1, [inner]))
    assert made.whole
    assert "inputs=[t]" in hand.text


def test_a_call_on_a_gradient_that_comes_before_the_one_that_gives_it() -> None:
    hand = Hand.on(GRADIENT)
    made = hand.draw(calls.move(hand.diagram, 1, 0))
    assert made.whole
    assert [call.create_graph for call in made.diagram.calls] == [False, True]
    read, _its = scripted(hand.text)
    assert [call.create_graph for call in read.calls] == [False, True]
