"""The selected node changed in the inspector: its name, inputs and parameters; by keys alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from gradviz.diagram import Diagram, Node
from gradviz.ui.drawing.node_editor import NodeEditor
from tests.ui.conftest import App
from tests.ui.node_fields import (
    KEY,
    data,
    focused,
    node,
    opened,
    select,
    type_into,
)

# Of tool tips and menus, which the offscreen screen cannot bring to the front.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


@pytest.fixture
def editor(app: App, tmp_path: Path) -> NodeEditor:
    return opened(app, tmp_path)


def test_a_name_is_checked_while_it_is_typed(app: App, editor: NodeEditor) -> None:
    select(app, "y")
    app.window.action("rename").trigger()
    line = editor.name.line
    assert line.hasFocus()
    QTest.keyClicks(line, "1")
    assert "not a name in Python" in editor.name.wrong
    assert node(app, "y").name == "y"
    QTest.keyClick(line, KEY.Key_Backspace)
    QTest.keyClicks(line, "x")
    assert editor.name.wrong == "“x” is the name of another node."
    QTest.keyClick(line, KEY.Key_Return)
    assert node(app, "y").name == "y"
    QTest.keyClicks(line, "_hat")
    assert editor.name.wrong == ""
    QTest.keyClick(line, KEY.Key_Return)
    app.settle()
    assert node(app, "x_hat").op == "mv"
    assert "x_hat = w @ x  # a product" in (app.window.document.diagram.source or "")


def test_all_edits_are_undone_to_the_first_diagram(app: App, editor: NodeEditor) -> None:
    first, history = app.window.document.diagram, app.window.document.history
    select(app, "x")
    type_into(editor.source.value, "[7, 8]")
    app.settle()
    type_into(editor.name, "data")
    type_into(editor.source.shape, "2x1")
    app.settle()
    QTest.keyClick(editor.source.grad, KEY.Key_Space)
    select(app, "w")
    editor.source.filling.menu.actions()[0].trigger()
    select(app, "z")
    type_into(editor.params.row("dim").line, "None")
    editor.slots.rows[0].unplug.click()
    app.settle()
    assert history.count() == 7
    while history.canUndo():
        history.undo()
    app.settle()
    assert app.window.document.diagram is first
    assert not app.window.document.modified
    while history.canRedo():
        history.redo()
    app.settle()
    assert node(app, "z").inputs == (None,)
    assert data(app, "data").shape == (2, 1)


def test_escape_on_a_button_gives_the_cursor_back(app: App, editor: NodeEditor) -> None:
    select(app, "y")
    editor.slots.rows[0].link.setFocus()
    QTest.keyClick(focused(), KEY.Key_Escape)
    assert app.window.stage.canvas.hasFocus()


def test_a_parameter_is_checked_by_its_op(app: App, editor: NodeEditor) -> None:
    torch = pytest.importorskip("torch")
    select(app, "z")
    row = editor.params.row("dim")
    assert row.line.line.text() == "(0,)"
    assert row.line.note.text() == "y is (3,): axes 0 to 0"
    type_into(row.line, "1")
    with pytest.raises(IndexError) as raised:
        torch.zeros(3).sum(1)
    assert row.line.wrong == str(raised.value)
    assert node(app, "z").params["dim"] == (0,)
    type_into(row.line, "two")
    assert row.line.wrong == "dim is an axis, several as (0, 1), or None for all."
    type_into(row.line, "-1")
    app.settle()
    assert row.line.wrong == ""
    assert row.line.line.text() == "(0,)"
    QTest.keyClick(editor.params.row("keepdim").switch, KEY.Key_Space)
    app.settle()
    assert node(app, "z").params["keepdim"] is True
    assert app.window.player.run.values[node(app, "z").id].array.shape == (1,)


def test_inputs_are_followed_swapped_unplugged_and_filled(app: App, editor: NodeEditor) -> None:
    y = select(app, "y")
    rows = editor.slots.rows
    assert [row.link.title for row in rows[:2]] == ["w", "x"]
    rows[0].swap.click()
    app.settle()
    assert [row.link.title for row in rows[:2]] == ["x", "w"]
    assert editor.problem.text() == (
        "mat1 and mat2 shapes cannot be multiplied (1x2 and 3x2)"  # as PyTorch says
    )
    app.window.document.history.undo()
    app.settle()
    assert editor.problem.text() == ""
    rows[1].unplug.click()
    app.settle()
    assert node(app, "y").inputs == (node(app, "w").id, None)
    assert rows[1].line.line.placeholderText() == "missing"
    assert rows[1].line.line.hasFocus()
    QTest.keyClicks(rows[1].line.line, "z")
    QTest.keyClick(rows[1].line.line, KEY.Key_Return)
    assert "loop" in rows[1].line.wrong
    assert node(app, "y").inputs[1] is None
    type_into(rows[1].line, "nothing")
    assert rows[1].line.wrong == "“nothing” is no number, and no node is called so."
    type_into(rows[1].line, "x")
    app.settle()
    assert node(app, "y").inputs == (node(app, "w").id, node(app, "x").id)
    rows[1].link.click()
    assert app.window.selection.ids == (node(app, "x").id,)
    assert app.window.selection.ids != (y,)


def test_nodes_for_an_open_input_are_offered(app: App, editor: NodeEditor) -> None:
    select(app, "y")
    row = editor.slots.rows[0]
    row.unplug.click()
    app.settle()
    QTest.mouseClick(row.line.line, Qt.MouseButton.LeftButton)
    completer = row.line.line.completer()
    assert completer is not None
    popup = completer.popup()
    assert popup is not None
    assert popup.isVisible()
    model = popup.model()
    shown = [model.data(model.index(at, 0)) for at in range(model.rowCount())]
    assert sorted(shown) == ["w", "x"]  # but z, which is computed from it
    popup.hide()
    completer.activated.emit("w")
    app.settle()
    assert node(app, "y").inputs[0] == node(app, "w").id


def test_a_number_is_typed_into_an_open_input(app: App, editor: NodeEditor) -> None:
    diagram = Diagram(drawn=True).put(
        Node("x", "leaf", data=np.array([2.0, 3.0], np.float32), name="x"),
        Node("m", "mul", ("x", None), name="m"),
        Node("e", "exp", ("m",), name="e"),
    )
    app.window.document.load(diagram, None)
    app.settle()
    select(app, "e")
    assert editor.problem.text() == "Waits for m, which has no value yet."
    select(app, "m")
    editor.begin()
    row = editor.slots.rows[1]
    assert row.line.line.hasFocus()
    type_into(row.line, "3")
    app.settle()
    assert app.window.player.run.values["m"].array.tolist() == [6, 9]
    number = node(app, "m").inputs[1]
    assert number is not None
    assert app.window.document.diagram.nodes[number].is_number
    select(app, "e")
    assert editor.problem.text() == ""


def test_numbers_typed_into_an_input_are_of_the_kind_it_takes(app: App, editor: NodeEditor) -> None:
    diagram = Diagram(drawn=True).put(
        Node("x", "leaf", data=np.ones((3, 2), np.float32), name="x"),
        Node("m", "mul", ("x", None), name="m"),
        Node("e", "embedding", ("x", None), {"padding_idx": -1, "scale_grad_by_freq": False}),
    )
    app.window.document.load(diagram, None)
    app.settle()
    for key, dtype in (("m", np.float32), ("e", np.int64)):
        app.window.selection.select(key)
        type_into(editor.slots.rows[1].line, "[1, 2]")
        source = app.window.document.diagram.nodes[key].inputs[1]
        assert source is not None
        array = app.window.document.diagram.nodes[source].data
        assert array is not None
        assert array.dtype == dtype
    app.settle()
    assert app.window.player.run.error is None


def test_enter_on_the_canvas_begins_and_tab_goes_on(app: App, editor: NodeEditor) -> None:
    select(app, "x")
    canvas = app.window.stage.canvas
    canvas.setFocus()
    QTest.keyClick(canvas, KEY.Key_Return)
    assert editor.source.value.line.hasFocus()
    seen: list[QWidget | None] = []
    for _turn in range(6):
        QTest.keyClick(focused(), KEY.Key_Tab)
        seen.append(QApplication.focusWidget())
    source = editor.source
    assert seen[:5] == [
        source.filling.button,
        source.importer.button,
        source.shape.line,
        source.dtype,
        source.grad,
    ]


def test_tab_goes_through_inputs_and_parameters(app: App, editor: NodeEditor) -> None:
    select(app, "y")
    select(app, "z")
    app.window.action("rename").trigger()
    seen: list[QWidget] = []
    for _turn in range(5):
        QTest.keyClick(focused(), KEY.Key_Tab)
        seen.append(focused())
    row, dim, keepdim = editor.slots.rows[0], editor.params.row("dim"), editor.params.row("keepdim")
    assert seen == [row.link, row.unplug, dim.line.line, keepdim.switch, editor.no_grad]


def test_a_double_click_on_a_node_begins(app: App, editor: NodeEditor) -> None:
    canvas = app.window.stage.canvas
    box = next(box for box in canvas.figure.boxes if box.id == node(app, "x").id)
    at = canvas.mapFromScene(QPointF(box.x + box.width / 2, box.y + 10))
    QTest.mouseDClick(
        canvas.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at
    )
    assert app.window.selection.ids == (node(app, "x").id,)
    assert editor.source.value.line.hasFocus()


def test_escape_in_a_parameter_a_shape_and_a_name(app: App, editor: NodeEditor) -> None:
    select(app, "z")
    row = editor.params.row("dim")
    type_into(row.line, "5")
    assert row.line.wrong
    QTest.keyClick(row.line.line, KEY.Key_Escape)
    assert row.line.wrong == ""
    assert row.line.line.text() == "(0,)"
    type_into(editor.name, "1", enter=False)
    QTest.keyClick(editor.name.line, KEY.Key_Escape)
    assert editor.name.line.text() == "z"
    select(app, "x")
    type_into(editor.source.shape, "nothing", enter=False)
    assert editor.source.shape.wrong
    QTest.keyClick(editor.source.shape.line, KEY.Key_Escape)
    assert editor.source.shape.line.text() == "2"
    assert not app.window.document.modified


def test_leaving_a_line_enters_what_is_right_in_it(app: App, editor: NodeEditor) -> None:
    select(app, "y")
    type_into(editor.name, "product", enter=False)
    app.window.stage.canvas.setFocus()
    assert node(app, "product").op == "mv"
    type_into(editor.name, "no name", enter=False)
    app.window.stage.canvas.setFocus()
    assert node(app, "product").op == "mv"
    assert editor.name.line.text() == "no name"  # to be mended
    select(app, "x")
    select(app, "product")
    assert editor.name.line.text() == "product"
    assert editor.name.wrong == ""


def test_what_a_pass_adds_is_not_edited(app: App, editor: NodeEditor) -> None:
    select(app, "y")
    assert editor.isVisible()
    app.window.starting.choose("mean")
    app.settle()
    done = app.window.player.current
    assert done is not None
    if done.added:
        app.window.selection.select(done.added[-1].id)
        assert not editor.isVisible()
    app.window.selection.select()
    assert not editor.isVisible()


def test_no_grad_is_switched(app: App, editor: NodeEditor) -> None:
    select(app, "y")
    QTest.keyClick(editor.no_grad, KEY.Key_Space)
    app.settle()
    assert node(app, "y").no_grad
    assert editor.no_grad.isChecked()
    assert "no_grad" in (app.window.document.diagram.source or "")
