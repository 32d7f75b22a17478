"""`gradviz code`: what it writes where, and how it ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

FANOUT = """\
import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
square = x**2
line = 3 * x
y = square + line
v = torch.ones_like(y)
y.backward(gradient=v)

print("x.grad:", x.grad)
"""


def gradviz(*words: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "gradviz", *words], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def test_a_program_on_standard_output() -> None:
    assert gradviz("code", "example:fanout") == (0, FANOUT, "")


def test_a_program_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    assert gradviz("code", "example:fanout", "-o", str(path)) == (0, "", "")
    assert path.read_text() == FANOUT


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "program.py"
    status, out, told = gradviz("code", "example:fanout", "-o", str(path))
    assert (status, out) == (2, "")
    assert told.startswith(f"gradviz: {path}: cannot be written")
    assert told.count("\n") == 1


def test_a_script_that_raises_is_written_all_the_same() -> None:
    status, out, told = gradviz("code", "example:nonscalar")
    assert status == 1
    assert out.endswith('y.backward()\n\nprint("x.grad:", x.grad)\n')
    assert "grad can be implicitly created only for scalar outputs" in told


def test_other_libraries_by_name() -> None:
    status, out, told = gradviz("code", "example:fanout", "--as", "numpy")
    assert (status, told) == (0, "")
    assert "g_x += g_square * (2 * x)\n" in out
    status, out, told = gradviz("code", "example:mean", "--as", "jax")
    assert (status, told) == (0, "")
    assert "x_grad = jax.grad(f)(x)\n" in out


def test_what_has_no_form_is_one_sentence() -> None:
    status, out, told = gradviz("code", "example:nonscalar", "--as", "numpy")
    assert (status, out) == (2, "")
    assert told == (
        "gradviz: Backward call 1 fails: grad can be implicitly created only for scalar outputs\n"
    )
    assert gradviz("code", "example:sum", "--as", "cobol")[0] == 2


def test_a_diagram_in_a_file(tmp_path: Path) -> None:
    from gradviz.diagram import LEAF, BackwardCall, Diagram, Node
    from gradviz.storage import write

    x = Node("x", LEAF, name="x", data=np.array(2.0, np.float32))
    y = Node("y", "exp", ("x",), name="y")
    write(tmp_path / "drawn.gradviz", Diagram({"x": x, "y": y}, (BackwardCall("y"),)))
    status, out, told = gradviz("code", str(tmp_path / "drawn.gradviz"))
    assert (status, told) == (0, "")
    assert "y = torch.exp(x)\ny.backward()\n" in out
