"""What is done to nodes by menus and keys, and what stays in sight meanwhile."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gradviz.diagram import NodeId
from gradviz.ui.canvas.editable import EditableCanvas
from tests.ui.apps import Apps
from tests.ui.by_hand import START, canvas, chosen, drag, inputs, keyed, place, port
from tests.ui.conftest import App

__all__ = ["canvas"]  # the fixture

# Of tool tips and menus, which the offscreen screen cannot bring to the front.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


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


def test_a_seed_is_typed_without_the_mouse(app: App) -> None:
    window = app.window
    window.activateWindow()
    app.open("example:nonscalar")
    window.action("seed_editor").trigger()
    line = window.seed_editor.tools.formula
    assert window.focusWidget() is line
    QTest.keyClicks(line, "[1, 0]")
    QTest.keyClick(line, Qt.Key.Key_Return)
    app.settle()
    assert window.player.current is not None
    assert window.player.current.grads["x"].tolist() == [7, 0]
    window.action("next_pane").trigger()
    assert window.focusWidget() is window.code.editor
    window.seed_editor.tools.formula.setFocus()
    window.action("seed_editor").trigger()
    assert window.focusWidget() is window.stage.canvas


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


def test_each_selection_is_nudged_as_a_step_of_its_own(app: App, canvas: EditableCanvas) -> None:
    window = app.window
    for key in ("x", "w"):
        window.selection.select(key)
        window.hands.nudge(1, 0)
        window.hands.nudge(1, 0)
    moved = window.document.diagram.positions
    window.document.history.undo()
    assert window.document.diagram.positions["x"] == moved["x"] != START.positions["x"]
    assert window.document.diagram.positions["w"] == START.positions["w"]


def test_guides_go_where_snapping_is_suspended(app: App, canvas: EditableCanvas) -> None:
    app.window.action("fit").trigger()
    view, start = canvas.viewport(), place(canvas, 40, 12)
    left, control = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier
    QTest.mousePress(view, left, Qt.KeyboardModifier.NoModifier, start)
    for step in range(1, 60, 3):  # until it stands in line with another one
        QTest.mouseMove(view, start + QPoint(step, step))
        if canvas._guides:
            break
    assert canvas._guides
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(start + QPoint(71, 67)),
        QPointF(view.mapToGlobal(start + QPoint(71, 67))),
        Qt.MouseButton.NoButton,
        left,
        control,
    )
    QApplication.sendEvent(view, event)
    assert canvas._guides == ()
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    QTest.mouseRelease(view, left, Qt.KeyboardModifier.NoModifier, start)


def test_what_is_copied_in_one_window_is_pasted_in_another(apps: Apps) -> None:
    first, second = apps.window("example:sum"), apps.window("example:mean")
    QGuiApplication.clipboard().setText("")
    assert not second.action("paste").isEnabled()
    first.selection.select("x")
    first.action("copy").trigger()
    assert second.action("paste").isEnabled()  # nothing else has happened there
    QGuiApplication.clipboard().setText("other")
    assert not first.action("paste").isEnabled()
