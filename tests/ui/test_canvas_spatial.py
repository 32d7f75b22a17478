"""Hit tests and neighbours by arrays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gradviz.figure import Figure
from gradviz.ui.canvas.spatial import Spatial, curve_points, flatten
from tests.ui.drawn import figure


def test_what_is_visible() -> None:
    spatial = Spatial(figure())
    assert spatial.boxes_in((100, 0, 300, 130)).tolist() == [0, 1]
    assert spatial.boxes_in((149, 0, 239, 50)).tolist() == []
    assert spatial.edges_in((400, 100, 470, 110)).tolist() == [1]
    assert spatial.area == (0.0, 0.0, 628.0, 206.0)


def test_an_empty_figure_has_nothing_anywhere() -> None:
    spatial = Spatial(Figure((), (), 0, 0))
    assert spatial.area == (0.0, 0.0, 0.0, 0.0)
    assert spatial.box_at(0, 0) is None
    assert spatial.edge_at(0, 0, 10) is None


def test_the_edge_within_reach() -> None:
    spatial = Spatial(figure())
    assert spatial.edge_at(314, 46, 4) == 2  # a to c is a straight line at y = 43
    assert spatial.edge_at(314, 50, 4) is None


def test_a_curve_begins_and_ends_at_its_ends_and_passes_its_middle() -> None:
    curve = np.array([[[0, 0], [0, 8], [8, 8], [8, 0]]], np.float64)
    points = curve_points(curve, np.array([0.0, 0.5, 1.0]))[0]
    assert points.tolist() == [[0, 0], [4, 6], [8, 0]]  # (a + 3b + 3c + d) / 8 in the middle
    chain = flatten(curve, 2)[0]
    assert chain.tolist() == [[0, 0, 4, 6], [4, 6, 8, 0]]


def test_neighbours() -> None:
    spatial = Spatial(figure())
    assert spatial.beside(0, forward=True) == [2, 1]  # level ones first
    assert spatial.beside(2, forward=False) == [0, 1]
    assert spatial.above(0, up=False) == 1
    assert spatial.above(0, up=True) is None
    assert spatial.edges_of([1]).tolist() == [0, 1]


def test_moving_takes_the_ends_of_edges_along() -> None:
    spatial = Spatial(figure())
    spatial.move(np.array([1]), 10.0, -5.0)
    assert spatial.rects[1].tolist() == [250, 115, 148, 86]
    assert spatial.curves[0, 3].tolist() == pytest.approx([250, 158])
    assert spatial.curves[1, 0].tolist() == pytest.approx([398, 158])
    assert spatial.moved


def test_what_an_edit_left_alone_is_taken_over() -> None:
    before = figure()
    spatial = Spatial(before)
    spatial.move(np.array([1]), 10.0, -5.0)  # as in a drag, which is dropped elsewhere
    moved = replace(before.boxes[0], x=4.0, y=6.0)
    bent = replace(before.edges[2], points=((1, 2), (3, 4), (5, 6), (7, 8)))
    for boxes, edges in (
        (before.boxes, before.edges),
        ((moved, *before.boxes[1:]), (*before.edges[:2], bent)),
        ((*before.boxes, replace(moved, id="new")), (*before.edges, replace(bent, id="more"))),
        (before.boxes[1:], before.edges[:1]),
        ((), ()),
    ):
        after = replace(before, boxes=boxes, edges=edges)
        found, anew = Spatial(after, spatial), Spatial(after)
        assert found.rects.tolist() == anew.rects.tolist()
        assert found.curves.tolist() == anew.curves.tolist()
        assert not found.moved
