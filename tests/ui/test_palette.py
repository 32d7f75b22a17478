"""All actions by a few letters of their names."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gradviz.ui.asking.actions import TABLE
from tests.ui.conftest import App


def listed(app: App) -> list[str]:
    rows = app.window.palette_of_actions.finder.rows
    return [rows.item(at).data(Qt.ItemDataRole.UserRole).key for at in range(rows.count())]


def asked(app: App, typed: str) -> list[str]:
    app.window.action("palette").trigger()
    app.window.palette_of_actions.finder.line.setText(typed)
    return listed(app)


def test_every_action_is_there(app: App) -> None:
    assert set(asked(app, "")) == {row.id for row in TABLE} - {"palette"}


def test_names_are_found_in_both_languages(app: App) -> None:
    app.window.commands.set_language("zh")
    assert asked(app, "jacob")[0] == "jacobian"
    assert asked(app, "雅可比")[0] == "jacobian"


def test_enter_takes_the_row_that_is_marked(app: App) -> None:
    asked(app, "dark")
    QTest.keyClick(app.window.palette_of_actions.finder.line, Qt.Key.Key_Return)
    assert app.window.theme.name == "dark"
    assert not app.window.palette_of_actions.finder.isVisible()
    assert asked(app, "")[0] == "theme_dark"  # used lately


def test_what_cannot_be_done_now_is_shown_and_not_taken(app: App) -> None:
    found = asked(app, "undo")
    finder = app.window.palette_of_actions.finder
    assert found[0] == "undo"
    assert finder.rows.currentRow() == -1
    QTest.keyClick(finder.line, Qt.Key.Key_Return)
    assert finder.isVisible()


def test_arrows_go_round_and_escape_leaves(app: App) -> None:
    asked(app, "zoom")
    finder = app.window.palette_of_actions.finder
    assert finder.rows.currentRow() == 0
    QTest.keyClick(finder.line, Qt.Key.Key_Up)
    assert finder.rows.currentRow() == finder.rows.count() - 1
    QTest.keyClick(finder.line, Qt.Key.Key_Down)
    assert finder.rows.currentRow() == 0
    QTest.keyClick(finder.line, Qt.Key.Key_Escape)
    assert not finder.isVisible()


def test_no_name_like_that_is_said(app: App) -> None:
    assert asked(app, "xyzzy") == []
    assert app.window.palette_of_actions.finder.nothing.isVisible()


def test_it_goes_when_the_cursor_leaves_it(app: App) -> None:
    asked(app, "")
    app.window.activateWindow()
    app.window.code.editor.setFocus()
    assert not app.window.palette_of_actions.finder.isVisible()
