"""Rules of the house that no linter knows."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CODE = sorted(path for top in ("engine", "gradviz") for path in (ROOT / top).rglob("*.py"))
MARKS = ("_", "N_", "ngettext")
TESTS = sorted((ROOT / "tests").rglob("*.py"))


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", CODE + TESTS, ids=name)
def test_a_file_holds_one_idea(path: Path) -> None:
    table = path in TESTS or path.name == "__init__.py"  # of cases, or of public names
    limit = 450 if table else 300
    assert len(path.read_text(encoding="utf-8").splitlines()) <= limit


@pytest.mark.parametrize("path", CODE, ids=name)
def test_a_module_says_what_it_is(path: Path) -> None:
    module = ast.parse(path.read_text(encoding="utf-8"))
    assert (ast.get_docstring(module) or "").strip()


@pytest.mark.parametrize("path", CODE, ids=name)
def test_nothing_is_left_undone_or_silenced(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"\b(TODO|FIXME|XXX)\b", text)
    assert "blockSignals" not in text


def marked(path: Path) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in MARKS:
            yield node


@pytest.mark.parametrize("path", CODE, ids=name)
def test_texts_are_whole_sentences_for_the_catalogue(path: Path) -> None:
    """An f-string or a sum never reaches the catalogue as one text."""
    for call in marked(path):
        for argument in call.args[: 2 if getattr(call.func, "id", "") == "ngettext" else 1]:
            assert not isinstance(argument, ast.JoinedStr | ast.BinOp), f"line {call.lineno}"


def test_a_marked_text_in_a_table_is_a_literal() -> None:
    for path in CODE:
        for call in marked(path):
            if getattr(call.func, "id", "") == "N_":
                assert isinstance(call.args[0], ast.Constant), f"{name(path)}:{call.lineno}"


def test_the_repository_speaks_of_the_product_only() -> None:
    files = [*CODE, *TESTS, ROOT / "README.md", ROOT / "pyproject.toml", ROOT / ".ci/run"]
    for path in files:
        if path.name != Path(__file__).name:
            assert not re.search(r"(?<![\w.])/(work|root)/", path.read_text("utf-8")), name(path)


def test_ci_runs_the_readme_s_own_test_command() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    block = subprocess.run(
        ["bash", str(ROOT / ".ci/run"), "--show-test-command"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    assert "pytest" in block
    assert f"```bash\n{block}\n```" in readme


def test_assets_are_there() -> None:
    from gradviz import resources

    names = {path.name for path in resources.fonts()}
    for weight in ("Regular", "Medium", "SemiBold", "Bold"):
        assert {f"Inter-{weight}.otf", f"JetBrainsMono-{weight}.ttf"} <= names
    assert resources.path("fonts", "OFL.txt").is_file()
    assert resources.text("icons", "gradviz.svg").startswith("<svg")
