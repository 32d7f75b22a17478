"""Layouts: no overlaps, left to right, pinned boxes stay, the same every time."""

from __future__ import annotations

import random
from itertools import combinations, pairwise

import pytest

from gradviz.diagram import Diagram, Node, Point
from gradviz.layout import Graph, Link, beside, fast, fine, fine_in_process, free, positions

LAYOUTS = {"fast": fast, "fine": fine}


def graph(count: int, seed: int = 1) -> Graph:
    """A random expression graph of this many boxes of different sizes."""
    rng = random.Random(seed)
    sizes = {f"n{k}": (rng.randint(56, 240), rng.randint(32, 160)) for k in range(count)}
    links = [
        Link(f"n{rng.randrange(max(0, k - 8), k)}", f"n{k}", slot, ordered=k % 2 == 0)
        for k in range(2, count)
        for slot in range(rng.choice((0, 1, 2, 2)))
    ]
    return Graph(sizes, tuple(links))


def overlapping(corners: dict[str, Point], sizes: dict[str, tuple[float, float]]) -> list[str]:
    found = []
    for one, other in combinations(corners, 2):
        (x, y), (w, h) = corners[one], sizes[one]
        (u, v), (wide, high) = corners[other], sizes[other]
        if x < u + wide and u < x + w and y < v + high and v < y + h:
            found.append(f"{one} {other}")
    return found


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("count", [1, 2, 30, 150])
def test_no_boxes_overlap_and_users_stand_to_the_right(name: str, count: int) -> None:
    drawing = graph(count)
    corners = LAYOUTS[name](drawing)
    assert list(corners) == list(drawing.sizes)
    assert overlapping(corners, dict(drawing.sizes)) == []
    for link in drawing.links:
        right = corners[link.source][0] + drawing.sizes[link.source][0]
        assert right <= corners[link.target][0]
    assert min(x for x, _y in corners.values()) == 0.0
    assert min(y for _x, y in corners.values()) == 0.0


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_same_graph_has_the_same_layout(name: str) -> None:
    assert LAYOUTS[name](graph(80)) == LAYOUTS[name](graph(80))


def test_thousands_of_nodes_do_not_overlap_in_their_columns() -> None:
    drawing = graph(3000)
    corners = fast(drawing)
    columns: dict[float, list[tuple[float, float]]] = {}
    for key, (x, y) in corners.items():
        width, height = drawing.sizes[key]
        columns.setdefault(x + width / 2, []).append((y, y + height))
    for spans in columns.values():
        spans.sort()
        assert all(a[1] <= b[0] for a, b in pairwise(spans))


def test_an_empty_graph() -> None:
    assert fast(Graph({}, ())) == {}
    assert positions(Diagram(), {}, {}) == {}


def test_a_leaf_stands_next_to_its_user() -> None:
    sizes = dict.fromkeys(("x", "a", "b", "c", "w", "y"), (100.0, 50.0))
    chain = [Link("x", "a"), Link("a", "b"), Link("b", "c"), Link("c", "y"), Link("w", "y", 1)]
    corners = fast(Graph(sizes, tuple(chain)))
    assert corners["w"][0] == corners["c"][0]


def test_pinned_boxes_stay_and_others_keep_clear() -> None:
    nodes = [Node("x", "leaf"), Node("a", "sin", ("x",)), Node("b", "add", ("a", "x"))]
    diagram = Diagram({node.id: node for node in nodes})
    sizes = {node.id: (100.0, 60.0) for node in nodes}
    pinned = {"x": (500.0, 300.0), "b": (640.0, 310.0)}
    corners = positions(diagram, sizes, pinned)
    assert {key: corners[key] for key in pinned} == pinned
    assert overlapping(corners, sizes) == []


def test_beside_takes_the_level_place_or_the_nearest_free_one() -> None:
    anchor = (0.0, 0.0, 100.0, 60.0)
    assert beside(anchor, (80.0, 40.0), [anchor], gap=28.0) == (128.0, 10.0)
    wall = (120.0, -10.0, 200.0, 79.0)  # from -10 to 69: 14 below it is nearer than 14 above
    assert free((128.0, 10.0), (80.0, 40.0), [anchor, wall]) == (128.0, 83.0)


def test_the_fine_layout_runs_elsewhere_and_can_be_cancelled() -> None:
    drawing = graph(20)
    assert fine_in_process(drawing).result(timeout=60) == fine(drawing)
    running = fine_in_process(drawing)
    running.cancel()
    running.cancel()
    assert running.result(timeout=60) is None
