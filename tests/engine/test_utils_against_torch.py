"""torch.utils: data in batches and checkpoints, under PyTorch and under the engine."""

from __future__ import annotations

import pytest

from tests.engine.results import assert_same_results

SETUP = """
import collections
D, C = torch.utils.data, torch.utils.checkpoint
DataLoader = D.DataLoader
ds = D.TensorDataset(torch.arange(10.), torch.arange(10))
x = torch.tensor([1., 2.], requires_grad=True)
m = torch.nn.Sequential(torch.nn.Linear(2, 2, dtype=torch.float64), torch.nn.ReLU())
Pair = collections.namedtuple('Pair', 'a b')
torch.manual_seed(7)

class Squares(D.Dataset):
    def __init__(self, n):
        self.n = n
    def __len__(self):
        return self.n
    def __getitem__(self, i):
        return i ** 2, {'x': torch.tensor([i, i + 1.]), 'name': str(i)}

class Stream(D.IterableDataset):
    def __iter__(self):
        return iter(range(5))

def run(y):
    y.sum().backward()
    return x.grad

def shuffled(**given):
    return [b[1].tolist() for b in DataLoader(ds, batch_size=4, shuffle=True, **given)]
"""

VALUES = [
    "list(DataLoader(ds, batch_size=4))",
    "list(DataLoader(ds, batch_size=4, drop_last=True))",
    "list(DataLoader(Squares(3), batch_size=2))",
    "list(DataLoader([1, 2.5, 3], batch_size=2))",
    "list(DataLoader([(1, 'a'), (2, 'b')], batch_size=2))",
    "list(DataLoader([[1, 2], [3, 4]], batch_size=2))",
    "list(DataLoader(np.arange(6.).reshape(3, 2), batch_size=2))",
    "list(DataLoader([Pair(1, 2.)] * 2, batch_size=2))",
    "list(DataLoader(range(3), batch_size=None))",
    "list(DataLoader(Stream(), batch_size=2))",
    "list(DataLoader(ds, batch_sampler=[[0, 1], [5]]))",
    "list(DataLoader(ds, batch_size=3, collate_fn=len))",
    "[len(DataLoader(ds, batch_size=3)), len(DataLoader(ds, batch_size=3, drop_last=True))]",
    "[shuffled(), shuffled(), torch.rand(2)]",
    "shuffled(generator=torch.Generator().manual_seed(3))",
    "list(D.RandomSampler(ds, replacement=True, num_samples=40))",
    "list(D.RandomSampler(ds, num_samples=14))",
    "[list(D.SubsetRandomSampler([3, 5, 7])), list(D.SequentialSampler(ds))]",
    "list(D.WeightedRandomSampler([.1, .9, .4], 5))",
    "list(D.BatchSampler(range(5), 2, False))",
    "[p.indices for p in D.random_split(ds, [7, 3])]",
    "[len(p) for p in D.random_split(ds, [.35, .65])]",
    "[p.indices for p in D.random_split(ds, [7, 3], torch.Generator().manual_seed(1))]",
    "[D.ConcatDataset([ds, ds])[15], (ds + ds)[3], D.Subset(ds, [3, 4])[1], ds[2:4], len(ds)]",
    "C.checkpoint(lambda a: a * a, x, use_reentrant=False)",
    "C.checkpoint(lambda a: a * a, x, use_reentrant=True)",
    "C.checkpoint(lambda a: (a * a, a), x, use_reentrant=True)",
    "run(C.checkpoint(lambda a: a * a.exp(), x, use_reentrant=True))",
    "run(C.checkpoint(lambda a, n: a * n, x, 3, use_reentrant=True))",
    "run(C.checkpoint(lambda a, b: (a * 2, b * 3), x, x * 2, use_reentrant=True)[1])",
    "C.checkpoint(lambda a: a * a, x.detach(), use_reentrant=True)",
    "C.checkpoint(lambda a: a * a, x)",
    "C.checkpoint_sequential(m, 2, x[None].double(), use_reentrant=False).shape",
]

ERRORS = [
    "DataLoader(ds, batch_size=0)",
    "DataLoader(ds, shuffle=True, sampler=D.SequentialSampler(ds))",
    "DataLoader(ds, batch_size=None, drop_last=True)",
    "DataLoader(ds, batch_sampler=[[0]], batch_size=2)",
    "DataLoader(ds, num_workers=-1)",
    "DataLoader([], shuffle=True)",
    "DataLoader(Stream(), shuffle=True)",
    "len(DataLoader(Stream()))",
    "list(DataLoader([object()]))",
    "list(DataLoader([[1, 2], [1]], batch_size=2))",
    "D.Dataset()[0]",
    "D.TensorDataset(torch.ones(2), torch.ones(3))",
    "D.ConcatDataset([])",
    "D.random_split(ds, [3, 3])",
    "D.RandomSampler(ds, num_samples=0)",
    "D.RandomSampler(ds, replacement=1)",
    "torch.autograd.grad(C.checkpoint(lambda a: a * a, x, use_reentrant=True).sum(), x)",
]


@pytest.mark.parametrize("expression", VALUES)
def test_same_values(expression: str) -> None:
    assert_same_results(f"{SETUP}y = {expression}")


@pytest.mark.parametrize("expression", ERRORS)
def test_same_errors(expression: str) -> None:
    assert_same_results(f"{SETUP}y = {expression}")
