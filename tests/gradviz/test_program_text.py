"""What programs look like: names, numbers, lines, blocks, and calls with all that they can have."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gradviz.diagram import CONSTANT, LEAF, BackwardCall, Diagram, Node, Start
from gradviz.evaluate import evaluate
from gradviz.program.call import NotWritten
from gradviz.program.sameness import difference
from gradviz.program.settled import settled
from gradviz.program.writing import Target, program
from tests.gradviz.programs import scripted


def text_of(source: str, target: Target = "pytorch") -> str:
    return program(*scripted(source), target).text


def of(*nodes: Node, calls: tuple[BackwardCall, ...] = ()) -> str:
    diagram = Diagram({node.id: node for node in nodes}, calls)
    return program(diagram, evaluate(diagram)).text


def leaf(name: str, *numbers: float, dtype: Any = np.float32) -> Node:
    return Node(name, LEAF, name=name, data=np.array(numbers, dtype))


CLEAN = re.split(
    r"^=== ",
    (Path(__file__).parent / "doctor" / "clean.txt").read_text("utf-8"),
    flags=re.MULTILINE,
)[1:]
# Writes in place are copies in a program; a leaf that was written to is a leaf of its own.
WRITTEN = ("values written before they are needed", "a generator and a critic", "func")
OWN_FUNCTIONS = ("custom function",)
HEAD = "import torch\n\nx = torch.tensor([2.0, 3.0], requires_grad=True)\n"


@pytest.mark.parametrize(
    "line",
    [
        "y = x[0:1] + x[1]",
        "y = torch.tanh(-x) ** 2",
        "y = (x + 1) / (x - 0.5)",
        "y = 2**x",
        "y = 3 - x",
        "y = torch.where(x > 2, x, 0.0)",
        "y = x.reshape(2, 1).expand(2, 3).sum(dim=1, keepdim=True)",
        "y = x @ x",
        "y = torch.cat([x, x]).cumsum(dim=0)",
        "y = x.softmax(0)",
    ],
)
def test_a_line_is_written_as_a_person_would(line: str) -> None:
    wanted = line.replace("x[0:1]", "x[:1]").replace("x.softmax(0)", "torch.softmax(x, dim=0)")
    assert text_of(HEAD + line + "\n") == HEAD + wanted + "\n"


@pytest.mark.parametrize("script", CLEAN, ids=[text.partition("\n")[0] for text in CLEAN])
def test_scripts_as_people_write_them_are_read_again_as_they_were(script: str) -> None:
    title, _newline, source = script.partition("\n")
    if title in OWN_FUNCTIONS:
        with pytest.raises(NotWritten, match="has no form in PyTorch"):
            text_of(source)
        return
    diagram, run = scripted(source)
    read, its = scripted(program(diagram, run).text)
    if title not in WRITTEN:
        assert difference(settled(diagram, run), settled(read, its)) is None


def test_several_indices_stand_in_one_pair_of_brackets() -> None:
    source = "import torch\n\nx = torch.ones((3, 4), requires_grad=True)\ny = x[0, 1:]\n"
    assert text_of(source) == source


def test_what_one_call_makes_is_written_as_one_call() -> None:
    body = "values, places = x.sort(descending=True)\ny = values + places\n"
    assert text_of(HEAD + body).endswith("values, places = x.sort(dim=0, descending=True)\n"
                                         "y = values + places\n")  # fmt: skip


def test_rows_are_taken_one_after_the_other() -> None:
    source = """\
import torch

data = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
labels = torch.tensor([0.5, 1.5])
w = torch.tensor([1.0, 2.0], requires_grad=True)
for row, label in zip(data, labels):
    loss = (row @ w - label) ** 2
    loss.backward()
