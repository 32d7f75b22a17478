"""Time the engine against PyTorch (one thread) and NumPy by hand; prints ratios of one run.

python tests/bench/speed_of_engine.py
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import engine
from engine.nn import functional
from engine.record import record

try:
    import torch
except ImportError:  # the ratios to PyTorch are then left out
    torch = None  # type: ignore[assignment]


def seconds(work: Callable[[], Any], *, least: float = 0.02, rounds: int = 9) -> float:
    """The median time of one call, over rounds of at least `least` seconds each."""
    work()
    count, spent = 1, 0.0
    while spent < least:
        start = time.perf_counter()
        for _ in range(count):
            work()
        spent = time.perf_counter() - start
        if spent < least:
            count = max(count + 1, int(count * 1.5 * least / max(spent, 1e-9)))
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(count):
            work()
        times.append((time.perf_counter() - start) / count)
    return statistics.median(times)


def article(library: Any) -> Callable[[], Any]:
    """x ** 2 + 3 * x, its sum, and back."""
    x = library.tensor([2.0, 3.0], requires_grad=True)

    def work() -> None:
        y = x**2 + 3 * x
        y.sum().backward()
        x.grad = None

    return work


def article_seed(library: Any) -> Callable[[], Any]:
    """x ** 2 + 3 * x and back from a seed."""
    x = library.tensor([2.0, 3.0], requires_grad=True)
    v = library.tensor([1.0, 1.0])

    def work() -> None:
        y = x**2 + 3 * x
        y.backward(gradient=v)
        x.grad = None

    return work


def chain(library: Any, length: int = 1000) -> Callable[[], Any]:
    """A thousand small ops one after the other."""
    x = library.tensor([0.5, 0.25], requires_grad=True)

    def work() -> None:
        y = x
        for _ in range(length // 4):
            y = (y * 1.01 + 0.1).sin() - 0.2
        y.sum().backward()
        x.grad = None

    return work


def mlp(library: Any, nn: Any) -> Callable[[], Any]:
    """784-256-10, a batch of 64, cross entropy, forward and backward."""
    draw = np.random.default_rng(0)
    shapes = [(256, 784), (256,), (10, 256), (10,)]
    weights = [
        library.tensor(draw.normal(size=s).astype("float32") * 0.05, requires_grad=True)
        for s in shapes
    ]
    x = library.tensor(draw.normal(size=(64, 784)).astype("float32"))
    target = library.tensor(draw.integers(0, 10, 64))

    def work() -> None:
        h = nn.relu(nn.linear(x, weights[0], weights[1]))
        nn.cross_entropy(nn.linear(h, weights[2], weights[3]), target).backward()
        for w in weights:
            w.grad = None

    return work


def mlp_by_hand() -> Callable[[], Any]:
    """The same in NumPy, written out."""
    draw = np.random.default_rng(0)
    w1, b1, w2, b2 = (
        draw.normal(size=s).astype("float32") * 0.05 for s in [(256, 784), (256,), (10, 256), (10,)]
    )
    x = draw.normal(size=(64, 784)).astype("float32")
    target, rows = draw.integers(0, 10, 64), np.arange(64)

    def work() -> None:
        a = x @ w1.T + b1
        h = np.maximum(a, 0)
        z = h @ w2.T + b2
        z = z - z.max(1, keepdims=True)
        logs = z - np.log(np.exp(z).sum(1, keepdims=True))
        -logs[rows, target].mean()
        g = np.exp(logs)
        g[rows, target] -= 1
        g /= 64
        (g.T @ h, g.sum(0))
        back = (g @ w2) * (a > 0)
        (back.T @ x, back.sum(0))

    return work


def elementwise(library: Any) -> Callable[[], Any]:
    """(x * y).tanh().sum() over a million numbers, forward and backward."""
    draw = np.random.default_rng(0)
    x = library.tensor(draw.normal(size=1_000_000).astype("float32"), requires_grad=True)
    y = library.tensor(draw.normal(size=1_000_000).astype("float32"), requires_grad=True)

    def work() -> None:
        (x * y).tanh().sum().backward()
        x.grad = y.grad = None

    return work


def elementwise_by_hand() -> Callable[[], Any]:
    """The same in NumPy, written out."""
    draw = np.random.default_rng(0)
    x = draw.normal(size=1_000_000).astype("float32")
    y = draw.normal(size=1_000_000).astype("float32")

    def work() -> None:
        t = np.tanh(x * y)
        t.sum()
        g = 1 - t * t
        (g * y, g * x)

    return work


def recorded(work: Callable[[], Any]) -> Callable[[], Any]:
    """The same work while everything is logged."""

    def with_log() -> None:
        with record():
            work()

    return with_log


def line(name: str, mine: float, others: dict[str, tuple[float, float]]) -> None:
    """One row: the engine's time, and its ratio to each of the others with its budget."""
    ratios = "  ".join(
        f"{mine / theirs:5.2f} of {other} (budget {budget:.2f})"
        for other, (theirs, budget) in others.items()
    )
    print(f"{name:24} {mine * 1e6:10.1f} µs  {ratios}")


def main() -> None:
    gc.collect()
    have = torch is not None
    if have:
        torch.set_num_threads(1)
    other_nn = torch.nn.functional if have else None
    rows: list[tuple[str, Callable[[], Any], dict[str, tuple[Callable[[], Any], float]]]] = [
        ("article, sum", article(engine), {"torch": (article(torch), 0.35)} if have else {}),
        ("article, seed", article_seed(engine),
         {"torch": (article_seed(torch), 0.35)} if have else {}),
        ("1,000-op chain", chain(engine), {"torch": (chain(torch), 0.8)} if have else {}),
        ("MLP 784-256-10, 64", mlp(engine, functional),
         {"NumPy": (mlp_by_hand(), 1.25)}
         | ({"torch": (mlp(torch, other_nn), 9.99)} if have else {})),
        ("10^6 elementwise", elementwise(engine),
         {"NumPy": (elementwise_by_hand(), 1.25)}
         | ({"torch": (elementwise(torch), 9.99)} if have else {})),
        ("recording, chain", recorded(chain(engine)), {"not recording": (chain(engine), 1.6)}),
        ("recording, article", recorded(article(engine)),
         {"not recording": (article(engine), 1.6)}),
    ]  # fmt: skip
    for name, work, others in rows:
        times = {other: (seconds(theirs), budget) for other, (theirs, budget) in others.items()}
        line(name, seconds(work), times)


if __name__ == "__main__":
    main()
