"""Files that are broken, foreign or cannot be written: one sentence each, and nothing lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gradviz import storage
from gradviz.diagram import Diagram
from gradviz.files import file_forms
from gradviz.ui.window import Window
from tests.ui.apps import Apps

_SUM = "import torch\nx = torch.tensor([1.0, 2.0], requires_grad=True)\nx.sum().backward()\n"
_RAW = storage.dumps(Diagram(source=_SUM, title="a"))
_NEWER = _RAW.replace(b'"gradviz": 1', b'"gradviz": 9')
BROKEN = {
    "empty.gradviz": (b"", "the file is empty"),
    "cut.gradviz": (_RAW[: len(_RAW) // 2], "the file is cut off before its end"),
    "newer.gradviz": (_NEWER, "made by a newer version of the app (format 9; this one reads 1)"),
    "old.gradviz": (_RAW.replace(b'"gradviz": 1', b'"gradviz": -4'), "there is no format -4"),
    "foreign.gradviz": (b'{"cells": [], "nbformat": 4}', "not a .gradviz file: it does not begin"),
    "binary.gradviz": (bytes(range(256)) * 8, "not a .gradviz file: "),
    "picture.gradviz": (b"\x89PNG\r\n\x1a\n" + b"\0" * 64, "not a .gradviz file: "),
    "binary.py": (b"x = 1\n\xff\xfe", "not UTF-8 text, byte 6 cannot be read"),
    "nul.txt": (b"\0", "neither a .py script nor a .gradviz file"),
    "unknown.gradviz": (
        _RAW.replace(b'"title"', b'"storyboard": [1], "title"'),
        "Object contains unknown field `storyboard`",
    ),
}


def _said(window: Window) -> str:
    return window.stage.banner.text.text()


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_cannot_be_opened_is_one_sentence(
    apps: Apps, tmp_path: Path, name: str
) -> None:
    raw, sentence = BROKEN[name]
    (tmp_path / name).write_bytes(raw)
    window = apps.window("example:sum")
    before = window.document.diagram
    window.files.open(str(tmp_path / name))
    apps.settle()
    assert _said(window).startswith(f"{tmp_path / name}: ")
    assert sentence in _said(window)
    assert "\n" not in _said(window)
    assert window.document.diagram is before
    assert (tmp_path / name).read_bytes() == raw


def test_an_older_file_is_opened_and_written_anew_only_when_saved(
    apps: Apps, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    titled = {0: lambda old: {"gradviz": 0, "title": old["name"]}}
    monkeypatch.setattr(file_forms, "MIGRATIONS", titled)
    path = tmp_path / "old.gradviz"
    path.write_bytes(b'{"gradviz": 0, "name": "old"}')
    window = apps.window(str(path))
    assert (window.document.diagram.title, window.document.modified) == ("old", False)
    assert path.read_bytes() == b'{"gradviz": 0, "name": "old"}'
    apps.write(window, _SUM)
    window.action("save").trigger()
    apps.settle()
    assert json.loads(path.read_bytes())["gradviz"] == file_forms.VERSION
    assert storage.read(path).source == _SUM


def _refused(apps: Apps, window: Window, elsewhere: Path) -> str:
    """Save, and take the way out that is offered; what was said."""
    answers = apps.answer(window)
    answers.path = elsewhere
    window.action("save").trigger()
    apps.settle()
    bar = window.filing.bar
    assert window.document.modified
    assert bar.isVisible()
    said = bar.text.text()
    assert bar.buttons[0].text() == "Save As…"
    bar.buttons[0].click()
    apps.settle()
    assert not window.document.modified
    assert window.document.path == elsewhere
    assert not bar.isVisible()
    return said


def test_a_folder_that_has_gone_offers_another_place(apps: Apps, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    path = folder / "a.py"
    path.write_text(_SUM, encoding="utf-8")
    window = apps.window(str(path))
    apps.write(window, _SUM + "# mine\n")
    path.unlink()
    folder.rmdir()
    said = _refused(apps, window, tmp_path / "b.py")
    assert said.startswith(f"{path}: cannot be written: No such file or directory")
    assert (tmp_path / "b.py").read_text(encoding="utf-8") == _SUM + "# mine\n"


def test_a_full_disk_offers_another_place(
    apps: Apps, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.gradviz"
    storage.write(path, Diagram(source=_SUM))
    window = apps.window(str(path))
    apps.write(window, _SUM + "# mine\n")
    before = path.read_bytes()
    full = True
    real = os.fsync

    def fsync(descriptor: int) -> None:
        if full:
            raise OSError(28, "No space left on device")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    answers = apps.answer(window)
    window.action("save").trigger()
    apps.settle()
    assert answers.asked == []
    assert "No space left on device; what was there before is untouched" in (
        window.filing.bar.text.text()
    )
    assert path.read_bytes() == before
    assert sorted(entry.name for entry in tmp_path.glob(".*")) == []
    full = False
    window.action("save").trigger()
    apps.settle()
    assert not window.document.modified
    assert window.filing.bar.notice is None


_LIMITED = """
import resource, signal, sys
from gradviz import storage
from gradviz.diagram import Diagram
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    storage.write(sys.argv[1], Diagram(source="#" * 5000))
except storage.FileProblem as problem:
    print(problem)
