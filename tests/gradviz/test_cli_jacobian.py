"""`gradviz jacobian`: on every example equal to PyTorch's own, valid JSON, and one clear table."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import numpy as np
import pytest

from gradviz import resources
from gradviz.cli import main
from gradviz.commands.jacobian import of_nodes
from gradviz.examples import example, examples
from gradviz.jacobians.jacobian import jacobian
from gradviz.script.sandbox import Sandbox

SCHEMA = json.loads(resources.text("schema", "jacobian.json"))
NAMES = [each.name for each in examples()]


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


def said(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    capsys.readouterr()
    assert main(["jacobian", *words]) == status
    heard = capsys.readouterr()
    return heard.out if status == 0 else heard.err


def document(
    capsys: pytest.CaptureFixture[str], src: str, of: str, wrt: str, *words: str
) -> dict[str, Any]:
    text = said(capsys, src, "--of", of, "--wrt", wrt, "--json", *words)
    found: dict[str, Any] = json.loads(text)
    jsonschema.validate(found, SCHEMA)
    return found


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", NAMES)
def test_every_example_is_as_in_torch(
    name: str, sandbox: Sandbox, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each named node by each named one, row by row with `torch.autograd.grad`."""
    torch = pytest.importorskip("torch", reason="torch is not installed: nothing to compare with")
    theirs = _variables(torch, example(name).source())
    diagram, run = sandbox.run(example(name).source(), f"{name}.py")
    # A name that is given several tensors stands for the last one under PyTorch.
    last = {node.name: key for key, node in diagram.nodes.items() if node.name in theirs}
    compared = 0
    for of, of_key in last.items():
        for wrt, wrt_key in last.items():
            y, x = theirs[of], theirs[wrt]
            if not (y.requires_grad and x.requires_grad and y.is_floating_point()):
                continue
            expected = _rows(torch, y, x)
            own = jacobian(diagram, run, of_key, wrt_key)
            np.testing.assert_allclose(own.matrix, expected, rtol=1e-5, atol=1e-7)
            if x.is_leaf and not y.is_leaf:
                found = document(capsys, f"example:{name}", of_key, wrt_key)
                np.testing.assert_allclose(found["matrix"], expected, rtol=1e-5, atol=1e-7)
                compared += 1
    assert compared >= 1


def _variables(torch: Any, source: str) -> dict[str, Any]:
    """The tensors of a script as PyTorch leaves them, their graphs kept."""
    original = torch.Tensor.backward

    def backward(self: Any, gradient: Any = None, **_flags: Any) -> None:
        original(self, gradient, retain_graph=True)

    names: dict[str, Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch.Tensor, "backward", backward)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(RuntimeError):
            exec(compile(source, "example", "exec"), names)
    return {key: value for key, value in names.items() if isinstance(value, torch.Tensor)}


def _rows(torch: Any, y: Any, x: Any) -> Any:
    rows = []
    for at in range(y.numel()):
        seed = torch.zeros(y.numel(), dtype=y.dtype)
        seed[at] = 1
        (row,) = torch.autograd.grad(
            y, x, seed.reshape(y.shape), retain_graph=True, allow_unused=True
        )
        rows.append(np.zeros(x.numel()) if row is None else row.reshape(-1).numpy())
    return np.stack(rows)


@pytest.mark.parametrize("name", NAMES)
def test_the_seed_of_the_pass_times_it_is_what_arrived(
    name: str, sandbox: Sandbox, capsys: pytest.CaptureFixture[str]
) -> None:
    diagram, run = sandbox.run(example(name).source(), f"{name}.py")
    done = next((done for done in run.passes if done.steps), None)
    target = diagram.calls[0].target
    for leaf in (key for key, node in diagram.nodes.items() if node.op == "leaf"):
        found = document(capsys, f"example:{name}", target, leaf)
        if done is None:
            assert found["pass"] is None
            continue
        assert found["pass"]["only_way"] is True
        assert found["pass"]["difference"] <= 1e-6
        np.testing.assert_allclose(found["pass"]["product"], done.cotangents()[leaf], rtol=1e-5)


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "example:onehot", "--of", "y", "--wrt", "x", "--pass", "2")
    lines = text.splitlines()
    assert (
        lines[0]
        == "∂y/∂x is 2 × 2, diagonal: each output depends on the input in its own place only."
    )
    assert lines[1] == "In pass 2: vᵀ · J = [0, 9], which is what arrived at x."
    assert [line.split() for line in lines[5:8]] == [
        ["y[0]", "0", "7", "0"],
        ["→", "y[1]", "1", "0", "9"],
        ["vᵀ", "·", "J", "0", "9"],
    ]
    assert ["x", "**", "2", "x", "2", "×", "2", "diagonal"] in [x.split() for x in lines]


def test_a_seed_of_ones_that_is_no_derivative_is_warned_of(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = said(capsys, "example:crossentropy", "--of", "p", "--wrt", "logits")
    assert "A seed of ones is not the elementwise derivative here: at logits[" in text
    found = document(capsys, "example:crossentropy", "p", "logits")
    assert found["ones"]["differs"] is True
    np.testing.assert_allclose(found["ones"]["sums"], np.zeros((2, 3)), atol=1e-6)


def test_a_program_without_a_pass_has_a_jacobian_all_the_same(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = document(capsys, "example:nonscalar", "y", "x")
    assert (found["matrix"], found["pass"]) == ([[7, 0], [0, 9]], None)


def test_a_large_one_is_cut_in_json_and_in_blocks_in_the_table(
    tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.py"
    path.write_text(
        "import torch\nx = torch.arange(40.).requires_grad_()\ny = x * x\ny.sum().backward()\n"
    )
    found = document(capsys, str(path), "y", "x")
    assert found["matrix"]["shape"] == [40, 40]
    assert found["matrix"]["max"] == 78
    whole = document(capsys, str(path), "y", "x", "--full")
    assert [row[at] for at, row in enumerate(whole["matrix"])] == [2 * at for at in range(40)]
    text = said(capsys, str(path), "--of", "y", "--wrt", "x")
    assert "Each number is the largest in size of a block." in text
    assert "y[0] … [1]" in text


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("example:sum", "--of", "q", "--wrt", "x"), "there is no node q; there are: x, x ** 2"),
        (("example:sum", "--of", "y"), "--wrt is missing"),
        (("example:sum", "--of", "y", "--wrt", "x", "--pass", "3"), "there is no pass 3"),
        (("example:losses", "--of", "loss", "--wrt", "x ** 9"), "there is no node x ** 9"),
        (("example:accumulate", "--of", "y", "--wrt", "x ** 2"), "several nodes are called x ** 2"),
        (("example:crossentropy", "--of", "p", "--wrt", "labels"), "labels holds int64"),
    ],
)
def test_what_cannot_be_is_said_in_a_line(
    words: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (line,) = said(capsys, *words, status=2).splitlines()
    assert sentence in line


def test_a_script_that_makes_nothing_ends_as_in_python(
    tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.py"
    path.write_text("import torch\n1 / 0\n")
    assert of_nodes(str(path), of="y", wrt="x") == 1
    assert capsys.readouterr().err.endswith("ZeroDivisionError: division by zero\n")
