"""The value of the selected node changed in the inspector: typed, in cells, by rules."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from gradviz.diagram import Diagram, Node
from gradviz.ui.drawing.node_editor import NodeEditor
from tests.ui.conftest import App
from tests.ui.node_fields import (
    CONTROL,
    KEY,
    SCRIPT,
    data,
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


def test_numbers_leave_places_to_the_layout_and_wires_hold_them(
    app: App, editor: NodeEditor
) -> None:
    select(app, "x")
    type_into(editor.name, "data")
    type_into(editor.source.value, "[4, 5]")
    app.settle()
    assert app.window.document.diagram.positions == {}
    assert app.window.stage.canvas.fitted
    select(app, "y")
    editor.slots.rows[0].unplug.click()
    app.settle()
    assert set(app.window.document.diagram.positions) == set(app.window.document.diagram.nodes)


def test_a_script_whose_numbers_were_changed_is_saved_without_a_question(
    app: App, editor: NodeEditor, tmp_path: Path
) -> None:
    select(app, "x")
    type_into(editor.source.value, "[4, 5]")
    app.settle()
    app.window.files.save()
    app.settle()
    assert app.answers.asked == []
    text = (tmp_path / "script.py").read_text()
    assert text == SCRIPT.replace("[2.0, 3.0]", "[4.0, 5.0]")
    assert not app.window.document.modified


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


def test_another_document_knows_nothing_of_the_one_before(
    app: App, editor: NodeEditor, tmp_path: Path
) -> None:
    select(app, "x")
    editor.source.filling.menu.actions()[0].trigger()
    type_into(editor.name, "1", enter=False)
    assert editor.source.filling.isVisible()
    (tmp_path / "other.py").write_text(SCRIPT)
    app.answers.decision = "discard"
    app.open(str(tmp_path / "other.py"))
    select(app, "x")
    assert not editor.source.filling.isVisible()
    assert editor.name.line.text() == "x"
    assert editor.name.wrong == ""


def test_complex_numbers_and_truths_are_typed_in_cells(app: App, editor: NodeEditor) -> None:
    diagram = Diagram(drawn=True).put(
        Node("c", "leaf", data=np.array([[1 + 2j, 0], [3, 4j]], np.complex64), name="c"),
        Node("b", "constant", data=np.eye(2, dtype=bool), name="b"),
        Node("t", "leaf", data=np.zeros((2, 3, 4), np.float32), name="t"),
    )
    app.window.document.load(diagram, None)
    app.settle()
    select(app, "c")
    model = editor.source.table.model()
    assert model.data(model.index(0, 0)) == "1+2j"
    editor.source.table.typed.emit(1, "(5-1j)")
    assert data(app, "c").tolist() == [[1 + 2j, 5 - 1j], [3, 4j]]
    select(app, "b")
    editor.source.table.typed.emit(1, "True")
    assert data(app, "b").tolist() == [[True, True], [False, True]]
    editor.source.table.typed.emit(1, "2")
    assert editor.source.said.text() == "2 is not a value of bool."
    select(app, "t")
    vertical = Qt.Orientation.Vertical
    assert [model.headerData(row, vertical) for row in (0, 5)] == ["0, 0", "1, 2"]
    editor.source.table.typed.emit(23, "9")
    assert data(app, "t")[1, 2, 3] == 9


def test_everything_is_said_in_chinese(app: App, editor: NodeEditor) -> None:
    select(app, "x")
    app.window.commands.set_language("zh")
    assert editor.source.names["shape"].text() == "形状"
    app.window.commands.set_language("en")
    assert editor.source.names["shape"].text() == "shape"


def test_a_large_table_is_not_read_whole(app: App, editor: NodeEditor) -> None:
    select(app, "w")
    type_into(editor.source.value, "randn(64, 784)")
    app.settle()
    assert data(app, "w").shape == (64, 784)
    assert editor.source.table.model().columnCount() == 784
    assert len(editor.source.table.findChildren(QWidget)) < 50
    assert editor.source.value.line.text() == ""
    assert editor.source.value.line.placeholderText() == "64×784 float32"
