"""Hold the engine against PyTorch (one thread), HIPS autograd, JAX, micrograd and NumPy by hand.

    python -m tests.bench.speed_of_engine [--markdown]

Prints ratios of one run; what is not installed is left out.
"""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import engine
from engine import func
from engine.nn import functional
from engine.record import record
from tests.bench import memory, programs
from tests.bench.timing import Work, ratio, seconds


@dataclass(frozen=True)
class Row:
    """One comparison: what is timed, against what, and the most that the ratio may be."""

    name: str
    other: str
    budget: float | None
    measure: Callable[[], float]


def module(name: str) -> Any:
    """A library, or None where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def recorded(work: Work) -> Work:
    """The same work while everything is logged."""

    def with_log() -> None:
        with record():
            work()

    return with_log


def of_work(name: str, other: str, budget: float | None, mine: Work, theirs: Work) -> Row:
    """A row of two programs."""
    return Row(name, other, budget, lambda: ratio(mine, theirs))


def against_torch(torch: Any) -> Iterator[Row]:
    """What PyTorch can be timed at too."""
    torch.set_num_threads(1)
    nn = torch.nn.functional
    pairs = (
        ("article, sum", 0.35, programs.article),
        ("article, seed", 0.35, programs.article_seed),
        ("chain of 1,000 ops", 0.8, programs.chain),
        ("10^6 elementwise", None, programs.elementwise),
    )
    for name, budget, program in pairs:
        yield of_work(name, "PyTorch", budget, program(engine), program(torch))
    yield of_work(
        "MLP 784-256-10, batch 64", "PyTorch", None,
        programs.mlp(engine, functional), programs.mlp(torch, nn),
    )  # fmt: skip
    jacobians = (
        programs.jacobian(engine, func.jacrev),
        programs.jacobian(torch, torch.func.jacrev),
    )
    yield of_work("Jacobian, 64 outputs, 256 inputs", "PyTorch's jacrev", 2.0, *jacobians)
    yield Row(
        "peak memory, 20 layers of 10^6", "PyTorch's saved bytes and outputs", 1.3,
        lambda: memory.share(engine, functional, torch),
    )  # fmt: skip


def against_functions() -> Iterator[Row]:
    """The libraries that differentiate functions, and micrograd."""
    hips, jax, micrograd = module("autograd"), module("jax"), module("micrograd.engine")
    mine = programs.chain(engine)
    if hips is not None:
        theirs = programs.chain_as_function(module("autograd.numpy"), hips.grad)
        yield of_work("chain of 1,000 ops", "HIPS autograd", 0.4, mine, theirs)
    if jax is not None:
        theirs = programs.chain_as_function(module("jax.numpy"), jax.grad)
        yield of_work("chain of 1,000 ops", "JAX, eager", None, mine, theirs)
    if micrograd is not None:
        ours = programs.scalar_chain(
            lambda number: engine.tensor(number, requires_grad=True),
            number=lambda number: number, grad=lambda x: x.grad,
        )  # fmt: skip
        theirs = programs.scalar_chain(
            micrograd.Value, number=micrograd.Value, grad=lambda x: x.grad
        )
        yield of_work("400 ops on one number", "micrograd", None, ours, theirs)


def against_itself() -> Iterator[Row]:
    """NumPy written out, a recording, and a chain a hundred times as long."""
    yield of_work(
        "MLP 784-256-10, batch 64", "NumPy by hand", 1.25,
        programs.mlp(engine, functional), programs.mlp_by_hand(),
    )  # fmt: skip
    yield of_work(
        "10^6 elementwise", "NumPy by hand", 1.25,
        programs.elementwise(engine), programs.elementwise_by_hand(),
    )  # fmt: skip
    for name, program in (("chain", programs.chain), ("article", programs.article)):
        mine = program(engine)
        yield of_work(f"{name}, recorded", "the same, not recorded", 1.6, recorded(mine), mine)
    yield Row("chain of 10^5 ops, time an op", "of 10^4 ops", 1.5, _growth)


def _growth() -> float:
    """The time an op takes in a long chain, over that in one a tenth as long.

    Python's collector is off: at what moments it runs depends on what else the process holds.
    """
    gc.disable()
    try:
        times = [seconds(programs.chain(engine, n), rounds=5) / n for n in (100_000, 10_000)]
    finally:
        gc.enable()
    return times[0] / times[1]


def main() -> None:
    torch = module("torch")
    rows = [*against_itself(), *(against_torch(torch) if torch else ()), *against_functions()]
    markdown = "--markdown" in sys.argv
    if markdown:
        print("| program | against | ratio | at most |\n| --- | --- | --- | --- |")
    for row in rows:
        found = row.measure()
        most = "" if row.budget is None else f"{row.budget:.2f}"
        if markdown:
            print(f"| {row.name} | {row.other} | {found:.2f} | {most} |")
        else:
            over = " over" if row.budget is not None and found > row.budget else ""
            print(f"{row.name:34} {row.other:34} {found:5.2f}  {most:>5}{over}", flush=True)


if __name__ == "__main__":
    main()
