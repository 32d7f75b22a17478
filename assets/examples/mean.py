import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x**2 + 3 * x

loss = y.mean()  # one number: every element of y counts 1/N
loss.backward()
print("gradient:", x.grad)  # half of what sum() gives
