"""Inputs that nothing fills yet: where they are, and that the wires beside them leave room."""

from __future__ import annotations

import numpy as np

from gradviz.diagram import Diagram, Node
from gradviz.evaluate import evaluate
from gradviz.export.sheet import Panel
from gradviz.export.svg import svg
from gradviz.figure import figure
from gradviz.scene.sockets import PITCH, socket_places

X = Node("x", "leaf", data=np.array([2.0, 3.0], np.float32), name="x")


def half(*inputs: str | None, op: str = "where") -> Diagram:
    return Diagram().put(X, Node("y", op, inputs))


def test_open_slots_have_places_of_their_own_and_wires_end_at_theirs() -> None:
    diagram = half(None, "x", None)
    drawn = figure(diagram, evaluate(diagram))
    box = next(box for box in drawn.boxes if box.id == "y")
    assert (box.slots, box.open) == (3, (0, 2))
    middle = box.y + box.height / 2
    assert socket_places(box) == [(0, (box.x, middle - PITCH)), (2, (box.x, middle + PITCH))]
    (edge,) = drawn.edges
    assert edge.points[3] == (box.x, middle)


def test_slots_that_may_be_swapped_keep_their_places_while_one_is_open() -> None:
    diagram = half(None, "x", op="add")
    drawn = figure(diagram, evaluate(diagram))
    box = next(box for box in drawn.boxes if box.id == "y")
    (slot, (_x, y)) = socket_places(box)[0]
    assert slot == 0
    assert y < drawn.edges[0].points[3][1]


def test_a_whole_node_has_none() -> None:
    diagram = half("x", "x", op="add")
    boxes = figure(diagram, evaluate(diagram)).boxes
    assert [box.open for box in boxes] == [(), ()]


def test_they_are_in_the_exported_picture() -> None:
    diagram = half(None, None, None)
    drawn = figure(diagram, evaluate(diagram))
    assert svg([Panel(drawn)]).count('class="socket"') == 3
