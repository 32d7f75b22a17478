"""Nodes: added from the palette, on a wire too, replaced by another op, duplicated."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from gradviz.diagram import CONSTANT, LEAF, Diagram, Node, NodeId, Point
from gradviz.edit.catalogue import entry, entry_of
from gradviz.edit.entry import Entry
from gradviz.edit.names import free_id, free_name, leaf_name, taken_names
from gradviz.edit.outcome import Added, Refusal, missing
from gradviz.edit.slots import limits
from gradviz.edit.wires import Wire, connect
from gradviz.labels import titles
from gradviz.language import _

OFFSET: Point = (32.0, 32.0)  # of a copy from what it was copied from
_BESIDE = 196.0  # px from one new node to the next


def add(
    diagram: Diagram,
    name: str,
    *,
    at: Point | None = None,
    sources: Iterable[NodeId] = (),
    wire: Wire | None = None,
    insert: bool = False,
) -> Added | Refusal:
    """Add an entry of the palette, its upper left corner at `at` where that is given.

    `sources` fill its first slots; its output goes into `wire`, in place of what was there. With
    `insert` that is its first input then.
    """
    found = entry(name)
    if found is None:
        return Refusal(_("There is no operation “{op}”.").format(op=name))
    given = tuple(sources)
    wrong = missing(diagram, *given, *([wire[0]] if wire else ()))
    if wrong is not None:
        return wrong
    if wire is not None and insert and not found.is_source:
        inputs = diagram.nodes[wire[0]].inputs
        through = inputs[wire[1]] if 0 <= wire[1] < len(inputs) else None
        given = (through, *given) if through is not None else given
    nodes = _group(diagram, found, given) if found.steps else _new(diagram, found, given)
    if isinstance(nodes, Refusal):
        return nodes
    made: Diagram | Refusal = _with(diagram, nodes, at)
    if wire is not None and not isinstance(made, Refusal):
        made = connect(made, nodes[-1].id, *wire)
    return made if isinstance(made, Refusal) else Added(made, tuple(node.id for node in nodes))


def _with(diagram: Diagram, nodes: Sequence[Node], at: Point | None) -> Diagram:
    """The diagram with the nodes, side by side from `at` on."""
    places = dict(diagram.positions)
    if at is not None:
        places |= {node.id: (at[0] + number * _BESIDE, at[1]) for number, node in enumerate(nodes)}
    made = {**diagram.nodes, **{node.id: node for node in nodes}}
    return replace(diagram, nodes=made, positions=places)


def _new(diagram: Diagram, found: Entry, given: tuple[NodeId, ...]) -> list[Node] | Refusal:
    least, most = limits(found.op)
    if most is not None and len(given) > most:
        return _too_many(found)
    if found.is_source:
        name = leaf_name(diagram) if found.op == LEAF else None
        return [Node(free_id(diagram.nodes, name or found.op), found.op, name=name)]
    inputs = (*given, *(None,) * (least - len(given)))
    return [Node(free_id(diagram.nodes, found.id), found.op, inputs, found.defaults())]


def _group(diagram: Diagram, found: Entry, given: tuple[NodeId, ...]) -> list[Node] | Refusal:
    """The nodes of an entry with steps, the last of them the one whose output is the entry's."""
    if len(given) > len(found.slots):
        return _too_many(found)
    known: dict[str | int, NodeId] = dict(zip(found.slots, given, strict=False))
    made: list[Node] = []
    taken = set(diagram.nodes)
    for number, step in enumerate(found.steps):
        for source in step.inputs:
            if isinstance(source, str) and source.startswith("=") and source not in known:
                key = free_id(taken, CONSTANT)
                data = np.array(float(source[1:]))
                made.append(Node(key, CONSTANT, data=data, is_number=True))
                known[source] = key
                taken.add(key)
        key = free_id(taken, step.op)
        made.append(Node(key, step.op, tuple(map(known.get, step.inputs)), dict(step.params)))
        known[number] = key
        taken.add(key)
    return made


def _too_many(found: Entry) -> Refusal:
    return Refusal(_("{op} does not take so many inputs.").format(op=found.id))


