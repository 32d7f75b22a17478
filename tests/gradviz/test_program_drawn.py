"""The script of a diagram that is drawn on: it follows each edit, or says why there is none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gradviz.diagram import LEAF, Diagram, Node, Start
from gradviz.edit import calls, leaves, nodes
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
