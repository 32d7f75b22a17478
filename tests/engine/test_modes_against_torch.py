"""Modes, detached tensors, random streams and warnings, under both libraries."""

from __future__ import annotations

import pytest

import engine
from engine import errors
from tests.engine.results import assert_same_results

SETUP = """
x = torch.tensor([1., 2.], requires_grad=True)
h = x * 2
seen = []
zeros = torch.zeros
with torch.inference_mode():
    k = torch.ones(2)
    made = x * 2
    view = x[:1]

def state():
    return torch.is_grad_enabled(), torch.is_inference_mode_enabled()

def inside(mode, act):
    with mode:
        return act()

@torch.no_grad()
def yields(n):
    got = yield state()
    seen.append((got, state()))
    try:
        yield n
    except ValueError:
        seen.append(state())
        yield 'caught'
    finally:
        seen.append(('end', state()))
    return 'done'

def use(it):
    out = [next(it), state(), it.send('sent'), state(), it.throw(ValueError), state()]
    it.close()
    return [out, seen]

def finish(it):
    return [list(it), seen]

def both(f):
    return [f(x).requires_grad, f(x).is_inference(), state()]

def decorated():
    @torch.no_grad()
    class Kept:
        def __init__(self):
            self.tracked = (x * 2).requires_grad
    return Kept().tracked

def assign(t, value):
    t.data = value
    return t

def again(draw):
    before = torch.get_rng_state()
    first = draw()
    torch.set_rng_state(before)
    second = draw()
    with torch.random.fork_rng():
        draw()
    return [first, second, draw()]

torch.manual_seed(5)
p = torch.linspace(0.1, 0.9, 9)
"""

VALUES = [
    # inference mode
    "[k.is_inference(), made.is_inference(), view.is_inference(), x.is_inference()]",
    "[made.requires_grad, made.grad_fn, made.is_leaf, k.requires_grad]",
    "inside(torch.inference_mode(), state)",
    "inside(torch.inference_mode(), lambda: inside(torch.inference_mode(False), state))",
    "inside(torch.inference_mode(), lambda: torch.enable_grad()(lambda: x * 2)().requires_grad)",
    "inside(torch.inference_mode(), lambda: (x.add_(1), k.mul_(3)))",
    "inside(torch.inference_mode(), lambda: k.requires_grad_().requires_grad)",
    "inside(torch.inference_mode(), lambda: torch.ones(2, requires_grad=True).requires_grad)",
    "[x + k, k * 2, (k * 2).is_inference(), k.clone().is_inference()]",
    "[k.view(2, 1).is_inference(), k.detach().is_inference(), x.detach().add_(k)]",
    "[k.requires_grad_(False).requires_grad, torch.is_inference(k)]",
    "both(torch.inference_mode()(lambda a: a * 2))",
    "both(torch.inference_mode(lambda a: a * 2))",
    "both(torch.inference_mode(mode=False)(lambda a: a * 2))",
    # modes as decorators
    "both(torch.no_grad()(lambda a: a * 2))",
    "both(torch.no_grad(lambda a: a * 2))",
    "both(torch.set_grad_enabled(False)(lambda a: a * 2))",
    "both(torch.enable_grad()(torch.no_grad()(lambda a: a * 2)))",
    "use(yields(3))",
    "finish(yields(3))",
    "decorated()",
    "[str(torch.set_grad_enabled(True)), type(torch.no_grad().clone()).__name__]",
    "inside(torch.no_grad(), lambda: inside(torch.set_grad_enabled(True), state))",
    "[inside(torch.no_grad(), lambda: inside(torch.no_grad(), state)), state()]",
    "[torch.autograd.inference_mode is torch.inference_mode]",
    # detached
    "[h.detach_(), h.is_leaf, h.grad_fn, h.requires_grad]",
    "[x.data, h.data, x.data.requires_grad, h.data.grad_fn]",
    "assign(x, zeros(2))",
    "[x.data.mul_(3), x, x._version]",
    "[assign(h, zeros(3)), h.grad_fn.name()]",
    # random streams
    "again(lambda: torch.randn(2))",
    "again(lambda: torch.randperm(4))",
    "[torch.get_rng_state(), torch.random.get_rng_state()[:9]]",
    "(lambda g: [g.get_state().sum(), g.set_state(torch.get_rng_state()).initial_seed()])"
    "(torch.Generator())",
    "[torch.bernoulli(p), torch.bernoulli(p.double()), p.bernoulli()]",
    "[zeros(20).bernoulli_(0.3), zeros(9).bernoulli_(p), zeros(3).bernoulli_()]",
    "[zeros(9).long().bernoulli_(p), torch.bernoulli(p, 0.5)]",
    "(lambda q: [q, torch.autograd.grad(q.sum(), x)])(torch.bernoulli(x / 4))",
    "[torch.randint_like(p, 10), torch.randint_like(p, 2, 10), torch.randint_like(k.int(), 5)]",
    "torch.randint_like(p, 2, 10, dtype=torch.int64)",
    "[torch.multinomial(p, 1), torch.multinomial(p, 4), p.multinomial(6, True)]",
    "[torch.multinomial(p.view(3, 3), 2), torch.multinomial(p.view(3, 3), 5, replacement=True)]",
    "[zeros(5).exponential_(), zeros(4).double().exponential_(2.5)]",
    "[zeros(5).random_(10), zeros(5).long().random_(2, 9), zeros(3).random_()]",
    "[zeros(3).long().random_(), zeros(3).byte().random_(), zeros(4).double().random_()]",
    "[zeros(3).int().random_(), zeros(9).bool().random_(), zeros(3).random_(to=5)]",
    # devices, and switches with nothing behind them
    "[repr(torch.device(n)) for n in ('cpu', 'cpu:0', 'cuda', 'cuda:1', 'meta', 'mps')]",
    "[str(torch.device('cuda', 1)), torch.device('cuda:1').index, torch.device('cpu').index]",
    "[torch.device('cpu') == torch.device('cpu:0'), repr(torch.device(torch.device('cpu')))]",
    "[x.device.type, str(x.device), x.to(torch.device('cpu')), torch.ones(2, device='cpu').is_cpu]",
    "[torch.cuda.is_available(), torch.cuda.device_count(), torch.cuda.manual_seed_all(0)]",
    "[torch.backends.mps.is_available(), torch.backends.cudnn.is_available()]",
    "torch.backends.cudnn.deterministic",
    "[torch.use_deterministic_algorithms(False), torch.are_deterministic_algorithms_enabled()]",
    "[torch.get_float32_matmul_precision(), torch.typename(x), torch.typename(3)]",
    "[repr(x.layout), repr(torch.contiguous_format), repr(torch.preserve_format), torch.newaxis]",
    "[x.is_sparse, x.is_meta, x.is_shared(), x.get_device(), x.name, x.output_nr]",
    "[a.output_nr for a in x.unbind()]",
    "[torch.detach(h), torch.default_generator.initial_seed(), torch.zero_(k.clone())]",
    # warnings
    "[float(x[0]), float(x[1])]",
    "[torch.is_warn_always_enabled(), torch.set_warn_always(False), "
    "torch.is_warn_always_enabled()]",
]

