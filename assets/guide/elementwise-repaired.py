import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = torch.softmax(x, dim=0)

(J,) = torch.autograd.grad(y, x, torch.eye(2), is_grads_batched=True)
print(J.diagonal())  # dy[i]/dx[i]
