"""Drawing by hand on the canvas: wires, the palette at the pointer, boxes that are dragged."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gradviz.diagram import Diagram, Node
from gradviz.edit import nodes
from gradviz.ui.canvas.editable import EditableCanvas
from tests.ui.by_hand import LEFT, START, canvas, drag, inputs, leaf, place, port
from tests.ui.conftest import App

__all__ = ["canvas"]  # the fixture

ALT = Qt.KeyboardModifier.AltModifier

# Of tool tips and menus, which the offscreen screen cannot bring to the front.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


def test_a_wire_from_an_output_fills_an_open_input(app: App, canvas: EditableCanvas) -> None:
    start = place(canvas, *port(canvas, "w", None).at)
    drag(canvas, start, place(canvas, *port(canvas, "m", 1).at))
    app.settle()
    assert inputs(app, "m") == ("e", "w")
    assert "s" in app.window.player.run.values
    app.window.document.history.undo()
    assert inputs(app, "m") == ("e", None)


def test_a_wire_backwards_from_an_open_input(app: App, canvas: EditableCanvas) -> None:
    start = place(canvas, *port(canvas, "m", 1).at)
    drag(canvas, start, place(canvas, *port(canvas, "x", None).at))
    app.settle()
    assert inputs(app, "m") == ("e", "x")


def test_a_filled_input_is_unplugged_and_plugged_in_elsewhere(
    app: App, canvas: EditableCanvas
) -> None:
    taken = place(canvas, *port(canvas, "m", 0).at)
    drag(canvas, taken, place(canvas, *port(canvas, "m", 1).at))
    app.settle()
    assert inputs(app, "m") == (None, "e")
    taken = place(canvas, *port(canvas, "m", 1).at)
    drag(canvas, taken, place(canvas, 420, 300))
    app.settle()
    assert inputs(app, "m") == (None, None)


def test_ports_say_what_they_are(app: App, canvas: EditableCanvas) -> None:
    rules = app.window.drawing.wires
    assert rules.describe(port(canvas, "m", 0)) == "a ← x.exp()<br>float32 (2,)<br>[7.389, 20.09]"
    assert rules.describe(port(canvas, "m", 1)) == "b<br>not connected"
    assert rules.describe(port(canvas, "x", None)) == "x<br>float32 (2,)<br>[2, 3]"
    assert set(rules.barred(port(canvas, "m", None))) == {"m", "e", "x"}
    assert set(rules.barred(port(canvas, "m", 1))) == {"m", "s"}


def test_shapes_that_do_not_fit_are_told_and_may_be_connected(
    app: App, canvas: EditableCanvas
) -> None:
    window = app.window
    window.document.load(START.put(leaf("z", 1, 2, 3)), None)
    app.settle()
    said = window.drawing.wires.objection("z", "m", 1)
    assert said.startswith("The size of tensor a (2) must match the size of tensor b (3)")
    assert window.drawing.wires.objection("w", "m", 1) == ""


def test_what_reads_a_node_is_led_to_another_one(app: App, canvas: EditableCanvas) -> None:
    start = place(canvas, *port(canvas, "e", None).at)
    end = place(canvas, *port(canvas, "w", None).at)
    drag(canvas, start, end, Qt.KeyboardModifier.ShiftModifier)
    app.settle()
    assert inputs(app, "m") == ("w", None)


def test_the_picture_moves_while_a_wire_is_held(app: App, canvas: EditableCanvas) -> None:
    view, start = canvas.viewport(), place(canvas, *port(canvas, "w", None).at)
    none, middle = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.MiddleButton
    QTest.mousePress(view, LEFT, none, start)
    QTest.mouseMove(view, start + QPoint(40, 30))
    before = canvas.centre
    QTest.mousePress(view, middle, none, start + QPoint(40, 30))
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(start + QPoint(90, 30)),
        QPointF(view.mapToGlobal(start + QPoint(90, 30))),
        Qt.MouseButton.NoButton,
        LEFT | middle,
        none,
    )
    QApplication.sendEvent(view, event)
    QTest.mouseRelease(view, middle, none, start + QPoint(90, 30))
    assert canvas.centre.x() == pytest.approx(before.x() - 50 / canvas.zoom, abs=2 / canvas.zoom)
    assert canvas.loose is not None
    end = place(canvas, *port(canvas, "m", 1).at)
    QTest.mouseMove(view, end)
    QTest.mouseRelease(view, LEFT, none, end)
    app.settle()
    assert inputs(app, "m") == ("e", "w")


def test_a_loop_is_refused_while_one_drags(app: App, canvas: EditableCanvas) -> None:
    view, start = canvas.viewport(), place(canvas, *port(canvas, "s", None).at)
    end = place(canvas, *port(canvas, "m", 1).at)
    QTest.mousePress(view, LEFT, Qt.KeyboardModifier.NoModifier, start)
    QTest.mouseMove(view, start + QPoint(-40, 30))
    QTest.mouseMove(view, end)
    assert canvas.loose is not None
    assert "loop" in canvas.loose.reason
    QTest.mouseRelease(view, LEFT, Qt.KeyboardModifier.NoModifier, end)
    app.settle()
    assert inputs(app, "m") == ("e", None)
    assert not app.window.document.modified


def test_a_wire_let_go_over_nothing_asks_what_to_add(app: App, canvas: EditableCanvas) -> None:
    start = place(canvas, *port(canvas, "w", None).at)
    drag(canvas, start, place(canvas, 300, 220))
    finder = app.window.drawing.palette.finder
    assert finder.isVisible()
    finder.line.setText("sigmoid")
    QTest.keyClick(finder.line, Qt.Key.Key_Return)
    app.settle()
    (new,) = set(app.window.document.diagram.nodes) - set(START.nodes)
    assert app.window.document.diagram.nodes[new].op == "sigmoid"
    assert inputs(app, new) == ("w",)
    assert app.window.selection.ids == (new,)


def test_a_value_typed_for_an_open_input_fills_it(app: App, canvas: EditableCanvas) -> None:
    start = place(canvas, *port(canvas, "m", 1).at)
    drag(canvas, start, place(canvas, 420, 220))
    finder = app.window.drawing.palette.finder
    finder.line.setText("3")
    QTest.keyClick(finder.line, Qt.Key.Key_Return)
    app.settle()
    number = inputs(app, "m")[1]
    assert number is not None
    node = app.window.document.diagram.nodes[number]
    assert node.is_number
    assert node.data is not None
    assert node.data.item() == 3
    assert "3 * torch.exp(x)" in (app.window.document.diagram.source or "")


def test_a_double_click_on_nothing_asks_what_to_add(app: App, canvas: EditableCanvas) -> None:
    at = place(canvas, 300, 230)
    QTest.mouseDClick(canvas.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, at)
    finder = app.window.drawing.palette.finder
    assert finder.isVisible()
    finder.line.setText("[1, 2, 3]")
    QTest.keyClick(finder.line, Qt.Key.Key_Return)
    app.settle()
    (new,) = set(app.window.document.diagram.nodes) - set(START.nodes)
    node = app.window.document.diagram.nodes[new]
    assert node.op == "leaf"
    assert node.data is not None
    assert node.data.tolist() == [1, 2, 3]
    x, _y = app.window.document.diagram.positions[new]
    assert x == pytest.approx(300, abs=2)


def test_a_line_with_alt_cuts_what_it_crosses(app: App, canvas: EditableCanvas) -> None:
    drag(canvas, place(canvas, 690, 20), place(canvas, 690, 170), ALT)
    app.settle()
    assert inputs(app, "s") == (None,)
    assert inputs(app, "m") == ("e", None)


def test_a_node_without_wires_dropped_on_a_wire_goes_between(
    app: App, canvas: EditableCanvas
) -> None:
    window = app.window
    window.document.load(START.put(Node("t", "tanh", (None,))), None)
    window.document.refine(
        Diagram(
            window.document.diagram.nodes, positions={**START.positions, "t": (640, 240)},
            drawn=True,
        )
    )  # fmt: skip
    app.settle()
    canvas.fit()
    box = next(box for box in canvas.figure.boxes if box.id == "t")
    grabbed = (box.x + box.width / 2, box.y + 8)
    row = next(n for n, edge in enumerate(canvas.figure.edges) if edge.target == "s")
    wire = canvas.spatial.curves[row].mean(axis=0)
    end = (wire[0], wire[1] - box.height / 2 + 8)
    drag(canvas, place(canvas, *grabbed), place(canvas, *end))
    app.settle()
    assert inputs(app, "s") == ("t",)
    assert inputs(app, "t") == ("m",)
    assert window.document.history.count() == 1  # moved and put between at once


def test_a_dragged_box_snaps_in_line_with_its_neighbours(app: App, canvas: EditableCanvas) -> None:
    box = next(box for box in canvas.figure.boxes if box.id == "w")
    grabbed = (box.x + box.width / 2, box.y + 8)
    near = (grabbed[0] + 3 / canvas.zoom, grabbed[1] + 60)
    drag(canvas, place(canvas, *grabbed), place(canvas, *near))
    app.settle()
    assert app.window.document.diagram.positions["w"][0] == 0.0  # as x stands


def test_with_alt_a_drag_is_a_copy(app: App, canvas: EditableCanvas) -> None:
    box = next(box for box in canvas.figure.boxes if box.id == "x")
    grabbed = (box.x + box.width / 2, box.y + 8)
    drag(canvas, place(canvas, *grabbed), place(canvas, grabbed[0], grabbed[1] - 120), ALT)
    app.settle()
    (new,) = set(app.window.document.diagram.nodes) - set(START.nodes)
    assert app.window.document.diagram.nodes[new].op == "leaf"
    assert app.window.document.diagram.positions["x"] == (0, 0)


def test_a_box_that_looks_small_is_dragged_by_its_middle(app: App, canvas: EditableCanvas) -> None:
    """Its ports leave it room: at the smallest zoom they would cover all of it."""
    canvas.zoom_to(0.1)
    canvas.frame(("e",))
    canvas.zoom_to(0.1)
    x, y, wide, high = canvas.spatial.rects[canvas.spatial.row["e"]].tolist()
    start = place(canvas, x + wide / 2, y + high / 2)
    assert canvas.port_at(QPointF(start), 9.0) is None
    edge = place(canvas, x + wide, y + high / 2)
    assert canvas.port_at(QPointF(edge), 9.0) is not None
    drag(canvas, start, start + QPoint(40, 30))
    app.settle()
    moved = app.window.document.diagram.positions["e"]
    assert moved[0] > START.positions["e"][0] + 200
    assert inputs(app, "m") == ("e", None)


def test_boxes_that_an_edit_leaves_are_the_very_ones_from_before(
    app: App, canvas: EditableCanvas
) -> None:
    """So nothing of them is compared, placed or drawn anew."""
    before = {box.id: box for box in canvas.figure.boxes}
    made = nodes.add(app.window.document.diagram, "exp", at=(0.0, 300.0))
    app.window.drawing.editing.make("Add", made)
    app.settle()
    after = {box.id: box for box in canvas.figure.boxes}
    assert len(after) == len(before) + 1
    assert [key for key in before if after[key] is not before[key]] == []
    figure = app.window.stage.figure
    app.window.stage.sync()
    assert all(a is b for a, b in zip(figure.boxes, app.window.stage.figure.boxes, strict=True))
