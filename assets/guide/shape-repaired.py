import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x**2 + 3 * x

v = torch.ones_like(y)  # shape and dtype of y
y.backward(gradient=v)
print(x.grad)
