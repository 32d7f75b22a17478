import torch
import torch.nn.functional as F

samples = torch.tensor([[1.0, 2.0], [3.0, -1.0], [0.5, 4.0]])
target = torch.tensor([1.0, 2.0, 0.0])
w = torch.tensor([0.5, -0.25], requires_grad=True)
b = torch.tensor(0.5, requires_grad=True)

prediction = samples @ w + b
loss = F.mse_loss(prediction, target, reduction="none")  # one loss for each sample
print("losses:", loss)

trust = torch.tensor([1.0, 1.0, 0.5])  # how much each sample is to count
loss.backward(gradient=trust)
print("w:", w.grad)
print("b:", b.grad)
