"""Every reduction that can be appended, against PyTorch's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gradviz.diagram import BackwardCall, Diagram, Node, Start
from gradviz.evaluate import evaluate
from gradviz.run import Pass
from gradviz.seeds.starts import REDUCTIONS, written

_VECTOR = np.array([1.5, -2.0, 0.5], dtype=np.float32)
_TABLE = np.array([[0.5, 2.0, -1.0], [3.0, 0.25, 1.0]], dtype=np.float32)


def appended(y: np.ndarray, start: Start) -> Pass:
    diagram = Diagram({"y": Node("y", "leaf", data=y)})
    return evaluate(replace(diagram, calls=(BackwardCall("y", start),))).passes[0]


def start_of(name: str, y: np.ndarray) -> Start:
    numbers = {
        "weighted": np.linspace(-1, 2, y.size, dtype=np.float32).reshape(y.shape),
        "mse": np.linspace(2, -1, y.size, dtype=np.float32).reshape(y.shape),
    }
    return Start("reduction", reduction=name, index=1, values=numbers.get(name))


@pytest.mark.parametrize("y", [_VECTOR, _TABLE], ids=["vector", "table"])
@pytest.mark.parametrize("name", REDUCTIONS)
def test_value_and_seed_are_pytorch_s(name: str, y: np.ndarray) -> None:
    torch = pytest.importorskip("torch")
    functional = torch.nn.functional
    start = start_of(name, y)
    found = appended(y, start)
    leaf = torch.tensor(y, requires_grad=True)
    values = None if start.values is None else torch.tensor(start.values)
    rows = y.shape[:-1]
    reference = {
        "sum": lambda t: t.sum(),
        "mean": lambda t: t.mean(),
        "weighted": lambda t: (values * t).sum(),
        "component": lambda t: t.reshape(-1)[1],
        "norm": lambda t: t.norm(),
        "logsumexp": lambda t: t.reshape(-1).logsumexp(0),
        "max": lambda t: t.max(),
        "prod": lambda t: t.prod(),
        "var": lambda t: t.var(),
        "mse": lambda t: functional.mse_loss(t, values),
        "cross_entropy": lambda t: functional.cross_entropy(t, torch.full(rows, 1)),
    }[name](leaf)
    reference.backward()
    assert found.error is None
    np.testing.assert_allclose(found.values[found.root].array, reference.detach(), rtol=1e-6)
    np.testing.assert_allclose(found.grads["y"], leaf.grad, rtol=2e-6, atol=1e-7)


def test_cross_entropy_takes_a_label_for_each_row() -> None:
    torch = pytest.importorskip("torch")
    labels = np.array([2, 0])
    found = appended(_TABLE, Start("reduction", reduction="cross_entropy", values=labels))
    leaf = torch.tensor(_TABLE, requires_grad=True)
    torch.nn.functional.cross_entropy(leaf, torch.tensor(labels)).backward()
    np.testing.assert_allclose(found.grads["y"], leaf.grad, rtol=2e-6, atol=1e-7)


def test_a_target_left_out_is_zeros() -> None:
    found = appended(_VECTOR, Start("reduction", reduction="mse"))
    np.testing.assert_allclose(found.grads["y"], 2 * _VECTOR / 3, rtol=1e-6)


@pytest.mark.parametrize(
    ("start", "message"),
    [
        (
            Start("reduction", reduction="mse", values=np.zeros(2)),
            "The target must have the shape (3,) of the output.",
        ),
        (
            Start("reduction", reduction="cross_entropy", index=3),
            "There is no class 3: the output has 3 along its last axis.",
        ),
        (
            Start("reduction", reduction="cross_entropy", values=np.zeros(3)),
            "The labels must have the shape (), one for each row of scores.",
        ),
    ],
    ids=["target", "class", "labels"],
)
def test_what_does_not_fit_is_refused_in_one_sentence(start: Start, message: str) -> None:
    error = appended(_VECTOR, start).error
    assert error is not None
    assert error.message == message


def test_reductions_are_written_as_in_a_script() -> None:
    assert written(Start("reduction", reduction="component", index=2), "y") == "y[2]"
    assert written(Start("reduction", reduction="weighted"), "y", weights="v") == "(v * y).sum()"
    assert written(Start("reduction", reduction="mse"), "y") == "F.mse_loss(y, t)"
    assert written(Start(), "y") == "y.sum()"
