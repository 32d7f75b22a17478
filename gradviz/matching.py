"""`matched`: which node of one diagram is which of another, when a script was written anew."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from gradviz.diagram import CONSTANT, Diagram, Node, NodeId

_ANY = "?"  # stands for a constant without a name: it is matched by where it is used


def matched(before: Diagram, after: Diagram) -> dict[NodeId, NodeId]:
    """For nodes of `after` the id that they had in `before`.

    A name is kept; what has none is known by its op and what it reads, whichever line it stands
    on; a constant without a name by the slot that it fills.
    """
    if before.nodes is after.nodes:
        return {key: key for key in after.nodes}
    named = {node.name: node.id for node in before.nodes.values() if node.name}
    found = {
        node.id: named[node.name]
        for node in after.nodes.values()
        if node.name is not None and node.name in named
    }
    taken = set(found.values())
    known: dict[tuple[object, ...], list[NodeId]] = defaultdict(list)
    own = {key: key for key in before.nodes}
    for node in before.nodes.values():
        if not node.is_source and node.id not in taken:
            known[_signature(node, before, own)].append(node.id)
    for node in after.nodes.values():
        if node.is_source or node.id in found:
            continue
        waiting = known.get(_signature(node, after, found))
        if waiting:
            found[node.id] = waiting.pop(0)
    for key, old in _sources(before, after, found):
        found.setdefault(key, old)
    taken = set(found.values())
    for key, node in after.nodes.items():
        same = before.nodes.get(key)
        if key not in found and same is not None and same.op == node.op and key not in taken:
            found[key] = key
    return found


def _signature(node: Node, diagram: Diagram, ids: dict[NodeId, NodeId]) -> tuple[object, ...]:
    """The op and what it reads, in ids of the earlier diagram."""
    return node.op, tuple(
        _ANY if source is None or _is_bare(diagram.nodes[source]) else ids.get(source, f"new {at}")
        for at, source in enumerate(node.inputs)
    )


def _is_bare(node: Node) -> bool:
    return node.op == CONSTANT and node.name is None


def _sources(
    before: Diagram, after: Diagram, found: dict[NodeId, NodeId]
) -> Iterator[tuple[NodeId, NodeId]]:
    """Sources without a name, by the slots that they fill in nodes that are the same."""
    taken = set(found.values())
    for key, old in list(found.items()):
        for source, other in zip(after.nodes[key].inputs, before.nodes[old].inputs, strict=False):
            if source is None or other is None or source in found or other in taken:
                continue
            if after.nodes[source].is_source and before.nodes[other].is_source:
                taken.add(other)
                yield source, other
