"""The same training, step by step, under PyTorch and under the engine."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.engine.against import ENGINE, TORCH, run

START = "torch.manual_seed(7)\ntorch.set_default_dtype(torch.float64)\n"
END = "\ntorch.set_default_dtype(torch.float32)\n"


def _same(program: str, *names: str, tolerance: float = 1e-9) -> list[Any]:
    """The named lists of numbers agree; the engine's are given back."""
    mine, theirs = (run(side, START + program + END, {}) for side in (ENGINE, TORCH))
    assert theirs.error is None, theirs.error
    assert mine.error is None, mine.error
    assert mine.warned == theirs.warned
    for name in names:
        np.testing.assert_allclose(mine.names[name], theirs.names[name], rtol=tolerance, atol=1e-12)
    return [mine.names[name] for name in names]


LOOP = """
losses = []
for _ in range({steps}):
    optimizer.zero_grad()
    loss = {loss}
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
state = [v.tolist() for v in net.state_dict().values()]
sums = [v.double().sum().item() for v in net.state_dict().values()]
"""


def test_a_perceptron_learns_with_adam() -> None:
    program = (
        "net = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))\n"
        "x = torch.randn(64, 3)\n"
        "t = torch.sin(x.sum(1, keepdim=True))\n"
        "optimizer = torch.optim.Adam(net.parameters(), lr=0.02)\n"
    ) + LOOP.format(steps=200, loss="F.mse_loss(net(x), t)")
    losses, _ = _same(program, "losses", "sums")
    assert losses[-1] < 0.02 * losses[0]


def test_a_classifier_learns_with_what_one_usually_has() -> None:
    program = (
        "net = nn.Sequential(nn.Linear(5, 12, bias=False), nn.BatchNorm1d(12), nn.GELU(), "
        "nn.Dropout(0.2), nn.Linear(12, 3))\n"
        "x = torch.randn(40, 5)\n"
        "t = torch.randint(0, 3, (40,))\n"
        "optimizer = torch.optim.AdamW(net.parameters(), lr=0.01, weight_decay=0.1)\n"
        "scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 20)\n"
        "loss_of = nn.CrossEntropyLoss(label_smoothing=0.1)\n"
        "losses, norms = [], []\n"
        "for _ in range(25):\n"
        "    net.train()\n"
        "    optimizer.zero_grad()\n"
        "    loss_of(net(x), t).backward()\n"
        "    norms.append(nn.utils.clip_grad_norm_(net.parameters(), 0.5).item())\n"
        "    optimizer.step()\n"
        "    scheduler.step()\n"
        "    net.eval()\n"
        "    with torch.no_grad():\n"
        "        losses.append(loss_of(net(x), t).item())\n"
        "sums = [v.double().sum().item() for v in net.state_dict().values()]\n"
    ).replace("nn.Dropout(0.2)", "nn.Dropout(0.0)")
    losses, _, _ = _same(program, "losses", "norms", "sums")
    assert losses[-1] < losses[0]


def test_a_small_convolutional_network() -> None:
    program = (
        "class Net(nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.features = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), "
        "nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(4, 6, 3, stride=2, groups=2), nn.LeakyReLU(0.1), "
        "nn.AdaptiveAvgPool2d(2))\n"
        "        self.head = nn.Sequential(nn.Flatten(), nn.Linear(24, 5))\n"
        "    def forward(self, x):\n"
        "        return self.head(self.features(x))\n"
        "net = Net()\n"
        "x = torch.randn(8, 1, 12, 12)\n"
        "t = torch.arange(8) % 5\n"
        "optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, nesterov=True)\n"
    ) + LOOP.format(steps=12, loss="F.cross_entropy(net(x), t)")
    losses, _ = _same(program, "losses", "sums")
    assert losses[-1] < losses[0]


def test_a_transformer_block() -> None:
    program = (
        "class Net(nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.embed = nn.Embedding(11, 8)\n"
        "        self.block = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)\n"
        "        self.head = nn.Linear(8, 11)\n"
        "    def forward(self, x):\n"
        "        mask = nn.Transformer.generate_square_subsequent_mask(x.shape[1])\n"
        "        return self.head(self.block(self.embed(x), mask, is_causal=True))\n"
        "net = Net()\n"
        "x = torch.randint(0, 11, (4, 7))\n"
        "optimizer = torch.optim.Adam(net.parameters(), lr=0.01)\n"
    ) + LOOP.format(
        steps=15, loss="F.cross_entropy(net(x)[:, :-1].reshape(-1, 11), x[:, 1:].reshape(-1))"
    )
    losses, _ = _same(program, "losses", "sums")
    assert losses[-1] < 0.8 * losses[0]


