"""An op's result gets its history: the node, where it sends cotangents, and what it saves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine import errors
from engine.arrays import Array
from engine.history import Edge, Node, leaf_of
from engine.op import Op, Plan, Shaped
from engine.state import STATE

if TYPE_CHECKING:
    from engine.tensor import Tensor


def remember(
    op: Op,
    inputs: tuple[Tensor, ...],
    params: Mapping[str, Any],
    arrays: Sequence[Array],
    out: Tensor,
) -> None:
    """Give `out` its history, if any input that gradients can reach requires grad.

    `arrays` are the inputs as the op computed with them.
    """
    y = out._array
    wanted = tuple([t._requires_grad for t in inputs])
    plan = op.plan(wanted, of_complex=y.dtype.kind == "c")
    if not plan.active:
        return
    edges: list[Edge | None] = [None] * len(inputs)
    for slot, _ in plan.active:
        t = inputs[slot]
        edges[slot] = t._node or t._leaf or leaf_of(t)
    node = Node(plan, tuple(edges), y.shape, y.dtype)
    if plan.keeps_inputs:
        save(node, plan, inputs, arrays)
    elif plan.reads_shapes:
        node.inputs = stand_ins(plan, arrays)
    else:
        node.inputs = plan.nothing
    if plan.output:
        node.output, node.output_writes = y, out._writes
    if op.extra is not None:
        node.params = {**params, **op.extra(y, *arrays, **params)}
    elif params:
        node.params = params
    out._node = node
    out._requires_grad = True
    if STATE.mode.anomaly:
        from engine.anomaly import where_made

        node.traceback = where_made()


def save(node: Node, plan: Plan, inputs: tuple[Tensor, ...], arrays: Sequence[Array]) -> None:
    """Save the values that the rules read; shapes alone where those are enough."""
    values = plan.values
    if False not in values:
        node.inputs = arrays
        node.kept = inputs
    elif len(values) == 2 and not plan.reads_shapes:
        first = values[0]
        node.inputs = (arrays[0], None) if first else (None, arrays[1])
        node.kept = (inputs[0], None) if first else (None, inputs[1])
    else:
        saved = list(stand_ins(plan, arrays))
        for slot, keep in enumerate(values):
            if keep:
                saved[slot] = arrays[slot]
        node.inputs = saved
        node.kept = tuple([t if k else None for t, k in zip(inputs, values, strict=True)])
    for t in node.kept:
        if t is not None and t._writes is not None:
            node.versions = tuple([0 if t is None else saved_version(t) for t in node.kept])
            break


def saved_version(tensor: Tensor) -> int:
    """What the version counter stands at. Raises RuntimeError for inference tensors."""
    if tensor._inference:
        raise RuntimeError(errors.INFERENCE_SAVED)
    return tensor._version


def stand_ins(plan: Plan, arrays: Sequence[Array]) -> tuple[Any, ...]:
    """Stand-ins for the inputs of which the rules read shapes alone."""
    if not plan.reads_shapes:
        return plan.nothing
    return tuple(
        [Shaped(a.shape, a.dtype) if s else None for a, s in zip(arrays, plan.shapes, strict=True)]
    )
