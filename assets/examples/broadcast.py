import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
scale = torch.tensor([[1.0], [2.0], [4.0]], requires_grad=True)

# A row of 2 times a column of 3: both are repeated to fill a 3 by 2 table.
table = scale * (x**2 + 3 * x)

table.sum().backward()
print("x:", x.grad)  # what was repeated downwards is summed over the rows
print("scale:", scale.grad)  # what was repeated sideways is summed over the columns
