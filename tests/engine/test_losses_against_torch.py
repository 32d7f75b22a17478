"""Losses under PyTorch and under the engine: values, graphs, gradients, warnings, errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine
from engine.nn import functional
from tests.engine.against import assert_same, leaves

REDUCTIONS = ["mean", "sum", "none"]
SHAPES = {"x": (3, 4), "t": (3, 4), "w": (3, 4)}
COMPARING = [
    "F.l1_loss(x, t, {r})", "F.l1_loss(x, t, {r}, weight=w)", "F.mse_loss(x, t, {r})",
    "F.mse_loss(x, t, {r}, weight=w)", "F.smooth_l1_loss(x, t, {r})", "F.huber_loss(x, t, {r})",
    "F.smooth_l1_loss(x, t, {r}, beta=0.5)", "F.smooth_l1_loss(x, t, {r}, beta=0.0)",
    "F.huber_loss(x, t, {r}, delta=0.5)", "F.huber_loss(x, t, {r}, weight=w)",
    "F.kl_div(x, t.abs(), {r})", "F.kl_div(x, t, {r}, log_target=True)",
    "F.poisson_nll_loss(x, t, {r})", "F.poisson_nll_loss(x.abs(), t, {r}, log_input=False)",
    "F.poisson_nll_loss(x, t.abs() + 1, {r}, full=True)",
    "F.gaussian_nll_loss(x, t, w.abs(), {r})", "F.gaussian_nll_loss(x, t, 0.5, {r})",
    "F.gaussian_nll_loss(x, t, w.abs()[:, :1], {r})", "F.soft_margin_loss(x, t.detach(), {r})",
    "F.gaussian_nll_loss(x, t, w.abs()[:, 0], {r}, full=True, eps=1.0)",
    "F.binary_cross_entropy(x.sigmoid(), t.sigmoid(), {r})",
    "F.binary_cross_entropy(x.sigmoid(), t.sigmoid(), w.detach(), {r})",
    "F.binary_cross_entropy(x.sigmoid(), t.sigmoid(), w.detach()[:, :1], {r})",
    "F.binary_cross_entropy_with_logits(x, t, {r})",
    "F.binary_cross_entropy_with_logits(x, t, w.detach(), {r})",
    "F.binary_cross_entropy_with_logits(x, t, {r}, pos_weight=w.detach()[0])",
    "F.binary_cross_entropy_with_logits(x, t, w.detach(), {r}, pos_weight=w.detach()[0])",
    "F.multilabel_soft_margin_loss(x, t, {r})", "F.multilabel_soft_margin_loss(x, t, w, {r})",
    "F.margin_ranking_loss(x, t, w.detach().sign(), {r}, margin=0.4)",
    "F.hinge_embedding_loss(x, t.detach().sign(), {r})",
    "F.hinge_embedding_loss(x, t.detach().sign(), {r}, margin=0.2)",
    "F.cosine_embedding_loss(x, t, torch.tensor([1, -1, 1]), {r}, margin=-0.9)",
    "F.triplet_margin_loss(x, t, w, {r})", "F.triplet_margin_loss(x, t, w, {r}, p=1, swap=True)",
    "F.triplet_margin_loss(x, t, w, {r}, margin=3.0, p=3, eps=1e-3)",
    "F.triplet_margin_with_distance_loss(x, t, w, {r}, swap=True)",
    "F.triplet_margin_with_distance_loss(x, t, w, {r}, distance_function=lambda a, b: (a - b).abs()"
    ".sum(-1))",
]  # fmt: skip


def _reduced(program: str, reduction: str) -> str:
    return f"y = {program}".replace("{r}", f"reduction={reduction!r}")


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("program", COMPARING)
def test_of_each_element(program: str, reduction: str) -> None:
    assert_same(_reduced(program, reduction), leaves(SHAPES), tolerance=1e-11)


@pytest.mark.parametrize("program", COMPARING)
def test_in_single_precision(program: str) -> None:
    assert_same(_reduced(program, "mean"), leaves(SHAPES, "float32"), tolerance=4e-6)


LABELS = "torch.tensor([2, 0, 3])"
CLASSES = [
    f"F.cross_entropy(x, {LABELS}, {{r}})", f"F.cross_entropy(x, {LABELS}, kw, {{r}})",
    f"F.cross_entropy(x, {LABELS}, {{r}}, ignore_index=0)",
    f"F.cross_entropy(x, {LABELS}, kw, {{r}}, ignore_index=2, label_smoothing=0.3)",
    f"F.cross_entropy(x, {LABELS}, {{r}}, label_smoothing=0.1)",
    "F.cross_entropy(x, t.softmax(1), {r})", "F.cross_entropy(x, t.softmax(1), kw, {r})",
    "F.cross_entropy(x, t.softmax(1), kw, {r}, label_smoothing=0.2)",
    "F.cross_entropy(x[0], torch.tensor(1), {r})",
    "F.cross_entropy(x[0], t[0].softmax(0), kw, {r})",
    "F.cross_entropy(x[0], torch.tensor(1), kw, {r}, label_smoothing=0.2)",
    "F.cross_entropy(x.reshape(1, 4, 3), torch.tensor([[3, 0, 1]]), kw, {r})",
    "F.cross_entropy(x.reshape(1, 4, 3), torch.tensor([[3, 0, 1]]), kw, {r}, label_smoothing=0.2)",
    "F.cross_entropy(x.reshape(1, 4, 3), t.reshape(1, 4, 3).softmax(1), kw, {r})",
    "F.cross_entropy(x.reshape(1, 4, 1, 3), torch.tensor([[[3, 0, 1]]]), {r})",
    f"F.nll_loss(x.log_softmax(1), {LABELS}, kw, {{r}}, ignore_index=3)",
    f"F.multi_margin_loss(x, {LABELS}, {{r}})", f"F.multi_margin_loss(x, {LABELS}, 2, {{r}})",
    f"F.multi_margin_loss(x, {LABELS}, 2, 0.5, kw, {{r}})",
    "F.multi_margin_loss(x[0], torch.tensor(1), {r})",
    "F.multi_margin_loss(x[0], torch.tensor([1]), {r})",
    "F.multilabel_margin_loss(x, torch.tensor([[1, 3, -1, 0], [2, -1, 0, 1], [-1, 0, 1, 2]]), {r})",
    "F.multilabel_margin_loss(x[0], torch.tensor([1, 3, -1, 0]), {r})",
    "F.cosine_embedding_loss(x[0], t[0], torch.tensor(1), {r})",
]  # fmt: skip


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("program", CLASSES)
def test_of_classes(program: str, reduction: str) -> None:
    arrays = leaves({"x": (3, 4), "t": (3, 4)}) | {"kw": np.array([0.5, 2.0, 1.5, 0.25])}
    assert_same(_reduced(program, reduction), arrays, tolerance=1e-11)


@pytest.mark.parametrize(
    "program",
    [
        "F.l1_loss(x, x.detach())", "F.smooth_l1_loss(x, x.detach() + 1)",
        "F.huber_loss(x, x.detach() - 1)", "F.huber_loss(x, x.detach())",
        "F.binary_cross_entropy(z, torch.tensor([1.0, 0, 1, 0]))",
        "F.binary_cross_entropy(z, torch.tensor([1.0, 0, 1, 0]).double())",
        "F.binary_cross_entropy_with_logits(x * 100, torch.tensor([1.0, 0, 1]).double())",
        "F.soft_margin_loss(x * 1000, torch.ones(3, dtype=x.dtype))",
        "F.kl_div(x, torch.zeros(3, dtype=x.dtype), reduction='sum')",
        "F.multi_margin_loss(torch.stack([x, x.detach()]) * 0, torch.tensor([1, 0]))",
        "F.margin_ranking_loss(x, x.detach(), torch.ones(3))",
        "F.cosine_embedding_loss(x * 0, x, torch.tensor(1))",
        "F.triplet_margin_loss(x, x.detach(), x.detach(), eps=0.0)",
        "F.hinge_embedding_loss(x, torch.tensor([1, -1, 0]))",
        "F.cross_entropy(x, torch.tensor(1), ignore_index=1)",
        "F.cross_entropy(x[None], torch.tensor([1]), ignore_index=1, label_smoothing=0.5)",
    ],
)  # fmt: skip
def test_kinks_and_ends(program: str) -> None:
    arrays = {"x": np.array([0.5, -1.5, 2.0]), "z": np.array([0.0, 1.0, 1.0, 0.3])}
    assert_same(f"y = {program}", arrays, tolerance=1e-11)


@pytest.mark.parametrize(
    "program",
    [
        "F.l1_loss(x, t[0])", "F.smooth_l1_loss(x, t[0])", "F.huber_loss(x, t[:, :1])",
        "F.mse_loss(x, t[0], weight=t)", "F.mse_loss(x, t, weight=t[0])", "F.l1_loss(x, t[:2])",
        "F.l1_loss(x, t, weight=t[0])", "F.huber_loss(x, t, weight=t[0])",
        "F.huber_loss(x, t, delta=0)", "F.smooth_l1_loss(x, t, beta=-1)",
        "F.mse_loss(x, t, reduction='median')", "F.kl_div(x, t, reduction='batchmean')",
        "F.kl_div(x, t)", "F.mse_loss(x, t, size_average=False)", "F.l1_loss(x, t, reduce=False)",
        "F.cross_entropy(x, torch.tensor([1, 2, 3]), size_average=True)",
        "F.binary_cross_entropy(x, t)", "F.binary_cross_entropy(x.sigmoid(), t[0])",
        "F.binary_cross_entropy(x.sigmoid(), t.sigmoid(), weight=t)",
        "F.binary_cross_entropy_with_logits(x, t[0])", "F.soft_margin_loss(x, t)",
        "F.binary_cross_entropy_with_logits(x, t, pos_weight=t)",
        "F.binary_cross_entropy_with_logits(x, t, weight=torch.ones(2))",
        "F.gaussian_nll_loss(x, t, t)", "F.gaussian_nll_loss(x, t, -1.0)",
        "F.gaussian_nll_loss(x, t, torch.ones(2))", "F.gaussian_nll_loss(x, t, 1.0, reduction='a')",
        "F.margin_ranking_loss(x, t, t[0])", "F.cosine_embedding_loss(x, t, torch.tensor(1))",
        "F.cosine_embedding_loss(x, t, torch.ones(3, 1))", "F.triplet_margin_loss(x, t, t[0])",
        "F.triplet_margin_loss(x, t, t, margin=0)", "F.poisson_nll_loss(x, t, reduction='a')",
        "F.triplet_margin_with_distance_loss(x, t, t, margin=-1)",
        "F.triplet_margin_with_distance_loss(x, t, t, reduction='a')",
        "F.multi_margin_loss(x, torch.tensor([1, 2, 5]))", "F.multi_margin_loss(x, t, 3)",
        "F.multi_margin_loss(x, torch.tensor([1, 2, 3]), weight=torch.ones(2, 2))",
        "F.multilabel_margin_loss(x, torch.tensor([1, 2]))",
        "F.multilabel_soft_margin_loss(x, t, reduction='a')",
        "F.cross_entropy(x, torch.tensor([1, 2, 4]))", "F.cross_entropy(x, torch.tensor([1, 2]))",
        "F.cross_entropy(x, t.long())", "F.cross_entropy(x, t, ignore_index=1)",
        "F.cross_entropy(x, t, label_smoothing=1.5)", "F.cross_entropy(x, t, torch.ones(3))",
        "F.kl_div(x, t.long(), reduction='sum')", "F.mse_loss(x.long(), t.long())",
    ],
)  # fmt: skip
def test_warnings_and_refusals(program: str) -> None:
    assert_same(f"y = {program}", leaves({"x": (3, 4), "t": (3, 4)}), tolerance=1e-11)


ZEROS = {"x": np.zeros((2, 3)), "v": np.zeros((2, 3, 4, 5)), "k": np.zeros(2, np.int64)}


@pytest.mark.parametrize(
    "program",
    [
        "F.nll_loss(v, k)", "F.nll_loss(v, torch.zeros(2, 4, 4).long())",
        "F.nll_loss(v[..., 0], k)", "F.nll_loss(x, torch.zeros(2, 1).long())",
        "F.nll_loss(x[0], k)", "F.nll_loss(x[0, 0], k[0])",
        "F.nll_loss(x, k[0])", "F.nll_loss(x, k, torch.ones(2).double())",
        "F.nll_loss(x, k, torch.ones(3))", "F.nll_loss(v, torch.zeros(2, 4, 5).long(), x[0, :2])",
        "F.cross_entropy(x, k.int())", "F.cross_entropy(x, k.byte())",
        "F.cross_entropy(x[:0], k[:0])",
        "F.multi_margin_loss(x, torch.zeros(3).long())", "F.multi_margin_loss(v[..., 0], k)",
        "F.multi_margin_loss(x[:, :0], k)", "F.multi_margin_loss(x, k, weight=torch.ones(2))",
        "F.multi_margin_loss(x, k.int())", "F.multilabel_margin_loss(v, v.long())",
        "F.multilabel_margin_loss(x, x.long() + 3)", "F.multilabel_margin_loss(x, x.int())",
        "F.multilabel_margin_loss(x.float(), x.long())", "F.soft_margin_loss(x, torch.ones(2))",
        "F.mse_loss(x[:0], x[:0])", "F.huber_loss(x, x[:, :2])",
    ],
)  # fmt: skip
def test_shapes_and_dtypes(program: str) -> None:
    assert_same(f"y = {program}", ZEROS)


@pytest.mark.parametrize(
    "program",
    [
        "F.linear_cross_entropy(x, v, torch.tensor([1, 0, 4]))",
        "F.linear_cross_entropy(x, v, torch.tensor([1, 0, 4]), linear_bias=b, ignore_index=0)",
        "F.linear_cross_entropy(x[0], v, torch.tensor(3), reduction='none', label_smoothing=0.1)",
        "F.linear_cross_entropy(x, v.reshape(1, 5, 4), torch.zeros(3, 5).long())",
        "F.linear_cross_entropy(x, v, v[:3, [0, 1, 2, 3, 0]].softmax(1), weight=b.detach())",
        "F.linear_cross_entropy(x, v[:, :2], torch.tensor([1, 0, 4]))",
        "F.linear_cross_entropy(x, v, torch.tensor([1, 0, 4]), linear_bias=b[:2])",
        "F.linear_cross_entropy(x, b, torch.tensor([1, 0, 4]))",
        "F.linear_cross_entropy(x[0], v.reshape(1, 5, 4), torch.tensor([0]))",
        "F.linear_cross_entropy(x, v, v[:3, [0, 1, 2, 3, 0]], ignore_index=1)",
    ],
)
def test_linear_cross_entropy(program: str) -> None:
    assert_same(f"y = {program}", leaves({"x": (3, 4), "v": (5, 4), "b": (5,)}), tolerance=1e-11)


def test_chunks_are_declined() -> None:
    x: Any = engine.ones(2, 3)
    with pytest.raises(NotImplementedError, match="not available"):
        functional.linear_cross_entropy(x, x, engine.tensor([0, 1]), options=object())


PAIRS = "torch.tensor([[1, 2], [3, 3]])"
ALIGNED = [
    f"F.ctc_loss(p, {PAIRS}, torch.tensor([5, 4]), torch.tensor([2, 2]), {{r}})",
    f"F.ctc_loss(p, {PAIRS}, (5, 3), (2, 1), {{r}})",
    f"F.ctc_loss(p, {PAIRS}, (5, 4), (2, 0), {{r}})",
    f"F.ctc_loss(p, {PAIRS}, (1, 4), (2, 2), {{r}}, zero_infinity=True)",
    f"F.ctc_loss(p, {PAIRS}, (1, 4), (2, 2), {{r}})",
    "F.ctc_loss(p, torch.tensor([1, 2, 3]), [5, 4], [2, 1], {r})",
    "F.ctc_loss(p, torch.tensor([0, 2, 1]), [5, 4], [2, 1], {r}, blank=3)",
    "F.ctc_loss(p[:, 0], torch.tensor([1, 2]), torch.tensor(5), torch.tensor(2), {r})",
]  # fmt: skip


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("program", ALIGNED)
def test_of_sequences(program: str, reduction: str) -> None:
    lines = f"p = x.log_softmax(-1)\n{_reduced(program, reduction)}"
    assert_same(lines, leaves({"x": (5, 2, 4)}), tolerance=1e-11)


@pytest.mark.parametrize(
    "arguments",
    [
        "(6, 4), (2, 1)", "(5, 4), (2, 3)", "(5,), (2, 1)", "(5, 4), (2,)",
        "(5, 4), (2, 1), blank=7", "(5, 4), (2, 1), reduction='a'",
    ],
)  # fmt: skip
def test_sequences_that_do_not_fit(arguments: str) -> None:
    assert_same(f"y = F.ctc_loss(x, {PAIRS}, {arguments})", leaves({"x": (5, 2, 4)}))


def test_a_loss_of_sequences_is_differentiated_once() -> None:
    program = f"""
loss = F.ctc_loss(x.log_softmax(-1), {PAIRS}, (5, 4), (2, 2))
(g,) = torch.autograd.grad(loss, x, create_graph=True)
g.sum().backward()
"""
    assert_same(program, leaves({"x": (5, 2, 4)}))


def test_the_module_of_sequences() -> None:
    program = f"""
loss = nn.CTCLoss(zero_infinity=True)
y = loss(x.log_softmax(-1), {PAIRS}, torch.tensor([5, 1]), torch.tensor([2, 2]))
"""
    assert_same(program, leaves({"x": (5, 2, 4)}), tolerance=1e-11)
