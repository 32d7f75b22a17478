import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = (x**3).sum()

# create_graph=True: the gradient is computed by nodes that can be differentiated again.
(g,) = torch.autograd.grad(y, x, create_graph=True)
print("gradient:", g)

# A Hessian-vector product: the seed v goes in at the gradient, and H v arrives at x.
v = torch.tensor([1.0, 0.5])
g.backward(gradient=v)
print("H v:", x.grad)
