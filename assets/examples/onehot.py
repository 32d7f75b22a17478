import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x**2 + 3 * x

# The first row of the Jacobian. The graph is kept, as it is needed once more.
first = torch.tensor([1.0, 0.0])
y.backward(gradient=first, retain_graph=True)
print("dy[0]/dx:", x.grad)

x.grad.zero_()  # or the second row would be added to the first

second = torch.tensor([0.0, 1.0])
y.backward(gradient=second)
print("dy[1]/dx:", x.grad)
