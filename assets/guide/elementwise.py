import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = torch.softmax(x, dim=0)

y.backward(gradient=torch.ones_like(y))
print(x.grad)  # not dy[i]/dx[i]: the sum over y
