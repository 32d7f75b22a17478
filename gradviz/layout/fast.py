"""The fast layout: a picture of thousands of nodes at once."""

from __future__ import annotations

from gradviz.diagram import NodeId, Point
from gradviz.layout.coordinates import columns, rows
from gradviz.layout.graph import Graph, at_origin
from gradviz.layout.order import layers
from gradviz.look import NODE

_PART_GAP = 2 * NODE.lane_gap


def fast(graph: Graph) -> dict[NodeId, Point]:
    """Upper left corners, left to right, no two boxes overlapping; deterministic.

    Parts that are not connected stand one below the other.
    """
    keys = list(graph.sizes)
    numbers = {key: at for at, key in enumerate(keys)}
    pairs = [(numbers[link.source], numbers[link.target]) for link in graph.links]
    corners: dict[NodeId, Point] = {}
    top = 0.0
    for part, inner in _parts(len(keys), pairs):
        widths = [graph.sizes[keys[node]][0] for node in part]
        heights = [graph.sizes[keys[node]][1] for node in part]
        table = layers(len(part), inner)
        left = columns(table, widths)
        middle = rows(table, heights, inner)
        highest = min(y - high / 2 for y, high in zip(middle, heights, strict=True))
        for at, node in enumerate(part):
            corners[keys[node]] = (left[at], top + middle[at] - heights[at] / 2 - highest)
        lowest = max(y + high / 2 for y, high in zip(middle, heights, strict=True))
        top += lowest - highest + _PART_GAP
    return at_origin({key: corners[key] for key in keys})


def _parts(
    count: int, pairs: list[tuple[int, int]]
) -> list[tuple[list[int], list[tuple[int, int]]]]:
    """Connected parts, the one of the first node first: their nodes, and pairs renumbered."""
    root = list(range(count))

    def find(node: int) -> int:
        while root[node] != node:
            root[node] = root[root[node]]
            node = root[node]
        return node

    for source, target in pairs:
        one, other = find(source), find(target)
        root[max(one, other)] = min(one, other)
    members: dict[int, list[int]] = {}
    for node in range(count):
        members.setdefault(find(node), []).append(node)
    place = {node: at for part in members.values() for at, node in enumerate(part)}
    inner: dict[int, list[tuple[int, int]]] = {key: [] for key in members}
    for source, target in pairs:
        inner[find(source)].append((place[source], place[target]))
    return [(part, inner[key]) for key, part in members.items()]
