"""`jacrev`, `jacfwd` and `hessian`: whole Jacobians as functions."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.func import messages, tree
from engine.func.gradients import vjp_of
from engine.func.levels import Argnums, Level, chosen, level
from engine.func.tangents import Pushforward, evaluated
from engine.functions.shapes import stack
from engine.tensor import Tensor

Function = Callable[..., Any]


def jacrev(
    func: Function,
    argnums: Argnums = 0,
    *,
    has_aux: bool = False,
    chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Function:
    """The function that gives the Jacobian of `func`, all rows of an output in one sweep.

    A tree of outputs, each a tree of the inputs at `argnums`, each leaf of shape
    `output.shape + input.shape`. Raises RuntimeError and ValueError with PyTorch's messages.
    """
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(messages.CHUNK_SIZE)

    @functools.wraps(func)
    def jacobian(*args: Any) -> Any:
        _check_real("jacrev", args, "inputs")
        made, back, *aux = vjp_of(func, args, argnums=argnums, has_aux=has_aux)
        outs, spec = tree.flatten(made)
        _check_real("jacrev", outs, "outputs")
        picked = tuple(args[place] for place in chosen(args, argnums))
        ins, shape = tree.flatten(picked)
        blocks = []
        for number, out in enumerate(outs):
            size = out._array.size
            if not size:
                blocks.append([_empty(out, t) for t in ins])
                continue
            rows = back(tree.rebuild(_unit_rows(outs, number), spec), _many=size)
            blocks.append(
                [
                    found.view(*out.shape, *t.shape)
                    for found, t in zip(tree.flatten(rows)[0], ins, strict=True)
                ]
            )
        found = _nested(blocks, shape, spec, argnums)
        return (found, aux[0]) if has_aux else found

    return jacobian


def _empty(out: Tensor, t: Tensor) -> Tensor:
    return Tensor(np.zeros((*out.shape, *t.shape), t._array.dtype))


def _unit_rows(tensors: Sequence[Tensor], number: int) -> list[Tensor]:
    """Seeds of the one tensor, as many as it has elements, each picking one; zeros for others."""
    size = tensors[number]._array.size
    return [
        Tensor(
            np.eye(size, dtype=t._array.dtype).reshape(size, *t.shape)
            if i == number
            else np.zeros((size, *t.shape), t._array.dtype)
        )
        for i, t in enumerate(tensors)
    ]


def jacfwd(
    func: Function, argnums: Argnums = 0, has_aux: bool = False, *, randomness: str = "error"
) -> Function:
    """The function that gives the Jacobian of `func`, found column by column.

    The result is as that of `jacrev`. Raises RuntimeError with PyTorch's messages.
    """

    @functools.wraps(func)
    def jacobian(*args: Any) -> Any:
        _check_real("jacfwd", args, "inputs")
        places = chosen(args, argnums)
        with level() as at:
            outs, spec, ins, shape, aux = _lifted(at, func, args, places, has_aux=has_aux)
            _check_real("jacfwd", outs, "outputs")
            blocks = _columns(at, outs, ins)
            found = _nested(blocks, shape, spec, argnums)
            return (found, at.lower_all(aux)) if has_aux else found

    return jacobian


def columns(func: Function, inputs: tuple[Tensor, ...]) -> tuple[bool, list[list[Tensor]]]:
    """Whether the function returned a tuple, and each output's blocks, one an input."""
    with level() as at:
        lifted = [at.lift(t) for t in inputs]
        made = func(*lifted)
        outs = list(made) if isinstance(made, tuple) else [made]
        return isinstance(made, tuple), _columns(at, outs, lifted)


def _lifted(
    at: Level, func: Function, args: Sequence[Any], places: tuple[int, ...], *, has_aux: bool
) -> tuple[list[Tensor], tree.Spec, list[Tensor], tree.Spec, Any]:
    """The outputs and the inputs that they are differentiated by, as lists and shapes of trees."""
    given = list(args)
    for place in places:
        given[place] = tree.mapped(at.lift, given[place])
    ins, shape = tree.flatten(tuple(given[place] for place in places))
    outs, spec, aux = evaluated(func, given, has_aux=has_aux, at=at)
    return outs, spec, ins, shape, aux


def _columns(at: Level, outs: list[Tensor], ins: list[Tensor]) -> list[list[Tensor]]:
    """Each output's blocks, one an input: an output's tangents lie along the last axes."""
    push = Pushforward(at, outs, ins)
    moved = [push(directions) for directions in _unit_vectors(ins)]
    blocks: list[list[Tensor]] = []
    for number, out in enumerate(outs):
        row, start = [], 0
        for t in ins:
            stop = start + t._array.size
            whole = _along_last([column[number] for column in moved[start:stop]], out, t)
            row.append(at.lower(whole))
            start = stop
        blocks.append(row)
    return blocks


def _along_last(block: list[Tensor], out: Tensor, t: Tensor) -> Tensor:
    """Tangents of one output, one for each element of an input, as one tensor."""
    if not block:
        return _empty(out, t)
    whole = stack(block).movedim(0, -1)
    shaped: Tensor = whole.unflatten(-1, t.shape) if t._array.ndim else whole.squeeze(-1)
    return shaped


def hessian(func: Function, argnums: Argnums = 0) -> Function:
    """The function that gives the second derivatives of `func`: `jacfwd` of `jacrev`."""
    return jacfwd(jacrev(func, argnums), argnums)


def _unit_vectors(tensors: Sequence[Tensor]) -> list[list[Tensor]]:
    """For each element of all the tensors, ones in its place and zeros elsewhere."""
    found = []
    for number, tensor in enumerate(tensors):
        for place in np.ndindex(tensor._array.shape):
            arrays = [np.zeros_like(t._array) for t in tensors]
            arrays[number][place] = 1
            found.append([Tensor(array) for array in arrays])
    return found


def _nested(blocks: list[list[Tensor]], shape: tree.Spec, spec: tree.Spec, argnums: Argnums) -> Any:
    """A tree of outputs of trees of inputs."""
    rows = [tree.rebuild(row, shape) for row in blocks]
    if not isinstance(argnums, tuple):
        rows = [row[0] for row in rows]
    return tree.rebuild(rows, spec)


def _check_real(api: str, values: Any, what: str) -> None:
    for i, leaf in enumerate(tree.flatten(values)[0]):
        if isinstance(leaf, Tensor) and leaf._array.dtype.kind == "c":
            raise RuntimeError(messages.COMPLEX.format(api=api, what=what, i=i))