def replace_op(diagram: Diagram, key: NodeId, name: str) -> Diagram | Refusal:
    """Make another op of a node, which keeps its name, and wires as far as there are slots.

    Parameters that the new op has as well keep their values.
    """
    wrong, found = missing(diagram, key), entry(name)
    if wrong is not None:
        return wrong
    node = diagram.nodes[key]
    if found is None or found.steps or found.is_source != node.is_source:
        text = _("{node} cannot become “{op}”.")
        return Refusal(text.format(node=titles(diagram)[key], op=name), key)
    if entry_of(node.op) is found:
        return diagram
    if found.is_source:
        changed = replace(node, op=found.op, is_number=node.is_number and found.op == CONSTANT)
    else:
        changed = replace(
            node, op=found.op, inputs=_slots(node, found), params=_params(node, found)
        )
    return replace(diagram, nodes={**diagram.nodes, key: changed})


def _slots(node: Node, found: Entry) -> tuple[NodeId | None, ...]:
    """Empty ones go first where there are too many; what is missing is empty."""
    least, most = limits(found.op)
    inputs = list(node.inputs)
    if most is not None and len(inputs) > most:
        filled = [source for source in inputs if source is not None]
        inputs = [*filled, *(None for source in inputs if source is None)][:most]
    return (*inputs, *(None,) * (least - len(inputs)))


def _params(node: Node, found: Entry) -> Mapping[str, object]:
    """The new op's parameters, with the old values of those that are of one name and kind."""
    old = entry_of(node.op)
    kept = {}
    for param in found.params:
        before = old.param(param.name) if old is not None else None
        if before is not None and param.name in node.params:
            value = node.params[param.name]
            if before.kind == param.kind or (value is None and param.optional):
                kept[param.name] = value
    return {**found.defaults(), **kept}


def set_no_grad(diagram: Diagram, ids: Collection[NodeId], *, wanted: bool) -> Diagram | Refusal:
    """Have ops applied without, or again with, history. Sources are passed over."""
    wrong = missing(diagram, *ids)
    if wrong is not None:
        return wrong
    changed = {
        key: replace(diagram.nodes[key], no_grad=wanted)
        for key in ids
        if diagram.nodes[key].no_grad != wanted and not diagram.nodes[key].is_source
    }
    return replace(diagram, nodes={**diagram.nodes, **changed}) if changed else diagram


def duplicate(diagram: Diagram, ids: Collection[NodeId], offset: Point = OFFSET) -> Added | Refusal:
    """Copies of nodes: wires among them are copied too, wires from outside stay."""
    wrong = missing(diagram, *ids)
    if wrong is not None:
        return wrong
    if not ids:
        return Added(diagram, ())
    return copied(diagram, [node for key, node in diagram.nodes.items() if key in ids], offset)


def copied(
    diagram: Diagram,
    nodes: Iterable[Node],
    offset: Point = OFFSET,
    *,
    positions: Mapping[NodeId, Point] | None = None,
    outside: bool = True,
) -> Added:
    """The diagram with these nodes under new ids and names, at their places moved by `offset`.

    `positions` are the places (None: those of the diagram). Wires from nodes that are not among
    them stay where the diagram has such a node and `outside` is asked for; else the slot is empty.
    """
    known = diagram.positions if positions is None else positions
    ids: dict[NodeId, NodeId] = {}
    made, places, names = dict(diagram.nodes), dict(diagram.positions), taken_names(diagram)
    for node in nodes:
        ids[node.id] = key = free_id(made, node.id)
        inputs = tuple(
            ids.get(source, source if outside and source in diagram.nodes else None)
            if source is not None
            else None
            for source in node.inputs
        )
        name = free_name(names, node.name) if node.name else None
        names |= {name} if name else set()
        made[key] = replace(node, id=key, inputs=inputs, name=name, line=None, upper=None)
        if node.id in known:
            x, y = known[node.id]
            places[key] = (x + offset[0], y + offset[1])
    return Added(replace(diagram, nodes=made, positions=places), tuple(ids.values()))


def add_source(
    diagram: Diagram, node: Node, *, at: Point | None = None, wire: Wire | None = None
) -> Added | Refusal:
    """Add a source that has its value already, and lead it into a wire."""
    key = free_id(diagram.nodes, node.id)
    made = _with(diagram, [replace(node, id=key)], at)
    led = connect(made, key, *wire) if wire is not None else made
    return led if isinstance(led, Refusal) else Added(led, (key,))
