"""`gradviz env --desktop`: what it puts into a user's own folders starts this very gradviz."""

from __future__ import annotations

import configparser
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from gradviz import desktop, storage
from gradviz.__main__ import dispatch
from gradviz.diagram import Diagram

FILES = [
    "applications/gradviz.desktop",
    "icons/hicolor/scalable/apps/gradviz.svg",
    "icons/hicolor/scalable/mimetypes/application-x-gradviz.svg",
    "mime/packages/gradviz.xml",
]
_SPACE = "{http://www.freedesktop.org/standards/shared-mime-info}"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "data home"
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    return home


def _ours(home: Path) -> list[str]:
    names = (path.relative_to(home).as_posix() for path in home.rglob("*gradviz*"))
    return sorted(name for name in names if (home / name).is_file() and name in FILES)


def _entry(home: Path) -> configparser.SectionProxy:
    parser = configparser.RawConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(home / FILES[0], encoding="utf-8")
    return parser["Desktop Entry"]


def test_the_files_come_and_go(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch(["env", "--desktop"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said == [f"Written: {home / name}" for name in (FILES[0], FILES[3], *FILES[1:3])]
    assert _ours(home) == FILES
    assert dispatch(["env", "--desktop"]) == 0  # once more is no harm
    assert dispatch(["env", "--no-desktop"]) == 0
    assert _ours(home) == []
    capsys.readouterr()
    assert dispatch(["env", "--no-desktop"]) == 0
    assert capsys.readouterr().out == ""


def test_the_entry_starts_this_gradviz(home: Path) -> None:
    assert dispatch(["env", "--desktop"]) == 0
    entry = _entry(home)
    assert entry["MimeType"] == "application/x-gradviz;"
    assert entry["TryExec"] == sys.executable
    *command, files = shlex.split(entry["Exec"])
    assert files == "%F"
    ran = subprocess.run(
        [*command, "--version"],
        cwd=entry.get("Path", "/"),
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.startswith("gradviz ")


def test_the_type_is_told_by_name_and_by_content(home: Path) -> None:
    assert dispatch(["env", "--desktop"]) == 0
    told = ElementTree.parse(home / FILES[3]).getroot().find(f"{_SPACE}mime-type")
    assert told is not None
    glob, match = told.find(f"{_SPACE}glob"), told.find(f"{_SPACE}magic/{_SPACE}match")
    assert glob is not None
    assert match is not None
    assert glob.get("pattern") == "*.gradviz"
    first, _colon, last = str(match.get("offset")).partition(":")
    at = storage.dumps(Diagram()).index(str(match.get("value")).encode())
    assert int(first) <= at <= int(last)
    if shutil.which("update-mime-database"):
        assert "application/x-gradviz:*.gradviz" in (home / "mime/globs2").read_text("utf-8")


@pytest.mark.parametrize(
    ("word", "quoted"),
    [
        ("/usr/bin/python3", "/usr/bin/python3"),
        ("/opt/my python", '"/opt/my python"'),
        ("/opt/50%", "/opt/50%%"),
        ("a$b", '"a\\\\$b"'),
    ],
)
def test_words_of_the_command_are_quoted(word: str, quoted: str) -> None:
    assert desktop._quoted(word) == quoted


def test_a_folder_that_takes_nothing_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    assert dispatch(["env", "--desktop"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"gradviz: {tmp_path}/file/applications/gradviz.desktop: ")
    assert said.count("\n") == 1


def test_the_data_folder_is_the_user_s(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "relative")  # the specification: to be passed over
    assert desktop.data_home() == Path.home() / ".local/share"
    monkeypatch.setenv("XDG_DATA_HOME", os.sep + "data")
    assert desktop.data_home() == Path("/data")
