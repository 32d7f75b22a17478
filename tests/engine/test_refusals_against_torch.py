"""What is refused, and what only looks as if it were: an expression a line, in both libraries."""

from __future__ import annotations

import pytest

from tests.engine.results import assert_same_results

SETUP = """
t = lambda d, rg=True: torch.tensor(d, dtype=torch.float64, requires_grad=rg)
one = lambda *s: torch.ones(*s, dtype=torch.float64)
x, w = t([1., 2.]), t([[1., 2.], [3., 4.]])
i, b = torch.tensor([1, 2]), torch.tensor([True, False])
"""
EXPRESSIONS = r"""
one(2,3)+one(4,3)
one(2,3)*one(2)
one(3,1)-one(2,4,1)
x @ w @ x
one(2,3) @ one(2,3)
one(2,2,3) @ one(2,2,3)
torch.mm(x, w)
torch.mm(w, one(3,2))
torch.mv(w, one(3))
torch.mv(w, w)
torch.dot(x, w)
torch.dot(x, one(3))
torch.bmm(w, w)
torch.addmm(x, w, one(3,2))
torch.outer(w, x)
w.view(3)
w.view(-1, 3)
w.view(-1, -1)
w.reshape(-1, 3)
w.reshape(5)
w.expand(3, 2)
w.expand(2)
w.squeeze(3)
w.unsqueeze(4)
w.transpose(0, 2)
w.permute(0)
w.permute(0, 0)
w.flatten(1, 0)
w.sum(2)
w.sum((0, 0))
w.mean(-3)
i.mean()
i.float().mean()
b.sum()
i.sum()
i.prod()
i.max()
i.std()
b.mean()
i.norm()
i.softmax(0)
i.log_softmax(0)
i.exp()
i.sqrt()
i / 2
i // 2
i % 2
i ** -1
i ** 2.
b + b
b - b
b * 2
-b
~i
i & b
x & x
x[2]
x[-3]
x[0, 0]
x[0:1, 0]
x[i]
x[torch.tensor([0, 5])]
x[torch.tensor([0., 1.])]
x[b]
x[torch.tensor([True, False, True])]
x[::-1]
w[:, 2]
w[..., 0]
w[0][0]
x[[0, 1]]
x[None, :, None].shape
x.split(0)
x.split(3)
x.split([1, 2])
x.chunk(0)
x.unbind(1)
torch.stack([])
torch.cat([])
torch.cat([x, w])
torch.cat([x, i])
torch.stack([x, w])
torch.stack([x, x], 2)
torch.cat([w, w], 2)
torch.max(t([]))
torch.min(one(0, 3), 0)
torch.max(one(0, 3), 1)
one(0).mean()
one(0).sum()
one(0).prod()
one(0).argmax()
one(0).norm()
one(0).max(0)
x.var()
x[:1].std()
x[:1].var(unbiased=False)
x.var(correction=2)
one(0).var()
F.mse_loss(x, one(3))
F.mse_loss(x, one(1))
F.l1_loss(x, one(1))
F.smooth_l1_loss(x, one(1))
F.huber_loss(x, one(1))
F.mse_loss(x, x, reduction='foo')
F.cross_entropy(w, i)
F.cross_entropy(w, torch.tensor([0, -1]))
F.cross_entropy(w, torch.tensor([0, 1, 1]))
F.cross_entropy(w, torch.tensor([0.5, 1.]))
F.nll_loss(w, torch.tensor([0, 5]))
F.nll_loss(w, torch.tensor([0]))
F.binary_cross_entropy(x, one(2))
F.binary_cross_entropy(one(2)*.5, one(3))
F.binary_cross_entropy_with_logits(x, one(3))
F.kl_div(x, x)
F.softmax(w)
F.log_softmax(x)
F.softmax(w, dim=2)
F.linear(w, one(3, 3))
F.linear(x, one(2))
F.conv2d(one(1,2,3,3), one(1,1,2,2))
F.conv2d(one(3,3), one(1,1,2,2))
F.conv2d(one(1,1,3,3), one(1,1,4,4))
F.conv1d(one(1,1,3), one(1,1,2), stride=0)
F.max_pool2d(one(1,1,3,3), 4)
F.avg_pool2d(one(1,1,3,3), 4)
F.batch_norm(one(1,2), None, None, training=True)
F.layer_norm(w, [3])
F.embedding(i, one(2, 2))
F.embedding(x, w)
F.one_hot(i)
F.one_hot(torch.tensor([-1]))
F.one_hot(i, 2)
F.dropout(x, 2.)
F.pad(x, (1,))
F.normalize(x, dim=1)
torch.linalg.inv(one(2,2))
torch.linalg.inv(one(2,3))
torch.linalg.solve(one(2,2), one(2))
torch.linalg.cholesky(-one(2,2))
torch.linalg.det(one(2,3))
torch.linalg.eigh(one(3))
torch.gather(x, 0, torch.tensor([5]))
torch.gather(w, 0, i)
x.scatter(0, i, x)
torch.index_select(x, 0, torch.tensor([3]))
torch.index_select(x, 0, i.float())
torch.where(x, x, x)
torch.where(b, x, w[0])
torch.where(b, 1., 2.)
x.masked_fill(i, 0)
x.masked_fill(torch.tensor([True]*3), 0)
x.clamp()
x.clamp(min=one(3))
x.topk(3)
x.sort(1)
x.cumsum(1)
x.cumprod(2)
x.median(1)
x.repeat(2, 0).shape
w.repeat(2)
torch.arange(0, 1, -1)
torch.linspace(0, 1, -1)
torch.zeros(-1)
torch.eye(-1)
torch.tensor([[1, 2], [3]])
torch.tensor(['a'])
torch.tensor(None)
torch.tensor(2**70)
torch.ones(2).add(torch.ones(3))
torch.add(1, 2)
torch.add(x, 'a')
x + 'a'
x + None
x + [1, 2]
x == None
x > 'a'
x.item()
x.foo
torch.foo
x.to('foo')
x.type('foo')
x.T.shape
x.H
w.mT
x.mT
len(x[0])
list(x[0])
x[0][0]
range(3)[torch.tensor(1)]
[1,2,3][i[0]]
x.numpy()
torch.from_numpy([1])
w.norm('nuc')
torch.einsum('ij,jk', w, one(3,2))
torch.einsum('i', w)
torch.einsum('ii->i', w)
torch.einsum('ij->k', w)
torch.cdist(x, x)
torch.trace(x)
torch.diag(one(2,2,2))
torch.tril(x)
torch.flip(x, [1])
torch.roll(x, 1, 1)
torch.meshgrid(x, x)
torch.histc(x)
torch.bincount(x)
torch.unique(i)
torch.nonzero(b)
torch.argwhere(b)
x.all()
b.any()
torch.isclose(x, x.float())
torch.allclose(x, x.float())
torch.equal(x, one(3))
x.new_ones(2)
x.new_tensor([1])
torch.complex(x, x.float())
torch.polar(x.detach(), x.detach())
torch.view_as_complex(x)
torch.fft.fft(i)
torch.finfo(torch.int32)
torch.iinfo(torch.float32)
""".strip().splitlines()


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_same_results(expression: str) -> None:
    assert_same_results(f"{SETUP}y = {expression}")
