"""Nodes put into evaluation order, and loops found before they are made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from gradviz.diagram import Diagram, Node, NodeId
from gradviz.edit.outcome import Refusal
from gradviz.labels import titles
from gradviz.language import _

_NAMED = 6  # nodes of a loop that its sentence names


class Loop(Exception):
    """The nodes of a loop, each an input of the next, the last one of the first."""

    def __init__(self, nodes: tuple[NodeId, ...]) -> None:
        super().__init__(nodes)
        self.nodes = nodes


def arranged(diagram: Diagram, nodes: Mapping[NodeId, Node]) -> Diagram | Refusal:
    """The diagram with these nodes, each after its inputs, otherwise in the order given.

    An input that comes too late is moved to just before the first that needs it. Nodes that form
    a loop are refused.
    """
    try:
        return replace(diagram, nodes=_in_order(nodes))
    except Loop as loop:
        first = min(loop.nodes, key=list(nodes).index)
        at = loop.nodes.index(first)
        return Refusal(_sentence(diagram, loop.nodes[at:] + loop.nodes[:at]), first)


def _in_order(nodes: Mapping[NodeId, Node]) -> dict[NodeId, Node]:
    """Raises Loop."""
    done: dict[NodeId, Node] = {}
    for key in nodes:
        if key not in done:
            _place(key, nodes, done)
    return done


def _place(start: NodeId, nodes: Mapping[NodeId, Node], done: dict[NodeId, Node]) -> None:
    """Put a node and whatever it still waits for into `done`."""
    waiting = [(start, iter(nodes[start].inputs))]
    path = {start: None}  # the keys of `waiting`
    while waiting:
        key, rest = waiting[-1]
        source = _next(rest, done)
        if source is None:
            waiting.pop()
            del path[key]
            done[key] = nodes[key]
        elif source in path:
            way = list(path)
            raise Loop(tuple(reversed(way[way.index(source) :])))
        else:
            waiting.append((source, iter(nodes[source].inputs)))
            path[source] = None


def _next(rest: Iterator[NodeId | None], done: Mapping[NodeId, Node]) -> NodeId | None:
    return next((key for key in rest if key is not None and key not in done), None)


def _sentence(diagram: Diagram, loop: tuple[NodeId, ...]) -> str:
    known = titles(diagram)
    names = [known.get(key, key) for key in loop]
    if len(names) == 1:
        return _("{name} cannot be its own input.").format(name=names[0])
    if len(names) > _NAMED:
        names = [*names[: _NAMED - 2], "…", names[-1]]
    loop_text = " → ".join([*names, names[0]])
    return _("This would close a loop: {loop}.").format(loop=loop_text)


def would_cycle(diagram: Diagram, source: NodeId, target: NodeId) -> bool:
    """Whether a wire from `source` to `target` would close a loop.

    The first question about a diagram prepares the answers to all.
    """
    numbers, reach = _reach(diagram)
    if source not in numbers or target not in numbers:
        return False
    return bool(reach[source] >> numbers[target] & 1)


@lru_cache(maxsize=2)
def _reach(diagram: Diagram) -> tuple[Mapping[NodeId, int], Mapping[NodeId, int]]:
    """Each node's number, and as the bits of one integer what it is computed from."""
    numbers: dict[NodeId, int] = {}
    reach: dict[NodeId, int] = {}
    for number, (key, node) in enumerate(diagram.nodes.items()):
        found = 1 << number
        for source in node.inputs:
            if source is not None:
                found |= reach[source]
        numbers[key], reach[key] = number, found
    return numbers, reach
