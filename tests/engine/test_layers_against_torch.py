"""Every layer against PyTorch's: its text, its first numbers, what it computes and sends back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine
from tests.engine.against import ENGINE, TORCH, Outcome, assert_same, leaves, run

# Each with inputs: `x` is (4, 3, 6, 5), `s` (4, 3, 6), `v` (4, 3), `t` targets of `v`'s shape.
LAYERS = {
    "nn.Identity(3)": "m(x)",
    "nn.Flatten()": "m(x)",
    "nn.Flatten(0, 1)": "m(x)",
    "nn.Unflatten(1, (3, 1))": "m(x)",
    "nn.Linear(5, 2)": "m(x)",
    "nn.Bilinear(3, 3, 2)": "m(v, v)",
    "nn.Conv1d(3, 4, 3, stride=2)": "m(s)",
    "nn.Conv2d(3, 6, (3, 2), padding=1, groups=3, bias=False)": "m(x)",
    "nn.Conv2d(3, 2, 3, padding='same', padding_mode='reflect')": "m(x)",
    "nn.Conv2d(3, 2, 3, padding=(2, 1), dilation=2, padding_mode='circular')": "m(x)",
    "nn.Conv3d(1, 2, 2)": "m(x[:, None])",
    "nn.ConvTranspose1d(3, 2, 3)": "m(s)",
    "nn.ConvTranspose2d(3, 2, 3, stride=2, padding=1, output_padding=1)": "m(x)",
    "nn.ConvTranspose2d(3, 2, 2, stride=2)": "m(x, output_size=(13, 11))",
    "nn.MaxPool1d(2)": "m(s)",
    "nn.MaxPool2d((2, 3), stride=1, padding=1, ceil_mode=True)": "m(x)",
    "nn.MaxPool3d(2)": "m(x)",
    "nn.AvgPool1d(2)": "m(s)",
    "nn.AvgPool2d(3, 2, 1, count_include_pad=False)": "m(x)",
    "nn.AvgPool3d(2)": "m(x)",
    "nn.AdaptiveAvgPool1d(4)": "m(s)",
    "nn.AdaptiveAvgPool2d((2, None))": "m(x)",
    "nn.AdaptiveAvgPool3d(2)": "m(x)",
    "nn.AdaptiveMaxPool1d(4)": "m(s)",
    "nn.AdaptiveMaxPool2d(2)": "m(x)",
    "nn.AdaptiveMaxPool3d(2)": "m(x)",
    "nn.MaxUnpool2d(2)": "m(*F.max_pool2d(x[..., :4], 2, return_indices=True))",
    "nn.LPPool1d(2, 3, 1)": "m(s)",
    "nn.LPPool2d(2, 2)": "m(x)",
    "nn.ZeroPad2d(1)": "m(x)",
    "nn.ConstantPad1d((1, 2), 2.0)": "m(s)",
    "nn.ReflectionPad2d((1, 2, 1, 2))": "m(x)",
    "nn.ReplicationPad1d(1)": "m(s)",
    "nn.CircularPad2d(1)": "m(x)",
    "nn.BatchNorm1d(3)": "m(s)",
    "nn.BatchNorm1d(3, momentum=None)": "m(v)",
    "nn.BatchNorm2d(3, affine=False, track_running_stats=False)": "m(x)",
    "nn.BatchNorm3d(4)": "m(x[None])",
    "nn.InstanceNorm1d(3)": "m(s)",
    "nn.InstanceNorm2d(3, affine=True, track_running_stats=True)": "m(x)",
    "nn.LayerNorm(5)": "m(x)",
    "nn.LayerNorm((6, 5), elementwise_affine=False)": "m(x)",
    "nn.LayerNorm(5, bias=False)": "m(x)",
    "nn.GroupNorm(1, 3)": "m(x)",
    "nn.RMSNorm(5)": "m(x)",
    "nn.LocalResponseNorm(2)": "m(x)",
    "nn.Embedding(9, 4, padding_idx=1, max_norm=2.0)": "m(k)",
    "nn.EmbeddingBag(9, 4, mode='sum', padding_idx=0)": "m(k)",
    "nn.Dropout(0.4)": "m(x)",
    "nn.Dropout1d(0.4)": "m(s)",
    "nn.Dropout2d(0.4)": "m(x)",
    "nn.Dropout3d(0.4)": "m(x[None])",
    "nn.AlphaDropout(0.4)": "m(x)",
    "nn.FeatureAlphaDropout(0.4)": "m(x)",
    "nn.Upsample(scale_factor=2)": "m(x)",
    "nn.Upsample(size=(7, 3), mode='bilinear', align_corners=True)": "m(x)",
    "nn.UpsamplingNearest2d(scale_factor=2)": "m(x)",
    "nn.UpsamplingBilinear2d(7)": "m(x)",
    "nn.PixelShuffle(1)": "m(x)",
    "nn.PixelUnshuffle(1)": "m(x)",
    "nn.ChannelShuffle(3)": "m(x)",
    "nn.Unfold(2)": "m(x)",
    "nn.Fold((2, 3), 1)": "m(s)",
    "nn.CosineSimilarity()": "m(v, t)",
    "nn.PairwiseDistance()": "m(v, t)",
    "nn.ReLU()": "m(x)",
    "nn.ReLU(True)": "m(x * 1)",
    "nn.Sigmoid()": "m(x)",
    "nn.Tanh()": "m(x)",
    "nn.Softmax(1)": "m(x)",
    "nn.Softmax2d()": "m(x)",
    "nn.Softmin(1)": "m(x)",
    "nn.LogSoftmax(1)": "m(x)",
    "nn.GELU()": "m(x)",
    "nn.GELU('tanh')": "m(x)",
    "nn.LeakyReLU(0.2, True)": "m(x * 1)",
    "nn.ELU(2.0)": "m(x)",
    "nn.SELU()": "m(x)",
    "nn.CELU()": "m(x)",
    "nn.ReLU6()": "m(x)",
    "nn.Hardtanh(-2, 2)": "m(x)",
    "nn.Threshold(1, 2)": "m(x)",
    "nn.PReLU()": "m(x)",
    "nn.PReLU(3)": "m(x)",
    "nn.RReLU(0.2, 0.2)": "m(x)",
    "nn.SiLU()": "m(x)",
    "nn.Mish()": "m(x)",
    "nn.Hardswish()": "m(x)",
    "nn.Hardsigmoid()": "m(x)",
    "nn.Hardshrink()": "m(x)",
    "nn.Softshrink()": "m(x)",
    "nn.Softplus(2, 10)": "m(x)",
    "nn.LogSigmoid()": "m(x)",
    "nn.Softsign()": "m(x)",
    "nn.Tanhshrink()": "m(x)",
    "nn.GLU(2)": "m(x)",
    "nn.MSELoss()": "m(v, t)",
    "nn.L1Loss(reduction='sum')": "m(v, t)",
    "nn.SmoothL1Loss(beta=0.5)": "m(v, t)",
    "nn.HuberLoss(delta=0.5)": "m(v, t)",
    "nn.NLLLoss()": "m(v, k[:, 0] % 3)",
    "nn.CrossEntropyLoss(torch.tensor([1.0, 2.0, 3.0]), label_smoothing=0.1)": "m(v, k[:, 0] % 3)",
    "nn.BCELoss()": "m(torch.sigmoid(v), torch.sigmoid(t))",
    "nn.BCEWithLogitsLoss(pos_weight=torch.tensor([1.0, 2.0, 3.0]))": "m(v, torch.sigmoid(t))",
    "nn.KLDivLoss(reduction='batchmean', log_target=True)": "m(v, t)",
    "nn.PoissonNLLLoss()": "m(v, t.abs())",
    "nn.GaussianNLLLoss(full=True)": "m(v, t, t.abs())",
    "nn.SoftMarginLoss()": "m(v, t.sign())",
    "nn.MarginRankingLoss(0.1)": "m(v, t, t.sign())",
    "nn.HingeEmbeddingLoss()": "m(v, t.sign())",
    "nn.CosineEmbeddingLoss()": "m(v, t, t[:, 0].sign())",
    "nn.TripletMarginLoss()": "m(v, t, v * 2)",
    "nn.TripletMarginWithDistanceLoss(margin=2.0)": "m(v, t, v * 2)",
    "nn.MultiMarginLoss()": "m(v, k[:, 0] % 3)",
    "nn.MultiLabelMarginLoss()": "m(v, k[:, :3] % 3)",
    "nn.MultiLabelSoftMarginLoss()": "m(v, torch.sigmoid(t))",
    "nn.RNN(6, 3, 2, nonlinearity='relu')": "m(s)[0]",
    "nn.GRU(6, 3, 2, dropout=0.4, bidirectional=True, batch_first=True)": "m(s)[0]",
    "nn.LSTM(6, 3, 2, proj_size=2)": "torch.cat([m(s)[0], m(s)[1][0]])",
    "nn.LSTM(6, 3)": "m(s[0])[1][1]",
    "nn.RNNCell(3, 2)": "m(v)",
    "nn.GRUCell(3, 2)": "m(v)",
    "nn.LSTMCell(3, 2)": "m(v)[1]",
    "nn.MultiheadAttention(6, 2)": "m(s, s, s)[0]",
    "nn.MultiheadAttention(6, 2, dropout=0.4, bias=False, add_bias_kv=True)": "m(s, s, s)[1]",
    "nn.MultiheadAttention(6, 3, kdim=5, vdim=2)": "m(s, s[..., :5], s[..., :2])[0]",
    "nn.MultiheadAttention(6, 2, batch_first=True)": "m(s, s[:, :2], s[:, :2], None, False)[0]",
    "nn.TransformerEncoderLayer(6, 2, 8, batch_first=True)": "m(s)",
    "nn.TransformerDecoderLayer(6, 2, 8, norm_first=True, activation='gelu')": "m(s, s * 2)",
    "nn.Transformer(6, 2, 1, 1, 8)": "m(s, s[:2])",
}
OTHERWISE = ("Norm", "Drop", "RReLU")  # what they compute in training differs
DRAWS = ("dropout", "Dropout", "Transformer")
START = """
torch.manual_seed(5)
x = torch.randn(4, 3, 6, 5, dtype=torch.float64).requires_grad_()
s = torch.randn(4, 3, 6, dtype=torch.float64).requires_grad_()
v = torch.randn(4, 3, dtype=torch.float64).requires_grad_()
t = torch.randn(4, 3, dtype=torch.float64)
k = torch.randint(0, 9, (4, 5))
m = {layer}
text = repr(m)
state = {{n: p.double().detach() for n, p in m.state_dict().items()}}
m.double()
"""
CALL = """
torch.manual_seed(6)
y = {call}
y.backward(torch.linspace(0.5, 1.5, y.numel(), dtype=torch.float64).reshape(y.shape))
grads = [q.grad for q in (x, s, v, *m.parameters())]
after = {{n: p.double().detach() for n, p in m.state_dict().items()}}
"""


def _both(program: str) -> tuple[Outcome, Outcome]:
    mine, theirs = run(ENGINE, program, {}), run(TORCH, program, {})
    assert theirs.error is None, theirs.error
    assert mine.error is None, mine.error
    return mine, theirs


def _close(a: Any, b: Any) -> None:
    assert (a is None) == (b is None)
    if b is not None:
        ours, expected = a.detach().numpy(), b.detach().numpy()
        np.testing.assert_allclose(ours, expected, rtol=1e-7, atol=1e-10)


@pytest.mark.parametrize("layer", LAYERS)
def test_text_and_first_numbers(layer: str) -> None:
    mine, theirs = _both(START.format(layer=layer))
    assert mine.names["text"] == theirs.names["text"]
    a, b = mine.names["state"], theirs.names["state"]
    assert list(a) == list(b)
    for name in b:
        np.testing.assert_allclose(a[name].numpy(), b[name].numpy(), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize(
    ("layer", "mode"),
    [(layer, "train") for layer in LAYERS if "RReLU" not in layer]
    + [(layer, "eval") for layer in LAYERS if any(word in layer for word in OTHERWISE)],
)
def test_what_is_computed_and_sent_back(layer: str, mode: str) -> None:
    """In training without chance: PyTorch's masks differ from one processor to another."""
    program = START.format(layer=layer) + f"\nm.{mode}()\n" + CALL.format(call=LAYERS[layer])
    if any(word in layer for word in DRAWS):
        program = program.replace("m.train()", "m.eval()")
    mine, theirs = _both(program)
    _close(mine.names["y"], theirs.names["y"])
    for a, b in zip(mine.names["grads"], theirs.names["grads"], strict=True):
        _close(a, b)
    for name, value in theirs.names["after"].items():
        np.testing.assert_allclose(mine.names["after"][name].numpy(), value.numpy(), rtol=1e-6)


