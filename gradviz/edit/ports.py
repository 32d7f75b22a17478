"""While a wire is dragged: where its end may go, and why not elsewhere; which ops would take it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.tensor import Tensor
from gradviz.diagram import Array, Diagram, Node, NodeId
from gradviz.edit.catalogue import accepting, entry_of
from gradviz.edit.entry import Entry
from gradviz.edit.outcome import Refusal
from gradviz.edit.slots import limits
from gradviz.edit.trial import tried
from gradviz.edit.wires import connect
from gradviz.labels import titles

MOST = 10_000  # elements up to which ops are tried; a larger value goes anywhere


def objection(
    diagram: Diagram,
    source: NodeId,
    target: NodeId,
    slot: int,
    values: Mapping[NodeId, Array] | None = None,
) -> Refusal | None:
    """Why a wire from `source` cannot end in a slot; None where it can.

    With the nodes' `values` the op is tried as well, if its other inputs have theirs: what it says
    against the shapes or dtypes is no reason to refuse the wire, but one to show the port so.
    """
    made = connect(diagram, source, target, slot)
    if isinstance(made, Refusal):
        return made
    known = values or {}
    node = made.nodes[target]
    arrays = [known[key] for key in node.inputs if key is not None and key in known]
    if len(arrays) < len(node.inputs) or max((array.size for array in arrays), default=0) > MOST:
        return None
    tensors = [Tensor(np.asarray(array)) for array in arrays]
    for tensor, key in zip(tensors, node.inputs, strict=True):
        tensor._wrapped = key is not None and made.nodes[key].is_number
    found = tried(node, tensors)
    return Refusal(str(found), target, slot) if isinstance(found, Exception) else None


def taking(array: Array | None) -> tuple[Entry, ...]:
    """The ops that a new node for this value can be: those of one input that refuse it are out."""
    if array is None or array.size > MOST:
        return tuple(accepting())
    return tuple(entry for entry in accepting() if _takes(entry, array))


def _takes(entry: Entry, array: Array) -> bool:
    if entry.steps or entry.variadic or limits(entry.op)[0] != 1:
        return True
    node = Node("n", entry.op, ("x",), entry.defaults())
    return not isinstance(tried(node, [Tensor(array)]), Exception)


def named(diagram: Diagram, key: NodeId, slot: int) -> str:
    """What a port is called: its node, and the slot's name where there are several."""
    node = diagram.nodes[key]
    entry = entry_of(node.op)
    title = titles(diagram)[key]
    if entry is None or len(node.inputs) < 2:
        return title
    return f"{title} · {entry.slot_name(slot)}"