"""
    text = text_of(source)
    assert "parts = iter(data.unbind())\n" in text
    assert text.count("row = next(parts)\nlabel = next(parts1)\n") == 2
    assert difference(*(scripted(each)[0] for each in (source, text))) is None


def test_a_block_without_history() -> None:
    body = "y = x * 2\nwith torch.no_grad():\n    z = y.exp()\n    w = z + 1\nu = w * x\n"
    assert text_of(HEAD + body).endswith(
        "y = 2 * x\nwith torch.no_grad():\n    z = torch.exp(y)\nw = z + 1\nu = w * x\n"
    )


def test_a_name_given_twice_keeps_both_values_at_hand() -> None:
    body = "y = x + 1\nz = y\ny = y * x\nw = z + y\n"
    assert text_of(HEAD + body).endswith("y = x + 1\ny1 = y\ny = y * x\nw = y1 + y\n")


def test_a_name_that_is_no_variable_is_kept_as_a_key() -> None:
    text = of(leaf("fc.weight", 1.0), Node("y", "exp", ("fc.weight",), name="y"))
    assert 'named["fc.weight"] = torch.tensor([1.0], requires_grad=True)' in text
    diagram, _run = scripted(text)
    assert [node.name for node in diagram.nodes.values()] == ["fc.weight", "y"]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "int64", "bool"])
@pytest.mark.parametrize("shape", [(), (3,), (2, 0), (20, 30), (4, 5)])
def test_arrays_are_read_again_to_the_last_bit(dtype: str, shape: tuple[int, ...]) -> None:
    draw = np.random.default_rng(4)
    data = (draw.standard_normal(shape) * 10.0 ** draw.integers(-9, 9, shape)).astype(dtype)
    if data.size > 3 and data.dtype.kind == "f":
        data.reshape(-1)[:3] = [np.nan, -np.inf, -0.0]
    one = np.array(1, data.dtype)
    text = of(
        Node("c", CONSTANT, name="c", data=data),
        Node("k", CONSTANT, name="k", data=one),
        Node("y", "logical_or" if dtype == "bool" else "mul", ("c", "k"), name="y"),
    )
    found = scripted(text)[0].nodes["c"].data
    assert found is not None
    assert (found.dtype, found.shape) == (data.dtype, data.shape)
    same = np.where(np.isnan(data), 0, data) if data.dtype.kind == "f" else data
    again = np.where(np.isnan(found), 0, found) if data.dtype.kind == "f" else found
    assert again.tobytes() == same.astype(found.dtype).tobytes()
    assert max(map(len, text.splitlines())) <= 100


def test_all_that_a_call_can_have() -> None:
    y = Node("y", "mul", ("x", "w"), name="y")
    seed = Start("seed", values=np.array([1.0, -2.0], np.float32), name="v")
    call = BackwardCall("y", seed, retain_graph=True, inputs=("w",), clear=("x",))
    assert of(leaf("x", 2, 3), leaf("w", 1, 1), y, calls=(call,)).endswith(
        "x.grad = None\nv = torch.tensor([1.0, -2.0])\n"
        "y.backward(gradient=v, retain_graph=True, inputs=[w])\n\n"
        'print("x.grad:", x.grad)\nprint("w.grad:", w.grad)\n'
    )


@pytest.mark.parametrize(
    ("start", "lines"),
    [
        (Start("seed", preset="ones"), "v = torch.ones_like(y)\ny.backward(gradient=v)"),
        (Start("seed", preset="1/N"), "v = torch.full_like(y, 1 / 2)\ny.backward(gradient=v)"),
        (Start("seed", preset="onehot:1"),
         "v = torch.tensor([0.0, 1.0])\ny.backward(gradient=v)"),
        (Start("reduction", reduction="mean"), "y.mean().backward()"),
        (Start("reduction", reduction="component", index=1), "y[1].backward()"),
        (Start("reduction", reduction="weighted", values=np.array([1.0, 0.5])),
         "w = torch.tensor([1.0, 0.5])\n(w * y).sum().backward()"),
    ],
)  # fmt: skip
def test_how_a_start_is_written(start: Start, lines: str) -> None:
    y = Node("y", "exp", ("x",), name="y")
    text = of(leaf("x", 2, 3), y, calls=(BackwardCall("y", start),))
    assert f"y = torch.exp(x)\n{lines}\n\nprint" in text


def test_a_call_that_is_switched_off_is_a_comment() -> None:
    y = Node("y", "exp", ("x",), name="y")
    call = BackwardCall("y", Start("seed", preset="ones"), enabled=False)
    assert "\n# backward call 1 is switched off\n" in of(leaf("x", 2), y, calls=(call,))


def test_what_the_script_caught_is_caught() -> None:
    body = "try:\n    x.backward()\nexcept RuntimeError as error:\n    print(error)\n"
    body += "y = x.sum()\ny.backward()\n"
    assert text_of(HEAD + body).startswith(HEAD + body)


def test_gradients_that_are_built_upon_are_taken_from_their_call() -> None:
    body = (
        "y = (x**3).sum()\ng = torch.autograd.grad(y, x, create_graph=True)[0]\n"
        "p = (g**2).sum()\np.backward()\n"
    )
    assert text_of(HEAD + body).startswith(HEAD + body)


def test_an_unfinished_diagram_is_refused_with_a_sentence() -> None:
    diagram = Diagram({"y": Node("y", "exp", (None,), name="y")})
    with pytest.raises(NotWritten, match=r"^The diagram is not finished: y: Input 1 is not"):
        program(diagram, evaluate(diagram))
    x = Diagram({"x": leaf("x", 1.0)}, (BackwardCall("gone"),))
    with pytest.raises(NotWritten, match=r"backward call 1 starts nowhere"):
        program(x, evaluate(x))


def test_an_op_without_a_form_is_named_with_its_line() -> None:
    y = Node("y", "avg_pool", ("x",), {"output_size": (1,)}, name="y", line=7)
    diagram = Diagram({"x": replace(leaf("x"), data=np.ones((1, 1, 4))), "y": y})
    wanted = re.escape("avg_pool (node y, line 7) has no form in NumPy.")
    with pytest.raises(NotWritten, match=f"^{wanted}$"):
        program(diagram, evaluate(diagram), "numpy")


def test_bytes_of_arrays_are_read_from_bytes_only() -> None:
    source = "import numpy as np\na = np.zeros(2)\nb = np.frombuffer(a)\n"
    _diagram, run = scripted(source)
    assert run.error is not None
    assert run.error.message == "numpy.frombuffer() takes bytes here"
