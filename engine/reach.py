"""What lies behind the roots of a reverse pass, and which of it leads to what is wanted."""

from __future__ import annotations

from collections.abc import Iterable

from engine.history import Edge, Node
from engine.tensor import Tensor


def dependencies(roots: Iterable[Edge]) -> dict[Edge, int]:
    """For each node that the roots lead to, how many edges bring it a contribution."""
    count: dict[Edge, int] = dict.fromkeys(roots, 0)
    stack = [edge for edge in count if isinstance(edge, Node)]
    while stack:
        for behind in stack.pop().edges:
            if behind is None:
                continue
            if behind in count:
                count[behind] += 1
            else:
                count[behind] = 1
                if isinstance(behind, Node):
                    stack.append(behind)
    return count


def leading_to(wanted: dict[Edge, Tensor], reached: dict[Edge, int]) -> set[Edge]:
    """The nodes that must run so that the wanted ones get their cotangents."""
    nodes = sorted(
        (edge for edge in reached if isinstance(edge, Node)), key=lambda node: node.sequence
    )
    useful: set[Edge] = set()
    for node in nodes:
        if any(b is not None and (b in wanted or b in useful) for b in node.edges):
            useful.add(node)
    return useful
