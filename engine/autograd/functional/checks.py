"""Arguments of `torch.autograd.functional` made tuples, checked, and made tensors again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.autograd.calls import grad
from engine.autograd.functional import messages
from engine.tensor import Tensor

Tensors = tuple[Tensor, ...]
OUTPUTS = "outputs of the user-provided function"


def as_tuple(value: Any, what: str, caller: str) -> tuple[bool, Tensors]:
    """Whether it was a tuple, and the tuple. Raises TypeError where it holds no tensors."""
    many = isinstance(value, tuple)
    items = value if many else (value,)
    for i, item in enumerate(items):
        if not isinstance(item, Tensor):
            text = messages.KIND_AT if many else messages.KIND
            raise TypeError(text.format(what=what, caller=caller, i=i, type=type(item)))
    return many, items


def fresh(inputs: Tensors, *, create_graph: bool, need_graph: bool) -> Tensors:
    """New tensors on the inputs' memory, so that what the function captured is told apart."""
    return tuple(
        t.view_as(t) if create_graph and t.requires_grad else t.detach().requires_grad_(need_graph)
        for t in inputs
    )


def checked_v(v: Any, like: Tensors, *, many: bool, caller: str, create_graph: bool) -> Tensors:
    """The vector as a tuple. Raises RuntimeError where it does not have the shapes of `like`."""
    _, given = as_tuple(v, "v", caller)
    given = fresh(given, create_graph=create_graph, need_graph=False)
    if len(given) != len(like):
        if not many:
            raise RuntimeError(messages.V_SINGLE)
        raise RuntimeError(messages.V_COUNT.format(wanted=len(like), given=len(given)))
    for i, (mine, other) in enumerate(zip(given, like, strict=True)):
        if mine.shape != other.shape:
            text = messages.V_SIZE.format(wanted=other.shape, given=mine.shape)
            raise RuntimeError((messages.V_ENTRY.format(i=i) if many else "") + text)
    return given


def is_single(tensors: Tensors) -> bool:
    """Whether there is but one element in all."""
    return len(tensors) == 1 and tensors[0]._array.size == 1


def check_depends(values: Sequence[Tensor | None], what: str, *, strict: bool) -> None:
    """In strict mode, raise RuntimeError for a value that carries no history."""
    if not strict:
        return
    for i, value in enumerate(values):
        if value is None:
            raise RuntimeError(messages.MISSING["back"].format(i=i))
        if not value.requires_grad:
            raise RuntimeError(messages.FLAT[what].format(i=i))


def gradients(
    outputs: Sequence[Tensor | None],
    inputs: Tensors,
    seeds: Sequence[Tensor] | None = None,
    *,
    create_graph: bool = False,
    retain_graph: bool | None = None,
    is_grads_batched: bool = False,
) -> tuple[Tensor | None, ...]:
    """As `grad`, with None for what is unused; outputs without history are passed over."""
    given = [None] * len(outputs) if seeds is None else seeds
    used = [
        (out, seed)
        for out, seed in zip(outputs, given, strict=True)
        if out is not None and out.requires_grad
    ]
    if not used:
        return (None,) * len(inputs)
    found: tuple[Tensor | None, ...] = grad(
        tuple(out for out, _ in used),
        inputs,
        tuple(seed for _, seed in used),
        allow_unused=True,
        create_graph=create_graph,
        retain_graph=retain_graph,
        is_grads_batched=is_grads_batched,
    )
    return found


def filled(
    found: Sequence[Tensor | None], like: Tensors, stage: str, *, strict: bool, create_graph: bool
) -> Tensors:
    """Zeros for what is missing; in strict mode that raises RuntimeError instead."""
    full = []
    for i, (g, reference) in enumerate(zip(found, like, strict=True)):
        if g is None:
            if strict:
                raise RuntimeError(messages.MISSING[stage].format(i=i))
            full.append(zeros_like(reference))
            continue
        if strict and create_graph and not g.requires_grad:
            what = "hessian" if "double" in stage else "jacobian"
            raise RuntimeError(messages.WITHOUT_HISTORY.format(what=what, i=i))
        full.append(g)
    return tuple(full)


def zeros_like(tensor: Tensor) -> Tensor:
    """Zeros in the tensor's shape and dtype."""
    return Tensor(np.zeros_like(tensor._array))


def probes_for(tensors: Tensors) -> Tensors:
    """Cotangents to differentiate by.

    What they are does not matter, as what is done with them is linear; some rules take the
    logarithm of what they are given, though, so that they are not 0.
    """
    return tuple(Tensor(np.ones_like(t._array), requires_grad=True) for t in tensors)


def finished(values: Sequence[Tensor], *, many: bool, create_graph: bool) -> Any:
    """What is handed out: without history unless a graph was asked for."""
    out = tuple(values) if create_graph else tuple(value.detach() for value in values)
    return out if many else out[0]
