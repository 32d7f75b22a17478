import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x**2 + 3 * x

y.backward(gradient=torch.tensor([1.0, 0.0]), retain_graph=True)
print(x.grad)
x.grad = None
y.backward(gradient=torch.tensor([0.0, 1.0]))
print(x.grad)
