"""`gradcheck` and `gradgradcheck`: gradients against finite differences, as PyTorch checks them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.arrays import Array
from engine.autograd import messages
from engine.autograd.calls import grad
from engine.state import enable_grad, no_grad
from engine.tensor import Tensor

Function = Callable[..., Any]


class GradcheckError(RuntimeError):
    """The gradient is not what finite differences say."""


def gradcheck(
    func: Function,
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    **_further: Any,
) -> bool:
    """Whether the reverse pass agrees with central differences of step `eps`.

    In every element of every input that requires grad, for every element of every output. Raises
    GradcheckError where not, or returns False without `raise_exception`; raises ValueError where
    no input requires grad. Further options of PyTorch's are taken and not looked at.
    """
    ins = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    try:
        _check_inputs(ins)
        made = func(*ins)
        outs = made if isinstance(made, (tuple, list)) else (made,)
        _check_outputs(func, ins, outs, eps=eps, atol=atol, rtol=rtol)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def _check_inputs(ins: Sequence[Any]) -> None:
    tracked = False
    for i, t in enumerate(ins):
        if not isinstance(t, Tensor) or not t.requires_grad:
            continue
        tracked = True
        if t._array.dtype.kind == "c":
            raise NotImplementedError("gradcheck by complex inputs.")
        if t._array.dtype != np.float64:
            warnings.warn(messages.CHECK_DOUBLE.format(i=i), UserWarning, stacklevel=3)
        for size, step in zip(t._array.shape, t._array.strides, strict=True):
            if step == 0 and size > 1:
                raise RuntimeError(messages.CHECK_STRIDE.format(i=i))
    if not tracked:
        raise ValueError(messages.CHECK_NO_INPUT)


def _check_outputs(
    func: Function,
    ins: Sequence[Any],
    outs: Sequence[Any],
    *,
    eps: float,
    atol: float,
    rtol: float,
) -> None:
    tracked = [i for i, t in enumerate(ins) if isinstance(t, Tensor) and t.requires_grad]
    differentiable = [i for i, out in enumerate(outs) if out.requires_grad]
    numerical = [_numerical(func, ins, i, outs, eps=eps) for i in tracked]
    if not differentiable:
        if any(np.abs(block).max(initial=0) > atol for blocks in numerical for block in blocks):
            raise GradcheckError(messages.CHECK_NOT_ZERO)
        return
    for number in differentiable:
        analytical = _analytical(outs[number], [ins[i] for i in tracked])
        for slot, said in enumerate(analytical):
            found = numerical[slot][number]
            if not np.allclose(said, found, rtol, atol):
                text = messages.CHECK_MISMATCH.format(
                    output=number, input=slot, numerical=Tensor(found), analytical=Tensor(said)
                )
                raise GradcheckError(text)


def _numerical(
    func: Function, ins: Sequence[Any], slot: int, outs: Sequence[Tensor], *, eps: float
) -> list[Array]:
    """For each output a matrix: a row for each element of the input, a column for the output's."""
    at = ins[slot]._array
    kind = at.dtype
    blocks = [np.zeros((at.size, out._array.size), out._array.dtype) for out in outs]
    with no_grad():
        for row, place in enumerate(np.ndindex(at.shape)):
            centre = at[place]
            values = []
            for offset in (eps, -eps):
                at[place] = kind.type(centre + offset)
                made = func(*ins)
                found = made if isinstance(made, (tuple, list)) else (made,)
                values.append([np.array(out._array) for out in found])
            at[place] = centre
            for block, plus, minus in zip(blocks, *values, strict=True):
                block[row] = ((plus - minus) / (2 * eps)).ravel()
    return blocks


def _analytical(out: Tensor, ins: Sequence[Tensor]) -> list[Array]:
    blocks = [np.zeros((t._array.size, out._array.size), t._array.dtype) for t in ins]
    for column, place in enumerate(np.ndindex(out._array.shape)):
        seed = np.zeros_like(out._array)
        seed[place] = 1
        found = grad(out, ins, Tensor(seed), retain_graph=True, allow_unused=True)
        for block, g in zip(blocks, found, strict=True):
            if g is not None:
                block[:, column] = g._array.ravel()
    return blocks


def gradgradcheck(func: Function, inputs: Any, grad_outputs: Any = None, **options: Any) -> bool:
    """As `gradcheck`, for the gradient of the function, in its inputs and in its seeds.

    The seeds are drawn where `grad_outputs` are left out.
    """
    ins = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    if grad_outputs is None:
        made = func(*ins)
        outs = made if isinstance(made, (tuple, list)) else (made,)
        draw = np.random.default_rng(0)
        seeds = tuple(
            Tensor(draw.uniform(-1, 1, out.shape).astype(out._array.dtype), requires_grad=True)
            for out in outs
            if out.requires_grad
        )
    else:
        seeds = (grad_outputs,) if isinstance(grad_outputs, Tensor) else tuple(grad_outputs)

    def gradient(*given: Any) -> tuple[Tensor, ...]:
        at, cotangents = given[: len(ins)], given[len(ins) :]
        at = tuple(t.view_as(t) if isinstance(t, Tensor) and t.requires_grad else t for t in at)
        made = func(*at)
        outs = made if isinstance(made, (tuple, list)) else (made,)
        outs = tuple(out for out in outs if out.requires_grad)
        wanted = [t for t in at if isinstance(t, Tensor) and t.requires_grad]
        found = grad(outs, wanted, cotangents, create_graph=True, allow_unused=True)
        return tuple(g for g in found if g is not None)

    return gradcheck(enable_grad()(gradient), (*ins, *seeds), **options)
