"""Nodes taken out, and what they stood between joined again."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from gradviz.diagram import CONSTANT, Array, Diagram, Node, NodeId
from gradviz.edit.call_list import without_lost
from gradviz.edit.outcome import Refusal, missing

Edit = Diagram | Refusal


def delete(diagram: Diagram, ids: Collection[NodeId]) -> Edit:
    """Take nodes out; the slots that they filled are empty then, and calls from them go."""
    wrong = missing(diagram, *ids)
    if wrong is not None:
        return wrong
    return without_lost(diagram.remove(ids)) if ids else diagram


def heal(
    diagram: Diagram, ids: Collection[NodeId], values: Mapping[NodeId, Array] | None = None
) -> Edit:
    """Take nodes out and lead their users, and backward calls, to what they were made from.

    That is the first input of the node's own shape where `values` tell it, else the first that
    is not a constant, else the first. Numbers that nothing reads any more go as well.
    """
    wrong = missing(diagram, *ids)
    if wrong is not None:
        return wrong
    gone, instead = set(ids), _instead(diagram, ids, values or {})
    kept = {
        key: _led(node, instead) if gone.intersection(node.inputs) else node
        for key, node in diagram.nodes.items()
    }
    calls = tuple(
        replace(call, target=instead[call.target] or call.target, edited=True)
        if call.target in gone
        else call
        for call in diagram.calls
    )
    healed = replace(diagram, nodes=kept, calls=calls).remove(gone)
    return without_lost(healed.remove(_idle_numbers(diagram, healed, gone)))


def _led(node: Node, instead: Mapping[NodeId, NodeId | None]) -> Node:
    inputs = (instead.get(key, key) if key is not None else None for key in node.inputs)
    return replace(node, inputs=tuple(inputs))


def _instead(
    diagram: Diagram, ids: Collection[NodeId], values: Mapping[NodeId, Array]
) -> dict[NodeId, NodeId | None]:
    """What takes the place of each of the nodes; evaluation order has the earlier ones known."""
    found: dict[NodeId, NodeId | None] = {}
    for key, node in diagram.nodes.items():
        if key in ids:
            source = _main_input(diagram, node, values)
            found[key] = found.get(source, source) if source is not None else None
    return found


def _main_input(diagram: Diagram, node: Node, values: Mapping[NodeId, Array]) -> NodeId | None:
    filled = [key for key in node.inputs if key is not None]
    moving = [key for key in filled if diagram.nodes[key].op != CONSTANT] or filled
    own = values.get(node.id)
    alike = [
        key
        for key in moving
        if own is not None and key in values and values[key].shape == own.shape
    ]
    return next(iter(alike or moving), None)


def _idle_numbers(before: Diagram, after: Diagram, gone: Collection[NodeId]) -> list[NodeId]:
    """Numbers that the nodes taken out had read, and that no other reads."""
    read = {source for key in gone for source in before.nodes[key].inputs}
    users = after.consumers()
    return [
        key
        for key, node in after.nodes.items()
        if key in read and node.is_number and not users[key]
    ]
