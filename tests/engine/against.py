"""Run the same lines under PyTorch and under the engine, and compare everything a user sees."""

from __future__ import annotations

import importlib
import re
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import engine

torch: Any = pytest.importorskip("torch", reason="torch is not installed")
# Where opt_einsum happens to be there (JAX brings it), PyTorch multiplies in another order.
torch.backends.opt_einsum.enabled = False

TOLERANCE = {"float64": 1e-12, "float32": 2e-6, "float16": 2e-3}
_TRIGGERED = re.compile(r"\s*\(Triggered internally at [^)]*\)")


@dataclass(frozen=True)
class Side:
    """One of the two libraries, with the names that a program uses."""

    library: Any
    functional: Any

    def names(self) -> dict[str, Any]:
        return {"torch": self.library, "F": self.functional, "nn": self.library.nn, "np": np}

    def leaf(self, array: np.ndarray, *, requires_grad: bool) -> Any:
        made = self.library.tensor(array)
        return made.requires_grad_() if requires_grad else made


TORCH = Side(torch, importlib.import_module("torch.nn.functional"))
ENGINE = Side(engine, importlib.import_module("engine.nn.functional"))


def numbers(shape: tuple[int, ...], dtype: str, seed: int = 0) -> np.ndarray:
    """Distinct numbers of both signs, none near 0, the same in every dtype."""
    drawn = np.random.default_rng(seed).permutation(np.linspace(0.3, 2.1, int(np.prod(shape))))
    signs = np.where(np.arange(drawn.size) % 3 == 2, -1, 1)
    return (drawn * signs).astype(np.float16).astype(dtype).reshape(shape)


def leaves(shapes: dict[str, tuple[int, ...]], dtype: str = "float64") -> dict[str, np.ndarray]:
    """An array for each name."""
    return {name: numbers(shape, dtype, seed) for seed, (name, shape) in enumerate(shapes.items())}


@dataclass
class Outcome:
    """What a program left: its names, or the error and warnings it ended with."""

    names: dict[str, Any]
    error: tuple[str, str] | None
    warned: list[str]


def run(side: Side, program: str, arrays: dict[str, np.ndarray], *, track: bool = True) -> Outcome:
    """Run the program with the arrays as leaves."""
    names = side.names()
    for name, array in arrays.items():
        tracked = track and array.dtype.kind in "fc" and not name.startswith("k")
        names[name] = side.leaf(array, requires_grad=tracked)
    error = None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            exec(program, names)
        except Exception as raised:  # noqa: BLE001  whatever it raises is to be compared
            error = (type(raised).__name__, str(raised))
    warned = [_TRIGGERED.sub("", str(w.message)) for w in caught]
    return Outcome(names, error, warned)


def graph(tensor: Any, *, shallow: bool = False) -> Any:
    """The names of the nodes behind a tensor, as (name, nodes behind it with output numbers)."""
    if shallow:
        return None if tensor.grad_fn is None else tensor.grad_fn.name()
    known: dict[int, Any] = {}

    def walk(node: Any) -> Any:
        if node is None:
            return None
        if id(node) not in known:
            known[id(node)] = (node.name(), [(walk(n), k) for n, k in node.next_functions])
        return known[id(node)]

    return walk(tensor.grad_fn)


def assert_same_tensor(mine: Any, theirs: Any, tolerance: float, *, text: bool = True) -> None:
    """Shape, dtype, elements, flags and printed text agree."""
    assert str(mine.dtype) == str(theirs.dtype)
    assert tuple(mine.shape) == tuple(theirs.shape)
    assert mine.requires_grad == theirs.requires_grad
    ours, expected = mine.detach().numpy(), theirs.detach().resolve_conj().numpy()
    finite = expected[np.isfinite(expected)] if expected.dtype.kind in "fc" else np.zeros(0)
    scale = np.abs(finite).max(initial=0)
    np.testing.assert_allclose(ours, expected, rtol=tolerance, atol=tolerance * max(scale, 0.1))
    if text and expected.dtype.kind not in "fc":
        assert repr(mine) == repr(theirs)


def assert_same(
    program: str,
    arrays: dict[str, np.ndarray],
    *,
    seed: int = 0,
    tolerance: float | None = None,
    shallow: bool = False,
) -> None:
    """The program's `y`, its graph, its gradients, and what a second backward call does, agree.

    Of the graph, only the last node where `shallow`.
    """
    mine, theirs = run(ENGINE, program, arrays), run(TORCH, program, arrays)
    assert mine.error == theirs.error
    assert mine.warned == theirs.warned
    if theirs.error is not None:
        return
    a, b = mine.names["y"], theirs.names["y"]
    if tolerance is None:
        tolerance = max(
            TOLERANCE.get(str(t.dtype).split(".")[-1], 0)
            for t in (b, *(theirs.names[name] for name in arrays))
        )
    assert_same_tensor(a, b, tolerance)
    assert graph(a, shallow=shallow) == graph(b, shallow=shallow)
    if b.requires_grad:
        cotangent = numbers(tuple(b.shape), str(b.dtype).split(".")[-1], 90 + seed)
        for _ in range(2):  # the second call finds what the first one freed
            ends = [
                run_backward(side, outcome.names["y"], cotangent)
                for side, outcome in ((ENGINE, mine), (TORCH, theirs))
            ]
            assert ends[0] == ends[1]
            for name in arrays:
                assert_same_grad(mine.names[name], theirs.names[name], tolerance)


def run_backward(side: Side, y: Any, cotangent: np.ndarray) -> tuple[str, str] | None:
    """Send the cotangent back; the error it ended with."""
    try:
        y.backward(side.library.tensor(cotangent))
    except RuntimeError as raised:
        return type(raised).__name__, str(raised)
    return None


def assert_same_grad(mine: Any, theirs: Any, tolerance: float) -> None:
    """Both leaves have the same `.grad`, or none."""
    assert (mine.grad is None) == (theirs.grad is None)
    if theirs.grad is not None:
        assert_same_tensor(mine.grad, theirs.grad, 4 * tolerance)
