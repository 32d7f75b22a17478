"""`gradviz doctor`: its findings as text and as JSON, and the scripts that it writes."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from gradviz import resources, storage
from gradviz.commands.doctor import doctor
from gradviz.commands.problem import CommandProblem
from gradviz.diagram import BackwardCall, Diagram, Node
from gradviz.examples import examples
from tests.gradviz.scripts import ARTICLE
from tests.gradviz.test_cli import gradviz, refused

SCHEMA = json.loads(resources.text("schema", "doctor.json"))
BROKEN = {"nonscalar", "second-backward"}


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", [each.name for each in examples()])
def test_every_example_fits_the_schema(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor(f"example:{name}", as_json=True) == (1 if name in BROKEN else 0)
    found = json.loads(capsys.readouterr().out)
    jsonschema.validate(found, SCHEMA)
    assert len(found["findings"]) == (1 if name in BROKEN else 0)


def test_a_finding_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    doctor("example:nonscalar", as_json=True)
    found = json.loads(capsys.readouterr().out)
    (finding,) = found["findings"]
    assert (finding["kind"], finding["severity"]) == ("nonscalar", "error")
    assert (finding["line"], finding["node"]) == (7, "y")
    assert [repair["number"] for repair in finding["repairs"]] == [1, 2, 3]
    first = finding["repairs"][0]
    (edit,) = first["edits"]
    assert edit["text"] == ".sum()"
    assert first["source"][edit["start"] :].startswith(".sum().backward()")
    assert first["grads"] == {"x": [7, 9]}
    assert found["error"]["line"] == 7


def test_the_findings_are_told_with_lines_and_gradients() -> None:
    ran = gradviz("doctor", "example:nonscalar")
    lines = ran.stdout.splitlines()
    assert lines[0] == (
        "line 7, error: y is not a scalar but has the shape (2,), so the pass cannot begin"
    )
    assert lines[1] == "    y.backward()"
    assert lines[3:7] == [
        "  repair 1: start from the sum: every element counts once",
        "    - y.backward()",
        "    + y.sum().backward()",
        "      x.grad = [7, 9]",
    ]
    assert (ran.stderr, ran.returncode) == ("", 1)


def test_nothing_is_found_in_a_clean_script() -> None:
    ran = gradviz("doctor", "example:sum")
    assert (ran.stdout, ran.stderr, ran.returncode) == ("nothing found\n", "", 0)


def test_an_error_that_is_not_known_is_shown_as_it_is(tmp_path: Path) -> None:
    script = tmp_path / "a.py"
    script.write_text("print(undefined)\n", "utf-8")
    ran = gradviz("doctor", str(script))
    assert ran.returncode == 1
    assert ran.stdout == "nothing that the doctor knows\n"
    assert ran.stderr.splitlines()[-1] == "NameError: name 'undefined' is not defined"


def test_a_repair_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "repaired.py"
    assert doctor("example:second-backward", repair=2, out=out) == 0
    assert capsys.readouterr().out == ""
    text = out.read_text("utf-8")
    assert text.count("y = x**2 + 3 * x\n") == 2
    assert doctor(str(out)) == 0
    assert doctor("example:second-backward", repair=2) == 0
    assert capsys.readouterr().out == f"nothing found\n{text}"


def test_an_error_left_after_a_repair_is_status_1(tmp_path: Path) -> None:
    script, out = tmp_path / "a.py", tmp_path / "b.py"
    script.write_text(
        "import torch\nx = torch.ones(2, requires_grad=True)\n(2 * x).backward()\nundefined\n",
        "utf-8",
    )
    assert doctor(str(script), repair=1, out=out) == 1
    assert "(2 * x).sum().backward()\n" in out.read_text("utf-8")


@pytest.mark.parametrize("number", [0, 4, -1])
def test_a_repair_that_there_is_not_writes_nothing(tmp_path: Path, number: int) -> None:
    out = tmp_path / "b.py"
    with pytest.raises(CommandProblem, match=f"there is no repair {number}: the doctor has 3"):
        doctor("example:nonscalar", repair=number, out=out)
    assert not out.exists()


def test_where_nothing_can_be_written_it_is_said(tmp_path: Path) -> None:
    with pytest.raises(CommandProblem, match="cannot be written"):
        doctor("example:nonscalar", repair=1, out=tmp_path / "none" / "b.py")
    with pytest.raises(CommandProblem, match="-o goes with --apply"):
        doctor("example:nonscalar", out=tmp_path / "b.py")
    assert refused("doctor", "example:none").startswith("there is no example")


def test_a_diagram_is_examined_without_edits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "empty.gradviz"
    storage.write(path, Diagram())
    assert doctor(str(path)) == 0
    assert capsys.readouterr().out == "nothing found\n"


def test_a_repair_of_a_diagram_is_written_as_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    x = np.array([2.0, 3.0], dtype=np.float32)
    nodes = {"x": Node("x", "leaf", name="x", data=x), "y": Node("y", "exp", ("x",), name="y")}
    path, out = tmp_path / "a.gradviz", tmp_path / "b.gradviz"
    storage.write(path, Diagram(nodes, (BackwardCall("y"),)))
    assert doctor(str(path)) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0] == ("error: y is not a scalar but has the shape (2,), so the pass cannot begin")
    assert told[2] == "  repair 1: append sum: every element counts once"
    assert doctor(str(path), as_json=True) == 1
    jsonschema.validate(json.loads(capsys.readouterr().out), SCHEMA)
    with pytest.raises(CommandProblem, match="one of the diagram"):
        doctor(str(path), repair=2)
    assert doctor(str(path), repair=2, out=out) == 0
    assert storage.read(out).calls[0].start.reduction == "mean"
    assert doctor(str(out)) == 0


def test_the_article_s_freed_graph_is_told_and_repaired_both_ways(tmp_path: Path) -> None:
    script, out = tmp_path / "article.py", tmp_path / "repaired.py"
    script.write_text(ARTICLE["2.1"], "utf-8")
    lines = gradviz("doctor", str(script)).stdout.splitlines()
    assert lines[0] == (
        "line 17, error: this pass needs what x ** 2, 3 * x saved (line 4),"
        " and the pass of line 8 freed it"
    )
    assert "    + loss_sum.backward(retain_graph=True)" in lines
    assert lines.count("      x.grad = [3.5, 4.5]") == 2
    for number in (1, 2):
        assert doctor(str(script), repair=number, out=out) == 0
        assert doctor(str(out)) == 0


def test_a_seed_of_another_dtype_is_a_note(tmp_path: Path) -> None:
    script = tmp_path / "a.py"
    script.write_text(
        "import torch\nx = torch.ones(2, requires_grad=True)\ny = x * x\n"
        "y.backward(torch.ones(2, dtype=torch.float64))\n",
        "utf-8",
    )
    ran = gradviz("doctor", str(script))
    assert ran.stdout.startswith(
        "line 4, note: the seed is float64, and y is float32: PyTorch casts the seed\n"
    )
    assert ran.returncode == 0