SITES = leaves({"x": (2, 3, 4, 5), "a": (2, 2, 3)})
SITES["g"] = np.random.default_rng(4).uniform(-1.4, 1.4, (2, 3, 4, 2))


@pytest.mark.parametrize("align", [True, False])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("mode", ["bilinear", "nearest", "bicubic"])
def test_sampling(mode: str, padding: str, align: bool) -> None:
    call = f"F.grid_sample(x, g, '{mode}', '{padding}', {align})"
    assert_same(f"y = {call}", SITES, tolerance=1e-10)


@pytest.mark.parametrize(
    "call",
    [
        "F.affine_grid(a, (2, 1, 3, 4), align_corners=True)",
        "F.affine_grid(a, (2, 1, 3, 1), align_corners=False)",
        "F.grid_sample(x, F.affine_grid(a * 0.4, (2, 3, 3, 3), False), align_corners=False)",
        "F.grid_sample(x, g)",
        "F.affine_grid(a, (2, 1, 3))",
        "F.affine_grid(a, (3, 3, 3, 3, 3))",
        "F.affine_grid(a.long(), (2, 1, 3, 3), align_corners=True)",
        "F.grid_sample(x, g[:1], align_corners=True)",
        "F.grid_sample(x, g[..., :1], align_corners=True)",
        "F.grid_sample(x, g, 'nothing')",
        "F.grid_sample(x, g.float(), align_corners=True)",
    ],
)
def test_grids(call: str) -> None:
    assert_same(f"y = {call}", SITES, tolerance=1e-10)


