"""torch.func: transforms of functions, under PyTorch and under the engine."""

from __future__ import annotations

import pytest

from tests.engine.results import assert_same_results

SETUP = """
from functools import partial
F = torch.func
grad, grad_and_value, vjp, jvp, vmap = F.grad, F.grad_and_value, F.vjp, F.jvp, F.vmap
jacrev, jacfwd, hessian, linearize = F.jacrev, F.jacfwd, F.hessian, F.linearize
functional_call = F.functional_call
x = torch.tensor([1., 2.], dtype=torch.float64)
w = torch.tensor([0.5, -1.5], dtype=torch.float64, requires_grad=True)
X = torch.arange(1., 7., dtype=torch.float64).reshape(2, 3)
ones = lambda *s: torch.ones(*s, dtype=torch.float64)
"""

VALUES = [
    # gradients
    "grad(lambda z: (z ** 3).sum())(x)",
    "grad(lambda z: (z ** 3).sum())(w)",
    "grad(lambda z, v: (z * v).sum(), argnums=1)(x, x * 3)",
    "grad(lambda z, v: (z * v).sum(), argnums=(0, 1))(x, x * 3)",
    "grad(lambda z, v: (z * v).sum(), argnums=-1)(x, x * 3)",
    "grad(lambda z, k=1: (z * k).sum())(x, k=5)",
    "grad(lambda d: (d['w'] * x).sum() + d['b'][0])({'w': x, 'b': [x[0]]})",
    "grad(lambda z: (z.sum(), z * 2), has_aux=True)(x)",
    "grad_and_value(lambda z: (z ** 3).sum())(w)",
    "grad_and_value(lambda z: (z.sum(), [z]), has_aux=True)(x)",
    "grad(lambda z: x.sum())(x)",
    # nesting, and what is left of history outside
    "grad(grad(lambda z: z ** 3))(x[0])",
    "grad(grad(grad(torch.sin)))(x[0])",
    "grad(lambda z: grad(lambda u: z * u)(z) * z)(x[1])",
    "grad(lambda z: grad(lambda u: (u ** 3 * z).sum())(x).sum())(x)",
    "torch.autograd.grad(grad(lambda z: (z ** 3).sum())(w).sum(), w)",
    "torch.no_grad()(grad(lambda z: (z ** 3).sum()))(w)",
    "grad(lambda z: (z ** 2 - torch.no_grad()(torch.square)(z)).sum())(x)",
    "grad(lambda z: (z * w).sum())(x)",
    # vjp and jvp
    "vjp(torch.sin, x)[1](x)",
    "vjp(torch.sin, w)[1](x)",
    "vjp(lambda z: (z * z, {'a': z}), x)[1]((x, {'a': x}))",
    "vjp(lambda z, v: z * v, x, x)[1](x)",
    "vjp(lambda z: (z * z, z), x, has_aux=True)[2]",
    "(lambda f: (f(x), f(2 * x)))(vjp(torch.exp, x)[1])",
    "grad(lambda c: vjp(torch.sin, x)[1](c)[0].sum())(x)",
    "jvp(torch.sin, (x,), (x,))",
    "jvp(lambda z, v: (z * v, z), (x, x), (ones(2), x))",
    "jvp(lambda z: {'a': z.exp()}, (x,), (ones(2),))",
    "jvp(lambda z: x * 2, (x,), (ones(2),))",
    "jvp(lambda z: z.long(), (x,), (ones(2),))",
    "jvp(lambda z: (z * z, z), (x,), (ones(2),), has_aux=True)",
    "jvp(grad(lambda z: (z ** 3).sum()), (x,), (x,))",
    "jvp(lambda z: jvp(torch.sin, (z,), (ones(2),))[1], (x,), (x,))",
    "jvp(lambda z: torch.logcumsumexp(z, 0), (x,), (-x,))",
    "(lambda pair: (pair[0], pair[1](x), pair[1](ones(2))))(linearize(torch.sin, x))",
    # Jacobians
    "jacrev(lambda z: (z * z.sum(), z.sum()))(x)",
    "jacrev(lambda z: {'a': z, 'b': [z.sum()]}, argnums=(0,))(x)",
    "jacrev(lambda z, v: z * v, argnums=1)(x, x * 3)",
    "jacrev(lambda z: (z * z, z), has_aux=True)(x)",
    "jacrev(lambda z: z ** 3)(w)",
    "jacrev(lambda z: z * z, chunk_size=1)(x)",
    "jacrev(jacrev(lambda z: (z ** 3).sum()))(x)",
    "jacfwd(lambda z: (z * z.sum(), z.sum()))(x)",
    "jacfwd(lambda z: {'a': z, 'b': [z.sum()]}, argnums=(0,))(x)",
    "jacfwd(lambda z: z ** 3)(w)",
    "jacfwd(lambda z: (z * z, z), has_aux=True)(x)",
    "jacfwd(lambda z: z.long())(x)",
    "jacfwd(torch.sin)(x[0])",
    "hessian(lambda z: (z ** 3).sum() * z[0])(x)",
    "hessian(lambda z, v: (z * v).sum(), argnums=(0, 1))(x, x)",
    # maps
    "vmap(lambda z: z * z)(X)",
    "vmap(torch.dot)(X, X)",
    "vmap(torch.dot, in_dims=(0, None))(X, X[0])",
    "vmap(vmap(torch.dot, in_dims=(None, 0)), in_dims=(0, None))(X, X)",
    "vmap(lambda z: z, out_dims=1)(X)",
    "vmap(lambda z: z, out_dims=-1)(X)",
    "vmap(lambda z: (z, z), out_dims=(0, 1))(X)",
    "vmap(lambda z: {'a': z}, out_dims={'a': 1})(X)",
    "vmap(lambda z: z.sum(), in_dims=-1)(X)",
    "vmap(lambda d: d['a'] * d['b'][0], in_dims=({'a': 0, 'b': None},))({'a': X, 'b': [x[0]]})",
    "vmap(lambda z, k: z * k, in_dims=(0, None))(X, 3.)",
    "vmap(lambda z, k=1: z * k)(x, k=x)",
    "vmap(lambda z: ones(2))(x)",
    "vmap(lambda z: 3., out_dims=None)(x)",
    "vmap(lambda z: ones(2), out_dims=None)(x)",
    "vmap(lambda z: (z, None), out_dims=(0, None))(x)",
    "vmap(lambda z: z * 2, chunk_size=1)(x)",
    "vmap(lambda z: torch.tensor(3.).item() * z)(x)",
    "torch.vmap(torch.sin)(x)",
    "vmap(grad(lambda p, a, b: ((p * a).sum() - b) ** 2), in_dims=(None, 0, 0))(ones(3), X, x)",
    "vmap(jacrev(torch.sin))(X)",
    "vmap(hessian(lambda z: (z ** 3).sum()))(X)",
    "vmap(vjp(torch.sin, x)[1])(torch.eye(2, dtype=torch.float64))",
    "vmap(lambda t: jvp(torch.sin, (x,), (t,))[1])(torch.eye(2, dtype=torch.float64))",
    "grad(lambda z: vmap(lambda a: a * a)(z).sum())(x)",
    "grad.__name__, vmap(torch.sin).__name__",
]

