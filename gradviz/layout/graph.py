"""`Graph`: boxes by size and the links between them, plain data that can go to another process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gradviz.diagram import Diagram, NodeId, Point
from gradviz.memo import Memo

Size = tuple[float, float]
ANY_ORDER = frozenset({"add", "mul", "eq", "ne", "maximum", "minimum", "logical_and"})


@dataclass(frozen=True, slots=True)
class Link:
    """One edge, from a source to a slot of its user; `ordered` where slots may not be swapped."""

    source: NodeId
    target: NodeId
    slot: int = 0
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class Graph:
    """Widths and heights in px, in evaluation order, and links among them."""

    sizes: Mapping[NodeId, Size]
    links: tuple[Link, ...]


def links_of(diagram: Diagram) -> tuple[Link, ...]:
    """The links of a diagram, in the order of its nodes and their slots."""
    known = _links.find(diagram.nodes)
    if known is not None:
        return known
    made = tuple(
        Link(source, node.id, slot, len(node.inputs) > 1 and node.op not in ANY_ORDER)
        for node in diagram.nodes.values()
        for slot, source in enumerate(node.inputs)
        if source is not None
    )
    return _links.keep(made, diagram.nodes)


# Of nodes, which many diagrams share: only places differ while boxes are moved.
_links: Memo[tuple[Link, ...]] = Memo(8)


def graph_of(diagram: Diagram, sizes: Mapping[NodeId, Size]) -> Graph:
    """What a layout needs of a diagram."""
    return Graph({key: sizes[key] for key in diagram.nodes}, links_of(diagram))


def at_origin(corners: Mapping[NodeId, Point]) -> dict[NodeId, Point]:
    """The same picture with its upper left corner at (0, 0), on whole pixels."""
    if not corners:
        return {}
    left = min(x for x, _y in corners.values())
    top = min(y for _x, y in corners.values())
    return {key: (float(round(x - left)), float(round(y - top))) for key, (x, y) in corners.items()}
