"""PyTorch's errors and warnings: the smallest program that brings each about, in both."""

from __future__ import annotations

import warnings

import pytest

from engine import errors
from tests.engine.against import ENGINE, TORCH, Outcome, Side, run

SETUP = """
import copy
t = lambda d, rg=True: torch.tensor(d, dtype=torch.float64, requires_grad=rg)
one = lambda *s: torch.ones(*s, dtype=torch.float64)
x = torch.tensor([1., 2.], dtype=torch.float64, requires_grad=True)
"""
# Numbered as in the collected table.
TRIGGERS = {
    "M001": "(x * x).backward()",
    "M002": "(x * 1j).sum().backward()",
    "M003": "(x * x).backward(one(3))",
    "M004": "(x * x).backward(torch.ones(2, dtype=torch.complex128))",
    "M005": "(x * x).backward([1., 2.])",
    "M006": "x.sum().backward(2.0)",
    "M007": "torch.autograd.backward([x.sum(), x * 2], [t(1., False)])",
    "M008": "torch.autograd.backward([x.sum(), x * 2], [t(1., False), one(3)])",
    "M009": "torch.autograd.backward([x * x, x * 2], [one(2), one(3)])",
    "M010": "(x * x).backward(torch.ones(2, dtype=torch.float64, device='meta'))",
    "M011": "x.detach().sum().backward()",
    "M012": "x.sum().backward(inputs=[])",
    "M013": "x.sum().backward(inputs=[t([1.], False)])",
    "M014": "y = (x * x).sum(); y.backward(); y.backward()",
    "M015": "(x ** 3).sum().backward(create_graph=True)",
    "M016": "torch.autograd.backward(x * x, grad_variables=one(2))",
    "M017": "torch.autograd.backward(x * x, one(2), grad_variables=one(2))",
    "M018": "torch.autograd.grad(x.sum(), [])",
    "M019": "torch.autograd.grad(x.sum(), [x, t([3.])])",
    "M020": "k = t([3., 1.], False); torch.autograd.grad((x * k).sum(), [x, k])",
    "M021": "torch.autograd.grad(x.sum(), [x], materialize_grads=True, allow_unused=False)",
    "M022": "torch.autograd.grad(x * x, x, one(2), is_grads_batched=True)",
    "M023": "torch.autograd.grad(x.sum(), x, only_inputs=False)",
    "M024": "torch.tensor([1, 2], requires_grad=True)",
    "M025": "k = torch.tensor([1, 2]); k.requires_grad = True",
    "M026": "torch.tensor([1, 2]).requires_grad_()",
    "M027": "h = x * 2; h.requires_grad = False",
    "M028": "h = x * 2; h.requires_grad = True",
    "M029": "h = x * 2; h.grad",
    "M030": "t([1.], False).register_hook(lambda g: g)",
    "M031": "h = x * 2; h.register_hook(lambda g: one(3)); h.sum().backward()",
    "M032": "x.numpy()",
    "M033": "x.grad = one(3)",
    "M034": "x.grad = torch.ones(2)",
    "M035": "x.grad = [1., 2.]",
    "M036": "x.grad = x",
    "M037": "x.grad.zero_()",
    "M038": "copy.deepcopy(x * 2)",
    "M039": "torch.tensor(x)",
    "M040": "float(x[0])",
    "M041": "x.item()",
    "M042": "float(x)",
    "M043": "bool(x)",
    "M044": "torch.optim.SGD([x * 2], lr=0.1)",
    "M045": "torch.optim.SGD([], lr=0.1)",
    "M046": "x += 1",
    "M047": "x[0] = 5.",
    "M048": "h = x.exp(); h += 1; h.sum().backward()",
    "M049": "k = t([3., 4.], False); y = (x * k).sum(); k.add_(1); y.backward()",
    "M050": "a, b = (x * 2).unbind(0); a.mul_(2)",
    "M051": "h = x * 2\nwith torch.no_grad():\n    v = h[:1]\nv.mul_(2)",
    "M052": "(x * 2)[:1].expand(3).add_(1)",
    "M053": "(x * 2)[:1].add_(one(3))",
    "M054": "k = torch.tensor([1]); k += 1.5",
    "M055": "(x * 2)[:1].detach_()",
    "M056": """
class Fn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a): return a * 2
    @staticmethod
    def backward(ctx, g): return (g, g)
Fn.apply(x).sum().backward()
""",
    "M057": """
class Fn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a): return a * 2
    @staticmethod
    def backward(ctx, g): return one(3)
Fn.apply(x).sum().backward()
""",
    "M058": """
with torch.autograd.detect_anomaly(check_nan=True):
    (x * 0).sqrt().sum().backward()
""",
    "M059": """
with torch.inference_mode():
    k = one(2)
x * k
""",
    "M060": """
with torch.inference_mode():
    k = one(2)
k.add_(1)
""",
    "M061": """
with torch.inference_mode():
    k = one(2)
k.requires_grad_()
""",
    "M062": "torch.autograd.functional.vjp(lambda z: z * z, x)",
    "M063": "torch.autograd.functional.jvp(lambda z: z * z, x)",
    "M064": "torch.autograd.functional.vjp(lambda z: z * z, x, one(3))",
    "M065": "torch.autograd.functional.vjp(lambda z: z * z, x, (one(2), one(2)))",
    "M066": "torch.autograd.functional.vjp(lambda z: (z * z, z), x, (one(2),))",
    "M067": "torch.autograd.functional.jacobian(lambda z: one(2), x, strict=True)",
    "M068": """
w = t([1., 2.])
torch.autograd.functional.jacobian(lambda z: w * w, x, strict=True)
""",
    "M069": "torch.autograd.functional.hessian(lambda z: z.sum(), x, strict=True)",
    "M070": "torch.autograd.functional.hessian(lambda z: z ** 3, x)",
    "M071": "torch.autograd.functional.hvp(lambda z: z ** 3, x, one(2))",
    "M072": "torch.autograd.functional.jacobian(lambda z: 3.0, x)",
    "M073": "torch.autograd.functional.jacobian(lambda z: z, [1., 2.])",
    "M074": "torch.autograd.functional.jacobian(lambda z: z, x, strict=True, vectorize=True)",
    "M075": "torch.autograd.functional.jacobian(lambda z: z, x, strategy='forward-mode')",
    "M076": "torch.func.grad(lambda z: z * z)(x)",
    "M077": "torch.func.grad(lambda z: 3.0)(x)",
    "M078": "out, f = torch.func.vjp(lambda z: (z, z), x); f(one(2))",
    "M079": "torch.func.vmap(torch.add)(one(2), one(3))",
    "M080": "torch.func.vmap(lambda z: z.item())(x)",
    "M081": "torch.func.grad(lambda z: [z.sum().backward(), z.sum()][1])(x)",
    "M082": "x + one(3)",
    "M083": "one(1, 2) @ one(1, 2)",
    "M084": "one(2, 3) @ x",
    "M085": "x @ one(3)",
    "M086": "t(1.) @ x",
    "M087": "one(1, 2) @ torch.ones(2, 1)",
    "M088": "torch.dot(x, torch.ones(2))",
    "M089": "torch.bmm(one(2, 2, 3), one(3, 3, 2))",
    "M090": "one(2, 2).t().view(4)",
    "M091": "one(2, 2).reshape(3)",
    "M092": "x.expand(3)",
    "M093": "x[2]",
    "M094": "x[torch.tensor([0, 5])]",
    "M095": "x[0, 0]",
    "M096": "x.sum(dim=1)",
    "M097": "torch.stack([x, one(3)])",
    "M098": "torch.cat([one(1, 2), one(1, 3)])",
    "M099": "x.split([1, 2])",
    "M100": "t([]).max()",
    "M101": "torch.tensor([1, 2]).mean()",
    "M102": "torch.linalg.inv(one(2, 2))",
    "M103": "torch.linalg.cholesky(-one(2, 2))",
    "M104": "x[:1].var()",
    "M105": "F.mse_loss(x.reshape(2, 1), one(2))",
    "M106": "F.binary_cross_entropy(one(2, 1), one(2))",
    "M107": "F.binary_cross_entropy_with_logits(one(2, 1), one(2))",
    "M108": "F.binary_cross_entropy(one(1) * 1.5, one(1))",
    "M109": "F.mse_loss(x, x, reduction='avg')",
    "M110": "F.cross_entropy(one(2, 2), torch.tensor([0, 2]))",
    "M111": "F.cross_entropy(one(2, 2), one(2))",
    "M112": "F.cross_entropy(one(2, 2), torch.tensor([0, 1, 0]))",
    "M113": "F.batch_norm(one(1, 2), None, None, training=True)",
    "M114": "F.softmax(x)",
    "M115": "F.linear(one(1, 3), one(2, 2))",
    "M116": "F.conv2d(one(1, 2, 3, 3), one(1, 1, 2, 2))",
}


def _outcome(side: Side, program: str) -> Outcome:
    with warnings.catch_warnings():
        return run(side, SETUP + program, {})


def _without_stacks(warned: list[str]) -> list[str]:
    """The texts without the frames that anomaly mode lists: those are the test's own."""
    return [text.partition('\n  File "')[0] for text in warned]


@pytest.mark.parametrize("number", TRIGGERS)
def test_same_words(number: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "_given", set())
    before = TORCH.library.is_warn_always_enabled()
    TORCH.library.set_warn_always(True)  # some are given once in a process otherwise
    try:
        theirs = _outcome(TORCH, TRIGGERS[number])
    finally:
        TORCH.library.set_warn_always(before)
    mine = _outcome(ENGINE, TRIGGERS[number])
    assert mine.error == theirs.error
    assert _without_stacks(mine.warned) == _without_stacks(theirs.warned)
