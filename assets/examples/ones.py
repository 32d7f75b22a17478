import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x**2 + 3 * x

# No reduction: the weights of y's elements are handed over as they are.
v = torch.ones_like(y)
y.backward(gradient=v)
print("gradient:", x.grad)  # the same as y.sum().backward()
