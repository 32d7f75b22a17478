"""Scripts as people write them, for the sandbox and for PyTorch itself."""

from pathlib import Path

ARTICLE = {
    "1.1": """\
import torch

# 定义包含两个元素的输入向量
x = torch.tensor([2.0, 3.0], requires_grad=True)

# 进行逐元素运算，y 输出形状仍为 [2]，属于非标量张量
y = x ** 2 + 3 * x

# 错误调用方式：直接对非标量张量执行反向传播
y.backward()
""",
    "2.1": """\
import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x ** 2 + 3 * x  # y 为 [10.0, 18.0]

# 方案 A：求和规约。数学等价于为每个分量赋予权重 1.0
loss_sum = y.sum()
loss_sum.backward()
print("sum() 规约梯度:", x.grad)
# 输出: tensor([7., 9.])  (由 2*x + 3 计算而来)

# 重置梯度
x.grad.zero_()

# 方案 B：均值规约。数学等价于为每个分量赋予权重 1/N
loss_mean = y.mean()
loss_mean.backward()
print("mean() 规约梯度:", x.grad)
# 输出: tensor([3.5000, 4.5000])
""",
    "2.1 with y again": """\
import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x ** 2 + 3 * x
loss_sum = y.sum()
loss_sum.backward()
print("sum() 规约梯度:", x.grad)
x.grad.zero_()
y = x ** 2 + 3 * x
loss_mean = y.mean()
loss_mean.backward()
print("mean() 规约梯度:", x.grad)
""",
    "3": """\
import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x ** 2 + 3 * x  # y 的 shape 为 torch.Size([2])

# 创建与 y 形状完全一致的外部权重向量 v
v = torch.tensor([1.0, 1.0], dtype=torch.float32)

# 正确调用：通过 gradient 显式传入权重向量
y.backward(gradient=v)

print("反向传播梯度:", x.grad)
# 输出: tensor([7., 9.])，与 y.sum().backward() 的计算结果完全一致

x.grad.zero_()

# 若需要多次 backward，需保留计算图 retain_graph=True
y = x ** 2 + 3 * x

# 仅对第一个分量求导：v = [1.0, 0.0]
v1 = torch.tensor([1.0, 0.0])
y.backward(gradient=v1, retain_graph=True)
print("仅针对 y[0] 的梯度:", x.grad)
# 输出: tensor([7., 0.])

# 清空梯度后，对第二个分量求导：v = [0.0, 1.0]
x.grad.zero_()
v2 = torch.tensor([0.0, 1.0])
y.backward(gradient=v2)
print("仅针对 y[1] 的梯度:", x.grad)
# 输出: tensor([0., 9.])
""",
}

