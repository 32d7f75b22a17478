"""The fine layout: Graphviz's dot, for graphs of some hundreds of nodes."""

from __future__ import annotations

from gradviz.diagram import NodeId, Point
from gradviz.layout.graph import Graph, Link, at_origin
from gradviz.look import NODE

_INCH = 72.0  # dot's sizes are inches, its coordinates points; a px is taken for a point


def fine(graph: Graph) -> dict[NodeId, Point]:
    """Upper left corners by dot, left to right, few crossings; deterministic.

    Boxes carry no label for dot, so that it looks for no fonts. Raises RuntimeError where dot
    gives no layout.
    """
    import pygraphviz  # a C library of its own, loaded where it is used

    drawing = pygraphviz.AGraph(directed=True, strict=False)
    drawing.graph_attr.update(
        rankdir="LR",
        splines="false",
        nodesep=str(NODE.lane_gap / _INCH),
        ranksep=str(NODE.column_gap / _INCH),
    )
    drawing.node_attr.update(shape="box", fixedsize="true", label="")
    numbers = {key: str(at) for at, key in enumerate(graph.sizes)}
    for key, (width, height) in graph.sizes.items():
        drawing.add_node(numbers[key], width=str(width / _INCH), height=str(height / _INCH))
    last: dict[NodeId, int] = {}
    for link in graph.links:
        last[link.target] = max(link.slot, last.get(link.target, 0))
    for link in graph.links:
        ports = {"headport": _port(link, last[link.target])} if link.ordered else {}
        drawing.add_edge(numbers[link.source], numbers[link.target], **ports)
    try:
        drawing.layout(prog="dot")
    except (OSError, ValueError) as error:
        raise RuntimeError(str(error)) from error
    corners: dict[NodeId, Point] = {}
    for key, (width, height) in graph.sizes.items():
        x, y = map(float, drawing.get_node(numbers[key]).attr["pos"].split(","))
        corners[key] = (x - width / 2, -y - height / 2)
    return at_origin(corners)


def _port(link: Link, last: int) -> str:
    """The first slot at the upper corner, the last at the lower one."""
    if link.slot == 0:
        return "nw"
    return "sw" if link.slot == last else "w"
