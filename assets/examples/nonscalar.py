import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x**2 + 3 * x  # two elements: tensor([10., 18.])

# Which of the two should count, and how much? backward() cannot know, so it refuses.
y.backward()
