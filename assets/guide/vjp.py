import torch


def f(x):
    return x**2 + 3 * x


x = torch.tensor([2.0, 3.0])

y, pull = torch.func.vjp(f, x)
for v in (torch.tensor([1.0, 0.5]), torch.tensor([0.0, 1.0])):
    print(pull(v)[0])
