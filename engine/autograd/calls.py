"""`backward` and `grad`: the calls that start the reverse pass."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine import errors
from engine.autograd import events, messages
from engine.autograd.seeds import seeds_of
from engine.history import Edge
from engine.history import edge_of as _edge
from engine.reverse import sweep
from engine.state import STATE
from engine.sweep import Sweep
from engine.tensor import Tensor

Tensors = Tensor | Sequence[Tensor]
Inputs = Tensors | dict[str, Tensor]


def backward(
    tensors: Tensors,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Inputs | None = None,
) -> None:
    """Accumulate the product of seeds and Jacobian into the leaves' `.grad`.

    Each seed in `grad_tensors` has its tensor's shape; it may be None where the tensor has one
    element. With `inputs`, only they accumulate. Raises RuntimeError and TypeError with PyTorch's
    messages.
    """
    if STATE.transforms:
        raise RuntimeError(messages.BACKWARD_IN_TRANSFORM)
    if grad_variables is not None:
        grad_tensors = _renamed(grad_tensors, grad_variables)
    targets = None if inputs is None else _listed(inputs, "backward")
    if targets is not None and not targets:
        raise RuntimeError(errors.EMPTY_INPUTS)
    outputs = (tensors,) if isinstance(tensors, Tensor) else tuple(tensors)
    keep = create_graph if retain_graph is None else bool(retain_graph)
    log = events.recording()
    event = events.begin(log, outputs, targets, keep=keep, create_graph=create_graph)
    try:
        seeds = seeds_of(outputs, grad_tensors)
        events.tell_seed(event, log, grad_tensors, seeds)
        if create_graph:
            errors.warn_once(errors.CREATE_GRAPH_CYCLE, stacklevel=4)
        wanted = None if targets is None else _wanted(targets)
        _sweep(outputs, seeds, Sweep(keep, create_graph, wanted, True, event, log))
    except Exception as error:
        if event is not None:
            event.error = error
        raise
    finally:
        if event is not None and log is not None:
            events.note_grads(event, log)


def _renamed(given: Any, old: Any) -> Any:
    """The seeds, which were given under the name they had in old PyTorch."""
    warnings.warn(messages.GRAD_VARIABLES, FutureWarning, stacklevel=3)
    if given is not None:
        raise RuntimeError(messages.GRAD_VARIABLES_TOO)
    return old


def _wanted(targets: tuple[Tensor, ...]) -> dict[Edge, Tensor]:
    """The places where the pass of `backward` delivers, if not at every leaf."""
    for t in targets:
        t.retain_grad()
    return {_edge(t): t for t in targets}


def _listed(tensors: Inputs, caller: str) -> tuple[Tensor, ...]:
    if isinstance(tensors, Tensor):
        return (tensors,)
    if type(tensors) is dict:
        return tuple(tensors.values())
    if isinstance(tensors, Mapping):
        raise TypeError(messages.INPUTS_MAPPING.format(caller=caller, type=type(tensors).__name__))
    return tuple(tensors)


def grad(
    outputs: Tensors,
    inputs: Inputs,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> Any:
    """The product of seeds and Jacobian for each input, without touching `.grad`.

    Returns a tuple of tensors, one an input, in its shape (a dict where `inputs` is one); None
    for an unused one where `allow_unused`. With `is_grads_batched` each seed has a further first
    axis, along which many lie, and so has each result. Raises RuntimeError, TypeError and
    ValueError with PyTorch's messages.
    """
    if materialize_grads and allow_unused is False:
        raise ValueError(errors.MATERIALIZE)
    outs = (outputs,) if isinstance(outputs, Tensor) else tuple(outputs)
    ins = _listed(inputs, "grad")
    if not ins:
        raise RuntimeError(errors.GRAD_EMPTY_INPUTS)
    if not only_inputs:
        warnings.warn(errors.ONLY_INPUTS, FutureWarning, stacklevel=2)
    allowed = materialize_grads if allow_unused is None else allow_unused
    keep = create_graph if retain_graph is None else bool(retain_graph)
    found = (_many if is_grads_batched else _one)(
        outs, ins, grad_outputs, keep=keep, create_graph=create_graph
    )
    results = tuple(
        _result(g, t, i, allowed=allowed, zeros=materialize_grads, create_graph=create_graph)
        for i, (g, t) in enumerate(zip(found, ins, strict=True))
    )
    return dict(zip(inputs, results, strict=True)) if isinstance(inputs, dict) else results


def _one(
    outs: tuple[Tensor, ...],
    ins: tuple[Tensor, ...],
    given: Any,
    *,
    keep: bool,
    create_graph: bool,
) -> list[Tensor | None]:
    """One reverse pass that captures what arrives at the inputs."""
    log = events.recording()
    event = events.begin(log, outs, ins, keep=keep, create_graph=create_graph, captures=True)
    try:
        seeds = seeds_of(outs, given)
        events.tell_seed(event, log, given, seeds)
        _check_history(outs)
        if not all(t.requires_grad for t in ins):
            raise RuntimeError(errors.GRAD_NOT_REQUIRED)
        run = Sweep(keep, create_graph, {_edge(t): t for t in ins}, False, event, log)
        _sweep(outs, seeds, run)
        return [_captured(run, t) for t in ins]
    except Exception as error:
        if event is not None:
            event.error = error
        raise
    finally:
        if event is not None and log is not None:
            events.note_grads(event, log)


def _many(
    outs: tuple[Tensor, ...],
    ins: tuple[Tensor, ...],
    given: Any,
    *,
    keep: bool,
    create_graph: bool,
) -> list[Tensor | None]:
    """One reverse pass for all the seeds that lie along a first axis.

    While recording, one for each, so that every step carries the cotangent of one seed.
    """
    from engine.functions.shapes import stack

    seeds = seeds_of(outs, given, batched=True)
    listed = (given,) if given is None or isinstance(given, Tensor) else tuple(given)
    if any(seed is None for seed in listed):
        raise ValueError(messages.BATCHED_SEED_MISSING)
    sizes = [seed._array.shape[0] for seed in seeds]
    if len(set(sizes)) > 1:
        raise ValueError(messages.VMAP_SIZES.format(sizes=sizes))
    if STATE.mode.record is None:
        _check_history(outs)
        if not all(t.requires_grad for t in ins):
            raise RuntimeError(errors.GRAD_NOT_REQUIRED)
        run = Sweep(keep, create_graph, {_edge(t): t for t in ins}, False, many=True)
        _sweep(outs, seeds, run)
        return [_captured(run, t) for t in ins]
    rows = [
        _one(
            outs,
            ins,
            [seed[row] for seed in seeds],
            keep=keep or row + 1 < sizes[0],
            create_graph=create_graph,
        )
        for row in range(sizes[0])
    ]
    return [
        None if column[0] is None else stack([g for g in column if g is not None])
        for column in zip(*rows, strict=True)
    ]


def _captured(run: Sweep, tensor: Tensor) -> Tensor | None:
    g = run.captured.get(_edge(tensor))
    return g if g is None or isinstance(g, Tensor) else Tensor(np.array(g))


def _result(
    g: Tensor | None, tensor: Tensor, index: int, *, allowed: bool, zeros: bool, create_graph: bool
) -> Tensor | None:
    if g is not None:
        return g
    if zeros:
        return Tensor(np.zeros_like(tensor._array), requires_grad=create_graph)
    if not allowed:
        raise RuntimeError(errors.UNUSED.format(i=index))
    return None


def _check_history(outputs: tuple[Tensor, ...]) -> None:
    for i, t in enumerate(outputs):
        if not t.requires_grad:
            raise RuntimeError(errors.NO_HISTORY.format(i=i))


def _sweep(outputs: tuple[Tensor, ...], seeds: list[Tensor], run: Sweep) -> None:
    _check_history(outputs)
    roots = [
        (_edge(t), seed if run.create_graph else seed._array)
        for t, seed in zip(outputs, seeds, strict=True)
    ]
    outer, log = (STATE.grad_enabled, STATE.in_rules), run.log
    STATE.grad_enabled = STATE.in_rules = run.create_graph
    selective, STATE.selective = STATE.selective, run.wanted is not None
    if log is not None:
        log.in_backward = True
    try:
        sweep(roots, run)
    finally:
        STATE.grad_enabled, STATE.in_rules = outer
        STATE.selective = selective
        if log is not None:
            log.in_backward = False
        if run.event is not None:
            run.event.saved_bytes = sum(run.buffers.values())