ERRORS = [
    "grad(lambda z: z * z)(x)",
    "grad(lambda z: z * z)(x[:1])",
    "grad(lambda z: 3.0)(x)",
    "grad(lambda z: z.sum(), has_aux=True)(x)",
    "grad(lambda z: (z.sum(), 3), has_aux=True)(x)",
    "grad(lambda z: [z.sum().backward(), z.sum()][1])(x)",
    "grad(lambda z: z.sum())(x.long())",
    "grad(lambda z: z.sum())(3.)",
    "jacrev(lambda z: z, argnums=2)(x, x)",
    "jacrev(lambda z: z, argnums=(0, 0))(x, x)",
    "jacrev(lambda z: z, argnums='a')(x)",
    "jacrev(lambda z: z, argnums=())(x)",
    "jacrev(lambda z: z, argnums=('a',))(x)",
    "jacrev(lambda z: z, chunk_size=0)",
    "jacrev(lambda z: z * z, has_aux=True)(x)",
    "jacrev(lambda z: z)(x * 1j)",
    "jacrev(lambda z: z * 1j)(x)",
    "jacfwd(lambda z: z)(x * 1j)",
    "vjp(lambda z: z.long(), x)",
    "vjp(lambda z: None, x)",
    "vjp(lambda z: 3., x)",
    "vjp(lambda z: z, x)[1](ones(3))",
    "vjp(lambda z: (z, z), x)[1](ones(2))",
    "vjp(lambda z: (z, {'a': [z]}), x)[1]((ones(2), ones(2)))",
    "jvp(torch.sin, (x,), (ones(3),))",
    "jvp(torch.sin, (x,), (torch.ones(2).long(),))",
    "jvp(torch.sin, (x.long(),), (ones(2),))",
    "jvp(torch.sin, x, x)",
    "jvp(torch.sin, (x, x), (x,))",
    "jvp(lambda z: x * 2, (x,), (x,), strict=True)",
    "jvp(lambda z: None, (x,), (x,))",
    "jvp(torch.sin, (3.,), (x,))",
    "jvp(torch.sin, (), ())",
    "linearize(torch.sin, x)[1](ones(3))",
    "linearize(torch.sin, x)[1](torch.ones(2))",
    "linearize(torch.sin, x)[1](x, x)",
    "vmap(torch.add)(ones(2), ones(3))",
    "vmap(lambda z: z.item())(x)",
    "vmap(lambda z: float(z * 2))(x)",
    "vmap(lambda z: z if z > 0 else -z)(x)",
    "vmap(lambda z: vmap(lambda u: z.item())(x))(x)",
    "vmap(lambda z: torch.randn(2) + z)(x)",
    "vmap(torch.sin, randomness='some')(x)",
    "vmap(lambda z: 3.)(x)",
    "vmap(lambda z: None)(x)",
    "vmap(lambda z: z * 2, out_dims=None)(x)",
    "vmap(torch.sin, out_dims=3)(X)",
    "vmap(torch.sin, out_dims='a')(X)",
    "vmap(torch.sin, out_dims=(0, 1))(X)",
    "vmap(lambda z: (z, z), out_dims=(0, 1, 2))(X)",
    "vmap(torch.sin, in_dims='a')(X)",
    "vmap(torch.sin, in_dims=[0])(X)",
    "vmap(torch.sin, in_dims=2)(X)",
    "vmap(torch.sin, in_dims=None)(X)",
    "vmap(torch.sin, in_dims=(None,))(X)",
    "vmap(torch.sin, in_dims=(0, 0))(X)",
    "vmap(torch.mul, in_dims=(0, 'a'))(X, 3.)",
    "vmap(partial(torch.mul, 2))(3.)",
    "vmap(torch.sin)()",
    "vmap(torch.sin, chunk_size=-1)(x)",
]

