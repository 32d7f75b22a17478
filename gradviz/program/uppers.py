"""Second storeys in a program: what a backward call makes is not written, but taken from it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from gradviz.diagram import LEAF, BackwardCall, Diagram, Node, NodeId
from gradviz.labels import titles
from gradviz.language import _
from gradviz.program.call import NotWritten
from gradviz.program.whole import NO_VALUE
from gradviz.storeys import gradient_of


@dataclass(frozen=True, slots=True, eq=False)
class Uppers:
    """`made` are the nodes that calls make; `given` those of them that the program builds upon.

    `given` is by the number of the call; each is the gradient of a leaf or of an input of the call.
    """

    made: frozenset[NodeId] = frozenset()
    given: Mapping[int, tuple[Node, ...]] = field(default_factory=dict)


def uppers(diagram: Diagram) -> Uppers:
    """The second storeys of a diagram, as far as the gradients in use can be had from the call."""
    by_call: dict[int, list[Node]] = {}
    for node in diagram.nodes.values():
        if node.upper is not None:
            by_call.setdefault(node.upper.call, []).append(node)
    made: set[NodeId] = set()
    given: dict[int, tuple[Node, ...]] = {}
    for at, nodes in by_call.items():
        front = _front(nodes, diagram)
        call = diagram.calls[at] if at < len(diagram.calls) else None
        given_all = call is not None and all(_is_given(node, call, diagram) for node in front)
        if given_all and not _is_early(front, at, diagram):
            made.update(node.id for node in nodes)
            given[at] = tuple(front)
    return Uppers(frozenset(made), given)


def check(diagram: Diagram, upper: Uppers, known: Collection[NodeId]) -> None:
    """Raise NotWritten where a gradient that is built upon is not given any more."""
    by_call: dict[int, list[Node]] = {}
    for node in diagram.nodes.values():
        if node.upper is not None and node.id not in upper.made:
            by_call.setdefault(node.upper.call, []).append(node)
    for at, nodes in by_call.items():
        if all(node.id in known for node in nodes):
            continue
        lost = next((n for n in _front(nodes, diagram) if n.id not in known), nodes[0])
        of = lost.upper.gradient if lost.upper is not None else None
        name = titles(diagram)
        sentence = _("Pass {n} gives no gradient of {name} to start from: it needs create_graph.")
        reason = sentence.format(n=at + 1, name=name.get(of or "", of or lost.id))
        raise NotWritten(_(NO_VALUE).format(node=name[lost.id], sentence=reason))


def _front(nodes: list[Node], diagram: Diagram) -> list[Node]:
    """The nodes of a storey that something outside of it reads."""
    own = {node.id for node in nodes}
    read = _named_by(diagram.calls)
    for node in diagram.nodes.values():
        if node.id not in own:
            read.update(key for key in node.inputs if key is not None)
    return [node for node in nodes if node.id in read or node.name is not None]


def _is_early(front: list[Node], at: int, diagram: Diagram) -> bool:
    """Whether a call starts from what the call number `at` makes, and is not behind it."""
    own = {node.id for node in front}
    named = _named_by(diagram.calls[: at + 1])
    return any(not own.isdisjoint(diagram.ancestors(key)) for key in named)


def _named_by(calls: Iterable[BackwardCall]) -> set[NodeId]:
    """The nodes that calls start from or fill."""
    return {key for call in calls for key in (call.target, *(call.inputs or ()))}


def _is_given(node: Node, call: BackwardCall, diagram: Diagram) -> bool:
    gradient = node.upper.gradient if node.upper is not None else None
    if gradient is None or not (call.enabled and call.create_graph):
        return False
    if call.gives:
        return gradient in (call.inputs or ())
    is_leaf = gradient in diagram.nodes and diagram.nodes[gradient].op == LEAF
    return is_leaf and (call.inputs is None or gradient in call.inputs)


def is_ready(key: NodeId, diagram: Diagram, done: int, known: Mapping[NodeId, object]) -> bool:
    """Whether a node, or the gradient that one of the first `done` calls gives, can be named."""
    found = gradient_of(key)
    if key not in diagram.nodes and found is not None:
        return found[0] < done
    return key in known or (key in diagram.nodes and diagram.nodes[key].is_source)
