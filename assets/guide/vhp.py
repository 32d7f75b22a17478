import torch


def f(x):
    return (x**2 + 3 * x).prod()


x = torch.tensor([2.0, 3.0])
v = torch.tensor([1.0, 0.5])
value, product = torch.autograd.functional.vhp(f, x, v)
print(product)