ERRORS = [
    "x * k",
    "k.add_(1)",
    "k.zero_()",
    "k.requires_grad_()",
    "setattr(k, 'requires_grad', True)",
    "k._version",
    "k.view(2, 1).add_(1)",
    "inside(torch.inference_mode(), lambda: (x * 2).sum().backward())",
    "torch.set_grad_enabled('no')",
    "torch.set_grad_enabled(1)",
    "x[:1].detach_()",
    "assign(x, 3)",
    "torch.set_rng_state(torch.ones(3))",
    "torch.set_rng_state(torch.ones(3, dtype=torch.uint8))",
    "torch.set_rng_state(3)",
    "torch.bernoulli(p * 2)",
    "torch.bernoulli(p, 1.5)",
    "zeros(3).bernoulli_(-1)",
    "torch.bernoulli(torch.ones(2, dtype=torch.int64))",
    "torch.multinomial(p, 10)",
    "torch.multinomial(-p, 1)",
    "torch.multinomial(p * 0, 1)",
    "torch.multinomial(p, 0)",
    "torch.multinomial(p.long(), 1)",
    "torch.multinomial(p.reshape(1, 3, 3), 1)",
    "zeros(2).exponential_(-1)",
    "zeros(2).long().exponential_()",
    "zeros(2).random_(0)",
    "torch.set_warn_always(3)",
    "x.bernoulli_()",
    "torch.device('foo')",
    "torch.device('cuda:x')",
    "torch.device('cuda', -1)",
    "torch.device(0)",
    "torch.ones(2, device=torch.device('cuda'))",
    "torch.cuda.current_device()",
    "torch.cuda.synchronize()",
    "torch.set_num_threads(0)",
]


@pytest.mark.parametrize("expression", VALUES)
def test_same_values(expression: str) -> None:
    assert_same_results(f"{SETUP}y = {expression}")


@pytest.mark.parametrize("expression", ERRORS)
def test_same_errors(expression: str) -> None:
    assert_same_results(f"{SETUP}y = {expression}")


def test_some_warnings_are_given_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "_given", set())
    x = engine.ones(2, requires_grad=True)
    with pytest.warns(UserWarning, match="to a scalar") as given:
        assert [float(number) for number in x] == [1, 1]
    assert len(given) == 1
