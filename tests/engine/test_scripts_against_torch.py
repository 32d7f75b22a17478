"""Whole scripts print the same under PyTorch and under the engine."""

# ruff: noqa: E501  scripts are pasted as people write them

from __future__ import annotations

import contextlib
import io

import pytest

from tests.engine.against import ENGINE, TORCH, Side, run

SCRIPTS = {
    "a matrix and its rows": r"""
x = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)
print(x, x.shape, x.dtype, x.size(0), len(x), x.numel(), x.is_leaf, x.device)
for i, row in enumerate(x): print(i, row, row.sum().item())
y = sum(x); print(y); print(max(x.flatten()), min(x.flatten()))
print(f"{x[0,0]:.2f} {x.sum().item():.3f} {x.detach().numpy()}")
print(x[0].tolist(), x.T, x.mean(dim=0))
""",
    "a layer and its gradients": r"""
x = torch.arange(12, dtype=torch.float32).view(3, 4); x.requires_grad_(True)
w = torch.full((4, 2), 0.5, requires_grad=True)
h = torch.relu(x @ w - 1); print(h); loss = (h ** 2).mean(); print(loss, loss.item())
loss.backward(); print(x.grad); print(w.grad); print(w.grad.norm(), w.grad.abs().max(), w.grad.argmax())
""",
    "random numbers and factories": r"""
torch.manual_seed(0); a = torch.randn(3, 3); b = torch.rand(2); print(a, b, torch.randint(0, 10, (5,)), torch.randperm(4), torch.normal(0., 1., (2,)))
print(torch.zeros(2, 3), torch.ones(2, dtype=torch.int64), torch.eye(2), torch.linspace(0, 1, 5), torch.empty(0), torch.tensor([]), torch.tensor(3.5), torch.tensor(True))
print(torch.ones_like(a), torch.zeros_like(b).dtype, torch.full((2,), 7), torch.arange(0, 1, 0.25), torch.arange(5))
""",
    "rows of a Jacobian": r"""
x = torch.tensor([1., 2., 3.], requires_grad=True)
y = x * 2
print(y.grad_fn.name(), y.requires_grad, y.is_leaf)
for v in torch.eye(3):
    g, = torch.autograd.grad(y, x, v, retain_graph=True); print(g)
try: y.backward()
except RuntimeError as e: print(type(e).__name__, e)
y.backward(torch.ones_like(y)); print(x.grad)
try: y.backward(torch.ones_like(y))
except RuntimeError as e: print('again', str(e)[:40])
""",
    "modules": r"""
net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1)); print(net)
print([tuple(p.shape) for p in net.parameters()], sum(p.numel() for p in net.parameters()))
class Net(nn.Module):
    def __init__(self):
        super().__init__(); self.fc = nn.Linear(2, 2)
    def forward(self, x): return self.fc(x)
n = Net(); print(n); print(list(dict(n.named_parameters())))
""",
    "integers and conversions": r"""
x = torch.tensor([1, 2, 3]); print(x + 1, x * 2.5, x / 2, x // 2, x ** 2, -x, x > 1, x == 2, x.float(), x.sum(), x.max(), x.float().mean())
print(x.dtype, (x > 1).sum(), x[x > 1], torch.where(x > 1, x, torch.zeros_like(x)), x.bool(), ~(x > 1))
print(torch.cat([x, x]), torch.stack([x, x]), x.unsqueeze(0), x.tolist(), x.view(3, 1), x.reshape(1, 3))
print(torch.max(x.float(), dim=0), x.float().max(0).values, torch.argmax(x), torch.softmax(x.float(), 0), F.one_hot(x))
""",
    "losses": r"""
logits = torch.tensor([[2., 1., 0.1], [0.5, 2.5, 0.3]], requires_grad=True)
t = torch.tensor([0, 1]); loss = F.cross_entropy(logits, t, reduction='none'); print(loss)
loss.backward(torch.ones_like(loss)); print(logits.grad); print(torch.softmax(logits, dim=1) , F.one_hot(t, 3))
print(nn.CrossEntropyLoss()(logits, t), nn.MSELoss(reduction='sum')(logits, torch.zeros(2, 3)))
""",
    "descent by hand": r"""
x = torch.tensor(2.0, requires_grad=True)
for i in range(3):
    y = x ** 3; y.backward(); print(i, x.grad);
x.grad = None; y = x ** 3; y.backward(); print(x.grad)
with torch.no_grad(): x -= 0.1 * x.grad
print(x); x.grad.zero_(); print(x.grad)
print(torch.is_tensor(x), isinstance(x, torch.Tensor), x.requires_grad, x.detach(), x.data, float(x.detach()), int(x.detach()))
""",
    "the old constructor": r"""
x = torch.Tensor([1, 2, 3]); print(x, x.dtype); y = torch.FloatTensor([1, 2])
""",
    "printing": r"""
x = torch.ones(3, requires_grad=True); print(x.sum(), repr(x), str(x)); print([x, 1]); print({'a': x.detach()}); print((x*2).detach(), x.grad)
v = torch.tensor([0.1, 1.0, 0.0001]); print(v); print(v * 1e6); print(v.double()); print(torch.tensor([1e-8, 1.]), torch.tensor([float('nan'), float('inf')]))
print(torch.dot(x, v), torch.outer(v, v), v @ v, torch.allclose(v, v), torch.equal(v, v), torch.abs(-v), torch.sqrt(v), v.clamp(0, .5))
""",
    "pieces, reductions, functions": r"""
a = torch.randn(2, 3, generator=torch.Generator().manual_seed(5)); print(a); print(a.shape == (2, 3), a.size(), a.size()[0], list(a.shape), tuple(a.shape), a.shape[-1], a.ndim, a.dim())
b, c = a.unbind(0); print(b, c); p, q, r = a.split(1, dim=1); print(p.squeeze(), a.chunk(3, 1)[0].shape, a.t().shape, a.permute(1, 0).shape)
print(a.sum(1, keepdim=True), a.mean(), a.min(), a.abs().sum(), a.norm(), a.logsumexp(1))
x = torch.tensor([3.], requires_grad=True); print(x.item(), x ** 0.5, x.exp(), x.log(), 1 / x, 2 ** x, x.sin() + x.cos(), x.tanh(), x.sigmoid())
""",
    "errors": r"""
x = torch.tensor([[1., 2.]], requires_grad=True); w = torch.tensor([[1.], [2.]])
try: x @ x
except Exception as e: print(type(e).__name__, e)
try: x + torch.ones(3)
except Exception as e: print(type(e).__name__, e)
try: x.view(3)
except Exception as e: print(type(e).__name__, e)
try: torch.tensor([1, 2], requires_grad=True)
except Exception as e: print(type(e).__name__, e)
try: x.numpy()
except Exception as e: print(type(e).__name__, e)
try: x.foo
except Exception as e: print(type(e).__name__, e)
try: torch.ones(2, 3).sum(5)
except Exception as e: print(type(e).__name__, e)
try: torch.zeros(2)[5]
except Exception as e: print(type(e).__name__, e)
try: x += 1
except Exception as e: print(type(e).__name__, e)
try: torch.tensor([[1, 2], [3]])
except Exception as e: print(type(e).__name__, e)
try: torch.tensor("a")
except Exception as e: print(type(e).__name__, e)
try: x + "a"
except Exception as e: print(type(e).__name__, e)
try: torch.relu(3)
except Exception as e: print(type(e).__name__, e)
try: torch.ones(2).backward()
except Exception as e: print(type(e).__name__, e)
""",
}


def _printed(side: Side, script: str) -> list[str]:
    written = io.StringIO()
    with contextlib.redirect_stdout(written):
        outcome = run(side, script, {})
    return [*written.getvalue().splitlines(), f"ended with {outcome.error}"]


@pytest.mark.parametrize("title", SCRIPTS)
def test_prints_the_same(title: str) -> None:
    assert _printed(ENGINE, SCRIPTS[title]) == _printed(TORCH, SCRIPTS[title])
