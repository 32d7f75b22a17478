import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x**2 + 3 * x
v = torch.tensor([1.0, 0.5])

(gradient,) = torch.autograd.grad(y, x, v)
print(gradient)
print(x.grad)  # untouched