TUTORIALS = {
    "training loop": """\
import torch
torch.manual_seed(1)
x = torch.tensor([[1.0], [2.0], [3.0]])
y = 2 * x + 1
w = torch.zeros(1, 1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
lr = 0.05
for epoch in range(3):
    pred = x @ w + b
    loss = ((pred - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= lr * w.grad
        b -= lr * b.grad
        w.grad.zero_()
        b.grad = None
    print(f"epoch {epoch}: loss {loss.item():.4f}", end=" | ")
print()
print(w, b, sep="\\n")
""",
    "module": """\
import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, width: int = 2) -> None:
        super().__init__()
        self.fc1 = nn.Linear(2, width)
        self.fc2 = nn.Linear(width, 1)
        self._scale = 0.5
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        h = F.relu(self.fc1(x))
        return self._scale * self.fc2(h)


torch.manual_seed(0)
net = Net(3)
out = net(torch.tensor([[1.0, 2.0]]))
loss = (out - 1.0).pow(2).sum()
loss.backward()
for name, p in net.named_parameters():
    print(name, tuple(p.shape), p.grad)
print(net.calls, isinstance(net, nn.Module), type(net).__name__, net.__class__.__name__)
""",
    "python": """\
import math
import torch
from collections import defaultdict
from functools import partial, reduce


def power(x, n=2, *rest, scale=1.0, **named):
    '''A docstring.'''
    return scale * x ** n


class Counter:
    total = 0

    def __init__(self, start=0):
        self.value = start

    def __add__(self, other):
        return Counter(self.value + other)

    def __repr__(self):
        return f"Counter({self.value!r})"

    @property
    def double(self):
        return self.value * 2

    @staticmethod
    def make():
        return Counter(7)


def numbers(n):
    i = 0
    while True:
        if i >= n:
            return
        yield i
        i += 1


def counter():
    n = 0
    def step():
        nonlocal n
        n += 1
        return n
    return step


x = torch.tensor([1.0, 2.0], requires_grad=True)
first, *rest, last = [1, 2, 3, 4]
(a, b), c = (1, 2), 3
d = {"k": [1, 2], **{"m": 3}}
d["k"][0] += 5
d["k"][1] *= 4
c1 = Counter()
c1.value += 2
c1.value *= 3
step = counter()
step()
groups = defaultdict(list)
groups["a"].append(1)
print(first, rest, last, a, b, c, d, c1 + 1, c1.double, Counter.make(), step(), dict(groups))
print([i * j for i in range(3) for j in range(3) if i != j], {k: v for k, v in zip("ab", (1, 2))})
print(list(numbers(3)), sum(i for i in range(4)), sorted({3, 1, 2}, reverse=True), "ab" * 2)
print("{} {:>6.2f} {name!r}".format(1, math.pi, name="n"), "%s-%03d" % ("a", 5), "a,b".split(","))
print(partial(power, n=3)(2), reduce(lambda p, q: p + q, [1, 2, 3]), power(x, scale=2.0))
if (n := len(rest)) == 2:
    print("walrus", n, not None, 3 if n else 4, x.shape, x.dtype, 7 // 2, 7 % 3, -7 >> 1, 5 & 3 | 8)
try:
    try:
        raise ValueError("bad")
    except (KeyError, ValueError) as e:
        print("caught", e, type(e).__name__, e.args)
        raise RuntimeError("worse") from e
    finally:
        print("finally")
except RuntimeError as e:
    print(repr(e))
else:
    print("never")
assert x.sum() > 0, "message"
del d["m"]
x.data[0] = 4.0
print(d, x, x.requires_grad, __name__ == "__main__", type(x), type(3), type(power), power.__doc__)
_hidden = 3
global_name = [_hidden for _ in range(2)]
print(global_name, *[1, 2], **{"sep": "/"})
""",
    "autograd.grad": """\
import torch
from torch.autograd import grad
x = torch.tensor(3.0, requires_grad=True)
y = x ** 3
(dx,) = grad(y, x, create_graph=True)
(ddx,) = grad(dx, x)
print(dx, ddx)
""",
    "accumulate": """\
import torch
x = torch.tensor([1., 2.], requires_grad=True)
for _ in range(2):
    (x * x).sum().backward()
    print(x.grad)
x.grad = None
print(x.grad)
h = x * 2
h.retain_grad()
h.sum().backward()
print(h.grad, h.grad_fn.name(), h.is_leaf)
""",
    "numpy": """\
import numpy as np
import torch
a = np.array([[1.0, 2.0], [3.0, 4.0]], dtype=np.float32)
t = torch.from_numpy(a).requires_grad_()
(t * t).sum().backward()
print(t.grad.numpy(), np.allclose(t.grad.numpy(), 2 * a), a.mean(), a.shape)
print(np.arange(3) + 1, np.eye(2), t.detach().numpy().sum())
""",
    "everything": Path(__file__).with_name("tutorial.txt").read_text(encoding="utf-8"),
}

FAILING = {
    "no gradient": "import torch\nx = torch.tensor([1., 2.])\nx.sum().backward()\n",
    "shape": (
        "import torch\nx = torch.ones(2, requires_grad=True)\n(x * x).backward(torch.ones(3))\n"
    ),
    "freed": (
        "import torch\nx = torch.ones(2, requires_grad=True)\ny = (x * x).sum()\n"
        "y.backward()\ny.backward()\n"
    ),
    "none": "import torch\nx = torch.ones(2, requires_grad=True)\nx.grad.zero_()\n",
    "integers": "import torch\nx = torch.tensor([1, 2], requires_grad=True)\n",
    "matrices": "import torch\na = torch.ones(2, 3)\n\nb = a @ torch.ones(2, 3)\n",
    "in a function": (
        "import torch\ndef f(x):\n    return g(x) + 1\ndef g(x):\n    return x.sum().item() + y\n"
        "print('before')\nf(torch.ones(2))\n"
    ),
    "attribute": "import torch\nx = torch.ones(2, requires_grad=True)\nx.sum().backwards()\n",
    "key": "d = {}\nprint(d['a'])\n",
    "division": "a = [1, 0]\nprint([6 / i for i in a])\n",
    "chained": (
        "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise ValueError('two') from e\n"
    ),
    "in handling": "try:\n    {}['k']\nexcept KeyError:\n    int('x')\n",
    "syntax": "x = 1\ny = (2,\nz = 3\n",
    "assertion": "assert 1 == 2, 'unequal'\n",
    "own exception": "class Own(Exception):\n    pass\nraise Own('mine', 3)\n",
    "name": "torch_value = 3\nprint(torch_valu)\n",
    "unpack": "a, b = [1, 2, 3]\n",
    "call": "def f(a, b=1):\n    pass\nf()\n",
}
