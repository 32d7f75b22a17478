"""The examples: all there, in both languages, and running as in PyTorch."""

from __future__ import annotations

import contextlib
import io
import runpy
from collections.abc import Iterator

import pytest

from gradviz import language
from gradviz.examples import Example, example, examples
from gradviz.script.sandbox import Sandbox

NAMES = [
    "nonscalar", "sum", "mean", "ones", "onehot", "weighted", "fanout", "broadcast", "losses",
    "crossentropy", "accumulate", "second-backward", "second-storey",
]  # fmt: skip
FAILING = {
    "nonscalar": "grad can be implicitly created only for scalar outputs",
    "second-backward": "Trying to backward through the graph a second time",
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


def test_all_thirteen_are_there() -> None:
    assert [each.name for each in examples()] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_each_has_a_title_and_two_sentences_in_both_languages(name: str) -> None:
    english = example(name)
    language.use("zh")
    try:
        chinese = example(name)
    finally:
        language.use("en")
    assert english.title != chinese.title
    assert english.text != chinese.text
    assert any("\u4e00" <= character <= "\u9fff" for character in chinese.text)
    assert english.path.read_text(encoding="utf-8").startswith("import torch\n")


def test_an_unknown_name_gets_near_ones() -> None:
    with pytest.raises(KeyError, match="did you mean onehot"):
        example("one-hot")
    with pytest.raises(KeyError, match="`gradviz examples` lists them"):
        example("zzz")


@pytest.mark.parametrize("name", NAMES)
def test_it_prints_and_fails_as_in_torch(name: str, sandbox: Sandbox) -> None:
    pytest.importorskip("torch", reason="torch not installed")
    found = example(name)
    printed, error = under_torch(found)
    _diagram, run = sandbox.run(found.source(), found.path.name)
    own = "".join(piece.text for piece in run.console if piece.stream == "stdout")
    assert own == printed
    if error is None:
        assert run.error is None
    else:
        assert run.error is not None
        assert (run.error.type, run.error.message) == (type(error).__name__, str(error))


@pytest.mark.parametrize("name", NAMES)
def test_it_runs_or_fails_where_it_means_to(name: str, sandbox: Sandbox) -> None:
    found = example(name)
    diagram, run = sandbox.run(found.source(), found.path.name)
    assert diagram.calls
    if name not in FAILING:
        assert run.error is None
        return
    assert run.error is not None
    assert run.error.message.startswith(FAILING[name])
    line = found.source().splitlines()[(run.error.line or 0) - 1]
    assert "backward()" in line


def under_torch(found: Example) -> tuple[str, Exception | None]:
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            runpy.run_path(str(found.path))
    except Exception as error:  # noqa: BLE001  whatever torch raises is what is compared
        return out.getvalue(), error
    return out.getvalue(), None
