"""`gradient_nodes`: the nodes of a diagram that gradient computations made."""

from __future__ import annotations

from collections.abc import Mapping

from gradviz.diagram import Node, NodeId
from gradviz.memo import Memo

# Of nodes, which many diagrams share: only starts differ while a seed is dragged.
_gradient_nodes: Memo[tuple[Node, ...]] = Memo(4)


def gradient_nodes(nodes: Mapping[NodeId, Node]) -> tuple[Node, ...]:
    """Those nodes, in evaluation order. It is asked at every move of the player, so it is kept."""
    known = _gradient_nodes.find(nodes)
    if known is not None:
        return known
    return _gradient_nodes.keep(tuple(node for node in nodes.values() if node.upper), nodes)
