"""Writing a script in the app: completion, what a call takes, brackets, comments, finding."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest

from gradviz.ui.widgets.assistant import Assistant, warm
from gradviz.ui.widgets.editor import Editor
from tests.ui.conftest import App

HEAD = "import torch\nx = torch.tensor([1.0], requires_grad=True)\n"


@pytest.fixture
def editor(app: App) -> Iterator[Editor]:
    warm()
    app.window.activateWindow()
    app.window.code.editor.setFocus()
    yield app.window.code.editor
    app.window.code.assistant.hide()


def typed(editor: Editor, text: str) -> None:
    """By the keys."""
    QTest.keyClicks(editor, text)


def start(app: App, editor: Editor, text: str = HEAD) -> Assistant:
    editor.setPlainText(text)
    editor.moveCursor(QTextCursor.MoveOperation.End)
    return app.window.code.assistant


def test_names_are_offered_while_one_types_and_taken_with_tab(app: App, editor: Editor) -> None:
    assistant = start(app, editor)
    typed(editor, "y = torch.logsu")
    assert assistant.popup.isVisible()
    assert assistant.list.currentItem().text() == "logsumexp"
    assert "logsumexp(input, dim" in assistant.about.text()
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.toPlainText().endswith("y = torch.logsumexp")
    assert not assistant.popup.isVisible()


def test_arrows_choose_and_escape_leaves_the_text_alone(app: App, editor: Editor) -> None:
    assistant = start(app, editor)
    typed(editor, "x.me")
    first = assistant.list.currentItem().text()
    QTest.keyClick(editor, Qt.Key.Key_Down)
    assert assistant.list.currentItem().text() != first
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert not assistant.popup.isVisible()
    assert editor.toPlainText().endswith("x.me")
    QTest.keyClick(editor, Qt.Key.Key_Return)  # an ordinary key again
    assert editor.toPlainText().endswith("x.me\n")


def test_one_letter_is_not_enough_unless_it_is_asked_for(app: App, editor: Editor) -> None:
    assistant = start(app, editor)
    typed(editor, "t")
    assert not assistant.popup.isVisible()
    QTest.keyClick(editor, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    assert assistant.popup.isVisible()


def test_what_the_call_takes_is_said_with_the_parameter_in_bold(app: App, editor: Editor) -> None:
    assistant = start(app, editor)
    typed(editor, "torch.softmax(x, ")
    assert assistant.tip.isVisible()
    assert "softmax(input, <b>dim</b>, dtype=None)" in assistant.tip.text()
    typed(editor, "0)")
    assert not assistant.tip.isVisible()


def test_the_cursor_stays_where_one_types_first(app: App, editor: Editor) -> None:
    app.open("example:sum")
    assert editor.textCursor().position() == 0
    editor.moveCursor(QTextCursor.MoveOperation.End)
    before = editor.toPlainText()
    typed(editor, "z = y")
    assert editor.toPlainText() == before + "z = y"


def test_another_hand_that_changes_the_text_opens_nothing(app: App, editor: Editor) -> None:
    app.open("example:sum")
    assert not app.window.code.assistant.popup.isVisible()


def test_a_place_beyond_the_basic_plane_is_the_right_one(app: App, editor: Editor) -> None:
    assistant = start(app, editor, HEAD + "# 𝜕y\n")
    typed(editor, "torch.logsu")
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.toPlainText().endswith("# 𝜕y\ntorch.logsumexp")
    assert not assistant.popup.isVisible()


def test_brackets_are_marked_with_their_partners(app: App, editor: Editor) -> None:
    start(app, editor, "f(1)")
    marked = [s.cursor.selectedText() for s in editor.extraSelections()]
    assert marked == [")", "("]
    editor.moveCursor(QTextCursor.MoveOperation.Start)
    assert [s.cursor.selectedText() for s in editor.extraSelections()] == []


def test_lines_become_comments_and_code_again(app: App, editor: Editor) -> None:
    start(app, editor, "a = 1\n    b = 2")
    editor.selectAll()
    slash, control = Qt.Key.Key_Slash, Qt.KeyboardModifier.ControlModifier
    QTest.keyClick(editor, slash, control)
    assert editor.toPlainText() == "# a = 1\n#     b = 2"
    QTest.keyClick(editor, slash, control)
    assert editor.toPlainText() == "a = 1\n    b = 2"


def test_a_text_is_found_round_the_end(app: App, editor: Editor) -> None:
    start(app, editor, "one two\nOne")
    editor.moveCursor(QTextCursor.MoveOperation.Start)
    app.window.action("find").trigger()
    bar = app.window.code.find_bar
    assert bar.isVisible()
    bar.line.setText("one")
    assert (bar.count.text(), editor.textCursor().selectedText()) == ("1 / 2", "one")
    bar.find_next()
    assert (bar.count.text(), editor.textCursor().selectedText()) == ("2 / 2", "One")
    bar.find_next()
    assert bar.count.text() == "1 / 2"
    bar.find_previous()
    assert bar.count.text() == "2 / 2"
    bar.line.setText("nowhere")
    assert bar.count.text() == "none"
    QTest.keyClick(bar.line, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    assert editor.toPlainText() == "one two\nOne"


def test_a_node_is_found_by_its_op(app: App) -> None:
    app.open("example:sum")
    window = app.window
    window.stage.canvas.setFocus()
    window.action("find").trigger()
    finder = window.node_finder.finder
    finder.line.setText("pow")
    QTest.keyClick(finder.line, Qt.Key.Key_Return)
    assert window.selection.node is not None
    assert window.document.diagram.nodes[window.selection.node].op == "pow"
