"""Storeys: the forward computation, and above it the graphs that backward calls made of gradients.

A backward call with create_graph makes nodes: its second storey. What the program computes from
them stands one storey higher, a gradient of that higher still. Even levels are the program's, odd
ones are gradient computations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from gradviz.diagram import LEAF, BackwardCall, Diagram, Node, NodeId, Upper
from gradviz.gradient_nodes import gradient_nodes
from gradviz.run import Pass, Run

LARGE = 400  # nodes of second storeys beyond which they are closed until they are asked for
_GRADIENT = re.compile(r"grad([1-9][0-9]{0,8}):(.+)", re.DOTALL)


def gradient_id(call: int, node: NodeId) -> NodeId:
    """The id of the gradient of a node that the backward call number `call` (from 0) gives."""
    return f"grad{call + 1}:{node}"


def inner_id(call: int, op: str, origin: NodeId | None) -> NodeId:
    """The id of another node that the call makes, by an op of the pullback of `origin`."""
    return f"pull{call + 1}:{op}:{origin or ''}"


def gradient_of(key: NodeId) -> tuple[int, NodeId] | None:
    """The call (from 0) and the node of a `gradient_id`; None for any other id."""
    found = _GRADIENT.fullmatch(key)
    return None if found is None else (int(found[1]) - 1, found[2])


def is_there(key: NodeId, nodes: Mapping[NodeId, Node], calls: Sequence[BackwardCall]) -> bool:
    """Whether a node, or a gradient that one of these calls can give, has this id.

    It gives none as long as its create_graph is off; then the call that starts there fails.
    """
    if key in nodes:
        return True
    found = gradient_of(key)
    return (
        found is not None and found[0] < len(calls) and is_there(found[1], nodes, calls[: found[0]])
    )


def same_gradient(key: NodeId, diagram: Diagram) -> NodeId:
    """The node of the diagram that is this gradient, where the program builds on it; else `key`."""
    found = gradient_of(key)
    if found is None or key in diagram.nodes:
        return key
    return next(
        (
            node.id
            for node in diagram.nodes.values()
            if node.upper is not None and (node.upper.call, node.upper.gradient) == found
        ),
        key,
    )


@dataclass(frozen=True, slots=True)
class Band:
    """The nodes of one level above the ground; `calls` made them where the level is odd.

    `hidden` counts the nodes of the level that are not shown.
    """

    level: int
    calls: tuple[int, ...]
    ids: tuple[NodeId, ...]
    hidden: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Storeys:
    """What a picture shows, without what the pass appends: nodes, their levels, the bands.

    `nodes` are in the order of the diagram, then of the pass; an input that is not shown is None.
    """

    nodes: Mapping[NodeId, Node]
    levels: Mapping[NodeId, int]
    bands: tuple[Band, ...]

    def on(self, level: int) -> dict[NodeId, Node]:
        """The nodes of one level."""
        return {key: node for key, node in self.nodes.items() if self.levels[key] == level}


def storeys(diagram: Diagram, run: Run, done: Pass | None, *, opened: bool = True) -> Storeys:
    """The storeys of a picture of the pass `done`.

    Not opened, a second storey shows no more than the gradients that something shown builds upon.
    """
    if not has_storey(diagram, done):
        return Storeys(diagram.nodes, dict.fromkeys(diagram.nodes, 0), ())
    beyond = () if done is None else done.beyond
    every = {**diagram.nodes, **{node.id: node for node in beyond}}
    found = levels(every)
    if done is not None and not found.get(done.root):  # what it appends stands on the ground
        for node in done.added:
            del every[node.id]
    values = {*run.values, *(done.values if done else ())}
    # What a call makes no longer, since it starts otherwise now, has no value.
    stale = {key for key, node in every.items() if node.upper and key not in values}
    shown = {key: node for key, node in every.items() if key not in stale}
    if not opened:
        wanted = _read(shown, found, "" if done is None else done.call.target)
        shown = {key: node for key, node in shown.items() if not found[key] % 2 or key in wanted}
    hidden = [key for key in every if key not in shown and key not in stale]
    kept = {key: _within(node, shown) for key, node in shown.items()}
    return Storeys(kept, {key: found[key] for key in shown}, _bands(kept, found, every, hidden))


def has_storey(diagram: Diagram, done: Pass | None) -> bool:
    """Whether a picture of the pass has more than the ground."""
    beyond = () if done is None else (*done.under, *done.upper)
    return bool(beyond) or bool(gradient_nodes(diagram.nodes))


def height(diagram: Diagram, done: Pass | None) -> int:
    """How many nodes stand in gradient computations."""
    upper = {node.id for node in gradient_nodes(diagram.nodes)}
    beyond = () if done is None else (*done.under, *done.upper)
    return len(upper.union(node.id for node in beyond))


def levels(nodes: Mapping[NodeId, Node]) -> dict[NodeId, int]:
    """The level of each node; 0 for the program's own computation."""
    found: dict[NodeId, int] = {}
    by_call: dict[int, int] = {}
    below = _below(nodes.values())
    for key, node in nodes.items():
        if node.upper is not None:
            call = node.upper.call
            if call not in by_call:
                by_call[call] = _above(max((found.get(of, 0) for of in below[call]), default=0))
            found[key] = by_call[call]
        elif node.inputs:
            inputs = (found[source] for source in node.inputs if source in found)
            found[key] = max((level + level % 2 for level in inputs), default=0)
    sources = {key for key in nodes if key not in found}
    for key, node in nodes.items():
        for source in sources.intersection(node.inputs) if node.upper is None else ():
            found[source] = min(found[key], found.get(source, found[key]))
    return {key: found.get(key, 0) for key in nodes}


