"""Which call for which need: what it gives, and in how many passes."""

from __future__ import annotations

from dataclasses import dataclass

from gradviz.language import N_


@dataclass(frozen=True, slots=True)
class Need:
    """A need, the call that meets it, the result's shape and its cost; texts untranslated.

    `name` is the script of the guide that shows it.
    """

    name: str
    need: str
    call: str
    shape: str
    cost: str
    text: str


NEEDS = (
    Need(
        "backward",
        N_("Train: gradients into .grad"),
        "y.backward(gradient=v)",
        N_("that of x, added to x.grad"),
        N_("1 backward pass"),
        N_("The everyday call. It reaches every leaf at once and adds to its .grad."),
    ),
    Need(
        "grad",
        N_("One gradient, .grad untouched"),
        "torch.autograd.grad(y, x, v)",
        N_("that of x"),
        N_("1 backward pass"),
        N_("Returns what backward() would have added; only the inputs named are computed."),
    ),
    Need(
        "batched",
        N_("Several seeds at once"),
        "torch.autograd.grad(y, x, V, is_grads_batched=True)",
        N_("(seeds, *x.shape)"),
        N_("1 batched pass"),
        N_("The seeds are stacked along a first axis, and the graph is walked once for all."),
    ),
    Need(
        "jacobian",
        N_("The whole Jacobian, row by row"),
        "torch.autograd.functional.jacobian(f, x)",
        N_("y.shape + x.shape"),
        N_("1 pass for each element of y"),
        N_("Takes a function. Slow for many outputs, but needs the memory of one row at a time."),
    ),
    Need(
        "jacrev",
        N_("The whole Jacobian, fast"),
        "torch.func.jacrev(f)(x)",
        N_("y.shape + x.shape"),
        N_("1 batched pass, as wide as y"),
        N_("All rows together by vmap. jacfwd does the same by columns: better where x is small."),
    ),
    Need(
        "vjp",
        N_("Many seeds, one after another"),
        "torch.func.vjp(f, x)",
        N_("y, and a function from v to x's shape"),
        N_("1 forward, then 1 pass for each seed"),
        N_("Returns y and a function that may be called with any number of seeds."),
    ),
    Need(
        "vmap",
        N_("A gradient for each sample"),
        "vmap(grad(f), in_dims=(None, 0, 0))(w, X, t)",
        N_("(samples, *w.shape)"),
        N_("1 batched pass"),
        N_("Write the loss of one sample; grad differentiates it and vmap maps over the batch."),
    ),
    Need(
        "hessian",
        N_("All second derivatives"),
        "torch.autograd.functional.hessian(f, x)",
        N_("x.shape + x.shape"),
        N_("1 pass, and 1 more for each element of x"),
        N_("f must give one number. The gradient is computed with a graph and differentiated."),
    ),
    Need(
        "vhp",
        N_("Hessian times a vector"),
        "torch.autograd.functional.vhp(f, x, v)",
        N_("that of x"),
        N_("2 passes"),
        N_("A pass through the gradient's own graph with the seed v; no matrix is made."),
    ),
)
