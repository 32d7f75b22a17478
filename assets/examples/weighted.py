import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x**2 + 3 * x

v = torch.tensor([1.0, 0.5])  # the second element counts half
y.backward(gradient=v)
print("gradient:", x.grad)  # v * (2 * x + 3)
