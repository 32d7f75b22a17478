"""The command line, run as a person runs it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gradviz import storage
from gradviz.commands import NAMES
from gradviz.examples import examples
from gradviz.script.sandbox import Sandbox

ROOT = Path(__file__).resolve().parents[2]


def gradviz(*words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    keep = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return subprocess.run(
        [sys.executable, "-m", "gradviz", *words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        cwd=ROOT,
        env={**keep, **environ},
        stdin=subprocess.DEVNULL,
    )


def refused(*words: str, **environ: str) -> str:
    """The one line of a command that could not be carried out."""
    ran = gradviz(*words, **environ)
    assert ran.returncode == 2
    assert ran.stdout == ""
    (line,) = ran.stderr.splitlines()
    assert line.startswith("gradviz: ")
    return line.removeprefix("gradviz: ")


def cells(line: str) -> list[str]:
    """The columns of a table's row, set apart by two blanks or more."""
    return [cell.strip() for cell in line.split("  ") if cell.strip()]


def test_run_prints_what_the_script_prints() -> None:
    ran = gradviz("run", "example:onehot")
    assert ran.stdout == "dy[0]/dx: tensor([7., 0.])\ndy[1]/dx: tensor([0., 9.])\n"
    assert (ran.stderr, ran.returncode) == ("", 0)


@pytest.mark.parametrize(
    ("name", "printed", "last"),
    [
        (
            "nonscalar",
            "",
            "RuntimeError: grad can be implicitly created only for scalar outputs",
        ),
        (
            "second-backward",
            "sum: tensor([7., 9.])\n",
            "RuntimeError: Trying to backward through the graph a second time",
        ),
    ],
)
def test_an_uncaught_error_ends_as_in_python(name: str, printed: str, last: str) -> None:
    ran = gradviz("run", f"example:{name}")
    assert ran.returncode == 1
    assert ran.stdout == printed
    lines = ran.stderr.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[1].startswith(f'  File "{name}.py", line ')
    assert lines[-1].startswith(last)