def test_a_gradient_penalty() -> None:
    """The norm of the input's gradient is part of the loss, as for a Wasserstein critic."""
    program = (
        "net = nn.Sequential(nn.Linear(4, 8), nn.SiLU(), nn.LayerNorm(8), nn.Linear(8, 1))\n"
        "x = torch.randn(10, 4)\n"
        "optimizer = torch.optim.RMSprop(net.parameters(), lr=0.01)\n"
        "def loss_of():\n"
        "    inputs = x.clone().requires_grad_()\n"
        "    out = net(inputs)\n"
        "    (g,) = torch.autograd.grad(out.sum(), inputs, create_graph=True)\n"
        "    return out.mean() + 10 * ((g.norm(2, dim=1) - 1) ** 2).mean()\n"
    ) + LOOP.format(steps=12, loss="loss_of()")
    losses, _ = _same(program, "losses", "sums")
    assert losses[-1] < losses[0]


def test_a_convolutional_gradient_penalty() -> None:
    program = (
        "net = nn.Sequential(nn.Conv1d(2, 4, 3, padding=1), nn.Softplus(), nn.AvgPool1d(2), "
        "nn.Flatten(), nn.Linear(12, 1))\n"
        "x = torch.randn(5, 2, 6)\n"
        "optimizer = torch.optim.Adam(net.parameters(), lr=0.01)\n"
        "def loss_of():\n"
        "    inputs = x.clone().requires_grad_()\n"
        "    (g,) = torch.autograd.grad(net(inputs).sum(), inputs, create_graph=True)\n"
        "    return (net(x) ** 2).mean() + (g ** 2).sum()\n"
    ) + LOOP.format(steps=8, loss="loss_of()")
    _same(program, "losses", "sums")


def test_a_physics_informed_loss() -> None:
    """u'' = -sin with u(0) = u(pi) = 0: second derivatives by the input, third by the weights."""
    program = (
        "net = nn.Sequential(nn.Linear(1, 10), nn.Tanh(), nn.Linear(10, 10), nn.Tanh(), "
        "nn.Linear(10, 1))\n"
        "t = torch.linspace(0, 3.141592653589793, 12).reshape(-1, 1).requires_grad_()\n"
        "ends = torch.tensor([[0.0], [3.141592653589793]])\n"
        "optimizer = torch.optim.Adam(net.parameters(), lr=0.02)\n"
        "def loss_of():\n"
        "    u = net(t)\n"
        "    du = torch.autograd.grad(u, t, torch.ones_like(u), create_graph=True)[0]\n"
        "    ddu = torch.autograd.grad(du, t, torch.ones_like(du), create_graph=True)[0]\n"
        "    return ((ddu + torch.sin(t)) ** 2).mean() + (net(ends) ** 2).sum()\n"
    ) + LOOP.format(steps=40, loss="loss_of()")
    losses, _ = _same(program, "losses", "sums", tolerance=1e-8)
    assert losses[-1] < losses[0]


OPTIMIZERS = [
    "SGD([w, v], lr=0.1, momentum=0.9, weight_decay=0.1, dampening=0.2)",
    "SGD([w, v], lr=0.01, maximize=True)",
    "Adam([w, v], lr=0.05)",
    "Adam([w, v], lr=0.05, weight_decay=0.1, amsgrad=True)",
    "AdamW([{'params': [w], 'lr': 0.1, 'weight_decay': 0.5}, {'params': v}])",
    "Adamax([w, v], weight_decay=0.1)",
    "NAdam([w, v], lr=0.05, weight_decay=0.1)",
    "RAdam([w, v], lr=0.05)",
    "RMSprop([w, v], centered=True, momentum=0.9, weight_decay=0.1)",
    "Adagrad([w, v], lr_decay=0.1, initial_accumulator_value=0.2)",
    "Adadelta([w, v], weight_decay=0.1)",
    "Rprop([w, v])",
]
SCHEDULERS = [
    "StepLR(o, 3, 0.5)",
    "MultiStepLR(o, [2, 5, 5], 0.5)",
    "ExponentialLR(o, 0.9)",
    "CosineAnnealingLR(o, 7, 0.01)",
    "LambdaLR(o, lambda e: 1 / (1 + e))",
    "MultiplicativeLR(o, lambda e: 0.9)",
    "ConstantLR(o)",
    "LinearLR(o)",
    "PolynomialLR(o, 10, 2.0)",
    "CosineAnnealingWarmRestarts(o, 4, 2)",
    "OneCycleLR(o, 0.5, 25)",
    "OneCycleLR(o, 0.5, None, 5, 5, three_phase=True, anneal_strategy='linear')",
    "CyclicLR(o, 0.01, 0.1, 3, 5, 'triangular2')",
    "CyclicLR(o, 0.01, 0.1, 3, mode='exp_range', gamma=0.9, cycle_momentum=False)",
    "SequentialLR(o, [S.LinearLR(o, 0.1, total_iters=4), S.CosineAnnealingLR(o, 9)], [4])",
    "SequentialLR(o, [S.LambdaLR(o, lambda e: 1 / (1 + e)), S.StepLR(o, 2), S.ExponentialLR(o, "
    "0.9)], [5, 9])",
    "ChainedScheduler([S.ConstantLR(o, 0.1, 3), S.ExponentialLR(o, 0.9)])",
]
DESCENT = """
w = torch.randn(3, 2).requires_grad_()
v = torch.randn(2).requires_grad_()
x, t = torch.randn(7, 3), torch.randn(7, 2)
o = torch.optim.{optimizer}
S = torch.optim.lr_scheduler
s = S.{scheduler}
losses, rates = [], []
for _ in range(20):
    o.zero_grad()
    loss = ((torch.tanh(x @ w) + v - t) ** 2).mean()
    loss.backward()
    o.step()
    s.step()
    losses.append(loss.item())
    rates.append(s.get_last_lr()[0])
shown = repr(o)
kept = o.state_dict()
names = [sorted(d) for d in kept['state'].values()]
numbers = [k.double().sum().item() for d in kept['state'].values() for k in d.values()]
"""


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_optimizers_take_pytorchs_steps(optimizer: str) -> None:
    program = DESCENT.format(optimizer=optimizer, scheduler="ConstantLR(o, 1.0)")
    _same(program, "losses", "rates", "numbers", tolerance=1e-12)
    mine, theirs = (run(side, START + program + END, {}).names for side in (ENGINE, TORCH))
    assert mine["shown"] == theirs["shown"]
    assert mine["names"] == theirs["names"]


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_learning_rates_change_as_pytorchs(scheduler: str) -> None:
    program = DESCENT.format(optimizer="SGD([w, v], lr=0.1, momentum=0.9)", scheduler=scheduler)
    _same(program, "losses", "rates", tolerance=1e-12)


