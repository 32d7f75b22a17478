"""`gradviz compare`: any two starts, any two calls, the dictionary; and their JSON."""

from __future__ import annotations

import json

import jsonschema
import pytest

from gradviz import resources
from gradviz.commands.compare import Asked, compare
from gradviz.commands.problem import CommandProblem
from gradviz.examples import examples
from tests.gradviz.test_cli import cells, gradviz, refused

SCHEMA = json.loads(resources.text("schema", "compare.json"))


def told(capsys: pytest.CaptureFixture[str], src: str, **options: object) -> dict[str, object]:
    """The JSON document of a comparison, held to its schema."""
    assert compare(src, Asked(as_json=True, **options)) == 0  # type: ignore[arg-type]
    found = json.loads(capsys.readouterr().out)
    jsonschema.validate(found, SCHEMA)
    return found


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", [each.name for each in examples()])
def test_every_example_fits_the_schema(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    both = told(capsys, f"example:{name}")
    assert both["kind"] == "equal"
    assert both["largest"] == pytest.approx(0, abs=1e-6)
    found = told(capsys, f"example:{name}", dictionary=True)
    assert {row["reduction"] for row in found["rows"]} >= {"sum", "prod", "cross_entropy"}


def test_two_starts_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "example:nonscalar", start="sum", against="v=1,0.5")
    assert (found["kind"], found["scale"], found["largest"]) == ("pair", None, 4.5)
    assert found["right"]["start"] == {"kind": "seed", "reduction": None, "seed": [1, 0.5]}
    assert found["left"]["extra"] == [{"id": "added:sum", "op": "sum"}]
    assert found["left"]["time"]["repeats"] >= 1
    found = told(capsys, "example:nonscalar", against="1/N")
    assert found["scale"] == 0.5


def test_the_table_of_two_calls() -> None:
    ran = gradviz("compare", "example:onehot", "--against-pass", "2")
    assert ran.returncode == 0
    rows = {cells(line)[0]: cells(line)[1:] for line in ran.stdout.splitlines() if cells(line)}
    assert rows["x.grad"] == ["[7, 0]", "[0, 9]", "9"]
    assert rows["cotangent of y"] == ["[1, 0]", "[0, 1]"]
    assert rows["factor that makes the left the right"] == ["none"]


def test_the_dictionary_as_a_table() -> None:
    ran = gradviz("compare", "example:sum", "--dictionary")
    rows = {cells(line)[0]: cells(line)[1:] for line in ran.stdout.splitlines() if cells(line)}
    assert rows["mean"] == ["Σ yᵢ / N", "14", "vᵢ = 1/N", "[0.5, 0.5]", "× 0.5", "[3.5, 4.5]", "0"]
    assert rows["product"] == ["Π yᵢ", "180", "vᵢ = Π yⱼ, j ≠ i", "[18, 10]", "[126, 90]", "0"]


def test_facts_are_measured() -> None:
    ran = gradviz("compare", "example:sum", "--facts")
    rows = {cells(line)[0]: cells(line)[1:] for line in ran.stdout.splitlines() if cells(line)}
    assert rows["mechanism"] == [
        "1 node after y (sum); 1 is placed at it",
        "nothing is added; v is placed at y",
    ]
    assert all("µs, median of" in cell for cell in rows["time to the gradients"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--dictionary", "--with", "sum"], "--dictionary and --with do not go together"),
        (["--against", "sum", "--against-pass", "1"], "--against and --against-pass do not"),
        (["--against-pass", "2"], "There is no backward call 2"),
        (["--against", "average"], "average is not a way to start"),
    ],
    ids=["with", "both", "pass", "start"],
)
def test_what_cannot_be_compared_is_one_line(words: list[str], message: str) -> None:
    assert message in refused("compare", "example:sum", *words)


def test_a_pass_that_there_is_not_is_refused() -> None:
    with pytest.raises(CommandProblem, match="There is no backward call 9"):
        compare("example:sum", Asked(number=9, dictionary=True))
