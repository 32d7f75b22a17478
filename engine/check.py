"""Finite differences: an independent account of what a gradient should be."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from engine.arrays import Array
from engine.autograd import grad
from engine.tensor import Tensor

Function = Callable[..., Tensor]


def numerical(
    function: Function, inputs: Sequence[Array], seed: Array, slot: int, *, step: float = 1e-6
) -> Array:
    """Central differences of <seed, function(inputs)> in each element of one float64 input.

    The error is of order `step` squared times the third derivative, plus rounding over `step`.
    """
    at = [np.array(a) for a in inputs]
    out = np.zeros_like(at[slot], dtype=np.float64)
    for place in np.ndindex(at[slot].shape):
        centre = at[slot][place]
        values = []
        for offset in (step, -step):
            at[slot][place] = centre + offset
            made = function(*[Tensor(np.array(a)) for a in at])._array
            values.append(float(np.sum(made * seed)))
        at[slot][place] = centre
        out[place] = (values[0] - values[1]) / (2 * step)
    return out


def analytical(function: Function, inputs: Sequence[Array], seed: Array) -> list[Array]:
    """What the reverse pass says, for every floating input; zeros where nothing flows."""
    leaves = [Tensor(np.array(a), requires_grad=a.dtype.kind == "f") for a in inputs]
    out = function(*leaves)
    wanted = [leaf for leaf in leaves if leaf._requires_grad]
    if not out.requires_grad:
        return [np.zeros_like(leaf._array) for leaf in wanted]
    found = grad(out, wanted, Tensor(np.array(seed)), allow_unused=True)
    return [
        np.zeros_like(leaf._array) if g is None else g._array
        for leaf, g in zip(wanted, found, strict=True)
    ]


def gradcheck(
    function: Function,
    inputs: Sequence[Array],
    *,
    seed: Array | None = None,
    rtol: float = 1e-6,
    atol: float = 1e-7,
) -> list[str]:
    """Where the reverse pass and finite differences disagree, a sentence each; [] where nowhere.

    Floating inputs must be float64. `seed` has the output's shape and is drawn where left out.
    """
    if seed is None:
        shape = function(*[Tensor(np.array(a)) for a in inputs])._array.shape
        seed = np.random.default_rng(0).uniform(0.5, 1.5, shape)
    floating = [slot for slot, a in enumerate(inputs) if a.dtype.kind == "f"]
    said = analytical(function, inputs, seed)
    wrong = []
    for slot, found in zip(floating, said, strict=True):
        expected = numerical(function, inputs, seed, slot)
        if not np.allclose(found, expected, rtol, atol):
            gap = float(np.max(np.abs(found - expected)))
            wrong.append(f"input {slot}: the reverse pass is off by up to {gap:.3g}")
    return wrong


def gradgradcheck(function: Function, inputs: Sequence[Array], **tolerances: float) -> list[str]:
    """As `gradcheck`, for the gradient of the function, which is a function itself."""
    shape = function(*[Tensor(np.array(a)) for a in inputs])._array.shape
    seed = np.random.default_rng(1).uniform(0.5, 1.5, shape)
    floating = [slot for slot, a in enumerate(inputs) if a.dtype.kind == "f"]
    weights = [np.random.default_rng(2 + slot).uniform(0.5, 1.5, inputs[slot].shape)
               for slot in floating]  # fmt: skip

    def gradient(*given: Tensor) -> Tensor:
        """The inner product of the gradient with fixed weights, so that it has one output."""
        *at, v = given
        leaves = [
            t if t._requires_grad or t._array.dtype.kind != "f" else t.detach().requires_grad_()
            for t in at
        ]
        wanted = [leaves[slot] for slot in floating]
        found = grad(function(*leaves), wanted, v, create_graph=True, allow_unused=True)
        total = Tensor(np.zeros(()))
        for g, w in zip(found, weights, strict=True):
            if g is not None:
                total = total + (g * Tensor(w)).sum()
        return total

    return gradcheck(gradient, [*inputs, seed], seed=np.ones(()), **tolerances)
