"""Second storeys in pictures: where they stand, what is hidden, how steps build them."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np

from gradviz.diagram import BackwardCall, Diagram, Node, Start
from gradviz.evaluate import evaluate
from gradviz.export import export
from gradviz.export.sheet import Panel
from gradviz.export.svg import svg
from gradviz.figure import Box, Figure
from gradviz.scene.course import STATES
from gradviz.scene.picture import picture
from gradviz.storeys import has_storey, height, storeys
from gradviz.twin import Sides, side_by_side
from tests.gradviz.sandboxes import Runner, run
from tests.gradviz.test_storeys import CUBE, FUNCTIONAL, PENALTY, SEEDED, TWICE, _ticked

__all__ = ["run"]


def _figure(runner: Runner, source: str, *, index: int = 0, opened: bool = True) -> Figure:
    told = runner(source)
    return picture(told.diagram, told.run, index=index, opened=opened).figure()


def _box(figure: Figure, key: str) -> Box:
    return next(box for box in figure.boxes if box.id == key)


def _overlap(one: Box, other: Box) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def test_each_gradient_stands_above_its_node(run: Runner) -> None:
    figure = _figure(run, CUBE)
    (floor,) = figure.storeys
    assert (floor.level, floor.title) == (1, "second storey: gradient computation of pass 1")
    for key, of in (("grad1:x", "x"), ("grad1:pow@3", "pow@3"), ("grad1:y", "y")):
        upper, lower = _box(figure, key), _box(figure, of)
        assert abs(upper.x + upper.width / 2 - lower.x - lower.width / 2) < 40
        assert floor.y < upper.y < upper.y + upper.height < floor.y + floor.height < lower.y
        assert (upper.level, lower.level) == (1, 0)
    assert _box(figure, "grad1:x").title == "∇x"
    assert _box(figure, "grad1:y").flag == "seed"


def test_nothing_overlaps(run: Runner) -> None:
    for source in (CUBE, PENALTY, SEEDED, TWICE):
        for index in (0, 1):
            figure = _figure(run, source, index=index) if index == 0 or source != CUBE else None
            for one, other in combinations(figure.boxes if figure else (), 2):
                assert not _overlap(one, other), (source, one.id, other.id)


def test_storeys_stand_one_above_the_other(run: Runner) -> None:
    figure = _figure(run, TWICE, index=2)
    assert [floor.level for floor in figure.storeys] == [1, 2, 3, 4]
    for lower, upper in pairwise(figure.storeys):
        assert upper.y + upper.height < lower.y
    assert figure.storeys[2].title == "storey 3: gradient computation of pass 2"
    assert figure.storeys[3].title == "computed from gradients"
    assert figure.top <= figure.storeys[-1].y


def test_the_ground_stays_where_it_is(run: Runner) -> None:
    bare = _figure(run, CUBE.replace("create_graph=True", ""))
    for opened in (True, False):
        figure = _figure(run, CUBE, opened=opened)
        for box in bare.boxes:
            assert (_box(figure, box.id).x, _box(figure, box.id).y) == (box.x, box.y)


def test_closed_shows_what_is_built_upon_and_no_more(run: Runner) -> None:
    assert _figure(run, CUBE, opened=False).storeys == ()
    figure = _figure(run, PENALTY, opened=False)
    assert [box.id for box in figure.boxes if box.level == 1] == ["g"]
    assert figure.storeys[0].title == (
        "second storey: gradient computation of pass 1 · 5 more nodes, closed"
    )
    whole = _figure(run, PENALTY)
    assert {box.id for box in whole.boxes if box.level == 1} >= {"g", "expand@4", "mul@4"}
    assert [box.id for box in whole.boxes if box.level == 2] == ["pow@5", "z"]


def test_steps_make_the_storey(run: Runner) -> None:
    told = run(CUBE)
    whole = picture(told.diagram, told.run)
    row = whole.geometry.rows["grad1:pow@3"]
    states = [STATES[int(whole.box_states(k)[row])] for k in range(3)]
    assert states == ["waiting", "current", "done"]
    texts = [[cell.text for cell in whole.box(row, k).rows[0].cells] for k in range(3)]
    assert texts == [["·", "·"], ["1", "1"], ["1", "1"]]
    seed = whole.geometry.rows["grad1:y"]
    assert STATES[int(whole.box_states(0)[seed])] == "current"
    last = whole.geometry.rows["grad1:x"]
    assert [STATES[int(whole.box_states(k)[last])] for k in (1, 2)] == ["waiting", "current"]


def test_a_pass_upstairs_has_its_seed_on_the_left(run: Runner) -> None:
    diagram = _ticked(run(CUBE).diagram, "sum")
    start = Start("seed", values=np.array([1.0, 2.0], np.float32))
    calls = (diagram.calls[0], replace(diagram.calls[1], start=start))
    found = evaluate(replace(diagram, calls=calls))
    figure = picture(replace(diagram, calls=calls), found, index=1).figure()
    seed, target = _box(figure, "seed:grad1:x"), _box(figure, "grad1:x")
    assert seed.x + seed.width < target.x
    assert seed.level == 1
    edge = next(edge for edge in figure.edges if edge.kind == "seed")
    assert edge.points[0] == (target.x, edge.points[0][1])
    assert edge.points[3] == (seed.x + seed.width, seed.y + seed.height / 2)
    used = [e.target for e in figure.edges if e.tracked and e.kind == "data"]
    assert used == ["pull1:pow:pow@3", "pull1:mul:pow@3", "pull1:mul:pow@3#2", "grad1:x"]


def test_a_reduction_upstairs_stands_above(run: Runner) -> None:
    diagram = _ticked(run(CUBE).diagram, "sum")
    figure = picture(diagram, evaluate(diagram), index=1).figure()
    assert [floor.level for floor in figure.storeys] == [1, 2]
    added = _box(figure, "added:sum")
    assert (added.level, added.kind, added.title) == (2, "reduction", "Σ sum")


def test_a_functional_hessian_does_not_fill_the_picture(run: Runner) -> None:
    told = run(FUNCTIONAL)
    count = len(told.run.passes)
    assert count > 3
    last = picture(told.diagram, told.run, index=count - 1)
    assert not any(box.id.startswith("pull") for box in last.figure().boxes)


def test_a_large_storey_is_laid_out(run: Runner) -> None:
    told = run(
        "import torch\nx = torch.tensor([1.0, 2.0], requires_grad=True)\ny = x\n"
        "for _ in range(600):\n    y = torch.sin(y)\ny.sum().backward(create_graph=True)\n"
    )
    done = told.run.passes[0]
    assert height(told.diagram, done) == 1203
    assert has_storey(told.diagram, done)
    found = storeys(told.diagram, told.run, done)
    assert len(found.bands[0].ids) == 1203
    laid = picture(told.diagram, told.run).geometry
    assert np.isfinite(laid.curves).all()
    assert laid.rects[:, 2:].min() > 0


def test_a_diagram_without_any_has_none(run: Runner) -> None:
    told = run("import torch\nx = torch.ones(2, requires_grad=True)\nx.sum().backward()\n")
    assert not has_storey(told.diagram, told.run.passes[0])
    assert storeys(told.diagram, told.run, told.run.passes[0]).nodes is told.diagram.nodes


def test_svg_has_the_storeys_and_second_frames(run: Runner) -> None:
    figure = _figure(run, CUBE)
    text = svg([Panel(figure)])
    assert text.count('class="storey gradients"') == 1
    assert text.count('class="second"') == len(figure.boxes) - 3
    assert "second storey: gradient computation of pass 1" in text


def test_a_call_from_a_gradient_that_is_gone_is_drawn_as_far_as_it_can(run: Runner) -> None:
    diagram: Diagram = run(PENALTY).diagram
    off = replace(diagram.calls[0], create_graph=False, edited=True)
    calls = (off, *diagram.calls[1:], BackwardCall("grad1:x", edited=True))
    broken = replace(diagram, calls=calls)
    found = evaluate(broken)
    for index in range(3):
        figure = picture(broken, found, index=index).figure()
        assert "x" in [box.id for box in figure.boxes]


def test_an_export_may_have_them_closed(run: Runner, tmp_path: Path) -> None:
    told = run(PENALTY)
    whole, closed = tmp_path / "whole.svg", tmp_path / "closed.svg"
    export(told.diagram, told.run, whole, index=1)
    export(told.diagram, told.run, closed, index=1, opened=False)
    assert whole.read_text(encoding="utf-8").count('class="second"') == 6
    assert closed.read_text(encoding="utf-8").count('class="second"') == 1
    assert "5 more nodes, closed" in closed.read_text(encoding="utf-8")


def test_two_sides_with_closed_storeys() -> None:
    """Closed ones are left out on both, though the other call's graph is part of each diagram."""
    nodes = [
        Node("x", "leaf", data=np.array([1.0, 2.0], np.float32), name="x"),
        Node("t", "tanh", ("x",)),
        Node("y", "sum", ("t",), {"dim": (0,), "keepdim": False}, name="y"),
    ]
    calls = BackwardCall("y", create_graph=True), BackwardCall("grad1:x", Start("reduction", "sum"))
    diagram = Diagram({node.id: node for node in nodes}, calls, drawn=True)
    run = evaluate(diagram)
    for index in (0, 1):
        pair = side_by_side(evaluate, diagram, run, Sides(index))
        for side, at in ((pair.left, index), (pair.right, 0)):
            closed = picture(side.diagram, side.run, index=at, opened=False)
            assert all(storey.title.endswith("closed") for storey in closed.geometry.storeys)
            assert {"x", "t"} <= set(closed.geometry.ids)
            assert len(closed.figure().boxes) < len(
                picture(side.diagram, side.run, index=at).figure().boxes
            )
