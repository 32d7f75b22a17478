"""Diagrams written as NumPy and as JAX programs: run, they have the diagram's gradients."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from engine.ops import OPS
from gradviz.diagram import Diagram
from gradviz.evaluate import evaluate
from gradviz.examples import example, examples
from gradviz.program.call import NotWritten
from gradviz.program.writing import Target, program
from gradviz.run import Run
from tests.gradviz.diagrams import Maker, exact_rows, of_row, samples
from tests.gradviz.programs import scripted

FAILING = {"nonscalar", "second-backward"}


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def library(target: Target) -> Target:
    """The library that is written for; a test of it is skipped where it is not installed."""
    if target == "jax":
        pytest.importorskip("jax")
    return target


def gradients(text: str) -> dict[str, Any]:
    """What the program leaves in its variables `…_grad`."""
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(text, names)
    found = {name.removesuffix("_grad"): v for name, v in names.items() if name.endswith("_grad")}
    return {name: np.asarray(value) for name, value in found.items()}


def check(diagram: Diagram, run: Run, text: str) -> None:
    found = gradients(text)
    for key, expected in (run.passes[-1].grads if run.passes else {}).items():
        name = diagram.nodes[key].name
        assert name is not None
        near = 1e-5 if expected.dtype in (np.float32, np.complex64) else 1e-7
        assert found[name].shape == expected.shape, text
        np.testing.assert_allclose(found[name], expected, rtol=near, atol=near, err_msg=text)


@pytest.mark.parametrize("target", ["numpy", "jax"])
@pytest.mark.parametrize("name", [found.name for found in examples() if found.name not in FAILING])
def test_an_example(name: str, target: Target) -> None:
    diagram, run = scripted(example(name).source())
    check(diagram, run, program(diagram, run, library(target)).text)


@pytest.mark.parametrize("target", ["numpy", "jax"])
def test_a_call_that_fails_is_said(target: Target) -> None:
    diagram, run = scripted(example("nonscalar").source())
    with pytest.raises(NotWritten, match=r"^Backward call 1 fails: grad can be implicitly created"):
        program(diagram, run, target)


@pytest.mark.parametrize("target", ["numpy", "jax"])
def test_every_row_is_written_or_refused_with_a_sentence(target: Target) -> None:
    written = set()
    for name, op in OPS.items():
        for sample in samples(op):
            diagram = of_row(op, sample)
            run = evaluate(diagram)
            if run.error is not None:
                continue
            text = written_or_refusal(diagram, run, target)
            if not text.startswith((f"{name} (node y) has no form in", "y is complex")):
                written.add(name)
                compile(text, "program.py", "exec")
                check(diagram, run, text) if target == "numpy" else None
    assert len(written) >= 270


@pytest.mark.parametrize("part", range(12))
def test_every_row_that_is_written_runs_in_jax(part: int) -> None:
    library("jax")
    for op in list(OPS.values())[part::12]:
        for sample in samples(op):
            diagram = of_row(op, sample)
            run = evaluate(diagram)
            text = written_or_refusal(diagram, run, "jax")
            if text.startswith("import"):
                check(diagram, run, text)


def test_random_diagrams_in_numpy() -> None:
    written = 0
    for seed in range(60):
        diagram = Maker(seed, exact_rows()).make(2 + seed % 6)
        run = evaluate(diagram)
        with contextlib.suppress(NotWritten):
            text = program(diagram, run, "numpy").text
            check(diagram, run, text)
            written += 1
    assert written >= 10


def written_or_refusal(diagram: Diagram, run: Run, target: Target) -> str:
    try:
        return program(diagram, run, target).text
    except NotWritten as refused:
        return str(refused)


FANOUT = """\
import numpy as np

x = np.array([2.0, 3.0], dtype=np.float32)
square = x**2
line = 3 * x
y = square + line

# backward call 1, from y
g_y = np.ones_like(y)
g_square = g_y
g_line = g_y
g_x = np.zeros_like(x)
g_x += g_line * 3
g_x += g_square * (2 * x)
x_grad = g_x

print("x.grad:", x_grad)
"""
IN_JAX = """\
import jax
import jax.numpy as jnp

x = jnp.array([2.0, 3.0])

# backward call 1, from loss
def f(x):
    y = x**2 + 3 * x
    loss = y.mean()
    return loss

x_grad = jax.grad(f)(x)

print("x.grad:", x_grad)
"""


def test_how_a_reverse_pass_is_written_out() -> None:
    assert program(*scripted(example("fanout").source()), "numpy").text == FANOUT


def test_how_a_gradient_is_asked_for_in_jax() -> None:
    assert program(*scripted(example("mean").source()), "jax").text == IN_JAX