def test_output_is_passed_on_byte_for_byte(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(
        "print('梯度', end='')\nprint('[red]x[/red]', 1, sep='\\t')\n", encoding="utf-8"
    )
    ran = gradviz("run", str(path))
    assert ran.stdout == "梯度[red]x[/red]\t1\n"


def test_json_is_one_document_also_for_a_failure() -> None:
    ran = gradviz("run", "example:nonscalar", "--json")
    assert ran.returncode == 1
    assert ran.stderr == ""
    assert json.loads(ran.stdout)["error"]["line"] == 7
    assert ran.stdout.count("\n") == 1


def test_a_diagram_file_runs_and_shows_its_gradients(tmp_path: Path) -> None:
    source = next(each for each in examples() if each.name == "weighted").source()
    with Sandbox() as sandbox:
        diagram, _run = sandbox.run(source)
    path = tmp_path / "weighted.gradviz"
    storage.write(path, diagram)
    ran = gradviz("run", str(path))
    assert ran.returncode == 0
    row = next(line for line in ran.stdout.splitlines() if cells(line)[:2] == ["x", "leaf"])
    assert cells(row) == ["x", "leaf", "[2, 3]", "[7, 4.5]", "[7, 4.5]"]
    assert json.loads(gradviz("run", str(path), "--json").stdout)["passes"][0]["grads"] == {
        "x": [7, 4.5]
    }


def test_grads_shows_every_pass_or_one() -> None:
    both = gradviz("grads", "example:onehot").stdout
    assert "pass 1 of 2: y.backward(gradient=first)" in both
    assert "pass 2 of 2: y.backward(gradient=second)" in both
    one = gradviz("grads", "example:onehot", "--pass", "2").stdout
    assert "pass 1 of 2" not in one
    rows = {cells(line)[0]: cells(line) for line in one.splitlines() if cells(line)}
    assert rows["y"] == ["y", "add", "[10, 18]", "[0, 1]"]
    assert rows["x"] == ["x", "leaf", "[2, 3]", "[0, 9]", "[0, 9]"]


def test_grads_of_a_failing_script_shows_the_values_and_the_error() -> None:
    ran = gradviz("grads", "example:nonscalar")
    assert ran.returncode == 1
    assert "[10, 18]" in ran.stdout
    assert ran.stderr.splitlines()[-1].startswith("RuntimeError: grad can be implicitly")


def test_compare_sum_with_its_seed() -> None:
    ran = gradviz("compare", "example:sum")
    assert ran.returncode == 0
    rows = {cells(line)[0]: cells(line)[1:] for line in ran.stdout.splitlines() if cells(line)}
    # y = x² + 3x: x, its square, the 3, its product, y; the reduction is one node more
    assert rows["nodes"] == ["6", "5", "-1"]
    assert rows["edges"] == ["6", "5", "-1"]
    assert rows["steps"] == ["5", "4", "-1"]
    assert rows["seed that equals it"] == ["v = ∂R/∂y", "v = [1, 1]"]
    assert rows["x.grad"] == ["[7, 9]", "[7, 9]", "0"]
    assert rows["largest difference of any leaf gradient"] == ["0"]


def test_the_readme_shows_what_compare_prints() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert gradviz("compare", "example:sum").stdout.rstrip() in readme


def test_compare_with_another_start() -> None:
    ran = gradviz("compare", "example:nonscalar", "--with", "mean")
    assert ran.returncode == 0
    assert "v = [0.5, 0.5]" in ran.stdout
    assert "[3.5, 4.5]" in ran.stdout
    ran = gradviz("compare", "example:nonscalar", "--with", "v=1,0.5")
    assert "[7, 4.5]" in ran.stdout


def test_compare_of_a_script_that_never_gets_there(tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text("import torch\n1 / 0\n", encoding="utf-8")
    ran = gradviz("compare", str(path))
    assert ran.returncode == 1
    assert ran.stderr.splitlines()[-1] == "ZeroDivisionError: division by zero"


def test_examples_and_env() -> None:
    lines = gradviz("examples").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [f"example:{e.name}" for e in examples()]
    assert gradviz("examples", "--lang", "zh").stdout.splitlines()[1].endswith("用 sum 规约")
    ran = gradviz("env")
    assert ran.returncode == 0
    assert "PySide6" in ran.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run"], "SRC is missing (see gradviz run --help)"),
        (["run", "nowhere.py"], "nowhere.py: there is no such file"),
        (["run", "example:summ"], "there is no example 'summ'; did you mean sum?"),
        (["run", "example:sum", "--jsn"], "there is no option --jsn (see gradviz run --help)"),
        (["grads", "example:sum", "--pass"], "the option --pass needs a value"),
        (["grads", "example:sum", "--pass", "x"], "--pass cannot be understood"),
        (["grads", "example:sum", "--pass", "2"], "there is no pass 2: the program makes 1 back"),
        (["compare", "example:sum", "--pass", "2"], "There is no backward call 2"),
        (["compare", "example:sum", "--with", "foo"], "foo is not a way to start"),
        (["compare", "example:sum", "--with", "v=1"], "The seed has 1 numbers"),
        (["--lang", "fr", "examples"], "there is no language 'fr'; there are en, zh"),
        (["--colour"], "there is no option --colour (see gradviz --help)"),
        (["rnu"], "rnu is neither a command nor a file; did you mean run?"),
        (["rnu", "a.py"], "there is no command rnu; did you mean run?"),
        (["a.py", "b.py"], "a.py: there is no such file"),
        (["a.py", "--json"], "there is no option --json"),
        (["--", "-a.py"], "-a.py: there is no such file"),
        (["nowhere.gradviz"], "nowhere.gradviz: "),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_a_wrong_command_line_is_one_line(words: list[str], said: str) -> None:
    assert refused(*words).startswith(said)


def test_a_wrong_command_line_in_chinese() -> None:
    assert refused("run", "--lang", "zh") == "缺少 SRC（见 gradviz run --help）"
    assert refused("run", "--nix", LANG="zh_CN.UTF-8", LANGUAGE="") == (
        "没有选项 --nix（见 gradviz run --help）"
    )


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_help_in_both_languages(name: str) -> None:
    english, chinese = gradviz(name, "--help"), gradviz(name, "--help", "--lang=zh")
    assert (english.returncode, chinese.returncode) == (0, 0)
    said = [re.sub(r"[\s│]+", " ", ran.stdout) for ran in (english, chinese)]  # in a narrow table
    assert "Show this message and exit." in said[0]
    assert "显示本帮助并退出。" in said[1]


def test_help_lists_the_commands() -> None:
    ran = gradviz("--help")
    assert ran.returncode == 0
    for name in NAMES:
        assert name in ran.stdout


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({}, "there is no display"),
        ({"DISPLAY": ":9919"}, "the display ':9919' cannot be reached"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux starts without a display")
def test_the_app_without_a_display_is_one_sentence(environ: dict[str, str], said: str) -> None:
    assert refused("example:sum", **{"QT_QPA_PLATFORM": "", **environ}).startswith(said)


def test_a_reader_that_leaves_early_is_no_error() -> None:
    program = f"'{sys.executable}' -m gradviz grads example:onehot | true"
    ran = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {program}"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
