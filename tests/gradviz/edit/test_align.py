"""Places of boxes: aligned, distributed, snapped, laid out anew."""

from itertools import pairwise

import pytest

from gradviz.diagram import Diagram, Node
from gradviz.edit import align
from gradviz.edit.align import Guide

BOXES = {
    "a": (0.0, 0.0, 100.0, 40.0),
    "b": (150.0, 10.0, 60.0, 20.0),
    "c": (400.0, 30.0, 80.0, 60.0),
}


@pytest.mark.parametrize(
    ("side", "xs", "ys"),
    [
        ("left", [0, 0, 0], [0, 10, 30]),
        ("right", [380, 420, 400], [0, 10, 30]),
        ("centre", [190, 210, 200], [0, 10, 30]),
        ("top", [0, 150, 400], [0, 0, 0]),
        ("bottom", [0, 150, 400], [50, 70, 30]),
        ("middle", [0, 150, 400], [25, 35, 15]),
    ],
)
def test_align(side: align.Side, xs: list[float], ys: list[float]) -> None:
    found = align.align(BOXES, side)
    assert ([x for x, _y in found.values()], [y for _x, y in found.values()]) == (xs, ys)
    assert align.align({}, side) == {}


def test_distribute_makes_the_gaps_equal() -> None:
    across = align.distribute(BOXES, "across")
    assert across == {"a": (0, 0), "b": (220, 10), "c": (400, 30)}  # gaps of 120
    down = align.distribute({**BOXES, "c": (400.0, 130.0, 80.0, 60.0)}, "down")
    assert [y for _x, y in down.values()] == [0, 75, 130]  # gaps of 35
    two = {key: BOXES[key] for key in ("a", "b")}
    assert align.distribute(two, "across") == {"a": (0, 0), "b": (150, 10)}


def test_a_dragged_box_snaps_to_the_nearest_line() -> None:
    found = align.snap((3.0, 200.0, 100.0, 40.0), BOXES.values())
    assert (found.dx, found.dy) == (-3.0, 0.0)
    # Of one width with a, it lies in line with it at both edges and at the centre.
    assert [(guide.axis, guide.at) for guide in found.guides] == [("x", 0), ("x", 50), ("x", 100)]
    assert (found.guides[0].start, found.guides[0].end) == (0.0, 240.0)


def test_nothing_near_does_nothing() -> None:
    assert align.snap((1000.0, 1000.0, 10.0, 10.0), BOXES.values()) == align.Snap()
    assert align.snap((0.0, 0.0, 10.0, 10.0), []) == align.Snap()


def test_the_tolerance_is_kept() -> None:
    near = (406.0, 500.0, 30.0, 10.0)
    assert align.snap(near, [BOXES["c"]]).dx == -6.0
    assert align.snap(near, [BOXES["c"]], tolerance=5.0).dx == 0.0


def test_a_wire_runs_straight_before_sides_are_in_line() -> None:
    moved = (600.0, 27.0, 80.0, 60.0)  # 3 px above c
    assert align.snap(moved, [BOXES["c"]]).dy == 3.0
    found = align.snap(moved, [BOXES["c"]], levels=[(57.0, 52.0)])
    assert found.dy == -5.0
    assert found.guides[-1] == Guide("wire", 52.0, 600.0, 680.0)


def chain(count: int) -> Diagram:
    nodes = [Node(f"n{at}", "exp", (f"n{at - 1}" if at else None,)) for at in range(count)]
    places = {f"n{at}": (0.0, 10.0 * at) for at in range(count)}
    return Diagram({node.id: node for node in nodes}, positions=places)


def test_places_are_taken_and_given_back() -> None:
    diagram = chain(3)
    moved = align.place(diagram, {"n0": (7.0, 8.0), "gone": (0.0, 0.0)})
    assert moved.positions == {**diagram.positions, "n0": (7.0, 8.0)}
    assert align.place(moved, {"n0": (7.0, 8.0)}) is moved


def test_a_selection_is_laid_out_where_it_stands() -> None:
    diagram = chain(6)
    boxes = {
        key: (at[0] + 300.0, at[1] + 40.0, 100.0, 50.0) for key, at in diagram.positions.items()
    }
    found = align.tidy(diagram, ["n1", "n2", "n3"], boxes)
    assert list(found) == ["n1", "n2", "n3"]
    assert (found["n1"][0], min(y for _x, y in found.values())) == (300.0, 50.0)
    lefts = [x for x, _y in found.values()]
    assert all(right - left > 100 for left, right in pairwise(lefts))
    assert align.tidy(diagram, [], boxes) == {}
