"""Boxes that stay where they are, and free room for those that come beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gradviz.diagram import NodeId, Point
from gradviz.layout.graph import Graph, Size
from gradviz.look import NODE

Rect = tuple[float, float, float, float]  # x, y, width, height


def around(
    graph: Graph, found: Mapping[NodeId, Point], pinned: Mapping[NodeId, Point]
) -> dict[NodeId, Point]:
    """The layout `found`, with the pinned boxes where they were and the others near them.

    A box moves as its pinned neighbours did, and aside where another one stands already.
    """
    kept = {key: pinned[key] for key in graph.sizes if key in pinned}
    if not kept:
        return dict(found)
    taken: list[Rect] = [(*at, *graph.sizes[key]) for key, at in kept.items()]
    near: dict[NodeId, list[NodeId]] = {key: [] for key in graph.sizes}
    for link in graph.links:
        near[link.source].append(link.target)
        near[link.target].append(link.source)
    corners = dict(kept)
    for key in graph.sizes:
        if key in corners:
            continue
        guides = [other for other in near[key] if other in corners] or list(kept)
        dx = sum(corners[other][0] - found[other][0] for other in guides) / len(guides)
        dy = sum(corners[other][1] - found[other][1] for other in guides) / len(guides)
        at = (round(found[key][0] + dx), round(found[key][1] + dy))
        corners[key] = free(at, graph.sizes[key], taken)
        taken.append((*corners[key], *graph.sizes[key]))
    return {key: corners[key] for key in graph.sizes}


def beside(anchor: Rect, size: Size, taken: Sequence[Rect], *, gap: float) -> Point:
    """The corner of a new box to the right of `anchor`, level with it or next to that."""
    x, y, width, height = anchor
    return free((x + width + gap, round(y + (height - size[1]) / 2)), size, taken)


def free(at: Point, size: Size, taken: Iterable[Rect]) -> Point:
    """The place nearest above or below `at` where a box overlaps none of `taken`."""
    x, y = at
    width, height = size
    gap = NODE.lane_gap / 2
    blocks = [
        (top, top + high)
        for left, top, wide, high in taken
        if left < x + width + gap and left + wide + gap > x
    ]

    def clear(top: float) -> bool:
        return all(top + height + gap <= low or top >= high + gap for low, high in blocks)

    wanted = [y, *(high + gap for _low, high in blocks), *(low - gap - height for low, _ in blocks)]
    return min(
        ((x, top) for top in wanted if clear(top)),
        key=lambda place: (abs(place[1] - y), -place[1]),
        default=at,
    )
