"""Modules, losses and descent against PyTorch, from the same seed."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.against import ENGINE, TORCH, Outcome, run

MODEL = """
torch.manual_seed(3)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 8)
        self.rest = nn.Sequential(nn.Tanh(), nn.Linear(8, 3, bias=False))
        self.scale = nn.Parameter(torch.ones(3))
    def forward(self, x):
        return self.rest(self.first(x)) * self.scale
net = Net()
"""


def _both(program: str) -> tuple[Outcome, Outcome]:
    mine, theirs = run(ENGINE, program, {}), run(TORCH, program, {})
    assert mine.error == theirs.error
    assert mine.error is None, mine.error
    return mine, theirs


@pytest.mark.parametrize(
    "layer", ["nn.Linear(3, 4)", "nn.Linear(5, 2, bias=False)", "nn.Linear(100, 30)"]
)
def test_layers_start_with_pytorchs_numbers(layer: str) -> None:
    mine, theirs = _both(f"torch.manual_seed(0); y = {layer}")
    for (name, a), (other, b) in zip(
        mine.names["y"].named_parameters(), theirs.names["y"].named_parameters(), strict=True
    ):
        assert name == other
        np.testing.assert_allclose(a.detach().numpy(), b.detach().numpy(), rtol=1e-6)


def test_a_module_tells_its_parts_as_pytorch_does() -> None:
    program = MODEL + (
        "y = repr(net)\n"
        "names = [n for n, p in net.named_parameters()]\n"
        "shapes = [tuple(p.shape) for p in net.parameters()]\n"
        "modules = [n for n, m in net.named_modules()]\n"
        "state = sorted(net.state_dict())\n"
        "net.eval(); flags = (net.training, net.rest.training)\n"
    )
    mine, theirs = _both(program)
    for name in ("y", "names", "shapes", "modules", "state", "flags"):
        assert mine.names[name] == theirs.names[name]


@pytest.mark.parametrize(
    "settings",
    [
        "lr=0.1",
        "lr=0.05, momentum=0.9",
        "lr=0.05, momentum=0.9, nesterov=True",
        "lr=0.1, weight_decay=0.01",
    ],
)
def test_descent_takes_pytorchs_steps(settings: str) -> None:
    program = MODEL + (
        "net.double()\n"
        "x = torch.linspace(-1, 1, 24, dtype=torch.float64).reshape(6, 4)\n"
        "target = torch.tensor([0, 1, 2, 0, 1, 2])\n"
        "loss_of = nn.CrossEntropyLoss()\n"
        f"optimizer = torch.optim.SGD(net.parameters(), {settings})\n"
        "losses = []\n"
        "for _ in range(30):\n"
        "    optimizer.zero_grad()\n"
        "    loss = loss_of(net(x), target)\n"
        "    loss.backward()\n"
        "    optimizer.step()\n"
        "    losses.append(loss.item())\n"
    )
    mine, theirs = _both(program)
    np.testing.assert_allclose(mine.names["losses"], theirs.names["losses"], rtol=1e-6)


def test_descent_by_hand_takes_pytorchs_steps() -> None:
    program = (
        "x = torch.arange(6, dtype=torch.float64).reshape(3, 2)\n"
        "w = torch.ones(2, dtype=torch.float64, requires_grad=True)\n"
        "b = torch.zeros(1, dtype=torch.float64, requires_grad=True)\n"
        "losses = []\n"
        "for _ in range(20):\n"
        "    loss = F.mse_loss(x @ w + b, torch.tensor([1., 2., 4.], dtype=torch.float64))\n"
        "    loss.backward()\n"
        "    with torch.no_grad():\n"
        "        for p in (w, b):\n"
        "            p -= 0.01 * p.grad\n"
        "            p.grad.zero_()\n"
        "    losses.append(loss.item())\n"
    )
    mine, theirs = _both(program)
    np.testing.assert_allclose(mine.names["losses"], theirs.names["losses"], rtol=1e-12)
