"""Functions with a backward of the user's own, and gradcheck, under both libraries."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import engine
from engine.autograd.checking import GradcheckError
from tests.engine.against import TORCH
from tests.engine.results import assert_same_results

SETUP = """
Function = torch.autograd.Function
once = torch.autograd.function.once_differentiable
grad = torch.autograd.grad
Variable = torch.autograd.Variable
gradcheck, gradgradcheck = torch.autograd.gradcheck, torch.autograd.gradgradcheck
x = torch.tensor([1., 2.], requires_grad=True)
k = torch.tensor([3., 4.])
d = torch.tensor([0.5, 1.5], dtype=torch.float64, requires_grad=True)
log = []

def make(forward, backward, setup=None, **more):
    table = {'forward': staticmethod(forward), 'backward': staticmethod(backward), **more}
    if setup is not None:
        table['setup_context'] = staticmethod(setup)
    return type('Fn', (Function,), table).apply

def run(y):
    y.sum().backward()
    return x.grad

def slope(y):
    return grad(y, x, create_graph=True)[0]

def double(ctx, a):
    return a * 2

def saving(ctx, a):
    ctx.save_for_backward(a)
    return a ** 3

def from_saved(ctx, g):
    a, = ctx.saved_tensors
    return g * 3 * a ** 2

def saving_output(ctx, a):
    y = a.exp()
    ctx.save_for_backward(y)
    return y

def from_output(ctx, g):
    y, = ctx.saved_tensors
    return g * y

def two(ctx, a):
    y, z = a * 2, a ** 2
    ctx.save_for_backward(a, z)
    return y, z

def of_two(ctx, g, h):
    log.append((g, h))
    a, z = ctx.saved_tensors
    return g * 2 + 2 * h * a + 0 * z

def quiet(ctx, a):
    ctx.set_materialize_grads(False)
    return a * 2, a * 3

def mixed(ctx, a):
    return a * 2, a.long(), 'text'

def of_mixed(ctx, *gs):
    log.append(gs[:2])
    return gs[0]

def marked(ctx, a):
    b, c = a * 2, a * 3
    ctx.mark_non_differentiable(b)
    return b, c

def plain(a, n):
    return a * n

def setup(ctx, inputs, output):
    a, ctx.n = inputs
    ctx.save_for_backward(a, output)

def of_plain(ctx, g):
    log.append(ctx.saved_tensors)
    return g * ctx.n, None

def asks(ctx, a, n, b):
    log.append((ctx.needs_input_grad, torch.is_grad_enabled(), a is x, a.requires_grad))
    return a * n * b

def asked(ctx, g):
    log.append((torch.is_grad_enabled(), g.requires_grad))
    return g, None, g

def writes(ctx, a):
    ctx.mark_dirty(a)
    return a.mul_(2)

def writes_and_saves(ctx, a):
    ctx.mark_dirty(a)
    ctx.save_for_backward(a)
    return a.exp_()

def writes_and_copies(ctx, a):
    ctx.mark_dirty(a)
    return a.mul_(2).clone()

def written(ctx, a):
    y = a.exp()
    y.add_(1)
    ctx.save_for_backward(y)
    return y

def sent(ctx, g):
    return g

def flat(ctx, g):
    return g * 3 * ctx.saved_tensors[0].detach() ** 2

def forgets(ctx, g):
    return None

