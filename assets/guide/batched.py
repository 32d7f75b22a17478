import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x**2 + 3 * x
seeds = torch.eye(2)

(rows,) = torch.autograd.grad(y, x, seeds, is_grads_batched=True)
print(rows)
