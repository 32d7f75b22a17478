"""Two passes in step, for every reduction; and what their badges say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gradviz.diagram import Diagram
from gradviz.evaluate import evaluate
from gradviz.run import Run, Step
from gradviz.twin import Pair, Sides, side_by_side
from gradviz.twin.agreement import Agreement
from gradviz.twin.pairing import moments
from tests.gradviz.pictures import beside
from tests.gradviz.programs import article, recorded


def program(n: object) -> None:
    article(n)  # type: ignore[arg-type]
    n.y.backward()  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def opened() -> tuple[Diagram, Run]:
    diagram = recorded(program)[0].diagram
    return diagram, evaluate(diagram)


def pair(opened: tuple[Diagram, Run], left: str, right: str) -> Pair:
    return side_by_side(evaluate, *opened, Sides(0, left, right))


@pytest.mark.parametrize(
    ("name", "extra"),
    [
        ("sum", 1),
        ("mean", 1),
        ("weighted", 2),
        ("component:1", 1),
        ("norm", 1),
        ("logsumexp", 1),
        ("max", 1),
        ("prod", 1),
        ("var", 1),
        ("mse", 1),
        ("cross_entropy:0", 2),
    ],
)
def test_the_steps_of_a_reduction_alone_are_extra(
    opened: tuple[Diagram, Run], name: str, extra: int
) -> None:
    found = pair(opened, name, "equal")
    time = moments(found.left.done, found.right.done)
    assert [moment.mover for moment in time] == ["both"] + ["left"] * extra + ["both"] * 4
    assert (time[-1].left, time[-1].right) == (4 + extra, 4)
    for moment in time[extra + 1 :]:
        one = found.left.done.steps[moment.left - 1]
        other = found.right.done.steps[moment.right - 1]
        assert (one.node, one.slot, one.input) == (other.node, other.slot, other.input)


def test_what_two_reductions_send_to_their_output_is_one_moment(
    opened: tuple[Diagram, Run],
) -> None:
    found = pair(opened, "weighted", "mean")
    assert [moment.mover for moment in moments(found.left.done, found.right.done)] == [
        "both",
        "left",
        *["both"] * 5,
    ]


def test_steps_in_another_order_are_extra_on_both_sides() -> None:
    found = beside().left.done
    one = np.ones(1)
    a, b, c = (Step(name, 0, "x", one, one, (), None, one) for name in ("a", "b", "c"))
    first, second = replace(found, steps=(a, b, c)), replace(found, steps=(c, a, b))
    assert [(m.left, m.right, m.mover) for m in moments(first, second)] == [
        (0, 0, "both"),
        (0, 1, "right"),
        (1, 2, "both"),
        (2, 3, "both"),
        (3, 3, "left"),
    ]


def test_badges_come_when_both_have_arrived(opened: tuple[Diagram, Run]) -> None:
    found = pair(opened, "sum", "equal")
    agreement = Agreement(found)
    left, right = agreement.marks(0, 0)
    assert {key: badge[0].text for key, badge in left.items()} == {"added:sum": "only here"}
    assert {key: badge[0].text for key, badge in right.items()} == {"seed:y": "only here"}
    left, _right = agreement.marks(2, 1)
    assert left["y"][0].text == left["pow@0"][0].text == "="
    assert "x" not in left
    whole = agreement.marks()
    assert {badge[0].text for badge in whole[0].values()} == {"=", "only here"}


def test_what_only_one_side_has_is_marked_where_no_gradient_reaches_it(
    opened: tuple[Diagram, Run],
) -> None:
    left, right = Agreement(pair(opened, "weighted", "equal")).marks(0, 0)
    assert {key: badge[0].text for key, badge in left.items()} == dict.fromkeys(
        ("added:constant", "added:mul", "added:sum"), "only here"
    )
    assert list(right) == ["seed:y"]


def test_badges_say_by_how_much(opened: tuple[Diagram, Run]) -> None:
    left, right = Agreement(pair(opened, "ones", "onehot:0")).marks()
    assert (left["seed:y"][0].text, right["x"][0].text) == ("Δ 1", "Δ 9")
    assert left["x"][0].tone == "differs"


def test_rounding_is_no_difference() -> None:
    found = beside()
    nearly = replace(found.right.done, seed=np.array([1.0000001, 1], np.float32))
    run = replace(found.right.run, passes=(nearly,))
    marks, _right = Agreement(replace(found, right=replace(found.right, run=run))).marks()
    assert (marks["y"][0].text, marks["y"][0].tone) == ("≈ 1.192e-07", "equal")


def test_a_key_that_means_nothing_is_said(opened: tuple[Diagram, Run]) -> None:
    diagram, run = opened
    kept = replace(diagram, seeds={"mine": np.array([1.0, 0.5]), "long": np.ones(3)})
    found = side_by_side(evaluate, kept, run, Sides(0, "kept:mine", "own"))
    assert found.left.title == "y.backward(gradient=mine)"
    assert found.right.title == "y.sum().backward()"
    for key, said in (
        ("kept:long", "No seed called long with the shape"),
        ("call:4", "There is no backward call 5"),
        ("what", "what is not a seed"),
        ("component:7", "There is no component 7"),
    ):
        with pytest.raises(ValueError, match=said):
            side_by_side(evaluate, kept, run, Sides(0, key, "sum"))
