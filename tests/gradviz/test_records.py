"""The recorded cases, and scripts of transforms, run in the sandbox: printed as by PyTorch."""

from __future__ import annotations

import contextlib
import io
import json
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from gradviz.__main__ import main
from gradviz.script.sandbox import Sandbox

pytest.importorskip("torch", reason="torch is not installed: nothing to compare with")
RECORDS = Path(__file__).parents[1] / "engine" / "cases" / "public.jsonl"
CODE = {
    record["id"]: record["torch_code"]
    for record in map(json.loads, RECORDS.read_text(encoding="utf-8").splitlines())
}
SCRIPTS = {
    "hooks of tensors, leaves and nodes": """
import torch

x = torch.tensor([1., 2.], requires_grad=True)
h = x * x
h.grad_fn.register_prehook(lambda gs: (gs[0] * 2,))
h.grad_fn.register_hook(lambda ins, outs: print(ins, outs))
handle = h.register_hook(lambda g: print('h', g))
x.register_post_accumulate_grad_hook(lambda p: print('x', p.grad))
h.sum().backward(retain_graph=True)
handle.remove()
h.sum().backward()
""",
    "a function of one's own": """
import torch
from torch.autograd import Function, gradcheck

class Power(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        ctx.save_for_backward(x)
        return x ** n

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g * ctx.n * x ** (ctx.n - 1), None

class Rectify(Function):
    @staticmethod
    def forward(x):
        return x.clamp(min=0)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, g):
        y, = ctx.saved_tensors
        print(ctx.needs_input_grad)
        return g * (y > 0)

class Both(Function):
    @staticmethod
    def forward(ctx, a):
        return a * 2, a * 3

    @staticmethod
    def backward(ctx, g, h):
        return g * 2 + h * 3

x = torch.tensor([1., -2.], requires_grad=True)
y = Power.apply(x, 3)
print(y, y.grad_fn.name())
y.sum().backward()
print(x.grad)
Rectify.apply(x).sum().backward()
print(x.grad)
a, b = Both.apply(x)
(a + b).sum().backward()
print(a, b, x.grad)
print(gradcheck(lambda z: z ** 2, x.detach().double().requires_grad_()))
""",
    "transforms and modes": """
import torch
from torch.func import grad, vmap, jacrev, hessian, functional_call
from torch.autograd.functional import jacobian, hvp

x = torch.tensor([1., 2.])
print(grad(lambda z: (z ** 3).sum())(x), vmap(torch.sin)(x), jacrev(torch.sin)(x))
print(hessian(lambda z: (z ** 3).sum())(x), jacobian(lambda z: z ** 2, x))
print(hvp(lambda z: (z ** 3).sum(), x, torch.ones(2)))
m = torch.nn.Linear(2, 1)
print(functional_call(m, {"weight": torch.ones(1, 2), "bias": torch.zeros(1)}, (x,)))

@torch.no_grad()
def twice(a):
    return a * 2

w = torch.ones(2, requires_grad=True)
with torch.inference_mode():
    k = torch.ones(2)
print(twice(w).requires_grad, k.is_inference(), torch.is_inference_mode_enabled())
try:
    w * k
except RuntimeError as e:
    print(e)
torch.manual_seed(0)
before = torch.get_rng_state()
print(torch.rand(2))
torch.set_rng_state(before)
print(torch.rand(2), torch.bernoulli(torch.full((5,), 0.5)))
""",
}


def under_torch(source: str) -> tuple[str, str | None]:
    """What the script prints under PyTorch, and the last line of its error."""
    error = None
    with contextlib.redirect_stdout(io.StringIO()) as printed, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(compile(source, "script.py", "exec"), {"__name__": "__main__"})
        except Exception as raised:  # noqa: BLE001  whatever it raises is to be compared
            error = f"{type(raised).__name__}: {raised}"
    return printed.getvalue(), error


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as one:
        yield one


@pytest.mark.parametrize("source", [*CODE.values(), *SCRIPTS.values()], ids=[*CODE, *SCRIPTS])
def test_prints_what_pytorch_prints(source: str, sandbox: Sandbox) -> None:
    printed, error = under_torch(source)
    _diagram, run = sandbox.run(source, "script.py")
    assert "".join(p.text for p in run.console if p.stream == "stdout") == printed
    assert (f"{run.error.type}: {run.error.message}" if run.error else None) == error


@pytest.mark.parametrize("name", ["scalar-rule-01", "functional-08", "nets-02"])
def test_the_command_does_the_same(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "script.py"
    path.write_text(CODE[name], encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["gradviz", "run", str(path)])
    printed, error = under_torch(CODE[name])
    assert main() == (0 if error is None else 1)
    told = capsys.readouterr()
    assert told.out == printed
    assert told.err.splitlines()[-1:] == ([] if error is None else [error])


def test_a_comparison_says_what_only_the_script_can_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "script.py"
    path.write_text(SCRIPTS["a function of one's own"], encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["gradviz", "--lang", "en", "compare", str(path)])
    assert main() == 2
    assert "Power.apply is a function of the script's own" in capsys.readouterr().err
