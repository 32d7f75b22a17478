"""`Function.apply`: the user's forward is run, and an op is made whose rule is their backward."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any
from weakref import ref

import numpy as np

from engine.arrays import Array
from engine.autograd import messages
from engine.autograd.events import recording
from engine.autograd.function import Function, FunctionCtx
from engine.autograd.users_backward import Backward, users_code
from engine.op import Need, Op
from engine.ops.custom import SPREAD
from engine.state import STATE
from engine.tensor import Tensor, apply, counter_of
from engine.tracking import saved_version


def applied(cls: type[Function], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The outputs of the function, each differentiable one with its backward as history."""
    has_setup = cls.setup_context is not Function.setup_context
    _check_transforms(cls, has_setup=has_setup)
    ctx = FunctionCtx()
    if kwargs or has_setup:
        args = _bound(cls, args, kwargs, has_setup=has_setup)
    ctx.needs_input_grad = tuple([isinstance(a, Tensor) and a.requires_grad for a in args])
    with users_code(graph=False):
        if has_setup:
            made = cls.forward(*args)
            cls.setup_context(ctx, args, made)
        else:
            made = cls.forward(ctx, *args)
    outputs = made if isinstance(made, tuple) else (made,)
    finished = _with_history(cls, ctx, args, outputs)
    return finished if isinstance(made, tuple) else finished[0]


def _check_transforms(cls: type[Function], *, has_setup: bool) -> None:
    if not STATE.transforms:
        return
    if not has_setup:
        raise RuntimeError(messages.NEEDS_SETUP)
    if STATE.mapping is not None and not (cls.generate_vmap_rule or hasattr(cls, "vmap")):
        raise RuntimeError(messages.NO_VMAP.format(name=cls.__name__))


def _bound(
    cls: type[Function], args: tuple[Any, ...], kwargs: dict[str, Any], *, has_setup: bool
) -> tuple[Any, ...]:
    """The arguments in the order of forward's signature, with its defaults."""
    first = () if has_setup else (None,)
    bound = inspect.signature(cls.forward).bind(*first, *args, **kwargs)
    bound.apply_defaults()
    return bound.args[len(first) :]


def _with_history(
    cls: type[Function], ctx: FunctionCtx, args: tuple[Any, ...], outputs: tuple[Any, ...]
) -> tuple[Any, ...]:
    """The outputs as they are handed out."""
    _check_dirty(ctx, outputs)
    flowing = [i for i, out in enumerate(outputs) if _flows(out, ctx)]
    inputs = tuple([a for a in args if isinstance(a, Tensor)])
    if not flowing or not inputs:
        return outputs
    backward = Backward(cls, ctx, args, outputs, flowing)
    made = list(outputs)
    if len(flowing) == 1:
        place = flowing[0]
        made[place] = _single(backward, inputs, outputs[place])
    else:
        parts = _several(backward, inputs, [outputs[i] for i in flowing])
        for place, part in zip(flowing, parts, strict=True):
            made[place] = part
    return tuple(
        [
            _goes_on(source, out) if _is_among(source, ctx._dirty) else out
            for source, out in zip(outputs, made, strict=True)
        ]
    )


def _check_dirty(ctx: FunctionCtx, outputs: tuple[Any, ...]) -> None:
    """Count the write to each marked input. Raises RuntimeError where PyTorch refuses it."""
    for tensor in ctx._dirty:
        if not _is_among(tensor, outputs):
            raise RuntimeError(messages.DIRTY_NOT_RETURNED)
        if STATE.grad_enabled and tensor.requires_grad and tensor._node is None:
            raise RuntimeError(messages.DIRTY_LEAF)
        if STATE.grad_enabled and tensor._base is not None:
            raise NotImplementedError("mark_dirty of a view of another tensor.")
        tensor._written()


def _is_among(item: Any, others: tuple[Any, ...]) -> bool:
    return any(item is other for other in others)


def _goes_on(target: Tensor, out: Tensor) -> Tensor:
    """The input that was written to, with the history of the output in its place."""
    if out is not target and out._node is not None:
        target._node, target._requires_grad, target._leaf = out._node, True, None
        log = recording()
        if log is not None:
            log.bind(target, log.number_of(out))
    return target