@pytest.mark.parametrize(
    "settings",
    [
        "lr=0.3",
        "line_search_fn='strong_wolfe'",
        "lr=0.5, history_size=3, max_iter=7",
        "max_iter=10, max_eval=12, line_search_fn='strong_wolfe'",
    ],
)
def test_newtons_method_asks_as_often_as_pytorchs(settings: str) -> None:
    program = (
        "net = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 1))\n"
        "x = torch.randn(20, 2)\n"
        "t = (x ** 2).sum(1, keepdim=True)\n"
        f"o = torch.optim.LBFGS(net.parameters(), {settings})\n"
        "losses = []\n"
        "def closure():\n"
        "    o.zero_grad()\n"
        "    loss = F.mse_loss(net(x), t)\n"
        "    loss.backward()\n"
        "    losses.append(loss.item())\n"
        "    return loss\n"
        "for _ in range(3):\n"
        "    o.step(closure)\n"
    )
    (losses,) = _same(program, "losses", tolerance=1e-6)
    assert losses[-1] < 0.1 * losses[0]


def test_a_rate_that_follows_the_loss() -> None:
    program = DESCENT.format(
        optimizer="SGD([w, v], lr=0.1)",
        scheduler="ReduceLROnPlateau(o, patience=2, threshold=0.05)",
    ).replace("s.step()", "s.step(loss.item())")
    _same(program, "losses", "rates", tolerance=1e-12)


@pytest.mark.parametrize(
    "line",
    [
        "torch.optim.SGD(p)",
        "torch.optim.SGD([])",
        "torch.optim.SGD([3])",
        "torch.optim.SGD([p * 2])",
        "torch.optim.Adam([p], lr=-1)",
        "torch.optim.Adam([p], eps=-1)",
        "torch.optim.Adam([p], betas=(2, 0.1))",
        "torch.optim.Adam([p], weight_decay=-1)",
        "torch.optim.RMSprop([p], alpha=-1)",
        "torch.optim.SGD([p], nesterov=True)",
        "torch.optim.SGD([{'params': [p]}, {'params': [p]}])",
        "torch.optim.SGD([p, p])",
        "torch.optim.SGD([{'params': {p}}])",
        "torch.optim.SGD([p]).load_state_dict({'param_groups': [], 'state': {}})",
        "torch.optim.lr_scheduler.StepLR(3, 2)",
        "s = torch.optim.lr_scheduler.StepLR(torch.optim.SGD([p]), 2); s.step(); s.step()",
    ],
)
def test_optimizers_refuse_what_pytorchs_refuse(line: str) -> None:
    program = f"p = torch.ones(2, requires_grad=True)\n{line}"
    mine, theirs = (run(side, program, {}) for side in (ENGINE, TORCH))
    assert mine.error == theirs.error
    assert mine.warned == theirs.warned


def test_an_optimizer_goes_on_from_its_saved_state() -> None:
    program = (
        "p = torch.ones(3).requires_grad_()\n"
        "def steps(o, count):\n"
        "    for _ in range(count):\n"
        "        o.zero_grad(); (p ** 3).sum().backward(); o.step()\n"
        "first = torch.optim.Adam([p], lr=0.1)\n"
        "steps(first, 3)\n"
        "second = torch.optim.Adam([p], lr=0.5)\n"
        "second.load_state_dict(first.state_dict())\n"
        "steps(second, 3)\n"
        "values = p.tolist()\n"
    )
    _same(program, "values", tolerance=1e-12)
