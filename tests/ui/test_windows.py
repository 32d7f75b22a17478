"""Several windows: each its own document, closed and quit with a question for each."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from tests.ui.apps import Apps

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support raise")

_SUM = "import torch\nx = torch.tensor([1.0], requires_grad=True)\nx.sum().backward()\n"


@pytest.fixture
def paths(tmp_path: Path) -> list[Path]:
    found = [tmp_path / f"{name}.py" for name in "abc"]
    for path in found:
        path.write_text(_SUM + f"# {path.name}\n", encoding="utf-8")
    return found


def names(apps: Apps) -> list[str]:
    return [window.files.name for window in apps.windows.all]


def test_a_new_window_is_empty_and_the_first_stays(apps: Apps) -> None:
    window = apps.window("example:sum")
    window.action("new_window").trigger()
    assert [w.number for w in apps.windows.all] == [0, 1]
    assert apps.windows.all[1].stage.pages.currentWidget() is apps.windows.all[1].stage.gallery
    apps.windows.all[1].close()
    apps.qtbot.waitUntil(lambda: len(apps.windows.all) == 1)
    apps.write(window, _SUM)
    assert window.player.diagram.nodes


def test_a_file_opens_beside_a_document_with_changes(apps: Apps, paths: list[Path]) -> None:
    window = apps.window(str(paths[0]))
    window.files.open(str(paths[1]))
    apps.settle()
    assert names(apps) == ["b.py"]  # nothing was lost: it takes the place
    apps.write(window, _SUM)
    window.files.open(str(paths[2]))
    apps.settle()
    assert names(apps) == ["b.py", "c.py"]
    assert window.document.diagram.source == _SUM


def test_a_file_that_is_open_comes_to_the_front(apps: Apps, paths: list[Path]) -> None:
    first = apps.window(str(paths[0]))
    second = apps.window(str(paths[1]))
    second.files.open(str(paths[0].parent / "." / "a.py"))
    apps.settle()
    assert names(apps) == ["a.py", "b.py"]
    apps.qtbot.waitUntil(first.isActiveWindow)


def test_closing_one_keeps_the_others_and_their_work(apps: Apps, paths: list[Path]) -> None:
    first, second = apps.window(str(paths[0])), apps.window(str(paths[1]))
    apps.write(first, _SUM)
    answers = apps.answer(second)
    second.action("close").trigger()
    apps.qtbot.waitUntil(lambda: len(apps.windows.all) == 1)
    assert answers.asked == []
    assert first.document.modified
    assert len(apps.files) == 1


def test_quitting_asks_for_each_and_may_be_called_off(apps: Apps, paths: list[Path]) -> None:
    windows = [apps.window(str(path)) for path in paths]
    answers = [apps.answer(window) for window in windows]
    for window in windows[:2]:
        apps.write(window, _SUM)
    answers[0].decision = "save"
    windows[2].action("quit").trigger()
    apps.settle()
    assert [one.asked for one in answers] == [["save a.py?"], ["save b.py?"], []]
    assert all(window.isVisible() for window in windows)
    assert paths[0].read_text(encoding="utf-8") == _SUM  # it was to be saved, and was
    answers[1].decision = "discard"
    windows[2].action("quit").trigger()
    apps.qtbot.waitUntil(lambda: not apps.windows.all)
    assert paths[1].read_text(encoding="utf-8") == _SUM + "# b.py\n"
    assert apps.files == []


def test_a_choice_in_one_window_holds_in_all(apps: Apps) -> None:
    first, second = apps.window(), apps.window()
    first.commands.set_language("zh")
    first.commands.set_theme("dark")
    assert second.action("open").text() == first.action("open").text() != "Open…"
    assert second.theme.name == "dark"


def test_places_and_panes_are_kept_for_each_window(apps: Apps) -> None:
    first, second = apps.window(), apps.window()
    first.setGeometry(10, 20, 960, 620)
    second.setGeometry(30, 40, 960, 700)
    first.left_panes.setSizes([300, 200])
    heights = first.left_panes.sizes()
    second.close()
    first.close()
    apps.qtbot.waitUntil(lambda: not apps.windows.all)
    again = [apps.window(), apps.window()]
    assert [window.height() for window in again] == [620, 700]
    assert again[0].left_panes.sizes() == heights


def test_a_pane_that_is_not_shown_keeps_its_width(apps: Apps) -> None:
    window = apps.window()
    assert 0 in window.panes.sizes()  # the start page has no inspector
    window.settings["panes"] = [300, 380, 250]
    window.close()
    assert window.settings["panes"] == [300, 380, 250]


def _dropped(apps: Apps, target: QWidget, *urls: QUrl) -> None:
    data = QMimeData()
    data.setUrls(list(urls))
    action, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(9, 9), action, data, button, none)
    QApplication.sendEvent(target, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(target, QDropEvent(QPointF(9, 9), action, data, button, none))
    apps.settle()


def test_dropped_files_open_wherever_they_fall(apps: Apps, paths: list[Path]) -> None:
    window = apps.window()
    _dropped(apps, window.code.editor.viewport(), *(QUrl.fromLocalFile(str(p)) for p in paths))
    assert names(apps) == ["a.py", "b.py", "c.py"]
    assert window.code.editor.toPlainText() == _SUM + "# a.py\n"


def test_what_cannot_be_opened_is_said(apps: Apps, tmp_path: Path) -> None:
    window = apps.window()
    said = window.stage.banner.text
    _dropped(apps, window.stage.canvas.viewport(), QUrl.fromLocalFile(str(tmp_path)))
    assert said.text() == f"{tmp_path}: is a folder, not a file"
    (tmp_path / "a.md").write_text("1,2", encoding="utf-8")
    _dropped(apps, window, QUrl.fromLocalFile(str(tmp_path / "a.md")))
    assert said.text() == f"{tmp_path}/a.md: neither a .py script nor a .gradviz file"
    _dropped(apps, window, QUrl("https://example.org/a.py"))
    assert said.text().startswith("https://example.org/a.py: only files of this computer")
    _dropped(apps, window, *(QUrl.fromLocalFile(f"{tmp_path}/{n}.py") for n in range(11)))
    assert said.text() == "11 files at once are too many; 10 can be opened."
    assert len(apps.windows.all) == 1


def test_an_error_of_the_app_is_said_and_all_work_is_kept(
    apps: Apps, paths: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    windows = [apps.window(str(path)) for path in paths[:2]]
    for window in windows:
        window.filing.keeper._timer.setInterval(3_600_000)  # type: ignore[union-attr]
        window.code.editor.insertPlainText("# mine\n")
    assert apps.files == []
    apps.windows.report(ValueError, ValueError("odd"), None)
    apps.settle()
    assert len(apps.files) == 2
    assert sum("odd" in window.stage.banner.text.text() for window in windows) == 1
    assert "odd" in capsys.readouterr().err


def test_a_recent_file_that_is_missing_is_grey(apps: Apps, paths: list[Path]) -> None:
    apps.window(str(paths[0]))
    window = apps.window(str(paths[1]))
    paths[0].unlink()
    window.settings.remember(paths[2])
    apps.settle()
    menu = window.findChild(QMenu, "recent")
    assert menu is not None
    told = {Path(action.text()).name: action.isEnabled() for action in menu.actions()}
    assert told == {"a.py": False, "b.py": True, "c.py": True}
