import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)

# x is used twice, so two contributions come back to it: 2 * x and 3.
square = x**2
line = 3 * x
y = square + line

y.backward(gradient=torch.ones_like(y))
print("gradient:", x.grad)  # their sum
