import torch
from torch.func import grad, vmap

samples = torch.tensor([[1.0, 2.0], [3.0, -1.0], [0.5, 4.0]])
target = torch.tensor([1.0, 2.0, 0.0])
w = torch.tensor([0.5, -0.25])


def loss(w, sample, target):
    return (sample @ w - target) ** 2


print(vmap(grad(loss), in_dims=(None, 0, 0))(w, samples, target))
