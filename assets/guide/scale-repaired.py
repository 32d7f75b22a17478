import torch

w = torch.tensor(0.5, requires_grad=True)
for size in (2, 8):
    samples = torch.arange(1.0, size + 1) / size
    loss = (w * samples - 1) ** 2
    (slope,) = torch.autograd.grad(loss.mean(), w)
    print(size, slope)  # stays of one size
