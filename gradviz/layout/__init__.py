"""Where boxes go: a fast layout, a fine one for small graphs, and boxes that stay put.

`fast` and `fine` take and give plain data, so that a worker process can run them; `fine_in_process`
does so, with a way to cancel.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from gradviz.diagram import Diagram, NodeId, Point
from gradviz.layout.fast import fast
from gradviz.layout.fine import fine
from gradviz.layout.graph import Graph, Link, Size, graph_of, links_of
from gradviz.layout.pins import around, beside, free
from gradviz.layout.process import FineLayout, fine_in_process

__all__ = [
    "AT_ONCE",
    "FINE_LIMIT",
    "FineLayout",
    "Graph",
    "Link",
    "Size",
    "beside",
    "fast",
    "fine",
    "fine_in_process",
    "free",
    "graph_of",
    "lay_out_graph",
    "links_of",
    "positions",
]

AT_ONCE = 200  # nodes up to which the fine layout takes some 30 ms and needs no first picture
FINE_LIMIT = 600  # nodes up to which it takes less than about a second


def positions(
    diagram: Diagram, sizes: Mapping[NodeId, Size], pinned: Mapping[NodeId, Point]
) -> dict[NodeId, Point]:
    """Upper left corners of all nodes at once: fine up to `AT_ONCE` nodes, else fast.

    `sizes` are widths and heights in px. Nodes in `pinned` keep their corners.
    """
    graph = graph_of(diagram, sizes)
    return around(graph, lay_out_graph(graph), pinned)


def lay_out_graph(graph: Graph) -> dict[NodeId, Point]:
    """Upper left corners of all boxes at once: fine up to `AT_ONCE` of them, else fast."""
    found = fast(graph)
    if len(graph.sizes) <= AT_ONCE:
        with suppress(ImportError, RuntimeError):  # the fast one is good enough
            found = fine(graph)
    return found
