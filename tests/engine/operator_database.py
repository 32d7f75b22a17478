"""PyTorch's own operator database: the inputs of its tests, run through both libraries.

For each operator that the engine has under the same name, every sample goes through both, with the
same random cotangent pulled back; outputs and the gradient of every input must agree in float64.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import engine

torch: Any = pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("expecttest", reason="PyTorch's operator database needs expecttest")

with warnings.catch_warnings():  # of its own making
    warnings.simplefilter("ignore")
    from torch.testing._internal.common_methods_invocations import op_db

TOLERANCE: dict[str, float] = {"rtol": 1e-6, "atol": 1e-8}
MOST_SAMPLES = 200
# What is random, uninitialised, or writes to its inputs is no function to compare.
NO_FUNCTIONS = (
    "rand", "bernoulli", "normal", "multinomial", "empty", "dropout", "uniform", "exponential",
    "cauchy", "geometric", "log_normal", "rrelu", "new_", "resize", "fractional_max_pool",
    "nn.init",
)  # fmt: skip
# Arguments that the database has in another order than the function.
ORDERS: dict[str, Callable[[Any], Any]] = {
    "where": lambda f: lambda x, condition, other: f(condition, x, other),
    "nn.functional.embedding": lambda f: lambda weight, places, **kw: f(places, weight, **kw),
    "polygamma": lambda f: lambda x, n, **kw: f(n, x, **kw),
    "special.polygamma": lambda f: lambda x, n, **kw: f(n, x, **kw),
}


def operators() -> Iterator[tuple[str, Any]]:
    """The differentiable operators, each with a label that names its variant."""
    for info in op_db:
        name = info.name
        if not info.supports_autograd or torch.float64 not in info.dtypes:
            continue
        if name.startswith(("ops.", "torch.")) or any(part in name for part in NO_FUNCTIONS):
            continue
        if not name.startswith("__r") and (name.startswith("_") or name.endswith("_")):
            continue
        variant = info.variant_test_name
        yield f"{name} ({variant})" if variant else name, info


def ours(name: str) -> Callable[..., Any] | None:
    """The engine's function, method or property of this name; None where it has none."""
    found: Any = engine
    for part in name.split("."):
        found = getattr(found, part, None)
    if isinstance(found, engine.dtype):  # `x.double()` is a method, `torch.double` a dtype
        found = getattr(engine.Tensor, name)
    if found is None and "." not in name:
        found = getattr(engine.Tensor, name, None)
    if found is None:
        return None
    if not callable(found):
        return lambda x: getattr(x, name)
    return ORDERS.get(name, lambda f: f)(found)


class Twin:
    """Arguments of PyTorch's turned into the engine's; `pairs` are the leaves of both."""

    def __init__(self) -> None:
        self.pairs: list[tuple[Any, Any]] = []

    def __call__(self, value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            array = value.detach().resolve_conj().resolve_neg().numpy().copy()
            leaf = engine.tensor(array, requires_grad=value.requires_grad)
            if value.requires_grad:
                self.pairs.append((value, leaf))
            return leaf
        if isinstance(value, torch.dtype):
            return getattr(engine, str(value).removeprefix("torch."))
        if isinstance(value, torch.Size):
            return tuple(value)
        if type(value) in (list, tuple):
            return type(value)(self(item) for item in value)
        if isinstance(value, dict):
            return {key: self(item) for key, item in value.items()}
        if isinstance(value, (torch.device, torch.layout, torch.memory_format, torch.Generator)):
            raise NotImplementedError(type(value).__name__)
        return value


def fresh(value: Any) -> Any:
    """The arguments with leaves that have no gradient yet."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone().requires_grad_(value.requires_grad)
    if type(value) in (list, tuple):
        return type(value)(fresh(item) for item in value)
    if isinstance(value, dict):
        return {key: fresh(item) for key, item in value.items()}
    return value


def flat(result: Any) -> list[Any]:
    """The tensors of a result, in order."""
    if isinstance(result, (list, tuple)):
        return [tensor for item in result for tensor in flat(item)]
    return [result] if hasattr(result, "requires_grad") else []


def difference(name: str, info: Any, sample: Any, draw: np.random.Generator) -> str | None:
    """Where the two differ on one sample; "" where PyTorch itself refuses it, None where nowhere.

    Raises NotImplementedError where the engine declines.
    """
    given = fresh((sample.input, sample.args, sample.kwargs))
    try:
        theirs = [
            t
            for t in flat(info.op(given[0], *given[1], **given[2]))
            if t.dtype.is_floating_point and t.layout == torch.strided
        ]
    except Exception:  # noqa: BLE001  whatever PyTorch raises, there is nothing to compare
        return ""
    if not any(t.requires_grad for t in theirs):
        return ""
    twin = Twin()
    first, args, kwargs = twin(given)
    function = ours(name)
    assert function is not None
    engine.seed()  # PyTorch's masks of dropout are no function of the sample
    mine = [t for t in flat(function(first, *args, **kwargs)) if t.dtype.is_floating_point]
    if len(mine) != len(theirs):
        return f"{len(mine)} outputs for {len(theirs)}"
    for ours_, expected in zip(mine, theirs, strict=True):
        wrong = unlike(ours_.detach().numpy(), expected.detach().numpy(), strict=True)
        if wrong:
            return f"the value: {wrong}"
    pull_back(mine, theirs, draw)
    for expected, leaf in twin.pairs:
        wrong = unlike_gradients(leaf.grad, expected.grad)
        if wrong:
            return f"a gradient: {wrong}"
    return None


def pull_back(mine: list[Any], theirs: list[Any], draw: np.random.Generator) -> None:
    """The same random cotangents through both."""
    pairs = [(m, t) for m, t in zip(mine, theirs, strict=True) if t.requires_grad]
    for number, (ours_, expected) in enumerate(pairs, 1):
        seed = draw.standard_normal(tuple(expected.shape))
        more = number < len(pairs)
        expected.backward(torch.from_numpy(np.asarray(seed)), retain_graph=more)
        ours_.backward(engine.tensor(np.asarray(seed)), retain_graph=more)


def unlike_gradients(mine: Any, theirs: Any) -> str | None:
    """How two gradients differ; none at all is as good as zeros."""
    if mine is None or theirs is None:
        there = mine if mine is not None else theirs
        return None if there is None or not bool((there != 0).any()) else "only one has any"
    return unlike(mine.detach().numpy(), theirs.detach().numpy(), strict=False)


def unlike(mine: Any, theirs: Any, *, strict: bool) -> str | None:
    """How two arrays differ in shape, in dtype where `strict`, and in elements."""
    if mine.shape != theirs.shape:
        return f"shape {mine.shape} for {theirs.shape}"
    if strict and mine.dtype != theirs.dtype:
        return f"dtype {mine.dtype} for {theirs.dtype}"
    if np.allclose(mine, theirs, equal_nan=True, **TOLERANCE):
        return None
    return f"{mine.ravel()[:4]} for {theirs.ravel()[:4]}"
