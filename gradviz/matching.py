"""`matched`: which node of one diagram is which of another, when a script was written anew."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable

from gradviz.diagram import CONSTANT, Diagram, Node, NodeId

_FEW = 64  # elements of a constant that are compared
_ANY = "?"  # stands for a constant without a name: it is matched by where it is used


def matched(before: Diagram, after: Diagram) -> dict[NodeId, NodeId]:
    """For nodes of `after` the id that they had in `before`.

    A name is kept; what has none is known by its op and what it reads, whichever line it stands
    on; a constant without a name by the slot that it fills. Of several that are alike, the one
    that is the same in every respect comes first.
    """
    if before.nodes is after.nodes:
        return {key: key for key in after.nodes}
    named = _by_name(before)
    found = {key: named[name] for name, key in _by_name(after).items() if name in named}
    for details in (_all_details, _numbers, _whether_named):
        _by_signature(before, after, found, details)
    _by_slots(before, after, found)
    taken = set(found.values())
    for key, node in after.nodes.items():
        same = before.nodes.get(key)
        if key not in found and same is not None and same.op == node.op and key not in taken:
            found[key] = key
    _by_slots(before, after, found)
    return found


def _by_name(diagram: Diagram) -> dict[tuple[str, int], NodeId]:
    """The nodes by their names, which a variable gives to every value that it has."""
    seen: Counter[str] = Counter()
    found = {}
    for key, node in diagram.nodes.items():
        if node.name:
            found[node.name, seen[node.name]] = key
            seen[node.name] += 1
    return found


def _by_signature(
    before: Diagram,
    after: Diagram,
    found: dict[NodeId, NodeId],
    details: Callable[[Diagram], Callable[[Node], object]],
) -> None:
    """Add to `found` what is known by its op, what it reads, and these details of it."""
    taken = set(found.values())
    known: dict[tuple[object, ...], list[NodeId]] = defaultdict(list)
    own = {key: key for key in before.nodes}
    of_before, of_after = details(before), details(after)
    for node in before.nodes.values():
        if not node.is_source and node.id not in taken:
            known[*_signature(node, before, own), of_before(node)].append(node.id)
    for node in after.nodes.values():
        if node.is_source or node.id in found:
            continue
        waiting = known.get((*_signature(node, after, found), of_after(node)))
        if waiting:
            found[node.id] = waiting.pop(0)


def _signature(node: Node, diagram: Diagram, ids: dict[NodeId, NodeId]) -> tuple[object, ...]:
    """The op and what it reads, in ids of the earlier diagram."""
    return node.op, tuple(
        _ANY if source is None or _is_bare(diagram.nodes[source]) else ids.get(source, f"new {at}")
        for at, source in enumerate(node.inputs)
    )


def _all_details(diagram: Diagram) -> Callable[[Node], object]:
    users, numbers = diagram.consumers(), _numbers(diagram)

    def details(node: Node) -> object:
        ops = sorted(diagram.nodes[user].op for user, _slot in users[node.id])
        return numbers(node), node.name, tuple(ops)

    return details


def _numbers(diagram: Diagram) -> Callable[[Node], object]:
    """What tells nodes apart that do the same with the same: x * 2 from x * 5."""

    def details(node: Node) -> object:
        read = (diagram.nodes[source] for source in node.inputs if source is not None)
        data = (one.data for one in read if _is_bare(one))
        said = tuple(
            None if one is None else (one.shape, one.tobytes() if one.size <= _FEW else b"")
            for one in data
        )
        return repr(sorted(node.params.items())), said

    return details


def _whether_named(_diagram: Diagram) -> Callable[[Node], object]:
    """A number may have been changed; a new variable is not what had no name and another number."""
    return lambda node: node.name is None


def _is_bare(node: Node) -> bool:
    return node.op == CONSTANT and node.name is None


def _by_slots(before: Diagram, after: Diagram, found: dict[NodeId, NodeId]) -> None:
    """Add to `found` what fills the same slot of a node that is the same, under another name."""
    taken = set(found.values())
    for key in reversed(list(after.nodes)):  # from users to what feeds them, known by them
        if key not in found:
            continue
        inputs = zip(after.nodes[key].inputs, before.nodes[found[key]].inputs, strict=False)
        for source, other in inputs:
            if source is None or other is None or source in found or other in taken:
                continue
            one, same = after.nodes[source], before.nodes[other]
            if one.op == same.op or (one.is_source and same.is_source):
                found[source] = other
                taken.add(other)
