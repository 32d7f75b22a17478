"""Normalization, dropout and embedding against PyTorch."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.against import ENGINE, TORCH, assert_same, leaves, run

ARRAYS = leaves({"x": (3, 4, 5), "w": (4,), "b": (4,), "v": (5,), "c": (5,)})
RUNNING = {"kmean": np.array([0.1, 0.2, 0.3, 0.4]), "kvar": np.array([1.0, 0.5, 2.0, 1.5])}


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(
    "call",
    [
        "F.layer_norm(x, (5,))",
        "F.layer_norm(x, (5,), v, c)",
        "F.layer_norm(x, (4, 5), None, None, 0.1)",
        "F.layer_norm(x, (5,), None, c)",
        "F.group_norm(x, 2)",
        "F.group_norm(x, 4, w, b, 0.01)",
        "F.batch_norm(x, None, None, training=True)",
        "F.batch_norm(x, None, None, w, b, True, 0.1, 0.01)",
        "F.batch_norm(x[..., 0], None, None, w, training=True)",
        "F.instance_norm(x)",
        "F.instance_norm(x, weight=w, bias=b)",
        "F.rms_norm(x, (5,))",
        "F.rms_norm(x, (4, 5), eps=0.1)",
        "F.rms_norm(x, (5,), v)",
        "torch.layer_norm(x, (5,), v, c)",
        "torch.native_layer_norm(x, (5,), v, c, 1e-5)[0]",
        "torch.native_group_norm(x, w, b, 3, 4, 5, 2, 1e-5)[0]",
    ],
)
def test_normalization(call: str, dtype: str) -> None:
    arrays = leaves({"x": (3, 4, 5), "w": (4,), "b": (4,), "v": (5,), "c": (5,)}, dtype)
    assert_same(f"y = {call}", arrays, tolerance=1e-5 if dtype == "float32" else 1e-11)


@pytest.mark.parametrize("call", ["layer_norm(x, (50,))", "group_norm(x, 3)", "rms_norm(x, (50,))"])
def test_float16_is_averaged_in_float32(call: str) -> None:
    arrays = leaves({"x": (4, 6, 50)}, "float16")
    assert_same(f"y = F.{call}", arrays, shallow=True, tolerance=4e-3)


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("name", ["batch_norm", "instance_norm"])
def test_running_statistics(name: str, training: bool) -> None:
    assert_same(
        f"y = F.{name}(x, kmean, kvar, w, b, {training}, 0.3)\n"
        "y = y + kmean[:, None] * kvar[:, None]",
        {**ARRAYS, **RUNNING},
        tolerance=1e-11,
        shallow=True,
    )


def test_local_response_norm() -> None:
    for size in (2, 3):
        assert_same(f"y = F.local_response_norm(x, {size}, 0.5)", ARRAYS)


def test_statistics_of_a_normalization() -> None:
    program = (
        "a = torch.native_layer_norm(x, (5,), v, c, 1e-5)\n"
        "d = torch.native_batch_norm(x, w, b, None, None, True, 0.1, 1e-5)\n"
        "e = torch.native_group_norm(x, w, b, 3, 4, 5, 2, 1e-5)\n"
        "y = torch.cat([t.detach().reshape(-1) for t in (*a, *d, *e)])\n"
        "flags = [t.requires_grad for t in (*a, *d, *e)]\n"
    )
    assert_same(program, ARRAYS)
    mine, theirs = (run(side, program, ARRAYS).names["flags"] for side in (ENGINE, TORCH))
    assert mine == theirs


@pytest.mark.parametrize(
    "call",
    [
        "F.layer_norm(x, (4,))",
        "F.layer_norm(x, ())",
        "F.layer_norm(x, 5)",
        "F.layer_norm(x, (5,), w)",
        "F.layer_norm(x, (5,), v.float())",
        "F.layer_norm(x.long(), (5,))",
        "F.group_norm(x, 3)",
        "F.group_norm(x[0, 0], 2)",
        "F.group_norm(x, 2, v)",
        "F.group_norm(x[:1, :, :1], 4)",
        "F.batch_norm(x[:1, :, :1], None, None, training=True)",
        "F.batch_norm(x, None, None)",
        "F.batch_norm(x, v, v)",
        "F.batch_norm(x, None, None, v, training=True)",
        "F.instance_norm(x[..., :1])",
        "F.instance_norm(x, use_input_stats=False)",
        "F.rms_norm(x, (4,))",
        "F.rms_norm(x, (5,), w)",
        "F.rms_norm(x.long(), (5,))",
        "F.local_response_norm(x[0], 2)",
    ],
)
def test_what_does_not_fit(call: str) -> None:
    assert_same(f"y = {call}", ARRAYS)


def test_a_penalty_on_a_normalizations_gradient() -> None:
    program = (
        "out = F.layer_norm(x, (5,), v, c).exp().sum()\n"
        "out = out + F.batch_norm(x, None, None, w, b, True).pow(3).sum()\n"
        "gx, gv = torch.autograd.grad(out, [x, v], create_graph=True)\n"
        "y = (gx ** 2).sum() + (gv ** 2).sum()\n"
    )
    assert_same(program, ARRAYS, shallow=True, tolerance=1e-9)


@pytest.mark.parametrize(
    "call",
    [
        "F.dropout(x, 0.0)",
        "F.dropout(x, 1.0)",
        "F.dropout(x, 0.3, training=False)",
        "F.dropout(x, 1.5)",
        "F.dropout1d(x, 1.0)",
        "F.dropout2d(x[None], 1.0)",
        "F.dropout3d(x[None, None], 1.0)",
        "F.dropout1d(x[None], 1.0)",
        "F.alpha_dropout(x, 1.0, True)",
        "F.feature_alpha_dropout(x, 0.0, True)",
    ],
)
def test_dropout_where_nothing_is_drawn(call: str) -> None:
    assert_same(f"y = {call} * 1", ARRAYS)


@pytest.mark.parametrize("name", ["dropout", "dropout1d", "alpha_dropout", "feature_alpha_dropout"])
def test_dropout_keeps_the_mean(name: str) -> None:
    program = (
        "torch.manual_seed(1)\nx = torch.ones(200, 50, 4, dtype=torch.float64).requires_grad_()\n"
        f"y = F.{name}(x, 0.3, True)\ny.sum().backward()\n"
        "zeros = (x.grad == 0).double().mean().item()\n"
        "slope = x.grad.max().item()\n"
    )
    names = run(ENGINE, program, {}).names
    assert abs(names["zeros"] - 0.3) < 0.02
    if name.startswith("dropout"):
        assert abs(names["y"].detach().numpy().mean() - 1) < 0.03
        assert abs(names["slope"] - 1 / 0.7) < 1e-12


TABLE = {"t": leaves({"t": (5, 3)})["t"], "kplaces": np.array([[1, 0, 4], [1, 1, 2]])}
BAG = {**TABLE, "kline": np.array([1, 0, 4, 1, 1]), "kstarts": np.array([0, 2, 2])}
BAG["kends"] = np.array([0, 2, 5])
BAG["e"] = np.array([0.5, -1.0, 2.0, 0.25, 1.5])


@pytest.mark.parametrize(
    "call",
    [
        "F.embedding(kplaces, t)",
        "F.embedding(kplaces, t, padding_idx=1)",
        "F.embedding(kplaces, t, padding_idx=-1, scale_grad_by_freq=True)",
        "F.embedding(kplaces[0, 0], t)",
        "F.embedding(kplaces.int(), t)",
        "F.embedding(kplaces + 3, t)",
        "F.embedding(kplaces.double(), t)",
        "F.embedding(kplaces, t[0])",
        "F.embedding(kplaces, t, padding_idx=9)",
    ],
)
def test_embedding(call: str) -> None:
    assert_same(f"y = {call}", TABLE)


@pytest.mark.parametrize(
    "call",
    [
        "F.embedding_bag(kline, t, kstarts)",
        "F.embedding_bag(kline, t, kstarts, mode='sum', padding_idx=1)",
        "F.embedding_bag(kline, t, kstarts, mode='max')",
        "F.embedding_bag(kline, t, kstarts, mode='max', padding_idx=1)",
        "F.embedding_bag(kline, t, kstarts, mode='sum', per_sample_weights=e)",
        "F.embedding_bag(kline, t, kends, include_last_offset=True)",
        "F.embedding_bag(kplaces, t, scale_grad_by_freq=True)",
        "F.embedding_bag(kplaces, t, kstarts)",
        "F.embedding_bag(kline, t)",
        "F.embedding_bag(t, kline, kstarts)",
        "F.embedding_bag(kline + 9, t, kstarts)",
        "F.embedding_bag(kline, t, kstarts, mode='mean', per_sample_weights=e)",
        "F.embedding_bag(kline, t, kstarts, mode='nothing')",
    ],
)
def test_bags(call: str) -> None:
    assert_same(f"y = {call}", BAG)


def test_rows_that_are_too_long_are_shortened_in_place() -> None:
    program = "with torch.no_grad():\n    F.embedding(kplaces, t, max_norm=1.0)\ny = t * 1"
    assert_same(program, TABLE, tolerance=1e-6)
