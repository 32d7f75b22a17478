"""`torch.autograd`: backward calls, their checks, and gradients as values."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import errors
from engine.arrays import Array
from engine.history import edge_of as _edge
from engine.record import ACTIVE, BackwardEvent, Record, snapshot
from engine.reverse import Sweep, sweep
from engine.state import STATE, enable_grad, no_grad, set_grad_enabled
from engine.tensor import Tensor

__all__ = ["backward", "enable_grad", "grad", "no_grad", "set_grad_enabled"]

Tensors = Tensor | Sequence[Tensor]


def backward(
    tensors: Tensors,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    *,
    inputs: Tensors | None = None,
) -> None:
    """Accumulate the product of seeds and Jacobian into the leaves' `.grad`.

    Each seed in `grad_tensors` has its tensor's shape; it may be None where the tensor has one
    element. Raises RuntimeError and TypeError with PyTorch's messages.
    """
    outputs = (tensors,) if isinstance(tensors, Tensor) else tuple(tensors)
    if inputs is not None and not isinstance(inputs, Tensor) and len(inputs) == 0:
        raise RuntimeError(errors.EMPTY_INPUTS)
    targets = None if inputs is None else (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    keep = create_graph if retain_graph is None else bool(retain_graph)
    log = ACTIVE.record
    event = _begin(log, outputs, targets, keep=keep, create_graph=create_graph)
    try:
        seeds = _seeds(outputs, grad_tensors)
        _tell_seed(event, log, grad_tensors, seeds)
        if create_graph:
            errors.warn_once(errors.CREATE_GRAPH_CYCLE, stacklevel=4)
        wanted = None
        if targets is not None:
            for t in targets:
                if not t.requires_grad:
                    raise RuntimeError(errors.RETAIN_WITHOUT_GRAD)
            wanted = {_edge(t): t for t in targets}
        _sweep(outputs, seeds, Sweep(keep, create_graph, wanted, True, event, log))
    except Exception as error:
        if event is not None:
            event.error = error
        raise
    finally:
        if event is not None and log is not None:
            _note_grads(event, log)


def grad(
    outputs: Tensors,
    inputs: Tensors,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    *,
    materialize_grads: bool = False,
) -> tuple[Tensor | None, ...]:
    """The product of seeds and Jacobian for each input, without touching `.grad`.

    Returns one tensor an input, in its shape; None for an unused one where `allow_unused`.
    Raises RuntimeError, TypeError and ValueError with PyTorch's messages.
    """
    outs = (outputs,) if isinstance(outputs, Tensor) else tuple(outputs)
    ins = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    if materialize_grads and allow_unused is False:
        raise ValueError(errors.MATERIALIZE)
    if not only_inputs:
        warnings.warn(errors.ONLY_INPUTS, FutureWarning, stacklevel=2)
    allowed = materialize_grads if allow_unused is None else allow_unused
    keep = create_graph if retain_graph is None else bool(retain_graph)
    log = ACTIVE.record
    event = _begin(log, outs, ins, keep=keep, create_graph=create_graph)
    try:
        seeds = _seeds(outs, grad_outputs)
        _tell_seed(event, log, grad_outputs, seeds)
        if not ins:
            raise RuntimeError(errors.GRAD_EMPTY_INPUTS)
        if not all(t.requires_grad for t in ins):
            raise RuntimeError(errors.GRAD_NOT_REQUIRED)
        run = Sweep(keep, create_graph, {_edge(t): t for t in ins}, False, event, log)
        _sweep(outs, seeds, run)
        return tuple(
            _captured(run, t, i, allowed=allowed, materialize=materialize_grads)
            for i, t in enumerate(ins)
        )
    except Exception as error:
        if event is not None:
            event.error = error
        raise
    finally:
        if event is not None and log is not None:
            _note_grads(event, log)


def _captured(
    run: Sweep, tensor: Tensor, index: int, *, allowed: bool, materialize: bool
) -> Tensor | None:
    g = run.captured.get(_edge(tensor))
    if g is not None:
        return g if isinstance(g, Tensor) else Tensor(np.array(g))
    if materialize:
        return Tensor(np.zeros_like(tensor._array))
    if not allowed:
        raise RuntimeError(errors.UNUSED.format(i=index))
    return None


def _sweep(outputs: tuple[Tensor, ...], seeds: list[Tensor], run: Sweep) -> None:
    for i, t in enumerate(outputs):
        if not t.requires_grad:
            raise RuntimeError(errors.NO_HISTORY.format(i=i))
    roots = [
        (_edge(t), seed if run.create_graph else seed._array)
        for t, seed in zip(outputs, seeds, strict=True)
    ]
    outer, log = STATE.grad_enabled, run.log
    STATE.grad_enabled = STATE.in_rules = run.create_graph
    if log is not None:
        log.in_backward = True
    try:
        sweep(roots, run)
    finally:
        STATE.grad_enabled, STATE.in_rules = outer, False
        if log is not None:
            log.in_backward = False
        if run.event is not None:
            run.event.saved_bytes = sum(run.buffers.values())


def _seeds(outputs: tuple[Tensor, ...], given: Any) -> list[Tensor]:
    """The seed of each output, made where it may be left out, checked as PyTorch checks it."""
    if given is None:
        listed: list[Any] = [None] * len(outputs)
    elif isinstance(given, Tensor):
        listed = [given]
    else:
        try:
            listed = list(given)
        except TypeError:
            raise TypeError(errors.NOT_ITERABLE.format(type=type(given).__name__)) from None
    if len(listed) < len(outputs):
        raise RuntimeError(errors.SEED_COUNT.format(outputs=len(outputs), seeds=len(listed)))
    return [_seed(out, seed, outputs, listed) for out, seed in zip(outputs, listed, strict=False)]


def _seed(out: Tensor, seed: Any, outputs: tuple[Tensor, ...], listed: list[Any]) -> Tensor:
    if seed is None:
        if not out.requires_grad:  # refused for that reason, whatever its shape
            return out
        if out._array.size != 1:
            raise RuntimeError(errors.IMPLICIT_SCALAR)
        if out._array.dtype.kind == "c":
            raise RuntimeError(errors.IMPLICIT_REAL.format(dtype=out.dtype))
        return Tensor(_one(out._array))
    if not isinstance(seed, Tensor):
        raise TypeError(errors.SEED_TYPE.format(type=type(seed).__name__))
    if seed._array.shape != out._array.shape:
        # PyTorch looks the seed up by `==`, which itself raises where an earlier one differs.
        i = listed.index(seed)
        raise RuntimeError(errors.SEED_SHAPE.format(i=i, seed=seed.shape, output=out.shape))
    if (seed._array.dtype.kind == "c") != (out._array.dtype.kind == "c"):
        i = listed.index(seed)
        raise RuntimeError(errors.SEED_COMPLEX.format(i=i, seed=seed.dtype, output=out.dtype))
    if seed._array.dtype != out._array.dtype:
        return Tensor(seed._array.astype(out._array.dtype))
    return seed


_ONES: dict[np.dtype[Any], Array] = {}


def _one(like: Array) -> Array:
    """1 in the shape and dtype of an array of one element; that of a number is shared."""
    if like.shape:
        return np.ones_like(like)
    one = _ONES.get(like.dtype)
    if one is None:
        one = _ONES[like.dtype] = np.ones((), like.dtype)
        one.flags.writeable = False
    return one


def _begin(
    log: Record | None,
    outputs: tuple[Tensor, ...],
    targets: tuple[Tensor, ...] | None,
    *,
    keep: bool,
    create_graph: bool,
) -> BackwardEvent | None:
    if log is None:
        return None
    event = BackwardEvent(
        target=log.number_of(outputs[0]),
        seed=None,
        implicit=True,
        retain_graph=keep,
        create_graph=create_graph,
        inputs=None if targets is None else tuple(log.number_of(t) for t in targets),
        line=log.line(),
    )
    log.backward_begins(event)
    return event


def _tell_seed(
    event: BackwardEvent | None, log: Record | None, given: Any, seeds: list[Tensor]
) -> None:
    if event is None or log is None:
        return
    first = given if isinstance(given, Tensor) or given is None else next(iter(given), None)
    event.seed = snapshot(seeds[0]._array)
    event.implicit = first is None
    if isinstance(first, Tensor):
        event.seed_name = log.name_of(first)


def _note_grads(event: BackwardEvent, log: Record) -> None:
    for tensor, number in log.bound():
        if tensor._grad is not None:
            event.grads[number] = snapshot(tensor._grad._array)
