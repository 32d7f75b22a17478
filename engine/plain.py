"""`apply` for one and for two operands, written out: nearly all that a program does is this.

Both give what `apply` gives, and tell a recording as it does. Whatever they do not cover, mixed
dtypes, views, complex numbers, the rarer modes, they leave to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from engine import errors
from engine.arrays import Array
from engine.history import Node, leaf_of
from engine.op import Op, Plan
from engine.state import STATE
from engine.tensor import Tensor, apply, refuse
from engine.tracking import save, stand_ins

_ndarray = np.ndarray
_new = object.__new__
_NONE: Mapping[str, Any] = MappingProxyType({})
_ONE = (True,)


def single(op: Op, t: Tensor, params: Mapping[str, Any] = _NONE) -> Tensor:
    """`apply` of an op of one operand."""
    mode = STATE.mode
    x = t._array
    if x.dtype.kind != "f" or op.is_view or t._base is not None or mode.unusual:
        return apply(op, (t,), params)
    log = mode.record
    try:
        y = op.forward(x, **params) if params else op.forward(x)
    except Exception as error:
        if log is not None:
            log.refused(op.name, (t,), params, error)
        raise
    out = _new(Tensor)
    out._array = y if type(y) is _ndarray else np.asarray(y)
    if t._requires_grad and mode.grad_enabled and y.dtype.kind == "f":
        plan = op._plans.get(_ONE) or op.plan(_ONE)
        if plan.active:
            out._node = _node_of_one(plan, t, x, out._array, params)
            out._requires_grad = True
    if log is not None:
        log.applied(op.name, (t,), params, out)
    return out


def _node_of_one(plan: Plan, t: Tensor, x: Array, y: Array, params: Mapping[str, Any]) -> Node:
    edges = (t._node or t._leaf or leaf_of(t),)
    node = Node(plan, edges, y.shape, y.dtype)
    if plan.keeps_inputs:
        node.inputs, node.kept = (x,), (t,)
        if t._writes is not None:
            save(node, plan, (t,), (x,))
    elif plan.reads_shapes:
        node.inputs = edges  # what is behind knows its shape
    else:
        node.inputs = plan.nothing
    if plan.output:
        node.output = y
    op = plan.op
    if op.extra is not None:
        node.params = {**params, **op.extra(y, x, **params)}
    elif params:
        node.params = params
    return node


def pair(op: Op, a: Tensor, b: Tensor) -> Tensor:
    """`apply` of an op of two operands without parameters.

    Raises RuntimeError where their shapes do not broadcast.
    """
    mode = STATE.mode
    x, z = a._array, b._array
    if (
        x.dtype is not z.dtype
        or x.dtype.kind != "f"
        or a._base is not None
        or b._base is not None
        or mode.unusual
    ):
        return broadcast(op, a, b, _NONE)
    try:
        y = op.forward(x, z)
    except (ValueError, TypeError, RuntimeError):  # shapes that do not fit, most likely
        return broadcast(op, a, b, _NONE)
    out = _new(Tensor)
    out._array = y = y if type(y) is _ndarray else np.asarray(y)
    if (a._requires_grad or b._requires_grad) and mode.grad_enabled:
        wanted = (a._requires_grad, b._requires_grad)
        plan = op._plans.get(wanted) or op.plan(wanted)
        if plan.active:
            out._node = _node_of_two(plan, (a, b), (x, z), y)
            out._requires_grad = True
    if mode.record is not None:
        mode.record.applied(op.name, (a, b), _NONE, out)
    return out


def _node_of_two(
    plan: Plan, inputs: tuple[Tensor, Tensor], arrays: tuple[Array, Array], y: Array
) -> Node:
    a, b = inputs
    to_a, to_b = plan.wanted
    node = Node(
        plan,
        (
            (a._node or a._leaf or leaf_of(a)) if to_a else None,
            (b._node or b._leaf or leaf_of(b)) if to_b else None,
        ),
        y.shape,
        y.dtype,
    )
    if plan.keeps_all and a._writes is None and b._writes is None:
        node.inputs, node.kept = arrays, inputs
    elif plan.keeps_inputs:
        save(node, plan, inputs, arrays)
    elif plan.reads_shapes:
        node.inputs = stand_ins(plan, arrays)
    else:
        node.inputs = plan.nothing
    if plan.output:
        node.output = y
    return node


def check_broadcast(x: tuple[int, ...], y: tuple[int, ...]) -> None:
    """Raise PyTorch's message where the shapes do not broadcast."""
    if x == y:
        return
    for back in range(1, min(len(x), len(y)) + 1):
        m, n = x[-back], y[-back]
        if m != n and m != 1 and n != 1:
            raise RuntimeError(errors.SIZES_DIFFER.format(a=m, b=n, d=max(len(x), len(y)) - back))


def broadcast(op: Op, a: Tensor, b: Tensor, params: Mapping[str, Any]) -> Tensor:
    """`apply` of a broadcasting op. Raises RuntimeError where the shapes do not fit."""
    x, y = a._array.shape, b._array.shape
    if x and y and x != y:
        try:
            check_broadcast(x, y)
        except RuntimeError as error:
            refuse(op.name, (a, b), params, error)
    return apply(op, (a, b), params)


_numbers: dict[tuple[type, float, Any], Tensor] = {}
_MANY_NUMBERS = 4096


def number(value: float, like: Array) -> Tensor:
    """A Python number as an operand of floats: it takes their dtype. Kept for the next time."""
    key = (type(value), value, like.dtype)
    known = _numbers.get(key)
    if known is None:
        known = Tensor(np.array(value, like.dtype))
        known._array.flags.writeable = False
        known._wrapped = True
        if len(_numbers) >= _MANY_NUMBERS:
            _numbers.clear()
        if value:  # 0.0 and -0.0 are equal
            _numbers[key] = known
    return known
