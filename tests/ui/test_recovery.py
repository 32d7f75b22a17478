"""What an ended process left is offered, restored, discarded or left; what is clean is not kept."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QLockFile

from gradviz import storage
from gradviz.diagram import Diagram
from gradviz.files import kept
from gradviz.ui.documents.session import Session
from tests.ui.apps import Apps

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support raise")

_SQUARE = """import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x ** 2 + 3 * x
y.sum().backward()
"""


def _head(name: str, path: Path | None = None, digest: str | None = None) -> kept.Head:
    return kept.Head(kept.VERSION, name, str(path) if path else None, digest, time.time())


def test_a_change_is_kept_and_goes_when_it_is_undone(apps: Apps) -> None:
    window = apps.window("example:sum")
    assert apps.files == []
    apps.write(window, _SQUARE)
    assert apps.files == ["1.kept"]
    found = kept.read(apps.windows.session.folder / "1.kept")
    assert (found.head.name, found.path, found.diagram.source) == ("sum.py", None, _SQUARE)
    assert found.difference == "It was never saved."
    while window.document.modified:
        window.action("undo").trigger()
    apps.settle()
    assert apps.files == []


def test_saving_discarding_and_closing_leave_nothing(apps: Apps, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(_SQUARE, encoding="utf-8")
    window = apps.window(str(path))
    apps.write(window, _SQUARE + "# more\n")
    assert len(apps.files) == 1
    window.action("save").trigger()
    apps.settle()
    assert apps.files == []
    apps.write(window, _SQUARE)
    assert len(apps.files) == 1
    window.leave()
    apps.qtbot.waitUntil(lambda: not apps.windows.all)
    assert apps.files == []


def test_a_window_that_goes_on_changing_is_kept_again(apps: Apps) -> None:
    window = apps.window("example:sum")
    for text in (_SQUARE, _SQUARE + "# again\n"):
        apps.write(window, text)
        file = apps.windows.session.folder / apps.files[0]
        assert kept.read(file).diagram.source == text


def test_what_was_left_is_offered_with_how_it_differs(apps: Apps, tmp_path: Path) -> None:
    same, other, gone = (tmp_path / name for name in ("same.py", "other.gradviz", "gone.py"))
    same.write_text(_SQUARE, encoding="utf-8")
    digest = storage.write(other, Diagram(source=_SQUARE))
    typed = Diagram(source=_SQUARE + "# one\n# two\n")
    apps.leave(_head("script.py"), typed)
    apps.leave(_head("same.py", same, storage.digest_of(same)), typed)
    apps.leave(_head("other.gradviz", other, digest), Diagram(source=_SQUARE, title="new"))
    apps.leave(_head("other.gradviz", other, "before"), Diagram(source=_SQUARE))
    apps.leave(_head("gone.py", gone, "x"), typed)
    assert apps.offer(apps.window()) == [
        ("script.py", "It was never saved."),
        ("same.py", "2 lines differ from the file."),
        ("other.gradviz", "Starts, places or notes differ from the file."),
        (
            "other.gradviz",
            "It holds the same as the file. The file has changed since; saving will ask.",
        ),
        ("gone.py", "The file it was opened from is no longer there."),
    ]


def test_restoring_takes_the_file_over(apps: Apps, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(_SQUARE, encoding="utf-8")
    typed = Diagram(source=_SQUARE + "# typed\n")
    nodes = Diagram(source=None, title="drawn")
    first = apps.leave(_head("a.py", path, storage.digest_of(path)), typed)
    second = apps.leave(_head("Untitled"), nodes)
    window = apps.window()
    assert len(apps.offer(window)) == 2
    bar = window.filing.left
    assert bar.isVisible()
    bar.rows[0].restore.click()
    apps.settle()
    assert (window.document.path, window.document.modified) == (path, True)
    assert window.document.diagram.source == typed.source
    assert not first.exists()
    assert apps.files == ["1.kept"]
    bar.rows[0].restore.click()
    apps.settle()
    assert not bar.isVisible()
    assert not second.exists()
    assert len(apps.windows.all) == 2
    assert apps.windows.all[1].document.diagram.title == "drawn"
    assert not second.parent.exists()
    assert path.read_text(encoding="utf-8") == _SQUARE


def test_restoring_into_the_window_that_has_the_file(apps: Apps, tmp_path: Path) -> None:
    path = tmp_path / "a.gradviz"
    digest = storage.write(path, Diagram(source=_SQUARE))
    apps.leave(_head("a.gradviz", path, digest), Diagram(source=_SQUARE + "# typed\n"))
    window = apps.window(str(path))
    apps.offer(window)
    window.filing.left.rows[0].restore.click()
    apps.settle()
    assert apps.windows.all == [window]
    assert window.document.diagram.source == _SQUARE + "# typed\n"
    window.action("save").trigger()
    apps.settle()
    assert storage.read(path).source == _SQUARE + "# typed\n"
    assert apps.files == []


def test_later_keeps_it_and_discard_can_be_taken_back(apps: Apps) -> None:
    files = [apps.leave(_head(name), Diagram(source=name)) for name in "abc"]
    window = apps.window()
    apps.offer(window)
    rows = window.filing.left.rows
    rows[0].discard.click()
    rows[1].discard.click()
    rows[1].discard.click()
    assert rows[0].about.text().endswith("It is removed when gradviz closes.")
    window.filing.left.later.click()
    assert not window.filing.left.isVisible()
    assert all(file.exists() for file in files)
    apps.windows.end()
    assert [file.exists() for file in files] == [False, True, True]
    assert len(Session(apps.root).left()) == 2


def test_a_file_that_cannot_be_read_is_shown_with_the_reason(apps: Apps) -> None:
    file = apps.leave(_head("a"), Diagram(source="a"))
    file.write_bytes(file.read_bytes()[:-20])
    newer = apps.leave(_head("b"), Diagram(source="b"))
    newer.write_bytes(newer.read_bytes().replace(b'"kept":1', b'"kept":9'))
    window = apps.window()
    abouts = [about for _name, about in apps.offer(window)]
    assert abouts[0] == f"{file}: the file is cut off before its end"
    assert "made by a newer version" in abouts[1]
    assert not window.filing.left.rows[0].restore.isVisible()


def test_what_a_living_process_keeps_is_its_own(apps: Apps) -> None:
    file = apps.leave(_head("a"), Diagram(source="a"))
    lock = QLockFile(f"{file.parent}.lock")
    assert lock.tryLock(0)
    assert apps.offer(apps.window()) == []
    lock.unlock()
    assert Session(apps.root).left() == [file]


def test_a_folder_that_takes_nothing_is_said_once(apps: Apps, tmp_path: Path) -> None:
    apps.root.write_text("in the way", encoding="utf-8")
    window = apps.window("example:sum")
    apps.write(window, _SQUARE)
    said = window.stage.banner.text.text()
    assert said.startswith("Changes cannot be kept against a crash; save often. ")
    assert "cannot be written" in said


def test_what_a_file_cannot_hold_is_kept_as_its_script(tmp_path: Path) -> None:
    import numpy as np

    from gradviz.diagram import Node

    odd = Node("x", "leaf", data=np.array([object()]))
    kept.write(tmp_path / "1.kept", _head("a"), replace(Diagram({"x": odd}), source="a"))
    assert kept.read(tmp_path / "1.kept").diagram.source == "a"
