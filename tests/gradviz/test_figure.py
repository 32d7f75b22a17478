"""The figure of a pass at each position in time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gradviz.diagram import Diagram, Node
from gradviz.figure import Box, Figure, figure
from gradviz.run import Failure, Run, Value
from gradviz.scene.picture import STATES, picture
from gradviz.scene.places import row_places
from tests.gradviz.pictures import NODES, VALUES, article, reduced, refused, seeded


def box(fig: Figure, key: str) -> Box:
    return next(one for one in fig.boxes if one.id == key)


def texts(fig: Figure, key: str, row: int) -> list[str]:
    return [cell.text for cell in box(fig, key).rows[row].cells]


def test_values_and_gradients_are_cells() -> None:
    fig = figure(*seeded())
    assert texts(fig, "y", 0) == ["10", "18"]
    assert texts(fig, "x", 1) == ["7", "9"]
    assert [row.label for row in box(fig, "x").rows] == ["value", "grad"]
    assert box(fig, "3").rows == ()


def test_gradients_arrive_step_by_step() -> None:
    diagram, run = seeded()
    arrived = [texts(figure(diagram, run, position=k), "x", 1) for k in range(5)]
    assert arrived == [["·", "·"], ["·", "·"], ["·", "·"], ["3", "3"], ["7", "9"]]
    start = figure(diagram, run, position=0)
    assert texts(start, "y", 1) == ["1", "1"]
    assert box(start, "x").rows[1].cells[0].tone == "empty"


def test_states_follow_the_pass() -> None:
    diagram, run = seeded()
    states = [
        {one.id: one.state for one in figure(diagram, run, position=k).boxes} for k in (0, 3, 4)
    ]
    assert [(s["y"], s["mul"], s["pow"], s["x"], s["3"]) for s in states] == [
        ("current", "waiting", "waiting", "waiting", "idle"),
        ("done", "current", "waiting", "waiting", "idle"),
        ("done", "done", "current", "done", "idle"),
    ]


def test_the_edge_of_the_step_carries_the_contribution() -> None:
    fig = figure(*seeded(), position=4)
    current = [edge for edge in fig.edges if edge.state == "current"]
    assert [(edge.id, edge.label) for edge in current] == [("x->pow:0", "+ [4, 6]")]
    assert {edge.id: edge.tracked for edge in fig.edges}["3->mul:1"] is False


def test_what_a_contribution_is_added_to_stands_on_its_own_edge() -> None:
    labels = [
        {edge.id: edge.label for edge in figure(*seeded(), position=k).edges if edge.label}
        for k in range(5)
    ]
    assert labels[:2] == [{}, {"pow->y:0": "[1, 1]"}]
    assert labels[3] == {"x->mul:0": "[3, 3]"}
    assert labels[4] == {"x->mul:0": "[3, 3]", "x->pow:0": "+ [4, 6]"}


def test_the_seed_points_at_its_target() -> None:
    fig = figure(*seeded(), position=0)
    seed, target = box(fig, "seed:y"), box(fig, "y")
    assert (seed.kind, seed.title, texts(fig, "seed:y", 0)) == ("seed", "seed v", ["1", "1"])
    assert seed.x > target.x + target.width
    edge = fig.edges[-1]
    assert (edge.kind, edge.source, edge.target, edge.state) == ("seed", "y", "seed:y", "current")
    assert edge.points[0][0] == target.x + target.width
    assert edge.points[3][0] == seed.x


def test_an_added_reduction_says_so_and_moves_nothing() -> None:
    left, right = figure(*reduced()), figure(*seeded())
    added = box(left, "added:sum")
    assert (added.kind, added.flag, added.title) == ("reduction", "added", "Σ sum")
    assert added.rows[0].cells[0].text == "28"
    for node in NODES:
        one, other = box(left, node.id), box(right, node.id)
        assert (one.x, one.y) == (other.x, other.y)


def test_a_reduction_of_the_script_is_marked_too() -> None:
    diagram = article().put(Node("s", "sum", ("y",)))
    diagram = diagram.with_call(0, replace(diagram.calls[0], target="s"))
    run = Run({**VALUES, "s": Value(np.array(28.0, np.float32), True, "SumBackward0")})
    one = box(figure(diagram, run), "s")
    assert (one.kind, one.flag, one.title) == ("reduction", "reduction", "Σ y.sum()")


def test_a_refused_call_marks_its_target() -> None:
    fig = figure(*refused())
    message = "RuntimeError: grad can be implicitly created only for scalar outputs"
    assert box(fig, "y").error == fig.caption == message
    assert all(not edge.tracked for edge in fig.edges)


def test_a_failed_node_has_no_value_and_an_error() -> None:
    diagram = Diagram({"x": NODES[0], "n": Node("n", "mm", ("x", "x"))})
    run = Run({"x": VALUES["x"]}, error=Failure("RuntimeError", "shapes", node="n"))
    one = box(figure(diagram, run), "n")
    assert one.error == "RuntimeError: shapes"
    assert [cell.text for cell in one.rows[0].cells] == ["·"]


def test_without_passes_there_are_values_only() -> None:
    diagram = Diagram({node.id: node for node in NODES})
    fig = figure(diagram, Run(VALUES))
    assert [row.label for row in box(fig, "y").rows] == ["value"]
    assert fig.caption == ""
    assert figure(Diagram(), Run()).boxes == ()


def test_the_legend_has_the_kinds_that_are_there() -> None:
    assert [entry.kind for entry in figure(*seeded()).legend] == ["leaf", "constant", "op", "seed"]
    assert [entry.kind for entry in figure(*reduced()).legend][-1] == "reduction"
    assert figure(*seeded()).scale == "colour: linear up to 9"


@pytest.mark.parametrize(
    ("shape", "form", "columns", "count"),
    [
        ((), "cells", 1, 1),
        ((3, 4), "cells", 4, 12),
        ((12,), "cells", 6, 12),
        ((2, 2, 3), "cells", 3, 12),
        ((13,), "strip", 13, 13),
        ((1000,), "strip", 64, 64),
        ((4, 5), "map", 5, 20),
        ((64, 100), "map", 12, 144),
        ((0, 3), "cells", 1, 1),
    ],
)
def test_arrays_take_the_form_that_fits(
    shape: tuple[int, ...], form: str, columns: int, count: int
) -> None:
    data = np.ones(shape)
    diagram = Diagram({"a": Node("a", "leaf", name="a", data=data)})
    one = figure(diagram, Run({"a": Value(data, True)})).boxes[0]
    row = one.rows[0]
    assert (row.form, row.columns, len(row.cells)) == (form, columns, count)
    for x, y, width, height in row_places(one)[0].cells:
        assert one.x < x
        assert x + width <= one.x + one.width - 6
        assert one.y < y
        assert y + height <= one.y + one.height


def test_boxes_that_did_not_change_are_the_same_objects() -> None:
    diagram, run = seeded()
    one, other = figure(diagram, run, position=3), figure(diagram, run, position=4)
    same = {a.id for a, b in zip(one.boxes, other.boxes, strict=True) if a is b}
    assert same == {"3", "y", "seed:y"}


def test_a_picture_gives_single_boxes_as_the_figure_has_them() -> None:
    diagram, run = seeded()
    whole, fig = picture(diagram, run), figure(diagram, run, position=2)
    rows = range(len(fig.boxes))
    assert tuple(whole.box(row, 2) for row in rows) == fig.boxes
    assert tuple(whole.edge(row, 2) for row in range(len(fig.edges))) == fig.edges
    assert [STATES[code] for code in whole.box_states(2)] == [one.state for one in fig.boxes]


def test_known_positions_stay() -> None:
    diagram, run = seeded()
    moved = replace(diagram, positions={"y": (1000.0, -50.0)})
    one = box(figure(moved, run, positions={"x": (5.0, 6.0)}), "y")
    assert (one.x, one.y) == (1000.0, -50.0)
    assert box(figure(moved, run, positions={"x": (5.0, 6.0)}), "x").x == 5.0
