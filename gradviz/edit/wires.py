"""Wires between nodes: plugged in, unplugged, moved, swapped, cut and led elsewhere.

A wire is named by its end: the node that reads, and the slot.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gradviz.diagram import Diagram, Node, NodeId
from gradviz.edit.order import arranged
from gradviz.edit.outcome import Refusal, missing
from gradviz.edit.slots import limits, room
from gradviz.labels import titles
from gradviz.language import _, ngettext

Wire = tuple[NodeId, int]
Edit = Diagram | Refusal


def connect(diagram: Diagram, source: NodeId, target: NodeId, slot: int) -> Edit:
    """Lead `source` into a slot, in place of what is there.

    The slot after the last one is a new one, where the op takes any number of inputs.
    """
    wrong = missing(diagram, source, target) or _no_slot(diagram, target, slot, new=True)
    if wrong is not None:
        return wrong
    node = diagram.nodes[target]
    if slot < len(node.inputs) and node.inputs[slot] == source:
        return diagram
    inputs = (*node.inputs[:slot], source, *node.inputs[slot + 1 :])
    return with_node(diagram, replace(node, inputs=inputs))


def disconnect(diagram: Diagram, target: NodeId, slot: int) -> Edit:
    """Empty a slot; one that the op can do without goes."""
    return cut(diagram, [(target, slot)])


def cut(diagram: Diagram, wires: Iterable[Wire]) -> Edit:
    """Empty several slots at once."""
    gone: dict[NodeId, set[int]] = {}
    for target, slot in wires:
        wrong = missing(diagram, target) or _no_slot(diagram, target, slot)
        if wrong is not None:
            return wrong
        gone.setdefault(target, set()).add(slot)
    changed = {
        key: node
        for key, slots in gone.items()
        if (node := _without(diagram.nodes[key], slots)) is not diagram.nodes[key]
    }
    return replace(diagram, nodes={**diagram.nodes, **changed}) if changed else diagram


def _without(node: Node, slots: set[int]) -> Node:
    """The node with these slots empty, or gone while more are left than it needs."""
    least, most = limits(node.op)
    spare = len(node.inputs) - least
    inputs: list[NodeId | None] = []
    for slot, source in reversed(list(enumerate(node.inputs))):
        if slot not in slots:
            inputs.append(source)
        elif spare > 0 and (most is None or slot >= least):
            spare -= 1
        else:
            inputs.append(None)
    found = tuple(reversed(inputs))
    return node if found == node.inputs else replace(node, inputs=found)


def move(diagram: Diagram, wire: Wire, onto: Wire) -> Edit:
    """Unplug the end of a wire and plug it in somewhere else."""
    wrong = missing(diagram, wire[0]) or _no_slot(diagram, *wire)
    if wrong is not None:
        return wrong
    source = diagram.nodes[wire[0]].inputs[wire[1]]
    if source is None or wire == onto:
        return diagram
    made = connect(diagram, source, *onto)
    # A slot that comes and one that goes at the same node would change each other's number.
    if isinstance(made, Refusal) or wire[0] != onto[0]:
        return made if isinstance(made, Refusal) else disconnect(made, *wire)
    return disconnect(made, *wire)


def swap(diagram: Diagram, target: NodeId, one: int = 0, other: int = 1) -> Edit:
    """Exchange what fills two slots."""
    wrong = (
        missing(diagram, target)
        or _no_slot(diagram, target, one)
        or _no_slot(diagram, target, other)
    )
    if wrong is not None:
        return wrong
    node = diagram.nodes[target]
    inputs = list(node.inputs)
    inputs[one], inputs[other] = inputs[other], inputs[one]
    return diagram if tuple(inputs) == node.inputs else with_node(diagram, _with(node, inputs))


def reroute(diagram: Diagram, old: NodeId, new: NodeId) -> Edit:
    """Lead whatever reads `old` to read `new`; where `new` itself reads `old` it goes on to."""
    wrong = missing(diagram, old, new)
    if wrong is not None:
        return wrong
    if old == new:
        return diagram
    changed = {
        key: _with(node, [new if source == old else source for source in node.inputs])
        for key, node in diagram.nodes.items()
        if old in node.inputs and key != new
    }
    return arranged(diagram, {**diagram.nodes, **changed}) if changed else diagram


def insert(diagram: Diagram, key: NodeId, target: NodeId, slot: int) -> Edit:
    """Put a node that is there already onto a wire: into its first free slot, and on from it."""
    wrong = missing(diagram, key, target) or _no_slot(diagram, target, slot)
    if wrong is not None:
        return wrong
    source, node = diagram.nodes[target].inputs[slot], diagram.nodes[key]
    free = next((at for at, found in enumerate(node.inputs) if found is None), None)
    if free is None and room(node.op, len(node.inputs)):
        free = len(node.inputs)
    if free is None or source is None:
        name = titles(diagram)[key if source is not None else target]
        text = _("{name} has no free input.") if source is not None else _("No wire ends there.")
        return Refusal(text.format(name=name), key)
    inputs = (*node.inputs[:free], source, *node.inputs[free + 1 :])
    user = diagram.nodes[target]
    led = (*user.inputs[:slot], key, *user.inputs[slot + 1 :])
    nodes = {**diagram.nodes, key: replace(node, inputs=inputs)}
    nodes[target] = replace(nodes[target], inputs=led)
    return arranged(diagram, nodes)


def with_node(diagram: Diagram, node: Node) -> Edit:
    """The diagram with one node replaced, and every node where it has to be then."""
    return arranged(diagram, {**diagram.nodes, node.id: node})


def _with(node: Node, inputs: list[NodeId | None]) -> Node:
    return replace(node, inputs=tuple(inputs))


def _no_slot(diagram: Diagram, target: NodeId, slot: int, *, new: bool = False) -> Refusal | None:
    """A refusal where the node has no such slot, nor gets it where `new` ones may be made."""
    node = diagram.nodes[target]
    count = len(node.inputs)
    if 0 <= slot < count or (new and slot == count and room(node.op, count)):
        return None
    name = titles(diagram)[target]
    if node.is_source:
        return Refusal(_("{name} holds a value and takes no inputs.").format(name=name), target)
    text = ngettext("{name} takes {count} input.", "{name} takes {count} inputs.", count)
    return Refusal(text.format(name=name, count=count), target, slot)
