"""`gradient_nodes`: the nodes of a diagram that gradient computations made."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from gradviz.diagram import Node, NodeId

# Of nodes, which many diagrams share: only starts differ while a seed is dragged.
_known: deque[tuple[Mapping[NodeId, Node], tuple[Node, ...]]] = deque(maxlen=4)


def gradient_nodes(nodes: Mapping[NodeId, Node]) -> tuple[Node, ...]:
    """Those nodes, in evaluation order. It is asked at every move of the player, so it is kept."""
    for known, found in tuple(_known):  # another thread may add to it
        if known is nodes:
            return found
    made = tuple(node for node in nodes.values() if node.upper)
    _known.appendleft((nodes, made))
    return made
