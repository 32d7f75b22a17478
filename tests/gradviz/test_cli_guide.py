"""`gradviz guide`: its pages as text and as JSON, about the article's output or another."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from gradviz import resources
from gradviz.commands.guide import guide
from gradviz.commands.problem import CommandProblem
from gradviz.examples import examples
from gradviz.files.sources import SourceProblem, load
from gradviz.guide.pages import TITLES

SCHEMA = json.loads(resources.text("schema", "guide.json"))


def test_the_list_of_pages(capsys: pytest.CaptureFixture[str]) -> None:
    assert guide(None) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(TITLES)
    assert guide(None, as_json=True) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, SCHEMA)
    assert [each["page"] for each in document["pages"]] == list(TITLES)


@pytest.mark.parametrize("name", TITLES)
def test_each_page_fits_the_schema(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert guide(name, src="example:losses", as_json=True) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, SCHEMA)
    assert document["page"] == name
    assert document["parts"]
    assert document["text"] in ("", "About loss, of shape (3,).")


def test_the_path_for_another_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert guide("decision", src="example:losses", as_json=True) == 0
    parts = {each["title"]: each for each in json.loads(capsys.readouterr().out)["parts"]}
    assert parts["Append sum"]["code"] == "loss.sum().backward()"
    assert parts["Append sum"]["gradients"] == {"w": [0.25, -4.5], "b": -1.0}
    assert "v = torch.tensor([1.0, 1.0, 0.5])" in parts["Seed of weights"]["code"]
    now = {"label": "now", "value": "the script stands here"}
    assert [title for title, each in parts.items() if now in each["facts"]] == ["Seed of weights"]


def test_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert guide("overview") == 0
    out = capsys.readouterr().out
    assert "About the article's y, of shape (2,)." in out
    assert "    y.mean().backward()\n  x: [3.5, 4.5]\n" in out
    assert guide("mistakes") == 0
    out = capsys.readouterr().out
    assert "! RuntimeError: Mismatch in shape: grad_output[0] has a shape of" in out
    assert "gradviz run guide:shape\n" in out


def test_bad_names(tmp_path: Path) -> None:
    with pytest.raises(CommandProblem, match="the guide has no page 'zzz'; it has overview,"):
        guide("zzz")
    with pytest.raises(CommandProblem, match="there is no pass 9"):
        guide("decision", src="example:sum", number=9)
    with pytest.raises(SourceProblem, match="the guide has no script 'zzz'"):
        load("guide:zzz")
    script = tmp_path / "none.py"
    script.write_text("import torch\nprint(torch.ones(2))\n")
    with pytest.raises(CommandProblem, match="the program has no output with a gradient"):
        guide("decision", src=str(script))


def test_its_scripts_open_by_name() -> None:
    found = load("guide:jacrev")
    assert (found.kind, found.filename, found.path) == ("example", "jacrev.py", None)
    assert "torch.func.jacrev(f)(x)" in (found.text or "")


@pytest.mark.parametrize("name", [each.name for each in examples()])
@pytest.mark.parametrize("page", ["decision", "vjp"])
def test_every_example_has_its_pages(
    page: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert guide(page, src=f"example:{name}", as_json=True) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, SCHEMA)
    assert document["text"].startswith("About ")
    assert any(part["gradients"] for part in document["parts"])