HEADS = leaves({"q": (2, 3, 5, 4), "v": (2, 3, 6, 4), "m": (5, 6), "w": (2, 3, 6, 4)})


@pytest.mark.parametrize(
    "call",
    [
        "F.scaled_dot_product_attention(q, v, w)",
        "F.scaled_dot_product_attention(q, v, w, is_causal=True)",
        "F.scaled_dot_product_attention(q, v, w, m.detach())",
        "F.scaled_dot_product_attention(q, v, w, m > 0.9, scale=0.3)",
        "F.scaled_dot_product_attention(q, v, w, m)",
        "F.scaled_dot_product_attention(q[0], v[0], w[0])",
        "F.scaled_dot_product_attention(q[0], v, w, is_causal=True)",
        "F.scaled_dot_product_attention(q, v[:, :1], w[:, :1], enable_gqa=True)",
        "F.scaled_dot_product_attention(q, v, w[:, :2])",
        "F.scaled_dot_product_attention(q, v[..., :2], w)",
        "F.scaled_dot_product_attention(q[0, 0, 0], v, w)",
        "F.scaled_dot_product_attention(q, v.float(), w)",
        "F.scaled_dot_product_attention(q, v, w, m.long())",
        "F.scaled_dot_product_attention(q, v, w, m[:3] > 0)",
    ],
)
def test_attention(call: str) -> None:
    assert_same(f"y = {call}", HEADS, shallow=True, tolerance=1e-11)


