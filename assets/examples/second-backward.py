import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x**2 + 3 * x

y.sum().backward()
print("sum:", x.grad)

x.grad.zero_()

# The first call has freed what x**2 kept for its derivative. Computing y anew would help,
# and so would retain_graph=True in the first call.
y.mean().backward()
print("mean:", x.grad)
