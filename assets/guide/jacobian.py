import torch


def f(x):
    return x**2 + 3 * x


x = torch.tensor([2.0, 3.0])
J = torch.autograd.functional.jacobian(f, x)
print(J)
