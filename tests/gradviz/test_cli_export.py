"""`gradviz export`, run as a person runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def export(*words: str | Path) -> subprocess.CompletedProcess[str]:
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return subprocess.run(
        [sys.executable, "-m", "gradviz", "export", *map(str, words)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        cwd=ROOT,
        env={key: value for key, value in os.environ.items() if key not in hidden},
        stdin=subprocess.DEVNULL,
    )


def texts(path: Path) -> str:
    return "".join(ET.parse(path).getroot().itertext())


def test_three_media_without_a_display(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.svg", "a.png", "a.json")]
    words = [word for path in files for word in ("-o", path)]
    ran = export("example:sum", *words)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    assert "Σ loss" in texts(files[0])
    assert files[1].read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    found = json.loads(files[2].read_text(encoding="utf-8"))
    assert found["passes"][0]["grads"] == {"x": [7, 9]}
    before = [path.read_bytes() for path in files]
    export("example:sum", *words)
    assert [path.read_bytes() for path in files] == before


def test_pass_step_and_language(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    assert export("example:onehot", "-o", path, "--pass", "2", "--step", "0").returncode == 0
    assert "start: the seed second = [0, 1] is placed at y" in texts(path)
    assert export("example:onehot", "-o", path, "--step", "0", "--lang", "zh").returncode == 0
    assert "种子" in texts(path)


def test_twin_shows_both_calls(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    ran = export("example:nonscalar", "--twin", "--theme", "dark", "-o", path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "y.sum().backward()" in texts(path)
    assert "y.backward(gradient=v)" in texts(path)


def test_a_program_that_raises_is_drawn_as_far_as_it_got(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    ran = export("example:nonscalar", "-o", path)
    assert ran.returncode == 1
    assert ran.stderr.splitlines()[-1].startswith("RuntimeError: grad can be implicitly")
    assert path.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "-o is missing"),
        (["-o", "{folder}/a.gif"], "a.gif: the suffix must be one of .svg, .png, .json"),
        (["-o", "{folder}/a.svg", "--step", "9"], "there is no step 9: the pass has steps 0 to 5"),
        (["-o", "{folder}/a.svg", "--pass", "2"], "there is no pass 2: the program makes 1 back"),
        (["-o", "{folder}/none/a.svg"], "{folder}/none/a.svg cannot be written: No such file"),
        (["-o", "{folder}/a.svg", "--theme", "pink"], "--theme cannot be understood"),
        (["-o", "{folder}/a.svg", "--scale", "99"], "--scale cannot be understood"),
    ],
)
def test_what_cannot_be_exported_is_one_line(tmp_path: Path, words: list[str], said: str) -> None:
    ran = export("example:sum", *(word.format(folder=tmp_path) for word in words))
    assert ran.returncode == 2
    (line,) = ran.stderr.splitlines()
    assert line.startswith(f"gradviz: {said.format(folder=tmp_path)}")
    assert list(tmp_path.iterdir()) == []
