"""The code pane's editor: colours, indents, pairs, and texts set without losing the place."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gradviz.ui.app import make_app
from gradviz.ui.theme import ThemeSource
from gradviz.ui.widgets.editor import Editor
from gradviz.ui.widgets.highlight import tokens


@pytest.fixture
def editor(qtbot: QtBot) -> Editor:
    make_app()
    made = Editor(ThemeSource("light"))
    qtbot.addWidget(made)
    return made


def _kinds(line: str) -> list[tuple[str, str]]:
    return [(line[at : at + length], kind) for at, length, kind, _state in tokens(line)]


def test_a_line_of_pytorch_is_told_apart() -> None:
    assert _kinds("for v in range(3): print('a', x1 * 2.5e-3, True)  # end") == [
        ("for", "keyword"),
        ("in", "keyword"),
        ("range", "call"),
        ("3", "number"),
        ("print", "call"),
        ("'a'", "string"),
        ("2.5e-3", "number"),
        ("True", "keyword"),
        ("# end", "comment"),
    ]


def test_a_hash_in_a_string_is_no_comment() -> None:
    assert _kinds('x = "# no"') == [('"# no"', "string")]


def test_a_long_string_goes_on_in_the_next_line() -> None:
    *_rest, (_at, _length, kind, state) = tokens('x = """one')
    assert (kind, state) == ("string", 2)
    assert [kind for _a, _l, kind, _s in tokens("two", state)] == ["string"]
    assert list(tokens('two"""', state))[-1][3] == 0


def test_enter_keeps_the_indent_and_goes_deeper_after_a_colon(editor: Editor) -> None:
    QTest.keyClicks(editor, "for i in x:")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QTest.keyClicks(editor, "y")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QTest.keyClicks(editor, "z")
    assert editor.toPlainText() == "for i in x:\n    y\n    z"


def test_tab_is_four_spaces_and_backspace_takes_them_back(editor: Editor) -> None:
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.toPlainText() == "    "
    QTest.keyClick(editor, Qt.Key.Key_Backspace)
    assert editor.toPlainText() == ""


def test_selected_lines_move_in_and_out_together(editor: Editor) -> None:
    editor.set_text("a\nb")
    editor.selectAll()
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.toPlainText() == "    a\n    b"
    editor.selectAll()
    QTest.keyClick(editor, Qt.Key.Key_Backtab)
    assert editor.toPlainText() == "a\nb"


def test_brackets_come_in_pairs_and_close_once(editor: Editor) -> None:
    QTest.keyClicks(editor, "f([1])")
    assert editor.toPlainText() == "f([1])"
    QTest.keyClicks(editor, "(")
    assert editor.toPlainText() == "f([1])()"
    QTest.keyClick(editor, Qt.Key.Key_Backspace)
    assert editor.toPlainText() == "f([1])"


def test_a_text_is_set_where_it_differs_and_the_cursor_stays_there(editor: Editor) -> None:
    editor.set_text("one\ntwo\nthree")
    editor.set_text("one\ntwo and a half\nthree")
    assert editor.toPlainText() == "one\ntwo and a half\nthree"
    assert editor.textCursor().blockNumber() == 1


def test_characters_outside_the_basic_plane_are_set_right(editor: Editor) -> None:
    editor.set_text("x = '𝛁'\ny = 1")
    editor.set_text("x = '𝛁'\ny = 2")
    assert editor.toPlainText() == "x = '𝛁'\ny = 2"


def test_marks_stay_on_their_lines_when_the_text_changes(editor: Editor) -> None:
    editor.set_text("a\nb\nc")
    editor.mark(2, 3, "wrong")
    editor.set_text("a and more\nb\nc")
    assert [s.cursor.blockNumber() for s in editor.extraSelections()] == [1, 2]
