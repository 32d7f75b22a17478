"""Diagrams: putting and removing nodes, and what keeps them from being evaluated."""

from dataclasses import replace

import numpy as np
import pytest

from gradviz.diagram import BackwardCall, Diagram, Frame, Node


def square() -> Diagram:
    x = Node("x", "leaf", data=np.array([2.0, 3.0]), name="x")
    y = Node("y", "mul", inputs=("x", "x"), name="y")
    return Diagram(nodes={"x": x, "y": y}, calls=(BackwardCall("y", clear=("x",)),))


def test_put_keeps_the_old_diagram() -> None:
    before = square()
    after = before.put(Node("z", "exp", inputs=("y",)))
    assert list(before.nodes) == ["x", "y"]
    assert list(after.nodes) == ["x", "y", "z"]
    assert after.nodes["x"] is before.nodes["x"]


def test_put_refuses_a_cycle_and_an_unknown_input() -> None:
    with pytest.raises(ValueError, match="its input y does not come before it"):
        square().put(Node("x", "exp", inputs=("y",)))
    with pytest.raises(ValueError, match="its input w does not come before it"):
        square().put(Node("z", "exp", inputs=("w",)))


def test_remove_empties_slots_and_forgets_calls() -> None:
    without_x = square().remove(["x"])
    assert without_x.nodes["y"].inputs == (None, None)
    assert without_x.calls[0].clear == ()
    assert square().remove(["y"]).calls == ()


def test_a_frame_goes_with_the_last_that_it_goes_around() -> None:
    frames = (
        Frame("a", members=("x", "y")),
        Frame("b", members=("x",)),
        Frame("c", members=("x",), rect=(0.0, 0.0, 9.0, 9.0)),
    )
    left = replace(square(), frames=frames).remove(["x"]).frames
    assert [(frame.id, frame.members) for frame in left] == [("a", ("y",)), ("c", ())]


def test_problems_name_the_slot() -> None:
    problems = square().remove(["x"]).problems()
    assert [(p.node, p.slot, p.sentence) for p in problems] == [
        ("y", 0, "Input 1 is not connected."),
        ("y", 1, "Input 2 is not connected."),
    ]
    assert square().put(Node("w", "leaf")).problems()[0].sentence == "This node has no value yet."


def test_ancestors_and_consumers() -> None:
    diagram = square().put(Node("z", "exp", inputs=("x",)))
    assert diagram.ancestors("y") == {"x", "y"}
    assert diagram.consumers() == {"x": [("y", 0), ("y", 1), ("z", 0)], "y": [], "z": []}
