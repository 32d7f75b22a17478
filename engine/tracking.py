"""An op's result gets its history: the node, where it sends cotangents, and what it saves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engine.arrays import Array
from engine.history import Edge, Node, leaf_of
from engine.op import Op, Plan, Shaped

if TYPE_CHECKING:
    from engine.tensor import Tensor


def remember(
    op: Op, inputs: tuple[Tensor, ...], params: Mapping[str, Any], arrays: list[Array], out: Tensor
) -> None:
    """Give `out` its history, if any input that gradients can reach requires grad.

    `arrays` are the inputs as the op computed with them. One and two inputs, nearly all there is,
    are written out: this runs with every op.
    """
    count = len(inputs)
    make = _of_one if count == 1 else _of_two if count == 2 else _of_many
    node = make(op, inputs, params, arrays)
    if node is None:
        return
    if node.plan.output:
        writes = out._writes
        if writes is None:
            writes = out._writes = [0]
        node.output, node.output_writes = out._array, writes
        node.versions = (*node.versions, writes[0])
    if op.extra is not None:
        node.params = {**params, **op.extra(out._array, *arrays, **params)}
    out._node = node
    out._requires_grad = True


_ONE = (True,)


def _of_one(
    op: Op, inputs: tuple[Tensor, ...], params: Mapping[str, Any], arrays: list[Array]
) -> Node | None:
    (t,) = inputs
    plan = op.plan(_ONE)
    if not plan.active:
        return None
    array = t._array
    edges = (t._node or t._leaf or leaf_of(t),)
    node = Node(op, params, plan, edges, (array.shape,), (array.dtype,))
    if plan.values[0]:
        writes = t._writes
        node.inputs, node.kept = (arrays[0],), inputs
        node.versions = (0 if writes is None else writes[0],)
    elif plan.shapes[0]:
        node.inputs = (Shaped(array.shape, arrays[0].dtype),)
    else:
        node.inputs = plan.nothing
    return node


def _of_two(
    op: Op, inputs: tuple[Tensor, ...], params: Mapping[str, Any], arrays: list[Array]
) -> Node | None:
    a, b = inputs
    plan = op.plan((a._requires_grad, b._requires_grad))
    if not plan.active:
        return None
    to_a, to_b = plan.wanted
    x, z = a._array, b._array
    node = Node(
        op,
        params,
        plan,
        (
            (a._node or a._leaf or leaf_of(a)) if to_a else None,
            (b._node or b._leaf or leaf_of(b)) if to_b else None,
        ),
        (x.shape, z.shape),
        (x.dtype, z.dtype),
    )
    if plan.keeps_inputs:
        _save(node, plan, inputs, arrays)
    elif plan.reads_inputs:
        node.inputs = _shapes(plan, arrays)
    else:
        node.inputs = plan.nothing
    return node


def _of_many(
    op: Op, inputs: tuple[Tensor, ...], params: Mapping[str, Any], arrays: list[Array]
) -> Node | None:
    plan = op.plan(tuple([t._requires_grad for t in inputs]))
    if not plan.active:
        return None
    edges: list[Edge | None] = [None] * len(inputs)
    for slot, _ in plan.active:
        t = inputs[slot]
        edges[slot] = t._node or t._leaf or leaf_of(t)
    shapes = tuple([t._array.shape for t in inputs])
    node = Node(op, params, plan, tuple(edges), shapes, tuple([t._array.dtype for t in inputs]))
    if plan.keeps_inputs:
        _save(node, plan, inputs, arrays)
    else:
        node.inputs = _shapes(plan, arrays)
    return node


def _save(node: Node, plan: Plan, inputs: tuple[Tensor, ...], arrays: list[Array]) -> None:
    """Save the values that the rules read; shapes alone where those are enough."""
    values = plan.values
    if False not in values:
        node.inputs, node.kept = tuple(arrays), inputs
        node.versions = tuple([t._version for t in inputs])
        return
    saved, kept, versions = list(_shapes(plan, arrays)), [], []
    for slot, keep in enumerate(values):
        if keep:
            saved[slot] = arrays[slot]
            kept.append(inputs[slot])
            versions.append(inputs[slot]._version)
        else:
            kept.append(None)  # type: ignore[arg-type]
            versions.append(0)
    node.inputs, node.kept, node.versions = tuple(saved), tuple(kept), tuple(versions)


def _shapes(plan: Plan, arrays: list[Array]) -> tuple[Any, ...]:
    """Stand-ins for the inputs of which the rules read shapes alone."""
    if True not in plan.shapes:
        return plan.nothing
    return tuple(
        [Shaped(a.shape, a.dtype) if s else None for a, s in zip(arrays, plan.shapes, strict=True)]
    )
