"""`jvp` and `linearize`: how outputs move with the inputs.

Found by going back twice: the pullback is linear in the cotangents it is given, and its own
derivative by them, applied to the tangents, is what forward mode gives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.func import messages, tree
from engine.func.levels import Level, check_outputs, gradients, level, split_aux
from engine.tensor import Tensor

Function = Callable[..., Any]


def jvp(
    func: Function, primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False
) -> Any:
    """The outputs of `func`, and their tangents where the inputs move along `tangents`.

    `primals` is a tuple, `tangents` a tuple of the same shapes. With `has_aux`, `func` returns a
    pair, whose second part comes last; with `strict`, an output that does not depend on the
    inputs is an error. Raises RuntimeError with PyTorch's messages.
    """
    if not isinstance(primals, tuple):
        raise RuntimeError(messages.JVP_PRIMALS)
    moving, spec = tree.flatten(primals)
    directions, given = tree.flatten(tangents)
    if spec != given:
        raise RuntimeError(messages.JVP_STRUCTURE.format(primals=spec, tangents=given))
    _check_tensors(moving, "primals")
    _check_tensors(directions, "tangents")
    _check_alike(moving, directions)
    with level() as at:
        lifted = [at.lift(leaf) for leaf in moving]
        outs, shape, aux = evaluated(func, tree.rebuild(lifted, spec), has_aux=has_aux, at=at)
        moved = _moved(at, outs, lifted, directions, strict=strict)
        results = tree.rebuild([at.lower(out) for out in outs], shape)
        along = tree.rebuild([at.lower(t) for t in moved], shape)
        return (results, along, at.lower_all(aux)) if has_aux else (results, along)


def linearize(func: Function, *primals: Any) -> tuple[Any, Function]:
    """The outputs of `func`, and the function from tangents of the inputs to those of the outputs.

    Raises RuntimeError where tangents have not the structure, shape or dtype of the inputs.
    """
    moving, spec = tree.flatten(primals)
    with level() as at:
        lifted = [at.lift(leaf) for leaf in moving]
        outs, shape, _ = evaluated(func, tree.rebuild(lifted, spec), has_aux=False, at=at)
        results = tree.rebuild([at.lower(out) for out in outs], shape)

    def along(*tangents: Any) -> Any:
        directions, given = tree.flatten(tangents)
        if given != spec:
            raise RuntimeError(messages.LINEAR_STRUCTURE.format(tangents=given, primals=spec))
        for i, (t, p) in enumerate(zip(directions, moving, strict=True)):
            if t.shape != p.shape:
                raise RuntimeError(messages.LINEAR_SHAPE.format(i=i, given=t.shape, wanted=p.shape))
            if t.dtype != p.dtype:
                raise RuntimeError(messages.LINEAR_DTYPE.format(i=i, given=t.dtype, wanted=p.dtype))
        with level():
            moved = _moved(at, outs, lifted, directions, strict=False)
        return tree.rebuild([at.lower(t) for t in moved], shape)

    return results, along


def evaluated(
    func: Function, args: Sequence[Any], *, has_aux: bool, at: Level
) -> tuple[list[Tensor], tree.Spec, Any]:
    """The outputs as a list, their shape as a tree, and what came along."""
    made, aux = func(*args), None
    if has_aux:
        made, aux = split_aux(made, messages.JVP)
    outs, shape = tree.flatten(made)
    check_outputs(outs, messages.JVP)
    return outs, shape, aux


def _moved(
    at: Level,
    outs: Sequence[Tensor],
    lifted: Sequence[Tensor],
    directions: Sequence[Tensor],
    *,
    strict: bool,
) -> list[Tensor]:
    """The outputs' tangents."""
    if strict and not all(out.requires_grad for out in outs):
        raise RuntimeError(messages.JVP_STRICT)
    return Pushforward(at, outs, lifted)(directions)


class Pushforward:
    """The linear map from tangents of the lifted inputs to those of the outputs.

    Where the pullback is differentiated does not matter, as it is linear; some rules take the
    logarithm of what they are given, though, so that it is not at 0.
    """

    def __init__(self, at: Level, outs: Sequence[Tensor], lifted: Sequence[Tensor]) -> None:
        self.outs = outs
        self.probes = [
            at.own(Tensor(np.ones_like(out._array), requires_grad=True))
            if out._array.dtype.kind in "fc"
            else Tensor(np.zeros_like(out._array))
            for out in outs
        ]
        self.back = gradients(outs, lifted, self.probes)

    def __call__(self, directions: Sequence[Tensor]) -> list[Tensor]:
        free = [probe for probe in self.probes if probe.requires_grad]
        found = iter(gradients(self.back, free, directions))
        return [next(found) if probe.requires_grad else probe for probe in self.probes]


def _check_tensors(leaves: list[Any], what: str) -> None:
    if not leaves:
        raise RuntimeError(messages.JVP_NO_TENSOR.format(what=what))
    for leaf in leaves:
        if not isinstance(leaf, Tensor):
            raise RuntimeError(messages.JVP_NOT_TENSOR.format(what=what, type=type(leaf)))


def _check_alike(moving: list[Tensor], directions: list[Tensor]) -> None:
    for p, t in zip(moving, directions, strict=True):
        for what, tensor in (("primal", p), ("tangent", t)):
            if tensor._array.dtype.kind not in "fc":
                text = messages.NOT_FLOATING.format(what=what, dtype=tensor.dtype)
                raise ValueError(text)
        if p.shape != t.shape:
            sizes = {"wanted": list(p.shape), "given": list(t.shape)}
            raise RuntimeError(messages.TANGENT_SHAPE.format(**sizes))
        if p.dtype != t.dtype:
            raise NotImplementedError("A tangent must have the dtype of its primal.")