@pytest.mark.parametrize(
    ("call", "changed"),
    [
        ("F.max_pool2d(x, 2)", "x"),
        ("F.avg_pool2d(x, 2)", "x"),
        ("F.adaptive_avg_pool2d(x, 3)", "x"),
        ("F.conv2d(x, w)", "w"),
        ("F.conv2d(x, w, b)", "b"),
        ("F.pad(x, (1, 1, 1, 1), 'reflect')", "x"),
        ("F.pad(x, (1, 1))", "x"),
        ("F.interpolate(x, scale_factor=2)", "x"),
        ("F.layer_norm(x, (4,), b, b * 2)", "b"),
        ("F.layer_norm(x, (4,), None, b)", "b"),
        ("F.group_norm(x, 2, b, b)", "b"),
        ("F.batch_norm(x, None, None, None, b, True)", "b"),
        ("F.scaled_dot_product_attention(x, x, x)", "x"),
        ("F.unfold(x, 2)", "x"),
        ("F.pixel_shuffle(x, 2)", "x"),
        ("F.embedding(k, x[0, 0])", "k"),
        ("F.embedding(k, x[0, 0])", "x"),
    ],
)
def test_what_may_change_before_the_backward_pass(call: str, changed: str) -> None:
    """An error where PyTorch saved what was changed, the old gradient where it did not."""
    program = (
        "torch.manual_seed(1)\n"
        "x = torch.randn(2, 4, 4, 4, dtype=torch.float64).requires_grad_()\n"
        "w = torch.randn(4, 4, 2, 2, dtype=torch.float64).requires_grad_()\n"
        "b = torch.randn(4, dtype=torch.float64).requires_grad_()\n"
        "k = torch.tensor([0, 2])\n"
        f"y = {call}\nwith torch.no_grad():\n    {changed}.mul_(2)\ny.sum().backward()\n"
        "grads = [t.grad for t in (x, w, b)]\n"
    )
    mine, theirs = run(ENGINE, program, {}), run(TORCH, program, {})
    assert mine.error == theirs.error
    if theirs.error is None:
        for a, b in zip(mine.names["grads"], theirs.names["grads"], strict=True):
            _close(a, b)