"""


def test_a_write_that_really_breaks_off_leaves_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.gradviz"
    storage.write(path, Diagram(source=_SUM))
    before = path.read_bytes()
    ran = subprocess.run(
        [sys.executable, "-c", _LIMITED, str(path)], capture_output=True, text=True, check=True
    )
    assert ran.stdout == (
        f"{path}: cannot be written: File too large; what was there before is untouched\n"
    )
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_script_keeps_its_text_and_the_rest_is_asked_about(apps: Apps, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(_SUM.replace("x.sum()", "x"), encoding="utf-8")
    window = apps.window(str(path))
    window.starting.choose("mean")
    window.stage.canvas.moved.emit({"x": (5.0, 6.0)})
    apps.settle()
    answers = apps.answer(window)
    window.action("save").trigger()
    apps.settle()
    assert answers.asked == ["a.py without the starts chosen here, the places of nodes?"]
    assert window.document.modified  # called off
    answers.choice, answers.path = "diagram", tmp_path / "a.gradviz"
    window.action("save").trigger()
    apps.settle()
    assert window.document.path == tmp_path / "a.gradviz"
    saved = storage.read(tmp_path / "a.gradviz")
    assert saved.positions == {"x": (5.0, 6.0)}
    assert saved.calls[0].start.reduction == "mean"
    assert not window.document.modified


def test_a_script_only_is_agreed_to_once(apps: Apps, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(_SUM, encoding="utf-8")
    window = apps.window(str(path))
    answers = apps.answer(window)
    answers.choice = "script"
    for x in (5.0, 6.0):
        window.stage.canvas.moved.emit({"x": (x, 0.0)})
        window.action("save").trigger()
        apps.settle()
        assert not window.document.modified
    assert answers.asked == ["a.py without the places of nodes?"]
    assert path.read_text(encoding="utf-8") == _SUM


def test_a_name_that_could_not_be_opened_again_gets_its_suffix(apps: Apps, tmp_path: Path) -> None:
    window = apps.window("example:sum")
    answers = apps.answer(window)
    for name in ("plain", "note.v2"):
        answers.path = tmp_path / name
        window.action("save_as").trigger()
        apps.settle()
        assert storage.read(tmp_path / f"{name}.gradviz").source
    assert answers.asked == ["Save As", "Save As"]
    answers.path = tmp_path / "plain"
    window.action("save_as").trigger()
    apps.settle()
    assert answers.asked[-1] == "replace plain.gradviz?"


def test_half_a_character_is_refused_with_a_sentence(apps: Apps, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    with pytest.raises(storage.FileProblem, match="surrogates not allowed"):
        storage.write_text(path, "# \ud83d")
    assert not path.exists()