def _below(nodes: Iterable[Node]) -> dict[int, set[NodeId]]:
    """The nodes that each call differentiates, as far as it made something for them."""
    found: dict[int, set[NodeId]] = {}
    for node in nodes:
        if node.upper is not None:
            places = (node.upper.origin, node.upper.gradient)
            found.setdefault(node.upper.call, set()).update(key for key in places if key)
    return found


def _above(level: int) -> int:
    """The level of the gradient computation of what stands on `level`."""
    return level + 2 if level % 2 else level + 1


def _read(nodes: Mapping[NodeId, Node], found: Mapping[NodeId, int], target: NodeId) -> set[NodeId]:
    """What the program reads of gradient computations, and what the pass starts from."""
    read = {
        source
        for key, node in nodes.items()
        if not found[key] % 2
        for source in node.inputs
        if source is not None
    }
    return {*read, target}


def _within(node: Node, shown: Mapping[NodeId, Node]) -> Node:
    if all(source is None or source in shown for source in node.inputs):
        return node
    return replace(node, inputs=tuple(key if key in shown else None for key in node.inputs))


def _bands(
    shown: Mapping[NodeId, Node],
    found: Mapping[NodeId, int],
    every: Mapping[NodeId, Node],
    hidden: Iterable[NodeId],
) -> tuple[Band, ...]:
    ids: dict[int, list[NodeId]] = {}
    calls: dict[int, set[int]] = {}
    away: dict[int, int] = {}
    for key in shown:
        ids.setdefault(found[key], []).append(key)
    for key in hidden:
        away[found[key]] = away.get(found[key], 0) + 1
    for key, node in every.items():
        if node.upper is not None:
            calls.setdefault(found[key], set()).add(node.upper.call)
    return tuple(
        Band(level, tuple(sorted(calls.get(level, ()))), tuple(ids[level]), away.get(level, 0))
        for level in sorted(ids)
        if level > 0
    )


def made_from(diagram: Diagram, call: int) -> set[NodeId]:
    """The nodes that the call or a later one makes, and what is computed from them."""
    found: set[NodeId] = set()
    if not gradient_nodes(diagram.nodes):
        return found
    for key, node in diagram.nodes.items():
        made = node.upper is not None and node.upper.call >= call
        if made or not found.isdisjoint(source for source in node.inputs if source is not None):
            found.add(key)
    return found


def given_gradients(diagram: Diagram, done: Pass, call: int) -> list[NodeId]:
    """The gradients of leaves that a call with create_graph gives, where they have a history."""
    made = [node for node in done.upper if done.values[node.id].requires_grad]
    made += [node for node in diagram.nodes.values() if node.upper and node.upper.call == call]
    leaves = {key for key, node in diagram.nodes.items() if node.op == LEAF}
    wanted = leaves.union(done.call.inputs or ())
    return [
        node.id
        for node in {node.id: node for node in made}.values()
        if node.upper is not None and node.upper.gradient in wanted and node.inputs
    ]


def upper_of(key: NodeId, diagram: Diagram, done: Pass | None) -> Upper | None:
    """Where a node of a picture of the pass stands in a second storey, if it does."""
    beyond = () if done is None else done.beyond
    found = next((node for node in beyond if node.id == key), diagram.nodes.get(key))
    return None if found is None else found.upper


def own_storey(diagram: Diagram, run: Run, index: int) -> list[Node]:
    """The nodes that the pass itself made, whoever builds on them."""
    done = run.passes[index]
    made = {**diagram.nodes, **{node.id: node for node in done.upper}}
    return [
        node
        for node in made.values()
        if node.upper is not None and node.upper.call == index and run.value(node.id) is not None
    ]


def apart(diagram: Diagram, run: Run) -> Diagram:
    """The diagram with what its passes go through as nodes that no call of it makes.

    So a call can be run without those before it. Their numbers are kept as -1, -2…
    """
    beyond = {node.id: node for done in run.passes for node in done.under}
    every = {**diagram.nodes, **beyond}
    if not any(node.upper for node in every.values()):
        return diagram
    return replace(diagram, nodes={key: _loose(node) for key, node in every.items()})


def _loose(node: Node) -> Node:
    place = node.upper
    if place is None or place.call < 0:
        return node
    return replace(node, upper=replace(place, call=-1 - place.call))


def renumbered(diagram: Diagram, numbers: Mapping[int, int]) -> Diagram:
    """The diagram after calls went: `numbers` says what those that stay are now, by what they were.

    Calls that start from a gradient of one that went keep their targets, which nothing gives.
    """
    nodes: dict[NodeId, Node] = {}
    for key, node in diagram.nodes.items():
        new = None if node.upper is None else numbers.get(node.upper.call)
        if node.upper is None or new == node.upper.call:
            nodes[key] = node
        else:
            place = None if new is None else replace(node.upper, call=new)
            nodes[key] = replace(node, upper=place)
    calls = tuple(_retargeted(call, diagram, numbers) for call in diagram.calls)
    return replace(diagram, nodes=nodes, calls=calls)


def _retargeted(call: BackwardCall, diagram: Diagram, numbers: Mapping[int, int]) -> BackwardCall:
    found = None if call.target in diagram.nodes else gradient_of(call.target)
    if found is None:
        return call
    new = numbers.get(found[0], len(diagram.calls))
    return replace(call, target=gradient_id(new, found[1]))
