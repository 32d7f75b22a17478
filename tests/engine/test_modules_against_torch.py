"""Modules as holders of parameters, containers, initialisers and utilities against PyTorch."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.against import ENGINE, TORCH, run

NET = """
from collections import OrderedDict
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 3)
        self.register_buffer('b', torch.ones(2))
        self.register_buffer('c', torch.ones(1), persistent=False)
        self.p = nn.Parameter(torch.ones(3))
        self.seq = nn.Sequential(nn.Linear(3, 3), nn.ReLU())
        self.x = 5
torch.manual_seed(0)
n = Net()
"""


def _same(program: str) -> None:
    """`y` is the same plain value, or the error is the same."""
    mine, theirs = run(ENGINE, program, {}), run(TORCH, program, {})
    assert mine.error == theirs.error
    assert mine.warned == theirs.warned
    if theirs.error is None:
        assert mine.names["y"] == theirs.names["y"]


@pytest.mark.parametrize(
    "line",
    [
        "n.register_parameter('a.b', None)",
        "n.register_parameter('', None)",
        "n.register_parameter('x', None)",
        "n.register_parameter(3, None)",
        "n.register_parameter('q', torch.ones(2))",
        "n.register_buffer('x', None)",
        "n.register_buffer('q', 3)",
        "n.add_module('x', nn.ReLU())",
        "n.add_module('q', 3)",
        "n.add_module('a.b', nn.ReLU())",
        "n.foo",
        "n.get_submodule('seq.9')",
        "n.get_submodule('x')",
        "n.get_parameter('a.nope')",
        "n.get_parameter('seq')",
        "n.get_buffer('p')",
        "n.train(3)",
        "n.p = torch.ones(3)",
        "n.b = 3",
        "n.a = 3",
        "n.p = 5",
        "n()",
        "nn.Parameter(torch.ones(2).long())",
        "n.load_state_dict({})",
        "n.load_state_dict({'a.weight': torch.ones(2, 2), 'zz': torch.ones(1)})",
        "n.load_state_dict({'a.weight': torch.ones(2, 2)}, strict=False)",
        "n.load_state_dict({'a.weight': 3}, strict=False)",
        "n.load_state_dict(3)",
        "nn.ModuleList([nn.ReLU()])[3]",
        "nn.Conv2d(3, 4, 2, groups=2)",
        "nn.Conv2d(4, 4, 2, groups=0)",
        "nn.Conv2d(4, 4, 2, padding='same', stride=2)",
        "nn.GroupNorm(2, 3)",
        "nn.Dropout(2.0)",
        "nn.BatchNorm2d(3)(torch.ones(2, 3))",
        "nn.BatchNorm1d(3)(torch.ones(1, 3))",
        "nn.Embedding(3, 2, padding_idx=5)",
        "nn.MultiheadAttention(5, 2)",
        "nn.MultiheadAttention(0, 2)",
        "nn.LSTM(4, 3, proj_size=3)",
        "nn.GRU(4, 0)",
        "nn.GRU(4, 3, dropout=2.0)",
        "nn.GRU(4, 3, dropout=0.5)",
        "nn.RNN(4, 3, nonlinearity='nothing')",
        "nn.RNN(4, 3)(torch.ones(3, 2, 2))",
        "nn.RNN(4, 3)(torch.ones(3, 2, 4), torch.ones(1, 2, 5))",
        "nn.RNN(4, 3)(torch.ones(3, 2, 4), torch.ones(2, 3))",
        "nn.GRU(4, 3)(torch.ones(3, 2, 4).double())",
        "nn.RNNCell(4, 3)(torch.ones(2, 2))",
        "nn.RNNCell(4, 3)(torch.ones(1, 2, 4))",
        "nn.init.xavier_uniform_(torch.ones(3))",
        "nn.init.kaiming_normal_(torch.ones(3, 2), mode='nothing')",
        "nn.init.calculate_gain('nothing')",
    ],
)
def test_what_is_refused(line: str) -> None:
    mine, theirs = (run(side, f"{NET}{line}", {}) for side in (ENGINE, TORCH))
    assert mine.error == theirs.error
    assert mine.warned == theirs.warned


@pytest.mark.parametrize(
    "expression",
    [
        "repr(n)",
        "repr(n.p)",
        "list(n.state_dict())",
        "[k for k, _ in n.named_parameters()]",
        "[k for k, _ in n.named_buffers()]",
        "[k for k, _ in n.named_modules()]",
        "[k for k, _ in n.named_children()]",
        "[k for k, _ in n.seq.named_parameters(prefix='top', recurse=True)]",
        "n.get_parameter('seq.0.weight').shape == (3, 3)",
        "repr(n.load_state_dict(n.state_dict()))",
        "repr(n.load_state_dict({'zz': torch.ones(1)}, strict=False))",
        "[str(t.dtype) for t in n.double().state_dict().values()]",
        "[m.training for m in n.eval().modules()]",
        "[p.requires_grad for p in n.requires_grad_(False).parameters()]",
        "(setattr(n, 'p', None), list(n.state_dict()))[1]",
        "(setattr(n, 'b', torch.zeros(1)), [t.tolist() for t in n.buffers()])[1]",
        "(delattr(n, 'a'), list(n.state_dict()))[1]",
        "[type(m).__name__ for m in n.apply(lambda m: None).modules()]",
        "(lambda s: (len(s), repr(s), repr(s[1:]), repr(s[-1])))(n.seq)",
        "(lambda s: repr(s.append(nn.Tanh()).insert(0, nn.GELU())))(n.seq)",
        "(lambda s: (s.pop(0), repr(s)))(nn.Sequential(nn.Tanh(), nn.ReLU()))[1]",
        "repr(nn.Sequential(OrderedDict(one=nn.ReLU(), two=nn.Linear(1, 2))))",
        "nn.Sequential({'one': nn.ReLU()})",
        "repr(nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2), nn.ReLU()]))",
        "repr(nn.ModuleList([nn.ReLU()]).extend([nn.Tanh()]))",
        "repr(nn.Sequential(nn.ReLU()) + nn.Sequential(nn.Tanh()) * 2)",
        "(lambda d: (repr(d), list(d), 'a' in d, len(d)))(nn.ModuleDict({'a': nn.ReLU()}))",
        "repr(nn.ParameterList([nn.Parameter(torch.ones(2)), torch.ones(3, 2)]))",
        "repr(nn.ParameterDict({'a': nn.Parameter(torch.ones(2))}))",
        "list(nn.ParameterList([torch.ones(2)] * 2).state_dict())",
    ],
)
def test_what_is_told(expression: str) -> None:
    _same(f"{NET}y = {expression}")


def test_hooks_see_and_change_what_passes() -> None:
    _same(
        "m = nn.Linear(2, 2)\n"
        "nn.init.eye_(m.weight); nn.init.zeros_(m.bias)\n"
        "seen = []\n"
        "before = m.register_forward_pre_hook(lambda mod, args: (args[0] + 1,))\n"
        "after = m.register_forward_hook(lambda mod, args, out: out * 10)\n"
        "watch = m.register_forward_hook(lambda mod, args, out: seen.append(out.tolist()))\n"
        "x = torch.zeros(1, 2)\n"
        "first = m(x).tolist()\n"
        "after.remove(); before.remove()\n"
        "y = [first, m(x).tolist(), seen]\n"
    )


def test_hooks_are_told_keywords_and_may_come_first() -> None:
    _same(
        "class Double(nn.Module):\n"
        "    def forward(self, x, by=2):\n"
        "        return x * by\n"
        "m, seen = Double(), []\n"
        "m.register_forward_hook(lambda mod, args, out: seen.append('second'))\n"
        "m.register_forward_hook(lambda mod, args, out: seen.append('first'), prepend=True)\n"
        "m.register_forward_hook(lambda mod, args, kw, out: seen.append(kw), with_kwargs=True)\n"
        "m.register_forward_pre_hook(lambda mod, args, kw: (args, {'by': kw['by'] + 1}), "
        "with_kwargs=True)\n"
        "y = [m(torch.ones(2), by=4).tolist(), seen]\n"
    )


def test_a_copy_is_apart_and_a_state_comes_back() -> None:
    _same(
        f"{NET}import copy\n"
        "other = copy.deepcopy(n)\n"
        "saved = {k: v.clone() for k, v in n.state_dict().items()}\n"
        "with torch.no_grad():\n"
        "    n.p.mul_(5)\n"
        "apart = other.p.tolist()\n"
        "n.load_state_dict(saved)\n"
        "y = [apart, n.p.tolist(), [p.requires_grad for p in other.parameters()]]\n"
    )


def test_a_parameter_used_twice_is_one() -> None:
    _same(
        "m = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))\n"
        "m[1].weight = m[0].weight\n"
        "y = [[k for k, _ in m.named_parameters()], list(m.state_dict())]\n"
    )


@pytest.mark.parametrize(
    "call",
    [
        "uniform_(w, -1, 2)",
        "normal_(w, 1.0, 2.0)",
        "trunc_normal_(w, 0.5, 1.0, -1.0, 1.0)",
        "trunc_normal_(w, 1.5, 1.0, -1.0, -0.5)",
        "constant_(w, 3.0)",
        "ones_(w)",
        "zeros_(w)",
        "eye_(w)",
        "dirac_(w[..., None].expand(4, 6, 3).clone(), 2)",
        "xavier_uniform_(w, 2.0)",
        "xavier_normal_(w)",
        "kaiming_uniform_(w, a=1.0, mode='fan_out')",
        "kaiming_normal_(w, nonlinearity='relu')",
        "sparse_(w, 0.4)",
        "orthogonal_(w, 2.0)",
        "orthogonal_(w.t().contiguous())",
    ],
)
def test_initialisers_draw_pytorchs_numbers(call: str) -> None:
    program = f"torch.manual_seed(2)\nw = torch.empty(4, 6)\ny = nn.init.{call}"
    mine, theirs = (run(side, program, {}) for side in (ENGINE, TORCH))
    assert mine.error == theirs.error
    a, b = mine.names["y"].numpy(), theirs.names["y"].numpy()
    np.testing.assert_allclose(a, b, rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize(
    "line",
    [
        "y = nn.utils.clip_grad_norm_(ps, 1.0).item()",
        "y = nn.utils.clip_grad_norm_(ps, 0.5, float('inf')).item()",
        "y = nn.utils.clip_grad_norm_(ps[0], 100.0, 1.0).item()",
        "y = nn.utils.clip_grad_value_(ps, 0.3)",
        "ps[0].grad[0] = float('inf'); y = nn.utils.clip_grad_norm_(ps, 1.0, 2.0, True)",
        "y = nn.utils.clip_grads_with_norm_(ps, 1.0, torch.tensor(4.0))",
        "y = nn.utils.parameters_to_vector(ps).tolist()",
        "y = nn.utils.rnn.pad_sequence([ps[0], ps[0][:1]], padding_value=7.0).tolist()",
        "y = nn.utils.rnn.pad_sequence([ps[1][:1], ps[1]], True, padding_side='left').tolist()",
        "y = nn.utils.rnn.pad_sequence([], True)",
        "nn.utils.vector_to_parameters(torch.arange(5.0), ps); y = 0",
    ],
)
def test_utilities(line: str) -> None:
    program = (
        "ps = [torch.ones(3).requires_grad_(), torch.ones(2, 1).requires_grad_()]\n"
        "(ps[0] * torch.arange(3.0)).sum().backward(); (ps[1] * 2).sum().backward()\n"
        f"{line}\nstate = [(p.tolist(), p.grad.tolist()) for p in ps]\n"
    )
    mine, theirs = (run(side, program, {}) for side in (ENGINE, TORCH))
    assert mine.error == theirs.error
    if theirs.error is None:
        for name in ("y", "state"):
            np.testing.assert_equal(
                np.round(_flat(mine.names[name]), 5), np.round(_flat(theirs.names[name]), 5)
            )


def _flat(value: object) -> list[float]:
    if isinstance(value, (list, tuple)):
        return [number for item in value for number in _flat(item)]
    return [] if value is None else [float(value)]  # type: ignore[arg-type]
