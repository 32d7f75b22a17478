"""torch.autograd.functional and batched seeds, under PyTorch and under the engine."""

from __future__ import annotations

import pytest

from tests.engine.results import assert_same_results

SETUP = """
A = torch.autograd.functional
grad = torch.autograd.grad
t = lambda d, rg=True: torch.tensor(d, dtype=torch.float64, requires_grad=rg)
one = lambda *s: torch.ones(*s, dtype=torch.float64)
x = torch.tensor([1., 2.], dtype=torch.float64, requires_grad=True)
k = t([3., -1., 2.], False)
w = t([0.5, 1.5])
cube = lambda z: (z ** 3).sum()
two = lambda a, b: (a * b[:2], a.sum() * b)
"""

VALUES = [
    "A.jacobian(lambda z: z ** 2, x)",
    "A.jacobian(lambda z: z.sum(), x)",
    "A.jacobian(lambda z: z * w, x, create_graph=True)",
    "A.jacobian(lambda z: (z * z, z.sum()), x)",
    "A.jacobian(two, (x, k))",
    "A.jacobian(two, (x, k), create_graph=True)",
    "A.jacobian(two, (x, k), vectorize=True)",
    "A.jacobian(lambda z: z ** 2, x, vectorize=True, create_graph=True)",
    "A.jacobian(two, (x, k), vectorize=True, strategy='forward-mode')",
    "A.jacobian(lambda z: z ** 2, x.detach(), vectorize=True, strategy='forward-mode')",
    "A.jacobian(lambda z: z ** 2, k, strict=True, create_graph=True)",
    "A.jacobian(lambda z: one(2), x)",
    "A.jacobian(lambda z: one(2), x, vectorize=True)",
    "A.jacobian(lambda z, v: z * 2, (x, k))",
    "A.jacobian(lambda z: z.reshape(2, 1), x)",
    "A.jacobian(lambda z: z.float(), x)",
    "A.jacobian(lambda z: z * 1j, x)",
    "torch.no_grad()(A.jacobian)(lambda z: z ** 2, x)",
    "A.jacobian(lambda z: z ** 2, t([]))",
    "A.hessian(cube, x)",
    "A.hessian(cube, x, create_graph=True)",
    "A.hessian(lambda a, b: (a * b[:2]).sum() ** 2, (x, k))",
    "A.hessian(lambda a, b: (a * b[:2]).sum() ** 2, (x, k), vectorize=True)",
    "A.hessian(cube, x, vectorize=True, outer_jacobian_strategy='forward-mode')",
    "A.hessian(lambda z: z.sum(), x)",
    "A.hessian(lambda z: (z ** 3).sum().reshape(1), x)",
    "A.vjp(lambda z: z.exp(), x, one(2))",
    "A.vjp(cube, x)",
    "A.vjp(two, (x, k), (one(2), one(3)))",
    "A.vjp(lambda z: z * w, x, one(2), create_graph=True)",
    "A.vjp(lambda z: one(2), x, one(2))",
    "A.vjp(lambda z: z * z, x, torch.ones(2))",
    "A.jvp(lambda z: z.exp(), x, one(2))",
    "A.jvp(lambda z: z * 2, t([1.]))",
    "A.jvp(two, (x, k), (one(2), one(3)))",
    "A.jvp(lambda z: z ** 3, x, one(2), create_graph=True)",
    "A.jvp(lambda z: one(2), x, one(2))",
    "A.jvp(lambda z: z * 1., x, one(2))",
    "A.vhp(cube, x, one(2))",
    "A.vhp(lambda z: z ** 3, t([2.]))",
    "A.vhp(lambda a, b: (a * b[:2]).sum() ** 2, (x, k), (one(2), one(3)))",
    "A.vhp(cube, x, one(2), create_graph=True)",
    "A.vhp(lambda z: z.sum(), x, one(2))",
    "A.hvp(cube, x, one(2))",
    "A.hvp(lambda a, b: (a * b[:2]).sum() ** 2, (x, k), (one(2), one(3)))",
    "A.hvp(cube, x, one(2), create_graph=True)",
    "A.hvp(lambda z: z.sum(), x, one(2))",
    "torch.no_grad()(A.hvp)(cube, x, one(2))",
    # many seeds in one call
    "grad(x * x, x, one(3, 2), is_grads_batched=True)",
    "grad((x * x).sum(), x, one(3), is_grads_batched=True)",
    "grad([x * x, x.sum()], x, [one(3, 2), one(3)], is_grads_batched=True)",
    "grad(x ** 3, [x, w], one(3, 2), is_grads_batched=True, allow_unused=True)",
    "grad(x ** 3, [x, w], one(3, 2), is_grads_batched=True, materialize_grads=True)",
    "grad(x ** 3, {'a': x, 'b': w}, one(2), allow_unused=True)",
    "grad(x ** 3, x, torch.ones(2))",
    "grad(grad(x ** 3, x, w, create_graph=True)[0], w, one(2))",
    "grad(x ** 3, [x, w], one(2), create_graph=True, materialize_grads=True)[1]",
]