@pytest.mark.parametrize(
    "call",
    [
        "F.dropout(x, 1.0, True, True)",
        "F.alpha_dropout(x, 0.5, True, True)",
        "F.batch_norm(x, b, b, training=False)",
    ],
)
def test_what_layers_do_not_differentiate(call: str) -> None:
    arrays = leaves({"x": (2, 4, 3), "b": (4,)})
    assert_same(f"y = {call}", arrays)


def test_dropout_within_attention_asks_for_a_seed() -> None:
    q = engine.ones(1, 2, 3, 4)
    engine.seed()
    with pytest.raises(NotImplementedError, match=r"call torch\.manual_seed"):
        ENGINE.functional.scaled_dot_product_attention(q, q, q, dropout_p=0.5)
    engine.manual_seed(0)
    first = ENGINE.functional.scaled_dot_product_attention(q, q, q, dropout_p=0.5)
    engine.manual_seed(0)
    again = ENGINE.functional.scaled_dot_product_attention(q, q, q, dropout_p=0.5)
    assert first.tolist() == again.tolist()
    counts = first.numpy() * 3 / 2  # of three equal weights, those that stay count twice
    np.testing.assert_allclose(counts, np.round(counts), atol=1e-5)
    assert {0.0, 3.0} != {*np.round(counts).ravel().tolist()}
