import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x**2 + 3 * x

v = torch.tensor([1.0, 0.1], dtype=torch.float64)
y.backward(gradient=v)  # no error: v is cast
print(x.grad.dtype)
print(x.grad)
