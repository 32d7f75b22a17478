"""The programs that are timed: each for a library that is told to it, or written out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.bench.timing import Work


def article(library: Any) -> Work:
    """x ** 2 + 3 * x, its sum, and back."""
    x = library.tensor([2.0, 3.0], requires_grad=True)

    def work() -> None:
        y = x**2 + 3 * x
        y.sum().backward()
        x.grad = None

    return work


def article_seed(library: Any) -> Work:
    """x ** 2 + 3 * x and back from a seed."""
    x = library.tensor([2.0, 3.0], requires_grad=True)
    v = library.tensor([1.0, 1.0])

    def work() -> None:
        y = x**2 + 3 * x
        y.backward(gradient=v)
        x.grad = None

    return work


def chain(library: Any, length: int = 1000) -> Work:
    """So many small ops one after the other."""
    x = library.tensor([0.5, 0.25], requires_grad=True)

    def work() -> None:
        y = x
        for _ in range(length // 4):
            y = (y * 1.01 + 0.1).sin() - 0.2
        y.sum().backward()
        x.grad = None

    return work


def chain_as_function(numpy_like: Any, gradient_of: Any, length: int = 1000) -> Work:
    """The same for a library that differentiates functions: HIPS autograd, JAX."""

    def function(x: Any) -> Any:
        y = x
        for _ in range(length // 4):
            y = numpy_like.sin(y * 1.01 + 0.1) - 0.2
        return y.sum()

    derivative = gradient_of(function)
    x = numpy_like.asarray(np.array([0.5, 0.25], "float32"))
    return lambda: np.asarray(derivative(x))


def scalar_chain(value: Any, *, number: Any, grad: Any, length: int = 400) -> Work:
    """A chain of products and sums of one number, which is all that micrograd has."""

    def work() -> None:
        x = value(0.5)
        y = x
        for _ in range(length // 2):
            y = y * number(1.001) + number(0.1)
        y.backward()
        grad(x)

    return work


def mlp(library: Any, nn: Any) -> Work:
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


def mlp_by_hand() -> Work:
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


def elementwise(library: Any) -> Work:
    """(x * y).tanh().sum() over a million numbers, forward and backward."""
    draw = np.random.default_rng(0)
    x = library.tensor(draw.normal(size=1_000_000).astype("float32"), requires_grad=True)
    y = library.tensor(draw.normal(size=1_000_000).astype("float32"), requires_grad=True)

    def work() -> None:
        (x * y).tanh().sum().backward()
        x.grad = y.grad = None

    return work


def elementwise_by_hand() -> Work:
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


def jacobian(library: Any, jacrev: Any) -> Work:
    """The Jacobian of a 256-128-64 MLP at one input: 64 rows of 256."""
    draw = np.random.default_rng(0)
    w1, w2 = (
        library.tensor(draw.normal(size=s).astype("float32") * 0.1) for s in [(256, 128), (128, 64)]
    )
    x = library.tensor(draw.normal(size=256).astype("float32"))
    derivative = jacrev(lambda given: ((given @ w1).tanh() @ w2).tanh())
    return lambda: derivative(x)