Double, Cube, Exp, Two = (
    make(double, lambda ctx, g: g * 2), make(saving, from_saved),
    make(saving_output, from_output), make(two, of_two),
)
"""

VALUES = [
    "[repr(Double(x)), Double(x), Double(x).is_leaf]",
    "run(Double(x))",
    "[grad(Cube(x).sum(), x), grad(Exp(x).sum(), x)]",
    "grad(grad(Cube(x).sum(), x, create_graph=True)[0].sum(), x)",
    "grad(grad(Exp(x).sum(), x, create_graph=True)[0].sum(), x)",
    "grad(slope(slope(Exp(x).sum()).sum()).sum(), x)",
    "[grad(Cube(x) * Exp(x), x, k), Double(Double(x))]",
    "make(double, lambda ctx, g: (g, None))(x)",
    "run(make(double, lambda ctx, g: (g, None))(x))",
    "run(make(double, forgets)(x))",
    "run(make(double, lambda ctx, g: torch.ones(3, 2))(x))",
    "run(make(double, lambda ctx, g: torch.ones(2).double())(x))",
    "run(make(plain, lambda ctx, g: (g, None), lambda ctx, inputs, output: None)(x, k))",
    "run(make(lambda ctx, a, b: a * b, lambda ctx, g: (g, g))(x, k))",
    "grad(make(lambda ctx, a, b: a * b, lambda ctx, g: (g, 2 * g))(x, x).sum(), x)",
    "make(double, forgets)(a=x)",
    "make(lambda ctx, a, n=3: a * n, lambda ctx, g: (g, None))(x)",
    "make(lambda ctx, a: 3., forgets)(x)",
    "make(lambda ctx, a: None, forgets)(x)",
    "make(lambda ctx, a: [a * 2], forgets)(x)",
    "make(lambda ctx, a: a, lambda ctx, g: g)(x)",
    "make(lambda ctx, a: a.view(2, 1), lambda ctx, g: g)(x)",
    "make(lambda ctx, a: a.long(), lambda ctx, g: g)(x)",
    "make(lambda ctx: torch.ones(2), lambda ctx, g: ())()",
    "make(lambda ctx, items: items[0] * 2, lambda ctx, g: g)([x])",
    "[Double(k), torch.no_grad()(Double)(x)]",
    "[make(mixed, of_mixed)(x), run(make(mixed, of_mixed)(x)[0]), log]",
    "[make(marked, lambda ctx, g, h: g + h * 3)(x), log]",
    "run(make(marked, lambda ctx, g, h: log.append((g, h)) or h * 3)(x)[1])",
    "[Two(x), run(Two(x)[0]), run(Two(x)[1]), log]",
    "grad(list(Two(x)), x, [k, k * 2])",
    "grad([o.sum() for o in Two(x)], x)",
    "grad(grad(Two(x)[1].sum(), x, create_graph=True)[0].sum(), x)",
    "[run(make(quiet, lambda ctx, g, h: log.append((g, h)) or g)(x)[0]), log]",
    "[run(make(plain, of_plain, setup)(x, 3)), log]",
    "[run(make(asks, asked)(x, 3, k)), log]",
    "[grad(make(asks, asked)(x, 3, k).sum(), x, create_graph=True), log]",
    "[torch.no_grad()(make(asks, asked))(x, 3, k), log]",
    "run(make(lambda ctx, a: ctx.save_for_backward(None, a) or a * 2, "
    "lambda ctx, g: log.append(ctx.saved_tensors) or g)(x))",
    "grad(make(saving, once(from_saved))(x).sum(), x)",
    "grad(make(saving, once(from_saved))(x).sum(), x, create_graph=True)",
    "run(make(double, None, vjp=staticmethod(lambda ctx, g: g * 2)) and Double(x))",
    "torch.func.grad(lambda z: make(plain, of_plain, setup)(z, 3).sum())(k)",
    "torch.func.vmap(lambda z: make(plain, of_plain, setup, generate_vmap_rule=True)(z, 3))(k)",
    "[gradcheck(torch.sin, (d,)), gradcheck(torch.sin, d), gradgradcheck(torch.sin, (d,))]",
    "[gradcheck(Cube, d), gradgradcheck(Cube, d), gradcheck(Two, d), gradgradcheck(Two, d)]",
    "gradcheck(make(double, lambda ctx, g: g), (d,), raise_exception=False)",
    "gradcheck(lambda a, b: a * b, (d, d.detach()))",
    # inputs and outputs that are written to
    "(lambda h: (lambda y: [y is h, y, h._version, run(y)])(make(writes, sent)(h)))(x * 1)",
    "[make(writes, lambda ctx, g: g)(k), k._version]",
    "(lambda h: [make(writes, lambda ctx, g: g * 2)(h), run(h)])(x * 1)",
    "run(make(writes_and_saves, from_output)(x * 1))",
    "[run(make(written, from_output)(x))]",
    # what old scripts wrap tensors in
    "[Variable(k, requires_grad=True), isinstance(k, Variable), Variable(x * 2)]",
    "[Variable(k, volatile=True), Variable(), Variable.__name__]",
]

ERRORS = [
    "make(writes, forgets)(x)",
    "make(writes_and_copies, forgets)(x * 1)",
    "(lambda h: [make(writes_and_saves, from_output)(h), h.add_(1), run(h)])(x * 1)",
    "(lambda y: run(y.mul_(2)))(make(written, from_output)(x))",
    "Variable(3.)",
    "Variable(k.long(), requires_grad=True)",
    "run(make(double, lambda ctx, g: (g, g))(x))",
    "run(make(double, lambda ctx, g: ())(x))",
    "run(make(double, lambda ctx, g: torch.ones(3))(x))",
    "run(make(double, lambda ctx, g: torch.ones(()))(x))",
    "run(make(double, lambda ctx, g: 3.)(x))",
    "run(make(double, lambda ctx, g: [g])(x))",
    "run(make(lambda ctx, a, n: a * n, lambda ctx, g: (g, g))(x, 3))",
    "run(make(double, lambda ctx, g: 1 / 0)(x))",
    "(lambda y: [run(y), run(y)])(Cube(x))",
    "(lambda y: [run(y), run(y)])(Double(x))",
    "(lambda y: [run(y[0]), run(y[1])])(Two(x))",
    "(lambda y: run(y.mul_(2)))(Exp(x))",
    "(lambda h: (lambda y: [h.mul_(2), run(y)])(Cube(h)))(x * 1)",
    "(lambda y: [y[1].mul_(2), run(y[0])])(Two(x))",
    "make(lambda ctx, a: ctx.save_for_backward(3), forgets)(x)",
    "type('Fn', (Function,), {}).apply(x)",
    "run(type('Fn', (Function,), {'forward': staticmethod(double)}).apply(x))",
    "run(make(double, forgets, vjp=staticmethod(forgets))(x))",
    "type('Fn', (Function,), {'forward': staticmethod(double)})()(x)",
    "grad(slope((make(saving, once(from_saved))(x) ** 2).sum()).sum(), x)",
    "slope((make(saving, once(from_saved))(x) ** 2).sum()).sum().backward()",
    "grad(grad(make(saving, once(from_saved))(x).sum(), x, create_graph=True)[0].sum(), x)",
    "torch.func.grad(lambda z: Double(z).sum())(k)",
    "torch.func.vmap(lambda z: make(plain, of_plain, setup)(z, 3))(k)",
    "gradcheck(make(double, lambda ctx, g: g), (d,))",
    "gradcheck(torch.sin, (d.detach(),))",
    "gradcheck(lambda z: z.detach(), (d,))",
    "gradcheck(lambda z: z, (d.expand(2, 2),))",
    "gradgradcheck(make(saving, flat), (d,), k.double().requires_grad_())",
]


@pytest.mark.parametrize("expression", VALUES)
def test_same_values(expression: str) -> None:
    assert_same_results(f"{SETUP}y = {expression}")


@pytest.mark.parametrize("expression", ERRORS)
def test_same_errors(expression: str) -> None:
    assert_same_results(f"{SETUP}y = {expression}")


class Square(engine.autograd.Function):
    @staticmethod
    def forward(ctx: Any, a: Any) -> Any:
        ctx.save_for_backward(a)
        return a * a

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return 2 * g * ctx.saved_tensors[0]


class Halves(engine.autograd.Function):
    @staticmethod
    def forward(ctx: Any, a: Any) -> Any:
        ctx.factors = 2, 3
        return a[:1] * 2, a[1:] * 3

    @staticmethod
    def backward(ctx: Any, g: Any, h: Any) -> Any:
        return engine.cat([g * ctx.factors[0], h * ctx.factors[1]])


def test_a_recording_shows_the_function_as_one_op() -> None:
    with engine.record() as log:
        x = engine.ones(2, requires_grad=True)
        Square.apply(x).sum().backward()
    assert [entry.op for entry in log.entries] == ["leaf", "Square.apply", "sum"]
    assert log.entries[1].grad_fn == "SquareBackward"
    last = log.backwards[0].steps[-1]
    assert (last.node, last.input) == (1, 0)
    np.testing.assert_array_equal(last.contribution, [2, 2])
    assert log.backwards[0].saved_bytes == 8


def test_a_recording_shows_several_outputs_as_parts_of_one() -> None:
    with engine.record() as log:
        x = engine.ones(2, requires_grad=True)
        first, second = Halves.apply(x)
        (first + second).backward()
    ops = [entry.op for entry in log.entries]
    assert ops == ["leaf", "Halves.apply", "Halves[0]", "Halves[1]", "add"]
    np.testing.assert_array_equal(log.backwards[0].grads[0], [2, 3])
    into_the_whole = [step for step in log.backwards[0].steps if step.input == 1]
    np.testing.assert_array_equal(into_the_whole[-1].after, [1, 1])


def test_what_was_saved_is_let_go_of() -> None:
    gc.collect()
    gc.disable()
    try:
        x = engine.ones(2, requires_grad=True)
        y = Square.apply(x * 1)
        kept = weakref.ref(y.grad_fn)
        saved = weakref.ref(y.grad_fn.kept[0])
        y.sum().backward()
        assert saved() is None
        del y
        assert kept() is None
    finally:
        gc.enable()


def test_a_mismatch_has_its_own_error() -> None:
    x = engine.ones(2, dtype=engine.float64, requires_grad=True)
    with pytest.raises(GradcheckError, match="Jacobian mismatch"):
        engine.autograd.gradcheck(lambda z: z.detach() * z, x)
    assert issubclass(GradcheckError, RuntimeError)
    assert issubclass(TORCH.library.autograd.gradcheck.__globals__["GradcheckError"], RuntimeError)


def test_writing_to_a_view_is_declined() -> None:
    class InPlace(Square):
        @staticmethod
        def forward(ctx: Any, a: Any) -> Any:
            ctx.mark_dirty(a)
            return a

    with pytest.raises(NotImplementedError, match="mark_dirty"):
        InPlace.apply((engine.ones(2, requires_grad=True) * 1)[:1])
