import torch

logits = torch.tensor([[2.0, 0.5, -1.0], [0.0, 1.0, 3.0]], requires_grad=True)
labels = torch.tensor([0, 1])

scores = logits.exp()
p = scores / scores.sum(dim=1, keepdim=True)  # softmax, by hand
picked = p[torch.arange(2), labels]  # the probability of the right class
loss = -picked.log()  # one loss for each sample
print("losses:", loss)

loss.mean().backward()
print("gradient:", logits.grad)  # (p - one-hot of the label) / 2