MODULE = """
m = torch.nn.Linear(2, 1).double()
given = {"weight": ones(1, 2), "bias": ones(1)}
"""
CALLS = [
    "functional_call(m, given, x)",
    "functional_call(m, {'weight': ones(1, 2) * 3, **given}, (x,))",
    "functional_call(m, ({'weight': ones(1, 2)}, {'bias': ones(1)}), x)",
    "functional_call(m, ({'weight': ones(1, 2)}, given), x)",
    "functional_call(m, 3, x)",
    "functional_call(m, [3], x)",
    "functional_call(m, {'weight': ones(1, 2), 'bia': ones(1)}, x, strict=True)",
    "functional_call(m, {'weight': ones(1, 2)}, x, strict=True)",
    "grad(lambda p: functional_call(m, p, x).sum())(given)",
    "vmap(grad(lambda p, a: functional_call(m, p, a).sum()), in_dims=(None, 0))(given, X[:, :2])",
    "[sorted(p) for p in F.stack_module_state([m, m])]",
    "F.stack_module_state([])",
]


@pytest.mark.parametrize("expression", VALUES)
def test_same_values(expression: str) -> None:
    assert_same_results(f"{SETUP}y = {expression}")


@pytest.mark.parametrize("expression", ERRORS)
def test_same_errors(expression: str) -> None:
    assert_same_results(f"{SETUP}y = {expression}")


@pytest.mark.parametrize("expression", CALLS)
def test_same_calls_of_modules(expression: str) -> None:
    assert_same_results(f"{SETUP}{MODULE}y = {expression}")


def test_the_same_numbers_for_every_entry() -> None:
    program = """
torch.manual_seed(3)
y = [torch.vmap(lambda z: torch.randn(2) + z, randomness='same')(x), torch.randn(3)]
"""
    assert_same_results(SETUP + program)


def test_what_a_map_cannot_do_is_said() -> None:
    import engine

    x = engine.ones(2)
    kept = engine.zeros(())
    for function in (
        lambda z: kept.add_(1) + z,
        lambda z: z * engine.randn(()),
    ):
        with pytest.raises(NotImplementedError, match="vmap"):
            engine.vmap(function, randomness="different")(x)
    with pytest.raises(NotImplementedError, match="no entries"):
        engine.vmap(engine.sin)(engine.ones(0))


def test_a_recording_goes_on_through_a_map() -> None:
    import engine

    with engine.record() as log:
        engine.vmap(engine.sin)(engine.ones(2))
    assert [entry.op for entry in log.entries].count("sin") == 2
    assert log.entries[-1].op == "stack"
