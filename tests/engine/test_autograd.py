"""Backward calls: what accumulates where, what may be done again, how deep a graph may be."""

from __future__ import annotations

import gc
import warnings

import numpy as np
import pytest

import engine
from engine.tensor import Tensor


def leaf(*numbers: float) -> Tensor:
    return engine.tensor(list(numbers), dtype=engine.float64, requires_grad=True)


def test_a_sum_and_a_seed_of_ones_give_the_same() -> None:
    x = leaf(2, 3)
    (x**2 + 3 * x).sum().backward()
    summed = x.grad
    x.grad = None
    (x**2 + 3 * x).backward(gradient=engine.ones(2, dtype=engine.float64))
    assert summed is not None
    assert x.grad is not None
    assert summed.tolist() == x.grad.tolist() == [7, 9]


def test_calls_accumulate_until_grad_is_cleared() -> None:
    x = leaf(1, 2)
    for times in (1, 2, 3):
        (x * x).sum().backward()
        assert x.grad is not None
        assert x.grad.tolist() == [2 * times, 4 * times]
    held = x.grad
    x.grad.zero_()
    (x * x).sum().backward()
    assert x.grad is held  # accumulated in the same tensor
    assert held.tolist() == [2, 4]


def test_a_vjp_is_linear_in_its_seed() -> None:
    x = leaf(0.3, 0.7, 1.1)
    y = engine.stack([x[0] * x[1], x[2].exp(), (x * x).sum()])
    a, b = (engine.tensor(s, dtype=engine.float64) for s in ([1.0, 2.0, 3.0], [0.5, -1.0, 4.0]))
    found = [
        engine.autograd.grad(y, x, seed, retain_graph=True)[0].tolist()  # type: ignore[union-attr]
        for seed in (a, b, 2 * a - 3 * b)
    ]
    np.testing.assert_allclose(
        found[2], 2 * np.array(found[0]) - 3 * np.array(found[1]), rtol=1e-14
    )


def test_inputs_get_the_gradient_and_no_one_else() -> None:
    x, w = leaf(1, 2), leaf(3, 4)
    h = x * w
    (h * h).sum().backward(inputs=[h, w])
    assert h.grad.tolist() == [6, 16]
    assert w.grad is not None
    assert w.grad.tolist() == [6, 32]
    assert x.grad is None


def test_no_history_within_no_grad_and_again_within_enable_grad() -> None:
    x = leaf(1)
    with engine.no_grad():
        assert (x * 2).grad_fn is None
        with engine.enable_grad():
            assert (x * 2).grad_fn is not None
        assert not engine.is_grad_enabled()

    @engine.no_grad()
    def decorated() -> Tensor:
        return x * 2

    assert not decorated().requires_grad
    with engine.set_grad_enabled(False):
        assert not (x * 2).requires_grad
    assert engine.is_grad_enabled()


def test_third_derivatives() -> None:
    x = leaf(0.5, 2)
    y = (x**4).sum()
    for factor, power in ((4, 3), (12, 2), (24, 1)):
        (y,) = engine.autograd.grad(y.sum(), x, create_graph=True)
        np.testing.assert_allclose(y.tolist(), factor * np.array([0.5, 2]) ** power, rtol=1e-14)


def test_a_gradient_penalty() -> None:
    """d/dx of |d(x^3)/dx|^2 = 36 x^3."""
    x = leaf(1, 2)
    (g,) = engine.autograd.grad((x**3).sum(), x, create_graph=True)
    (g**2).sum().backward()
    assert x.grad is not None
    np.testing.assert_allclose(x.grad.tolist(), [36, 288], rtol=1e-14)


def test_a_retained_gradient() -> None:
    x = leaf(2)
    h = x * 3
    h.retain_grad()
    (h * h).sum().backward()
    assert h.grad.tolist() == [12]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert (x * 2).grad is None


def test_views_share_memory_and_detach_does_too() -> None:
    x = leaf(1, 2, 3)
    y = x * 2
    d = y.detach()
    assert np.shares_memory(d.numpy(), y.detach().numpy())
    assert not d.requires_grad
    assert y[1:]._version == y._version
    d.add_(1)
    assert y._version == 1


def test_a_hundred_thousand_ops_in_a_row() -> None:
    x = leaf(1)
    y = x
    for _ in range(100_000):
        y = y + 1
    y.sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [1]
    del y
    gc.collect()


def test_numpy_cannot_take_a_tracked_tensor() -> None:
    x = leaf(1, 2)
    for take in (np.asarray, np.sin, np.sum, lambda t: t.numpy()):
        with pytest.raises(
            RuntimeError, match=r"Can't call numpy\(\) on Tensor that requires grad"
        ):
            take(x)
    plain = x.detach()
    assert np.asarray(plain).tolist() == [1, 2]
    assert isinstance(np.sin(plain), Tensor)
    assert (np.array([1.0, 2.0]) * plain).tolist() == [1, 4]
    assert (np.float64(2) * x).tolist() == [2, 4]
    assert (np.float32(2) * x).grad_fn.name() == "MulBackward0"


def test_floats_warn_of_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x = engine.tensor([0.0, -1.0])
        assert (1 / x).tolist()[0] == float("inf")
        assert x.log().isnan().tolist() == [False, True]
