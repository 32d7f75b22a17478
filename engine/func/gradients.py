"""`grad`, `grad_and_value` and `vjp`: reverse mode as functions of functions."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from engine.func import messages, tree
from engine.func.levels import (
    Argnums,
    Level,
    check_outputs,
    gradients,
    level,
    lifted,
    split_aux,
)
from engine.state import STATE
from engine.tensor import Tensor

Function = Callable[..., Any]
GRAD = "grad_and_value(f)(*args)"
VJP = "vjp(f, *primals)"


def grad(func: Function, argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """The function that gives the gradient of `func`, whose output has no axes.

    By the arguments at `argnums`, each a tensor or a tree of tensors. With `has_aux`, `func`
    returns a pair and so does the gradient. Raises RuntimeError with PyTorch's messages.
    """

    @functools.wraps(func)
    def gradient(*args: Any, **kwargs: Any) -> Any:
        found, value = _grad_and_value(func, argnums, has_aux, args, kwargs)
        return (found, value[1]) if has_aux else found

    return gradient


def grad_and_value(func: Function, argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """As `grad`, for a pair of the gradient and the value (or value and auxiliary output)."""

    @functools.wraps(func)
    def both(*args: Any, **kwargs: Any) -> Any:
        return _grad_and_value(func, argnums, has_aux, args, kwargs)

    return both


def _grad_and_value(
    func: Function, argnums: Argnums, has_aux: bool, args: Any, kwargs: Any
) -> tuple[Any, Any]:
    with level() as at:
        given, picked = lifted(at, args, argnums)
        made, aux = func(*given, **kwargs), None
        if has_aux:
            made, aux = split_aux(made, GRAD)
        if not isinstance(made, Tensor):
            raise RuntimeError(messages.GRAD_NOT_TENSOR.format(type=type(made)))
        if made._array.ndim:
            raise RuntimeError(messages.GRAD_NOT_SCALAR.format(n=made._array.ndim))
        leaves, spec = tree.flatten(picked)
        found = at.lower_all(tree.rebuild(gradients([made], leaves), spec))
        value = at.lower(made)
        return found, (value, at.lower_all(aux)) if has_aux else value


def vjp(func: Function, *primals: Any, has_aux: bool = False) -> Any:
    """The outputs of `func`, and the function from their cotangents to those of the inputs.

    That function returns a tuple, one item an input, and may be called repeatedly. With
    `has_aux`, `func` returns a pair, whose second part comes last. Raises RuntimeError with
    PyTorch's messages.
    """
    return vjp_of(func, primals, argnums=None, has_aux=has_aux)


def vjp_of(func: Function, primals: Any, *, argnums: Argnums | None, has_aux: bool) -> Any:
    """As `vjp`, for the arguments at `argnums` only."""
    with level() as at:
        given, picked = lifted(
            at, primals, tuple(range(len(primals))) if argnums is None else argnums
        )
        made, aux = func(*given), None
        if has_aux:
            made, aux = split_aux(made, VJP)
            aux = at.lower_all(aux)
        outs, spec = tree.flatten(made)
        check_outputs(outs, VJP)
        results = at.lower_all(made)
        for out in outs:
            if out._array.dtype.kind not in "fc":
                raise RuntimeError(messages.VJP_DTYPE.format(dtype=out.dtype))
    back = _pullback(at, outs, spec, picked)
    return (results, back, aux) if has_aux else (results, back)


def _pullback(at: Level, outs: list[Tensor], spec: tree.Spec, picked: Any) -> Function:
    leaves, shape = tree.flatten(picked)

    def pullback(
        cotangents: Any,
        retain_graph: bool = True,
        create_graph: bool | None = None,
        *,
        _many: int = 0,
    ) -> Any:
        """The cotangents of the inputs, of those of the outputs, or of so many along an axis."""
        seeds, given = tree.flatten(cotangents)
        if given != spec:
            raise RuntimeError(
                messages.STRUCTURE.format(
                    cotangents=tree.outline(given), outputs=tree.outline(spec)
                )
            )
        wanted = STATE.grad_enabled if create_graph is None else create_graph
        found = gradients(
            outs, leaves, seeds, retain_graph=retain_graph, create_graph=wanted, many=_many
        )
        return at.lower_all(tree.rebuild(found, shape))

    def of_many(cotangents: Any) -> Any:
        """All at once what a map of the pullback gives; None where it has to go one by one."""
        seeds, given = tree.flatten(cotangents)
        if given != spec or STATE.mode.record is not None:
            return None
        many = {t._array.shape[:1] for t in seeds}
        fit = all(
            t._array.ndim and t._array.shape[1:] == out.shape and t.dtype is out.dtype
            for t, out in zip(seeds, outs, strict=True)
        )
        return pullback(cotangents, _many=many.pop()[0]) if fit and len(many) == 1 else None

    pullback.of_many = of_many  # type: ignore[attr-defined]  # where a map looks for it
    return pullback