ERRORS = [
    "A.vjp(lambda z: z * z, x)",
    "A.jvp(lambda z: z * z, x)",
    "A.vhp(cube, x)",
    "A.hvp(cube, x)",
    "A.vjp(lambda z: z * z, x, one(3))",
    "A.vjp(lambda z: (z * z, z), x, (one(2), one(3)))",
    "A.vjp(lambda z: z * z, x, (one(2), one(2)))",
    "A.vjp(lambda z: (z * z, z), x, (one(2),))",
    "A.jvp(lambda z: z, x, one(3))",
    "A.vhp(cube, x, one(3))",
    "A.hvp(cube, (x, x), (one(2),))",
    "A.vjp(lambda z: z, x, [one(2)])",
    "A.jacobian(lambda z: one(2), x, strict=True)",
    "A.jacobian(lambda z: (z, one(2)), x, strict=True)",
    "A.jacobian(lambda z: w * w, x, strict=True)",
    "A.jacobian(lambda z, v: z * 2, (x, k), strict=True)",
    "A.jacobian(lambda z: z * 2, x, strict=True, create_graph=True)",
    "A.hessian(lambda z: z.sum(), x, strict=True)",
    "A.hessian(lambda z: (z * z).sum(), x, strict=True, create_graph=True)",
    "A.vjp(lambda z: w * w, x, one(2), strict=True)",
    "A.vjp(lambda z: z * 2, x, one(2), strict=True, create_graph=True)",
    "A.jvp(lambda z: w * w, x, one(2), strict=True)",
    "A.jvp(lambda z: z * 2, x, one(2), strict=True)",
    "A.jvp(lambda z: z * 2, x, one(2), strict=True, create_graph=True)",
    "A.vhp(lambda z: z.sum(), x, one(2), strict=True)",
    "A.vhp(lambda z: (z * z).sum(), x, one(2), strict=True, create_graph=True)",
    "A.hvp(lambda z: z.sum(), x, one(2), strict=True)",
    "A.hvp(lambda z: (z * z).sum(), x, one(2), strict=True, create_graph=True)",
    "A.hessian(lambda z: z ** 3, x)",
    "A.hvp(lambda z: z ** 3, x, one(2))",
    "A.vhp(lambda z: z ** 3, x, one(2))",
    "A.hessian(lambda z: (z.sum(),), x)",
    "A.vhp(lambda z: (z.sum(),), x, one(2))",
    "A.jacobian(lambda z: 3.0, x)",
    "A.jacobian(lambda z: (z, 3.0), x)",
    "A.hessian(lambda z: 3.0, x)",
    "A.jacobian(lambda z: z, [1., 2.])",
    "A.jacobian(lambda z: z, (x, 2.))",
    "A.hvp(cube, 3., one(2))",
    "A.jacobian(lambda z: z, x, strict=True, vectorize=True)",
    "A.hessian(cube, x, strict=True, vectorize=True)",
    "A.jacobian(lambda z: z, x, strategy='forward-mode')",
    "A.jacobian(lambda z: z, x, strategy='forward-mode', strict=True)",
    "A.jacobian(lambda z: z, x, strategy='forward-mode', create_graph=True)",
    "A.jacobian(lambda z: z, x, strategy='some')",
    "A.hessian(cube, x, outer_jacobian_strategy='some')",
    "A.hessian(cube, x, outer_jacobian_strategy='forward-mode')",
    # many seeds in one call
    "grad(x * x, x, one(2), is_grads_batched=True)",
    "grad(x * x, x, one(3, 3), is_grads_batched=True)",
    "grad(x * x, x, t(1.), is_grads_batched=True)",
    "grad(x * x, x, one(0, 2), is_grads_batched=True)",
    "grad((x * x).sum(), x, is_grads_batched=True)",
    "grad([x.sum(), x * 2], x, [one(3), one(2, 2)], is_grads_batched=True)",
    "grad(x ** 3, [x, w], one(3, 2), is_grads_batched=True)",
    "torch.autograd.backward(x * x, grad_variables=one(2))",
    "torch.autograd.backward(x * x, one(2), grad_variables=one(2))",
    "grad(x * x, __import__('types').MappingProxyType({'a': x}))",
]


@pytest.mark.parametrize("expression", VALUES)
def test_same_values(expression: str) -> None:
    batched = "vectorize" in expression or "is_grads_batched" in expression
    assert_same_results(f"{SETUP}y = {expression}", names=not batched)


@pytest.mark.parametrize("expression", ERRORS)
def test_same_errors(expression: str) -> None:
    assert_same_results(f"{SETUP}y = {expression}")
