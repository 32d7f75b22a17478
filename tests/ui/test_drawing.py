"""Drawing by hand on the canvas: wires, the palette at the pointer, what is done to nodes."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gradviz.diagram import Diagram, Node, NodeId
from gradviz.ui.canvas.editable import EditableCanvas
from gradviz.ui.canvas.ports import Port
from tests.ui.conftest import App

# Of tool tips and menus, which the offscreen screen cannot bring to the front.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

LEFT, ALT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.AltModifier


def leaf(key: NodeId, *values: float) -> Node:
    return Node(key, "leaf", data=np.array(values, np.float32), name=key)


START = Diagram(
    positions={"x": (0, 0), "w": (0, 150), "e": (250, 0), "m": (500, 60), "s": (760, 60)},
    drawn=True,
).put(
    leaf("x", 2, 3),
    leaf("w", 1, 5),
    Node("e", "exp", ("x",)),
    Node("m", "mul", ("e", None)),
    Node("s", "sum", ("m",), {"dim": None, "keepdim": False}),
)


@pytest.fixture
def canvas(app: App) -> EditableCanvas:
    window = app.window
    window.drawing.listen()
    window.document.load(START, None)
    app.settle()
    canvas = window.stage.canvas
    app.qtbot.waitUntil(canvas.isVisible)
    window.resize(1600, 900)
    app.qtbot.waitUntil(lambda: canvas.width() > 900)
    canvas.fit()
    return canvas


def port(canvas: EditableCanvas, node: NodeId, slot: int | None) -> Port:
    return next(port for port in canvas.ports.of(node) if port.slot == slot)


def place(canvas: EditableCanvas, x: float, y: float) -> QPoint:
    return canvas.mapFromScene(QPointF(x, y))


def drag(
    canvas: EditableCanvas,
    start: QPoint,
    end: QPoint,
    keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    view = canvas.viewport()
    QTest.mousePress(view, LEFT, keys, start)
    for share in (0.3, 0.7, 1.0):
        QTest.mouseMove(view, start + (end - start) * share)
    QTest.mouseRelease(view, LEFT, keys, end)


def inputs(app: App, key: NodeId) -> tuple[NodeId | None, ...]:
    return app.window.document.diagram.nodes[key].inputs


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


def test_the_zoom_is_shown_and_chosen(app: App, canvas: EditableCanvas) -> None:
    canvas.zoom_to(0.5)
    assert canvas.zoom_label.text() == "50 %"
    canvas.zoom_label.click()
    chosen_one = next(a for a in canvas.zoom_label.menu_of_zooms.actions() if a.data() == 2.0)
    chosen_one.trigger()
    assert canvas.zoom == 2.0
    assert canvas.zoom_label.text() == "200 %"
    canvas.zoom_label.menu_of_zooms.close()


def test_what_takes_no_gradient_is_left_out_and_comes_back(app: App) -> None:
    app.open("example:sum")
    canvas, action = app.window.stage.canvas, app.window.action("bare")
    whole = [box.id for box in canvas.figure.boxes]
    action.trigger()
    left = [box.id for box in canvas.figure.boxes]
    assert action.isChecked()
    assert set(whole) - set(left) == {"constant@4"}
    app.window.player.go(2)  # a pass plays as before
    assert [edge.state for edge in canvas.figure.edges].count("current") == 1
    action.trigger()
    assert [box.id for box in canvas.figure.boxes] == whole


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


def test_copies_are_pasted_under_other_names(app: App, canvas: EditableCanvas) -> None:
    window = app.window
    window.selection.select("x", "e")
    window.action("copy").trigger()
    assert QGuiApplication.clipboard().text().startswith('{"gradviz_nodes"')
    window.action("paste").trigger()
    app.settle()
    new = [key for key in window.document.diagram.nodes if key not in START.nodes]
    ops = [window.document.diagram.nodes[key].op for key in new]
    assert ops == ["leaf", "exp"]
    assert inputs(app, new[1]) == (new[0],)
    assert window.selection.ids == tuple(new)
    QGuiApplication.clipboard().setText("not nodes")
    window.hands.paste()
    assert window.document.history.count() == 1


def test_a_node_is_deleted_and_what_it_stood_between_rejoined(
    app: App, canvas: EditableCanvas
) -> None:
    window = app.window
    window.selection.select("m")
    window.action("heal").trigger()
    app.settle()
    assert inputs(app, "s") == ("e",)
    window.document.history.undo()
    window.selection.select("m")
    window.action("delete").trigger()
    app.settle()
    assert inputs(app, "s") == (None,)


def test_inputs_are_swapped_and_ops_replaced(app: App, canvas: EditableCanvas) -> None:
    window = app.window
    window.selection.select("m")
    window.action("swap").trigger()
    app.settle()
    assert inputs(app, "m") == (None, "e")
    window.action("replace").trigger()
    finder = window.drawing.palette.finder
    finder.line.setText("sub")
    QTest.keyClick(finder.line, Qt.Key.Key_Return)
    app.settle()
    node = window.document.diagram.nodes["m"]
    assert (node.op, node.inputs) == ("sub", (None, "e"))


def test_nodes_are_put_in_line(app: App, canvas: EditableCanvas) -> None:
    window = app.window
    window.selection.select("x", "w", "e")
    window.action("align_left").trigger()
    places = window.document.diagram.positions
    assert {places[key][0] for key in ("x", "w", "e")} == {0.0}
    window.document.history.undo()
    assert window.document.diagram.positions == START.positions


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


def test_the_menu_of_a_node_and_of_the_ground(app: App, canvas: EditableCanvas) -> None:
    menus = app.window.drawing.menus
    canvas.menu_asked.emit("m", QPoint(0, 0))
    shown = [action.objectName() for action in menus.menu.actions() if action.objectName()]
    assert shown[:2] == ["rename", "replace"]
    assert "delete" in shown
    menus.menu.close()
    canvas.menu_asked.emit(None, QPoint(0, 0))
    shown = [action.objectName() for action in menus.menu.actions() if action.objectName()]
    assert shown[0] == "add"
    menus.menu.close()


def test_the_view_stays_and_the_cursor_comes_back(app: App, canvas: EditableCanvas) -> None:
    zoom = canvas.zoom
    canvas.setFocus()
    app.window.action("add").trigger()
    finder = app.window.drawing.palette.finder
    finder.line.setText("[1, 2]")
    QTest.keyClick(finder.line, Qt.Key.Key_Return)
    app.settle()
    assert canvas.hasFocus()
    assert canvas.zoom == zoom
    assert not canvas.fitted


def test_what_is_added_and_what_a_pass_starts_from_come_into_sight(
    app: App, canvas: EditableCanvas
) -> None:
    def seen(key: NodeId) -> bool:
        box = next(box for box in canvas.figure.boxes if box.id == key)
        corners = (box.x, box.y), (box.x + box.width, box.y + box.height)
        return all(canvas.viewport().rect().contains(place(canvas, *at)) for at in corners)

    window = app.window
    canvas.zoom_to(1.0)
    window.selection.select("e")
    keyed(app, "tanh")
    (new,) = chosen(app)
    assert seen(new)
    canvas.pan(-600, 0)
    window.starting.choose("sum")
    app.settle()
    done = window.player.current
    assert done is not None
    assert seen(done.added[-1].id)
    window.starting.choose("ones")
    app.settle()
    assert seen(f"seed:{window.player.current.root}" if window.player.current else "")


def test_the_cursor_goes_from_pane_to_pane(app: App) -> None:
    window = app.window
    window.activateWindow()
    app.open("example:sum")
    window.code.editor.setFocus()
    seen = []
    for _turn in range(4):
        window.action("next_pane").trigger()
        focused = QApplication.focusWidget()
        panes = {
            "canvas": window.stage.canvas,
            "inspector": window.inspector,
            "timeline": window.timeline,
            "code": window.code,
        }
        seen += [
            name
            for name, pane in panes.items()
            if focused is pane or (focused is not None and pane.isAncestorOf(focused))
        ]
    assert seen == ["canvas", "inspector", "timeline", "code"]


def chosen(app: App) -> list[NodeId]:
    return list(app.window.selection.ids)


def keyed(app: App, text: str) -> None:
    """Add something by the keyboard alone."""
    QTest.keyClick(app.window.stage.canvas, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    finder = app.window.drawing.palette.finder
    assert finder.isVisible()
    QTest.keyClicks(finder.line, text)
    QTest.keyClick(finder.line, Qt.Key.Key_Return)
    app.settle()


def test_the_keyboard_alone_builds_the_example(app: App) -> None:
    """x = [2, 3] and y = x ** 2 + 3 * x, without the mouse."""
    window = app.window
    window.activateWindow()
    window.drawing.listen()
    window.stage.gallery.draw.click()
    app.settle()
    finder = window.drawing.palette.finder
    QTest.keyClicks(finder.line, "[2, 3]")
    QTest.keyClick(finder.line, Qt.Key.Key_Return)
    app.settle()
    canvas = window.stage.canvas
    assert canvas.hasFocus()
    keyed(app, "pow")
    (square,) = window.selection.ids
    QTest.keyClick(canvas, Qt.Key.Key_Left)
    assert chosen(app) == ["x"]
    keyed(app, "mul")
    (line,) = window.selection.ids
    assert inputs(app, line) == ("x", None)
    keyed(app, "3")
    assert inputs(app, line)[1] is not None
    QTest.keyClick(canvas, Qt.Key.Key_Right)
    assert chosen(app) == [line]
    QTest.keyClick(canvas, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    assert chosen(app) == [line, square]
    keyed(app, "add")
    (y,) = window.selection.ids
    assert window.player.run.values[y].array.tolist() == [10, 18]
    boxes = {box.id: box for box in canvas.figure.boxes}
    for one in boxes.values():  # nothing stands on anything else
        for other in boxes.values():
            apart = one.x + one.width <= other.x or other.x + other.width <= one.x
            apart = apart or one.y + one.height <= other.y or other.y + other.height <= one.y
            assert one is other or apart


def test_undo_in_the_middle_of_playing_keeps_all_in_step(app: App, canvas: EditableCanvas) -> None:
    drag(
        canvas, place(canvas, *port(canvas, "w", None).at), place(canvas, *port(canvas, "m", 1).at)
    )
    app.settle()
    app.window.starting.choose("sum")
    app.settle()
    app.window.player.play()
    app.window.document.history.undo()
    app.window.document.history.undo()
    app.settle()
    assert inputs(app, "m") == ("e", None)
    assert {box.id for box in canvas.figure.boxes} == set(START.nodes)
