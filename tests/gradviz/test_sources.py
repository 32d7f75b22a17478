"""SRC: what it may be, and the one sentence for everything else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gradviz.files.sources import MAX_BYTES, SourceProblem, formed, load


def test_an_example_has_no_path_to_save_over() -> None:
    found = load("example:sum")
    assert (found.kind, found.filename, found.path) == ("example", "sum.py", None)
    assert found.text is not None
    assert "y.sum()" in found.text


def test_a_script_is_read_as_utf8_with_plain_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.PY"
    path.write_bytes(b"\xef\xbb\xbfprint('\xe6\xa2\xaf')\r\nx = 1\r")
    found = load(str(path))
    assert found.kind == "script"
    assert found.text == "print('梯')\nx = 1\n"
    assert found.path == path


@pytest.mark.parametrize(
    ("there", "expected"),
    [
        (None, "a\nb\n"),
        (b"", "a\nb\n"),
        (b"x\ny\n", "a\nb\n"),
        (b"x\r\ny\r\nz\n", "a\r\nb\r\n"),  # most of them count
        (b"x\r\ny\nz\n", "a\nb\n"),
        (b"x\ry", "a\rb\r"),
        (b"\xef\xbb\xbfx", "\ufeffa\nb\n"),
    ],
)
def test_a_text_takes_the_form_of_the_file_it_replaces(
    tmp_path: Path, there: bytes | None, expected: str
) -> None:
    path = tmp_path / "a.py"
    if there is not None:
        path.write_bytes(there)
    assert formed("a\nb\n", path) == expected


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("missing.py", None, "there is no such file"),
        ("a.txt", b"x", "neither a .py script nor a .gradviz file"),
        ("a.py", b"x = '\xff'", "not UTF-8 text, byte 5 cannot be read"),
        ("a.py", b"#" * (MAX_BYTES + 1), "over 1,048,576 bytes, too large for a script"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, name: str, content: bytes | None, said: str) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SourceProblem) as problem:
        load(str(path))
    assert str(problem.value) == f"{path}: {said}"


def test_folders_pipes_and_impossible_names(tmp_path: Path) -> None:
    with pytest.raises(SourceProblem, match="is a folder"):
        load(str(tmp_path))
    os.mkfifo(tmp_path / "pipe.py")
    with pytest.raises(SourceProblem, match="not a regular file"):
        load(str(tmp_path / "pipe.py"))
    with pytest.raises(SourceProblem) as problem:
        load("a" * 5000 + ".py")
    assert "\n" not in str(problem.value)
    with pytest.raises(SourceProblem):
        load("nul\0.py")
    with pytest.raises(SourceProblem) as problem:
        load("line\nbreak.py")
    assert "\n" not in str(problem.value)


def test_an_unknown_example() -> None:
    with pytest.raises(SourceProblem) as problem:
        load("example:men")
    assert str(problem.value) == "there is no example 'men'; did you mean mean?"
