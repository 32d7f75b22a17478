import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x**2 + 3 * x

v = torch.ones(3)  # y has two elements
y.backward(gradient=v)
print(x.grad)
