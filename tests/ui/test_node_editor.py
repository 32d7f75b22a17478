"""The selected node changed in the inspector: name, value, inputs, parameters."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from gradviz.diagram import Diagram, Node, NodeId
from gradviz.run import Array
from gradviz.ui.drawing.node_editor import NodeEditor
from gradviz.ui.widgets.entry_line import EntryLine
from tests.ui.conftest import App

# Of tool tips and menus, which the offscreen screen cannot bring to the front.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

KEY, CONTROL = Qt.Key, Qt.KeyboardModifier.ControlModifier
SCRIPT = """import torch
# the data
x = torch.tensor([2.0, 3.0], requires_grad=True)
w = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], requires_grad=True)
y = w @ x  # a product
z = y.sum(0)
z.backward()
"""


@pytest.fixture
def editor(app: App, tmp_path: Path) -> NodeEditor:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    app.open(str(script))
    app.window.activateWindow()
    app.window.drawing.listen()
    return app.window.drawing.node_editor


def node(app: App, name: str) -> Node:
    return next(n for n in app.window.document.diagram.nodes.values() if n.name == name)


def select(app: App, name: str) -> NodeId:
    key = node(app, name).id
    app.window.selection.select(key)
    return key


def data(app: App, name: str) -> Array:
    array = node(app, name).data
    assert array is not None
    return array


def focused() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


def type_into(line: EntryLine, text: str, *, enter: bool = True) -> None:
    line.take()
    QTest.keyClicks(line.line, text)
    if enter:
        QTest.keyClick(line.line, KEY.Key_Return)


def test_typing_numbers_counts_at_once_and_is_undone_as_one(app: App, editor: NodeEditor) -> None:
    x, window = select(app, "x"), app.window
    value = editor.source.value
    assert value.line.text() == "[2.0, 3.0]"
    type_into(value, "[4, 5]", enter=False)
    app.settle()
    assert data(app, "x").tolist() == [4, 5]
    assert window.player.run.values[node(app, "y").id].array.tolist() == [14, 32, 50]
    assert window.player.current is not None
    assert window.player.current.grads[node(app, "w").id].tolist() == [[4, 5]] * 3
    assert value.line.text() == "[4, 5]"  # as it was typed, not as it is shown later
    QTest.keyClick(value.line, KEY.Key_Return)
    assert value.line.text() == "[4.0, 5.0]"
    assert window.document.history.count() == 1
    window.document.history.undo()
    app.settle()
    assert data(app, "x").tolist() == [2, 3]
    assert value.line.text() == "[2.0, 3.0]"
    assert window.selection.ids == (x,)


def test_the_script_keeps_what_was_written_by_hand(app: App, editor: NodeEditor) -> None:
    select(app, "x")
    type_into(editor.source.value, "[4, 5]")
    app.settle()
    source = app.window.document.diagram.source or ""
    assert "# the data" in source
    assert "y = w @ x  # a product" in source
    assert "[4.0, 5.0]" in source.replace("4., 5.", "4.0, 5.0")
    assert "[2.0, 3.0]" not in source


def test_escape_puts_the_value_back(app: App, editor: NodeEditor) -> None:
    select(app, "x")
    value = editor.source.value
    type_into(value, "[4, 5]", enter=False)
    assert data(app, "x").tolist() == [4, 5]
    QTest.keyClick(value.line, KEY.Key_Escape)
    app.settle()
    assert data(app, "x").tolist() == [2, 3]
    assert value.line.text() == "[2.0, 3.0]"
    assert not app.window.document.modified
    QTest.keyClick(value.line, KEY.Key_Escape)
    assert app.window.stage.canvas.hasFocus()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[4, 5", "A bracket is not closed."),
        ("[4, five]", "[1]: “five” is not a number."),
        ("[[1, 2], [3]]", "[1] has 1 elements, [0] has 2."),
    ],
)
def test_a_slip_says_why_in_place_and_keeps_the_value(
    app: App, editor: NodeEditor, text: str, said: str
) -> None:
    select(app, "x")
    value = editor.source.value
    value.take()
    QGuiApplication.clipboard().setText(text)
    value.line.paste()
    QTest.keyClick(value.line, KEY.Key_Return)
    app.settle()
    assert data(app, "x").tolist() == [2, 3]
    assert value.wrong == said
    assert value.note.isVisible()
    assert value.line.text() == text  # to be mended
    QTest.keyClick(value.line, KEY.Key_Escape)
    assert value.wrong == ""
    assert value.line.text() == "[2.0, 3.0]"


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


def test_cells_of_a_matrix_are_typed(app: App, editor: NodeEditor) -> None:
    select(app, "w")
    table = editor.source.table
    assert table.isVisible()
    assert table.model().rowCount() == 3
    table.setFocus()
    table.choose(3)
    QTest.keyClick(table, KEY.Key_7)
    cell = QApplication.focusWidget()
    assert cell is not None
    assert cell is not table
    QTest.keyClick(cell, KEY.Key_Return)
    app.qtbot.waitUntil(lambda: data(app, "w").tolist() == [[1, 2], [3, 7], [5, 6]])
    table.typed.emit(0, "one")
    assert editor.source.said.text() == "“one” is not a number."
    assert data(app, "w")[0, 0] == 1


def test_a_block_of_a_spreadsheet_is_pasted_and_copied(app: App, editor: NodeEditor) -> None:
    select(app, "w")
    table = editor.source.table
    table.setFocus()
    table.choose(2)
    QGuiApplication.clipboard().setText("10\t20\n30\t40\n")
    QTest.keyClick(table, KEY.Key_V, CONTROL)
    app.settle()
    assert data(app, "w").tolist() == [[1, 2], [10, 20], [30, 40]]
    assert len(app.window.document.diagram.nodes) == 4  # no nodes were pasted
    table.choose(4)
    QTest.keyClick(table, KEY.Key_V, CONTROL)
    assert "do not fit there" in editor.source.said.text()
    table.selectAll()
    QTest.keyClick(table, KEY.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == "1.0\t2.0\n10.0\t20.0\n30.0\t40.0"
    QTest.keyClick(table, KEY.Key_Delete)
    app.settle()
    assert data(app, "w").tolist() == [[0, 0]] * 3  # and the node is still there


def test_a_spreadsheet_pasted_into_the_line_replaces_the_value(
    app: App, editor: NodeEditor
) -> None:
    select(app, "w")
    value = editor.source.value
    value.take()
    QGuiApplication.clipboard().setText("1\t2\n3\t4\n")
    QTest.keyClick(value.line, KEY.Key_V, CONTROL)
    app.settle()
    assert data(app, "w").tolist() == [[1, 2], [3, 4]]


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


def test_a_rule_fills_the_value_and_its_seed_is_shown(app: App, editor: NodeEditor) -> None:
    torch = pytest.importorskip("torch")
    select(app, "w")
    filling = editor.source.filling
    next(a for a in filling.menu.actions() if a.objectName() == "normal").trigger()
    app.settle()
    torch.manual_seed(0)
    assert np.array_equal(data(app, "w"), torch.randn(3, 2).numpy())
    assert filling.lines[2].line.text() == "0"
    filling.another.click()
    app.settle()
    torch.manual_seed(1)
    other = torch.randn(3, 2).numpy()
    assert np.array_equal(data(app, "w"), other)
    assert filling.lines[2].line.text() == "1"
    editor.source.table.typed.emit(0, "9")
    assert data(app, "w")[0, 0] == 9
    filling.again.click()
    assert np.array_equal(data(app, "w"), other)
    type_into(filling.lines[2], "0")
    torch.manual_seed(0)
    assert np.array_equal(data(app, "w"), torch.randn(3, 2).numpy())
    type_into(filling.lines[2], "-1")
    assert filling.lines[2].wrong == "The seed is a whole number, not below 0."
    assert np.array_equal(data(app, "w"), torch.manual_seed(0) and torch.randn(3, 2).numpy())


def test_another_shape_is_filled_by_the_same_rule(app: App, editor: NodeEditor) -> None:
    select(app, "x")
    next(a for a in editor.source.filling.menu.actions() if a.objectName() == "ones").trigger()
    type_into(editor.source.shape, "2x3")
    app.settle()
    assert data(app, "x").tolist() == [[1, 1, 1], [1, 1, 1]]
    type_into(editor.source.shape, "2x")
    assert editor.source.shape.wrong == "“2x” is no shape: write 2x3 or 2, 3."
    assert data(app, "x").shape == (2, 3)


def test_numbers_stay_at_their_places_in_another_shape(app: App, editor: NodeEditor) -> None:
    select(app, "x")
    type_into(editor.source.shape, "3")
    assert data(app, "x").tolist() == [2, 3, 0]


def test_dtype_and_requires_grad(app: App, editor: NodeEditor) -> None:
    select(app, "x")
    source = editor.source

    def choose(name: str) -> None:
        source.dtype.setCurrentText(name)
        source.dtype.activated.emit(source.dtype.currentIndex())

    choose("int64")
    assert "floating point" in source.dtype_said.text()
    assert source.dtype.key == "float32"
    assert data(app, "x").dtype == np.float32
    QTest.keyClick(source.grad, KEY.Key_Space)
    assert node(app, "x").op == "constant"
    choose("int64")
    assert source.dtype_said.text() == ""
    assert data(app, "x").dtype == np.int64
    QTest.keyClick(source.grad, KEY.Key_Space)
    assert "floating point" in source.grad_said.text()
    assert not source.grad.isChecked()
    assert node(app, "x").op == "constant"


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


def test_a_new_leaf_says_that_it_has_no_value(app: App, editor: NodeEditor) -> None:
    diagram = Diagram(drawn=True).put(Node("a", "leaf", name="a"))
    app.window.document.load(diagram, None)
    app.settle()
    select(app, "a")
    assert editor.problem.text() == "This node has no value yet."
    editor.begin()
    assert editor.source.value.line.hasFocus()
    QTest.keyClicks(editor.source.value.line, "2")
    app.settle()
    assert editor.problem.text() == ""
    assert data(app, "a").item() == 2
    assert data(app, "a").dtype == np.float32


def test_a_hand_made_change_is_told_from_what_the_rule_made(app: App, editor: NodeEditor) -> None:
    select(app, "w")
    filling = editor.source.filling
    next(a for a in filling.menu.actions() if a.objectName() == "zeros").trigger()
    assert filling.title.text() == "Zeros"
    editor.source.table.typed.emit(0, "9")
    assert filling.title.text() == "Zeros, changed since"
    app.window.document.history.undo()
    assert filling.title.text() == "Zeros"


def test_everything_is_said_in_chinese(app: App, editor: NodeEditor) -> None:
    select(app, "x")
    app.window.commands.set_language("zh")
    assert editor.source.names["shape"].text() == "形状"
    app.window.commands.set_language("en")
    assert editor.source.names["shape"].text() == "shape"


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


def test_a_large_table_is_not_read_whole(app: App, editor: NodeEditor) -> None:
    select(app, "w")
    type_into(editor.source.value, "randn(64, 784)")
    app.settle()
    assert data(app, "w").shape == (64, 784)
    assert editor.source.table.model().columnCount() == 784
    assert len(editor.source.table.findChildren(QWidget)) < 50
    assert editor.source.value.line.text() == ""
    assert editor.source.value.line.placeholderText() == "64×784 float32"