def _flows(out: Any, ctx: FunctionCtx) -> bool:
    if not isinstance(out, Tensor) or out._array.dtype.kind not in "fc":
        return False
    return not _is_among(out, ctx._non_differentiable)


def _single(backward: Backward, inputs: tuple[Tensor, ...], source: Tensor) -> Tensor:
    """The only output through which gradients flow: its node's rule is the backward."""
    ctx = backward.ctx
    saves_output = _is_among(source, ctx._to_save)
    out = apply(_op(backward, source._array, len(inputs), saves_output), inputs, {})
    out._writes = counter_of(source)
    if out._node is not None:
        out._node.output_writes = out._writes if saves_output else None
        out._node.output_version = source._version
        _keep(backward, out, {id(source): None} if saves_output else {})
    return out


def _several(backward: Backward, inputs: tuple[Tensor, ...], sources: list[Tensor]) -> list[Tensor]:
    """Several outputs are parts of one flat array, so that backward runs once for them all."""
    flat = np.concatenate([t._array.ravel() for t in sources])
    packed = apply(_op(backward, flat, len(inputs), saves_output=False), inputs, {})
    parts: list[Tensor] = []
    start = 0
    for number, source in enumerate(sources):
        shape = source._array.shape
        where = {"start": start, "shape": shape, "size": flat.size}
        out = apply(_part_of(backward, number, source._array, where), (packed,), {})
        out._writes = counter_of(source)
        if out._node is not None:
            out._node.number = number
            out._node.sequence = (parts[0] if parts else out)._node.sequence  # type: ignore[union-attr]
        parts.append(out)
        start += source._array.size
    if packed._node is not None:
        _keep(backward, packed, dict(zip(map(id, sources), parts, strict=True)))
    return parts


def _op(backward: Backward, result: Array, count: int, saves_output: bool) -> Op:
    """The row of one call: its forward was computed, its rules are one backward."""
    needs: frozenset[Need] = frozenset({"y"}) if saves_output else frozenset()
    return Op(
        f"{backward.cls.__name__}.apply",
        lambda *_arrays: result,
        tuple([backward.rule(slot) for slot in range(count)]),
        grad_fn=backward.name,
        promote="none",
        reads=(needs,) * count,
        extra=_nothing if backward.ctx._to_save else None,  # something is freed after use
        conjugate=False,
    )


def _nothing(*_values: Any) -> dict[str, Any]:
    return {}


def _part_of(backward: Backward, number: int, array: Array, where: dict[str, Any]) -> Op:
    def rule(g: Any, y: Any, packed: Any) -> Any:
        backward.arrived.add(number)
        return SPREAD(g, **where)

    return Op(
        f"{backward.cls.__name__}[{number}]",
        lambda _packed: array,
        (rule,),
        grad_fn=backward.name,
        promote="none",
        reads=(frozenset(),),
        conjugate=False,
    )


def _keep(backward: Backward, out: Tensor, outputs: Mapping[int, Tensor | None]) -> None:
    """Hand what forward saved to the node, which counts writes and frees it.

    `outputs` are those of forward's tensors that are handed out as others; None for the one that
    the node itself keeps as its output.
    """
    node, ctx = out._node, backward.ctx
    assert node is not None
    kept: list[Tensor] = []
    places: list[int | str | None] = []
    for tensor in ctx._to_save:
        handed_out = outputs.get(id(tensor), tensor)
        if tensor is None:
            places.append(None)
        elif handed_out is None:
            places.append("output")
        else:
            places.append(len(kept))
            kept.append(tensor if handed_out is tensor else _as_made(handed_out))
    node.inputs = tuple([t._array for t in kept])
    node.kept = tuple(kept)
    node.versions = tuple([saved_version(t) for t in kept])
    ctx._node, ctx._places, ctx._to_save = ref(node), tuple(places), ()


def _as_made(output: Tensor) -> Tensor:
    """A stand-in for an output, which keeps its history if the output is written to."""
    made = Tensor(output._array)
    made._node, made._requires_grad = output._node, output._requires_grad
    made._writes = counter_of(output)
    return made
