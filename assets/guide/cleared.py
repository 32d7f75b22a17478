import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x**2 + 3 * x

for v in torch.eye(2):
    y.backward(gradient=v, retain_graph=True)
    print(x.grad)  # the second adds to the first
