"""gradviz in the menu of a Linux desktop: its entry, the type of its files, and their icons."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from gradviz import resources, storage

_ENTRY = Path("applications", "gradviz.desktop")
_COPIES = (  # below the user's data folder, and which asset it is
    (Path("mime", "packages", "gradviz.xml"), ("desktop", "gradviz.xml")),
    (Path("icons", "hicolor", "scalable", "apps", "gradviz.svg"), ("icons", "gradviz.svg")),
    (
        Path("icons", "hicolor", "scalable", "mimetypes", "application-x-gradviz.svg"),
        ("desktop", "application-x-gradviz.svg"),
    ),
)
_REFRESH = (("update-mime-database", "mime"), ("update-desktop-database", "applications"))
_RESERVED = frozenset(" \t\n\"'\\><~|&;$*?#()`")


def data_home() -> Path:
    """Where a desktop looks for what this user has installed."""
    chosen = os.environ.get("XDG_DATA_HOME", "")
    return Path(chosen) if Path(chosen).is_absolute() else Path.home() / ".local" / "share"


def install(home: Path) -> Iterator[Path]:
    """Put the files below `home`, each whole or not at all. Raises storage.FileProblem."""
    yield _put(home / _ENTRY, entry().encode())
    for path, asset in _COPIES:
        yield _put(home / path, resources.path(*asset).read_bytes())
    _refresh(home)


def remove(home: Path) -> Iterator[Path]:
    """Take them away; those that are not there are passed over."""
    for path in (_ENTRY, *(path for path, _asset in _COPIES)):
        try:
            (home / path).unlink()
        except FileNotFoundError:
            continue
        except OSError as problem:
            raise storage.FileProblem(f"{home / path}: {problem.strerror}") from problem
        yield home / path
    _refresh(home)


def entry() -> str:
    """The desktop entry, which starts this very installation."""
    command = " ".join(_quoted(word) for word in (sys.executable, "-m", "gradviz"))
    text = resources.text("desktop", "gradviz.desktop")
    text = text.format(command=command, program=sys.executable)
    beside = Path(__file__).resolve().parents[1]
    checkout = (beside / "pyproject.toml").is_file()
    return f"{text}Path={beside}\n" if checkout else text


def _quoted(word: str) -> str:
    """A word of `Exec`, as the desktop entry specification wants it."""
    word = word.replace("%", "%%")
    if not _RESERVED.intersection(word):
        return word
    for sign in '\\"`$':
        word = word.replace(sign, f"\\{sign}")
    return '"' + word.replace("\\", "\\\\") + '"'


def _put(path: Path, raw: bytes) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise storage.FileProblem(f"{path}: {problem.strerror}") from problem
    storage.write_bytes(path, raw)
    return path


def _refresh(home: Path) -> None:
    """Have the desktop's own lists made anew, where it has the programs that make them."""
    for program, folder in _REFRESH:
        found = shutil.which(program)
        if found is not None and (home / folder).is_dir():
            subprocess.run([found, str(home / folder)], capture_output=True, check=False)
