import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x**2 + 3 * x

loss = y.sum()  # one number: every element of y counts once
loss.backward()
print("gradient:", x.grad)  # 2 * x + 3
