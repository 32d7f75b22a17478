"""Diagrams written as PyTorch programs: read again they are the same, and PyTorch agrees."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from engine.op import Op, Sample
from engine.ops import OPS
from gradviz.diagram import Diagram
from gradviz.evaluate import evaluate
from gradviz.examples import example, examples
from gradviz.program.call import NotWritten
from gradviz.program.sameness import difference
from gradviz.program.settled import settled
from gradviz.program.writing import program
from gradviz.run import Run
from gradviz.script.sandbox import Sandbox
from tests.gradviz.diagrams import Maker, exact_rows, of_row, samples

# Parts of derivatives, and of sums over bags, for which PyTorch has no function of its own.
NOT_WRITTEN = {
    "as_strided_scatter", "avg_pool_back", "convolution_weight", "ctc_loss_backward",
    "embedding_bag", "embedding_bag_max", "fold_windows", "gaps", "linalg_lu_solve", "lu_order",
    "lu_permutation", "pad_back", "upsample_back",
}  # fmt: skip
# PyTorch's own function refuses what the row's sample has.
REFUSED = {"floor_divide", "floor_divide_number", "number_floor_divide", "heaviside",
           "index_reduce", "linalg_lstsq", "multi_margin_loss"}  # fmt: skip


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def again(sandbox: Sandbox, diagram: Diagram, run: Run) -> str | None:
    """Where the diagram that is read from the program differs; None where nowhere."""
    text = program(diagram, run).text
    read, its = sandbox.run(text, "program.py")
    return difference(settled(diagram, run), settled(read, its))


def gradients_in_torch(text: str) -> dict[str, Any]:
    """The gradients that the program leaves in its variables, by their names."""
    torch: Any = pytest.importorskip("torch")
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(text, names)
    return {
        name: value.grad.numpy(force=True)
        for name, value in names.items()
        if isinstance(value, torch.Tensor) and value.is_leaf and value.grad is not None
    }


def check_gradients(diagram: Diagram, run: Run, found: dict[str, Any]) -> None:
    last = next((done for done in reversed(run.passes) if done.error is None), None)
    for key, expected in (last.grads if last is not None else {}).items():
        name = diagram.nodes[key].name
        assert name is not None
        mine = found.get(name, np.zeros_like(expected))
        near = 1e-5 if expected.dtype in (np.float32, np.complex64) else 1e-7
        np.testing.assert_allclose(mine, expected, rtol=near, atol=near, err_msg=name)


@pytest.mark.parametrize("name", [found.name for found in examples()])
def test_an_example_is_read_again_as_it_was(sandbox: Sandbox, name: str) -> None:
    diagram, run = sandbox.run(example(name).source(), "script.py")
    assert again(sandbox, diagram, run) is None
    if run.error is None:
        check_gradients(diagram, run, gradients_in_torch(program(diagram, run).text))


def is_refused(diagram: Diagram, run: Run) -> bool:
    """Whether there is no program, with a sentence that names the op and the node."""
    try:
        program(diagram, run)
    except NotWritten as problem:
        op = diagram.nodes["y"].op
        return str(problem) == f"{op} (node y) has no form in PyTorch."
    return False


ROWS = [
    pytest.param(op, sample, id=f"{name}-{at}")
    for name, op in OPS.items()
    for at, sample in enumerate(samples(op))
]


@pytest.mark.parametrize(("op", "sample"), ROWS)
def test_every_row_is_written_and_has_pytorchs_gradients(op: Op, sample: Sample) -> None:
    diagram = of_row(op, sample)
    run = evaluate(diagram)
    if run.error is not None and op.name in NOT_WRITTEN:
        return  # it takes what no sample has
    if op.name in NOT_WRITTEN and is_refused(diagram, run):
        return
    text = program(diagram, run).text
    if op.name not in REFUSED:
        check_gradients(diagram, run, gradients_in_torch(text))


def test_most_rows_are_read_again_as_they_were() -> None:
    assert len({op.name for op, _sample in exact_rows()}) >= 290


@pytest.mark.parametrize("seed", range(0, 200, 10))
def test_random_diagrams_are_read_again_as_they_were(sandbox: Sandbox, seed: int) -> None:
    rows = exact_rows()
    for each in range(seed, seed + 10):
        diagram = Maker(each, rows).make(2 + each % 7)
        run = evaluate(diagram)
        assert again(sandbox, diagram, run) is None, program(diagram, run).text
