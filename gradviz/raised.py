"""From a recording: the nodes that backward calls with create_graph made, and where they belong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.record import BackwardEvent, Entry, Record
from gradviz.diagram import Array, Diagram, Node, NodeId, Upper
from gradviz.run import Value
from gradviz.storeys import gradient_id, inner_id

MOST = 20_000  # nodes of second storeys that are read from one recording
Ids = Mapping[int, NodeId]
Params = Mapping[str, Any]


def places(log: Record, event: BackwardEvent, call: int, ids: Ids) -> dict[int, Upper]:
    """Where each entry that the call made belongs, by the entry's number."""
    return _places(log, event, call, ids, event.origins)


def _places(
    log: Record, event: BackwardEvent, call: int, ids: Ids, numbers: Iterable[int]
) -> dict[int, Upper]:
    gradients = _gradients(log, event, ids)
    return {
        number: Upper(call, ids.get(event.origins.get(number, -1)), gradients.get(number))
        for number in numbers
    }


def _gradients(log: Record, event: BackwardEvent, ids: Ids) -> dict[int, NodeId]:
    """The node whose cotangent an entry is.

    Of several it is the last that was reached; for the seed, which is a source, the first.
    """
    found: dict[int, NodeId] = {}
    for place, number in event.cotangents.items():
        if place in ids and (number not in found or log.entries[number].inputs):
            found[number] = ids[place]
    return found


def upper_nodes(
    log: Record, event: BackwardEvent, call: int, ids: dict[int, NodeId], *, most: int = MOST
) -> tuple[Node, ...]:
    """The call's nodes that have no id yet; they get one. None where there are more than `most`."""
    numbers = [number for number in _leading(log, event) if number not in ids]
    if len(numbers) > most:
        return ()
    taken: dict[str, int] = {}
    where = _places(log, event, call, ids, numbers)
    nodes: list[Node] = []
    for number in numbers:
        entry, place = log.entries[number], where[number]
        if any(source not in ids for source in entry.inputs):
            continue
        if place.gradient is not None:
            stem = gradient_id(call, place.gradient)
        else:
            stem = inner_id(call, entry.op, place.origin)
        taken[stem] = taken.get(stem, 0) + 1
        ids[number] = stem if taken[stem] == 1 else f"{stem}#{taken[stem]}"
        nodes.append(_node(entry, ids, place, log))
    return tuple(nodes)


def _leading(log: Record, event: BackwardEvent) -> list[int]:
    """The entries that the call made and that some cotangent is computed from, in order."""
    needed: set[int] = set()
    waiting = [*event.cotangents.values()]
    while waiting:
        number = waiting.pop()
        if number in event.origins and number not in needed:
            needed.add(number)
            waiting += log.entries[number].inputs
    return sorted(number for number in needed if log.entries[number].value is not None)


def _node(entry: Entry, ids: Ids, place: Upper, log: Record) -> Node:
    return Node(
        ids[entry.number],
        entry.op,
        tuple(ids[number] for number in entry.inputs),
        entry.params,
        name=log.names.get(entry.number),
        data=None if entry.inputs else entry.value,
        line=entry.line,
        is_number=entry.is_number,
        upper=place,
    )


def under(diagram: Diagram, root: NodeId, known: Mapping[NodeId, Node]) -> tuple[Node, ...]:
    """Of the `known` nodes of earlier calls those that `root` is computed from, in their order."""
    if not known:
        return ()
    found: set[NodeId | None] = {None}
    waiting: list[NodeId | None] = [root]
    while waiting:
        key = waiting.pop()
        node = known.get(key or "") or diagram.nodes.get(key or "")
        if node is not None and key not in found:
            found.add(key)
            waiting += node.inputs
    return tuple(node for key, node in known.items() if key in found)


def values_of(log: Record, ids: Ids, keys: Iterable[NodeId]) -> dict[NodeId, Value]:
    """The values of these nodes, as the recording has them."""
    wanted = set(keys)
    return {
        key: Value(entry.value, entry.requires_grad, entry.grad_fn)
        for number, key in ids.items()
        if key in wanted and (entry := log.entries[number]).value is not None
    }


def matched(
    log: Record, event: BackwardEvent, diagram: Diagram, call: int, ids: Ids
) -> dict[int, NodeId]:
    """Which entries of a call are nodes of the diagram that the same call made in its script.

    An entry is a node where it is the same op of the same inputs, or the gradient of the same node.
    """
    mine = [n for n in diagram.nodes.values() if n.upper is not None and n.upper.call == call]
    if not mine:
        return {}
    waiting: dict[object, list[NodeId]] = {}
    for node in mine:
        waiting.setdefault(_form(node.op, node.inputs, node.params, node.data), []).append(node.id)
    gradients = {node.upper.gradient: node.id for node in mine if node.upper is not None}
    gradients.pop(None, None)
    known = dict(ids)
    found: dict[int, NodeId] = {}
    where = places(log, event, call, ids)
    for number in _leading(log, event):
        entry = log.entries[number]
        inputs = tuple(known.get(source) for source in entry.inputs)
        data = None if inputs else entry.value
        same = waiting.get(_form(entry.op, inputs, entry.params, data))
        key = same.pop(0) if same else gradients.get(where[number].gradient)
        if key is not None and key not in found.values():
            found[number] = known[number] = key
    return found


def _form(op: str, inputs: tuple[NodeId | None, ...], params: Params, data: Array | None) -> object:
    """What two nodes have in common that do the same."""
    told = str(sorted(params.items(), key=lambda item: item[0]))
    return (op, inputs, told, None if data is None else data.tobytes())


def rewired(
    log: Record,
    event: BackwardEvent,
    call: int,
    diagram: Diagram,
    ids: Ids,
    own: Mapping[int, NodeId],
) -> tuple[Node, ...]:
    """Nodes of the diagram that the call now makes from other inputs than in the script."""
    where = places(log, event, call, ids)
    made = (
        _node(log.entries[number], ids, where[number], log)
        for number in own
        if all(source in ids for source in log.entries[number].inputs)
    )
    return tuple(node for node in made if node.inputs != diagram.nodes[node.id].inputs)
