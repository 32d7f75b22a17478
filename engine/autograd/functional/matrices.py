"""Whole Jacobians and Hessians of a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.autograd.functional import messages
from engine.autograd.functional.checks import (
    OUTPUTS,
    Tensors,
    as_tuple,
    check_depends,
    finished,
    fresh,
    gradients,
    is_single,
    zeros_like,
)
from engine.functions.shapes import stack
from engine.state import enable_grad
from engine.tensor import Tensor

Function = Callable[..., Any]
STRATEGIES = ("forward-mode", "reverse-mode")


def jacobian(
    func: Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The Jacobian of each output by each input, of shape `output.shape + input.shape`.

    Nested in a tuple for each of the two that is a tuple, outputs first. Raises RuntimeError,
    TypeError and NotImplementedError with PyTorch's messages.
    """
    if strategy not in STRATEGIES:
        raise AssertionError(messages.STRATEGY)
    if strategy == "forward-mode":
        if create_graph:
            raise NotImplementedError(messages.GRAPH_FORWARD)
        return _forward(func, inputs, strict=strict, vectorize=vectorize)
    with enable_grad():
        many_in, ins = as_tuple(inputs, "inputs", "jacobian")
        ins = fresh(ins, create_graph=create_graph, need_graph=True)
        many_out, outs = as_tuple(func(*ins), OUTPUTS, "jacobian")
        check_depends(outs, "outputs", strict=strict)
        if vectorize and strict:
            raise RuntimeError(messages.STRICT_VECTORIZED)
        rows = (
            _at_once(outs, ins, create_graph=create_graph)
            if vectorize
            else [
                _row_by_row(i, out, ins, create_graph=create_graph, strict=strict)
                for i, out in enumerate(outs)
            ]
        )
        blocks = [finished(row, many=many_in, create_graph=create_graph) for row in rows]
        return tuple(blocks) if many_out else blocks[0]


def _row_by_row(
    i: int, out: Tensor, ins: Tensors, *, create_graph: bool, strict: bool
) -> list[Tensor]:
    """The blocks of one output: a reverse pass for each of its elements."""
    columns: list[list[Tensor]] = [[] for _ in ins]
    for j in range(out._array.size):
        found = gradients((out.reshape(-1)[j],), ins, retain_graph=True, create_graph=create_graph)
        for k, g in enumerate(found):
            if strict and g is None:
                raise RuntimeError(messages.INDEPENDENT.format(i=i, j=k))
            if strict and create_graph and g is not None and not g.requires_grad:
                raise RuntimeError(messages.WITHOUT_HISTORY.format(what="jacobian", i=i))
            columns[k].append(zeros_like(ins[k]) if g is None else g)
    return [
        stack(column).view(*out.shape, *t.shape) for column, t in zip(columns, ins, strict=True)
    ]


def _at_once(outs: Tensors, ins: Tensors, *, create_graph: bool) -> list[tuple[Tensor, ...]]:
    """The blocks of all outputs: one reverse pass with the rows of the identity as seeds."""
    sizes = [out._array.size for out in outs]
    found = gradients(
        [out.reshape(-1) for out in outs],
        ins,
        _unit_rows(outs, sizes),
        create_graph=create_graph,
        is_grads_batched=True,
    )
    by_input = [
        [
            piece.view(*out.shape, *t.shape)
            for piece, out in zip(_full(g, t, sum(sizes)).split(sizes), outs, strict=True)
        ]
        for g, t in zip(found, ins, strict=True)
    ]
    return list(zip(*by_input, strict=True))


def _full(g: Tensor | None, like: Tensor, count: int) -> Any:
    return zeros_like(like).expand(count, *like.shape) if g is None else g


def _unit_rows(tensors: Tensors, sizes: Sequence[int]) -> list[Tensor]:
    """The identity, its columns shared out among the tensors."""
    total, start, pieces = sum(sizes), 0, []
    for tensor, size in zip(tensors, sizes, strict=True):
        pieces.append(Tensor(np.eye(total, size, -start, dtype=tensor._array.dtype)))
        start += size
    return pieces


def hessian(
    func: Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The second derivatives of a function with one element, by each pair of inputs.

    Shape `first.shape + second.shape`, in a tuple of tuples where the inputs are a tuple. Raises
    RuntimeError, TypeError and NotImplementedError with PyTorch's messages.
    """
    many, ins = as_tuple(inputs, "inputs", "hessian")
    if outer_jacobian_strategy not in STRATEGIES:
        raise AssertionError(messages.OUTER_STRATEGY)

    def scalar(*given: Tensor) -> Tensor:
        many_out, outs = as_tuple(func(*given), OUTPUTS, "hessian")
        check_depends(outs, "outputs", strict=strict)
        if many_out:
            raise RuntimeError(messages.ONE_TENSOR.format(caller="hessian"))
        if not is_single(outs):
            raise RuntimeError(messages.ONE_ELEMENT.format(caller="hessian"))
        squeezed: Tensor = outs[0].squeeze()
        return squeezed

    def slope(*given: Tensor) -> Any:
        if outer_jacobian_strategy == "forward-mode":
            given = tuple(t.requires_grad_() for t in given)
        found = jacobian(scalar, given, create_graph=True)
        check_depends(found, "jacobian", strict=strict)
        return found

    found = jacobian(
        slope,
        ins,
        create_graph=create_graph,
        strict=strict,
        vectorize=vectorize,
        strategy=outer_jacobian_strategy,
    )
    return found if many else found[0][0]


def _forward(func: Function, inputs: Any, *, strict: bool, vectorize: bool) -> Any:
    """The Jacobian by columns."""
    if strict:
        raise RuntimeError(messages.STRICT_FORWARD)
    many_in, ins = as_tuple(inputs, "inputs", "jacobian")
    if not vectorize:
        raise NotImplementedError(messages.FORWARD_ONLY_VECTORIZED)
    from engine.func.jacobians import columns

    many_out, blocks = columns(func, ins)
    if not many_in:
        single = tuple(row[0] for row in blocks)
        return single if many_out else single[0]
    return blocks if many_out else blocks[0]  # lists, where the other strategy has tuples
