import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)

for turn in range(3):
    y = x**2 + 3 * x
    y.sum().backward()
    print(f"after call {turn + 1}: {x.grad}")

x.grad.zero_()  # what an optimizer's zero_grad() is for
y = x**2 + 3 * x
y.sum().backward()
print("after clearing:", x.grad)
