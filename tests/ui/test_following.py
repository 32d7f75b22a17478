"""A file that another program writes to, replaces or removes while its document is open."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gradviz import storage
from gradviz.diagram import Diagram
from gradviz.ui.window import Window
from tests.ui.apps import Apps

_SUM = "import torch\nx = torch.tensor([1.0, 2.0], requires_grad=True)\nx.sum().backward()\n"
_MEAN = _SUM.replace("sum", "mean")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.py"
    path.write_text(_SUM, encoding="utf-8")
    return path


def _replace(path: Path, text: str) -> None:
    """As most editors save: a new file in the place of the old one."""
    beside = path.with_name("beside")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def _source(apps: Apps, window: Window, text: str) -> None:
    apps.qtbot.waitUntil(lambda: window.document.diagram.source == text, timeout=10_000)
    apps.settle()


def _told(apps: Apps, window: Window, kind: str) -> None:
    bar = window.filing.bar
    apps.qtbot.waitUntil(lambda: (bar.notice.kind if bar.notice else "") == kind, timeout=10_000)


@pytest.mark.parametrize("replacing", [True, False])
def test_a_document_without_changes_follows_its_file(
    apps: Apps, path: Path, replacing: bool
) -> None:
    window = apps.window(str(path))
    window.player.go(1)
    for text in (_MEAN, _SUM + "# again\n"):  # the watch lives through the first
        if replacing:
            _replace(path, text)
        else:
            path.write_text(text, encoding="utf-8")
        _source(apps, window, text)
        assert not window.document.modified
        assert window.player.position == 1
    assert window.filing.bar.notice is None
    window.action("undo").trigger()
    apps.settle()
    assert window.document.diagram.source == _MEAN  # nothing is lost by reading it again
    assert window.document.modified


def test_a_diagram_is_read_again_with_its_places(apps: Apps, tmp_path: Path) -> None:
    path = tmp_path / "a.gradviz"
    storage.write(path, Diagram(source=_SUM))
    window = apps.window(str(path))
    nodes = window.document.diagram
    storage.write(path, Diagram(nodes.nodes, nodes.calls, _SUM, positions={"x": (7.0, 8.0)}))
    apps.qtbot.waitUntil(lambda: bool(window.document.diagram.positions), timeout=10_000)
    apps.settle()
    assert window.document.diagram.positions == {"x": (7.0, 8.0)}
    assert not window.document.modified


def test_a_document_with_changes_asks_and_keeps_its_own(apps: Apps, path: Path) -> None:
    window = apps.window(str(path))
    mine = _SUM + "# mine\n"
    apps.write(window, mine)
    _replace(path, _MEAN)
    _told(apps, window, "changed")
    bar = window.filing.bar
    assert bar.text.text() == "a.py has changed on disk; this document has changes of its own."
    assert [button.text() for button in bar.buttons] == ["Reload", "Keep mine"]
    bar.buttons[1].click()
    assert window.document.diagram.source == mine
    answers = apps.answer(window)
    window.action("save").trigger()
    apps.settle()
    assert answers.asked == []  # it was said which one is wanted
    assert path.read_text(encoding="utf-8") == mine
    assert not window.document.modified


def test_a_document_with_changes_may_be_read_again_and_taken_back(apps: Apps, path: Path) -> None:
    window = apps.window(str(path))
    apps.write(window, _SUM + "# mine\n")
    path.write_text(_MEAN, encoding="utf-8")
    _told(apps, window, "changed")
    window.filing.bar.buttons[0].click()
    _source(apps, window, _MEAN)
    assert not window.document.modified
    window.action("undo").trigger()
    assert window.document.diagram.source == _SUM + "# mine\n"


@pytest.mark.parametrize(("choice", "on_disk"), [("cancel", _MEAN), ("replace", _SUM + "# mine\n")])
def test_saving_over_what_another_wrote_asks(
    apps: Apps, path: Path, choice: str, on_disk: str
) -> None:
    window = apps.window(str(path))
    apps.write(window, _SUM + "# mine\n")
    window.filing.following.watch.follow(None)  # as in a folder that tells nothing
    path.write_text(_MEAN, encoding="utf-8")
    answers = apps.answer(window)
    answers.choice = choice  # type: ignore[assignment]
    window.action("save").trigger()
    apps.settle()
    assert answers.asked == ["replace a.py?"]
    assert path.read_text(encoding="utf-8") == on_disk
    assert window.document.modified == (choice == "cancel")


def test_saving_twice_in_a_row_is_no_conflict(apps: Apps, path: Path) -> None:
    window = apps.window(str(path))
    answers = apps.answer(window)
    for text in ("# 1\n", "# 2\n"):
        window.code.editor.insertPlainText(text)
        window.action("save").trigger()
    apps.settle()
    assert answers.asked == []
    assert path.read_text(encoding="utf-8") == window.document.diagram.source
    assert not window.document.modified


def test_a_change_while_it_is_saved_is_not_taken_for_saved(apps: Apps, path: Path) -> None:
    window = apps.window(str(path))
    window.code.editor.insertPlainText("# 1\n")
    saved = window.document.diagram.source
    window.action("save").trigger()
    window.code.editor.insertPlainText("# 2\n")
    apps.settle()
    assert window.document.modified
    assert path.read_text(encoding="utf-8") == saved


def test_a_file_that_goes_is_said_and_may_be_saved_again(apps: Apps, path: Path) -> None:
    window = apps.window(str(path))
    path.unlink()
    _told(apps, window, "gone")
    assert window.document.modified
    assert len(apps.files) == 1 or window.filing.keeper.busy  # type: ignore[union-attr]
    window.filing.bar.buttons[0].click()
    apps.settle()
    assert path.read_text(encoding="utf-8") == _SUM
    assert not window.document.modified
    assert window.filing.bar.notice is None


def test_a_file_that_comes_back_takes_the_notice_away(apps: Apps, path: Path) -> None:
    window = apps.window(str(path))
    path.unlink()
    _told(apps, window, "gone")
    path.write_text(_SUM, encoding="utf-8")
    _told(apps, window, "")


def test_a_file_that_becomes_unreadable_leaves_the_document(apps: Apps, tmp_path: Path) -> None:
    path = tmp_path / "a.gradviz"
    storage.write(path, Diagram(source=_SUM))
    window = apps.window(str(path))
    whole = path.read_bytes()
    os.truncate(path, len(whole) // 2)
    said = window.stage.banner.text
    apps.qtbot.waitUntil(lambda: "cut off" in said.text(), timeout=10_000)
    assert window.document.diagram.source == _SUM
    assert window.document.modified


def test_notices_are_said_in_the_language_in_use(apps: Apps, path: Path) -> None:
    window = apps.window(str(path))
    path.unlink()
    _told(apps, window, "gone")
    bar = window.filing.bar
    before = bar.text.text()
    window.commands.set_language("zh")
    assert bar.text.text() != ""
    window.commands.set_language("en")
    assert bar.text.text() == before


def test_a_file_made_read_only_is_kept_and_another_place_offered(apps: Apps, path: Path) -> None:
    window = apps.window(str(path))
    path.chmod(0o444)
    apps.write(window, _MEAN)
    window.action("save").trigger()
    _told(apps, window, "refused")
    notice = window.filing.bar.notice
    assert notice is not None
    assert "Permission denied" in notice.text
    assert [text for text, _then in notice.answers] == ["Save As…"]
    assert path.read_text(encoding="utf-8") == _SUM
    assert window.document.modified
    path.chmod(0o644)


@pytest.mark.parametrize(
    ("mark", "end"),
    [
        (b"", b"\n"),
        (b"", b"\r\n"),
        (b"\xef\xbb\xbf", b"\r\n"),
        (b"\xef\xbb\xbf", b"\n"),
        (b"", b"\r"),
    ],
)
def test_a_saved_script_has_the_line_ends_of_its_file(
    apps: Apps, path: Path, mark: bytes, end: bytes
) -> None:
    path.write_bytes(mark + _SUM.encode().replace(b"\n", end))
    window = apps.window(str(path))
    assert window.document.diagram.source == _SUM
    for text in (_MEAN, _SUM):
        apps.write(window, text)
        window.action("save").trigger()
        apps.qtbot.waitUntil(lambda: not window.document.modified, timeout=10_000)
        assert path.read_bytes() == mark + text.encode().replace(b"\n", end)
        apps.settle()
    assert window.filing.bar.notice is None
