"""Two canvases: one zoom, one place, one selection."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt

from gradviz.ui.canvas.twin import TwinCanvas
from tests.ui.conftest import App


@pytest.fixture
def twin(app: App) -> TwinCanvas:
    app.open("example:weighted")
    app.window.commands.set_twin(True)
    app.settle()
    return app.window.stage.twin


def test_both_are_whole_at_one_zoom(twin: TwinCanvas) -> None:
    assert twin.first.zoom == twin.second.zoom
    for view in (twin.first, twin.second):
        seen = view.mapToScene(view.viewport().rect()).boundingRect()
        assert seen.contains(view.extent())


def test_one_follows_the_other(twin: TwinCanvas) -> None:
    twin.second.zoom_to(1.25, QPointF(10, 10))
    twin.second.pan(30, -20)
    assert twin.first.zoom == pytest.approx(1.25)
    gap = twin.first.centre - twin.second.centre
    assert abs(gap.x()) <= 1
    assert abs(gap.y()) <= 1


def test_what_is_picked_in_one_is_selected_in_both(app: App, twin: TwinCanvas) -> None:
    twin.second.pick(("y",))
    assert (twin.first.selected, twin.second.selected) == (("y",), ("y",))
    assert app.window.selection.ids == ("y",)


def test_nodes_that_both_have_stand_alike(app: App, twin: TwinCanvas) -> None:
    left = {box.id: (box.x, box.y) for box in twin.first.figure.boxes}
    right = {box.id: (box.x, box.y) for box in twin.second.figure.boxes}
    shared = left.keys() & right.keys()
    assert {"x", "y"} <= shared
    assert {key: left[key] for key in shared} == {key: right[key] for key in shared}


def test_they_lie_as_their_shape_asks(twin: TwinCanvas) -> None:
    assert twin.orientation() == Qt.Orientation.Vertical
    twin.resize(1600, 300)
    assert twin.orientation() == Qt.Orientation.Horizontal


def test_a_click_on_an_edge_goes_to_its_step(app: App, twin: TwinCanvas) -> None:
    player = app.window.player
    assert player.current is not None
    wanted = player.current.steps[2]
    edge = next(
        edge
        for edge in twin.first.figure.edges
        if (edge.source, edge.target, edge.slot) == (wanted.input, wanted.node, wanted.slot)
    )
    twin.first.edge_picked.emit(edge.id)
    assert player.position == 3
