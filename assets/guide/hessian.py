import torch


def f(x):
    return (x**2 + 3 * x).prod()


x = torch.tensor([2.0, 3.0])
H = torch.autograd.functional.hessian(f, x)
print(H)
