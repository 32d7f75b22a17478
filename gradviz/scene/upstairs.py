"""Where the storeys above the ground stand: each gradient above what it is the gradient of.

The floors are laid out one by one, never together with the ground: a gradient computation on the
same columns as what it differentiates, what the program computes from it by a layout of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from gradviz.diagram import Diagram, Node, NodeId, Point
from gradviz.figure import Storey
from gradviz.language import _, ngettext
from gradviz.layout import Graph, Link, lay_out_graph, links_of
from gradviz.layout.stand import Wish, stand
from gradviz.look import NODE, TYPE
from gradviz.scene.measure import width
from gradviz.scene.plan import Plan
from gradviz.storeys import Band, Storeys

_PAD, _HEAD, _APART = 16.0, 32.0, 32.0  # within a storey, over its boxes, between storeys
Planned = Mapping[NodeId, Plan]


def ground(diagram: Diagram) -> Diagram:
    """The diagram without what stands above the ground, as a layout is to have it."""
    if not any(node.upper for node in diagram.nodes.values()):
        return diagram
    from gradviz.storeys import levels

    found = levels(diagram.nodes)
    return replace(diagram, nodes={k: n for k, n in diagram.nodes.items() if not found[k]})


def build(
    found: Storeys,
    diagram: Diagram,
    planned: Planned,
    corners: dict[NodeId, Point],
    beside: Mapping[NodeId, float],
    crest: float,
) -> tuple[Storey, ...]:
    """Find places for all bands over the `corners` of the ground, which they are added to.

    `crest` is the height that the ground's edges reach, `beside` room to keep free beside a box.
    """
    made: list[Storey] = []
    tops = {0: min((y for _x, y in corners.values()), default=0.0)}
    base = min(tops[0], crest) - _APART
    for band in found.bands:
        if band.level % 2:
            places = _mirrored(band, found, planned, corners, tops, beside)
        else:
            places = _onwards(band, found, planned, corners)
        places = _lifted(places, planned, base - _PAD)
        places |= {key: diagram.positions[key] for key in places if key in diagram.positions}
        corners |= places
        made.append(_around(band, places, planned, beside))
        tops[band.level] = min(y for _x, y in places.values())
        base = made[-1].y - _APART
    return _aligned(made)


def _mirrored(
    band: Band,
    found: Storeys,
    planned: Planned,
    corners: Mapping[NodeId, Point],
    tops: Mapping[int, float],
    beside: Mapping[NodeId, float],
) -> dict[NodeId, Point]:
    """Above what they are gradients of; what a pullback computes first, below those."""
    ranks = _ranks(band, found)
    wishes: dict[NodeId, Wish] = {}
    for key in band.ids:
        anchor = _anchor(found.nodes[key], corners)
        x, y, level = 0.0, 0.0, 0
        if anchor is not None:
            x, y = corners[anchor]
            x, y = x + planned[anchor].width / 2, y + planned[anchor].height / 2
            level = found.levels.get(anchor, 0)
        size = (planned[key].width, planned[key].height)
        wish = (x, y - tops.get(level, 0.0))
        aside = found.nodes[key].is_source and ranks[key] > 0
        wishes[key] = Wish(wish, size, beside.get(key, 0.0), ranks[key], aside)
    return stand(wishes)


def _anchor(node: Node, corners: Mapping[NodeId, Point]) -> NodeId | None:
    place = node.upper
    wanted = () if place is None else (place.gradient, place.origin)
    return next(
        (key for key in (*wanted, *node.inputs) if key is not None and key in corners), None
    )


def _ranks(band: Band, found: Storeys) -> dict[NodeId, int]:
    """0 for a gradient, and for other nodes how many steps they are from one, one each pullback."""
    ranks = dict.fromkeys(band.ids, 1)
    for key in reversed(band.ids):
        node = found.nodes[key]
        if node.upper is not None and node.upper.gradient is not None:
            ranks[key] = 0
        for source in node.inputs:
            if source in ranks and _origin(found.nodes[source]) == _origin(node):
                ranks[source] = max(ranks[source], ranks[key] + 1)
    for key in band.ids:
        place = found.nodes[key].upper
        if place is not None and place.gradient is not None:
            ranks[key] = 0
    return ranks


def _origin(node: Node) -> NodeId | None:
    return None if node.upper is None else node.upper.origin


def _onwards(
    band: Band, found: Storeys, planned: Planned, corners: Mapping[NodeId, Point]
) -> dict[NodeId, Point]:
    """By a layout of their own, beginning above the gradients that they read."""
    own = {key: found.nodes[key] for key in band.ids}
    inside = tuple(
        link for link in links_of(Diagram(found.nodes)) if link.source in own and link.target in own
    )
    sizes = tuple((key, (planned[key].width, planned[key].height)) for key in own)
    places = dict(_layout(sizes, inside))
    read = [
        corners[source][0]
        for node in own.values()
        for source in node.inputs
        if source is not None and source in corners and source not in own
    ]
    left = min(read, default=0.0)
    return {key: (x + left, y) for key, (x, y) in places.items()}


@lru_cache(maxsize=16)
def _layout(
    sizes: tuple[tuple[NodeId, tuple[float, float]], ...], links: tuple[Link, ...]
) -> Mapping[NodeId, Point]:
    return lay_out_graph(Graph(dict(sizes), links))


def _lifted(places: Mapping[NodeId, Point], planned: Planned, bottom: float) -> dict[NodeId, Point]:
    """The same places with their lower edge at `bottom`."""
    lowest = max(y + planned[key].height for key, (_x, y) in places.items())
    return {key: (x, y + bottom - lowest) for key, (x, y) in places.items()}


def _around(
    band: Band,
    places: Mapping[NodeId, Point],
    planned: Planned,
    beside: Mapping[NodeId, float],
) -> Storey:
    before, after = (beside, {}) if band.level % 2 else ({}, beside)
    left = min(x - before.get(key, 0.0) for key, (x, _y) in places.items()) - _PAD
    top = min(y for _x, y in places.values()) - _HEAD
    right = max(x + planned[k].width + after.get(k, 0.0) for k, (x, _y) in places.items()) + _PAD
    bottom = max(y + planned[key].height for key, (_x, y) in places.items()) + _PAD
    title = _title(band)
    wide = max(right - left, width(title, TYPE.label, bold=True) + 2 * NODE.pad)
    return Storey(band.level, left, top, wide, bottom - top, title)


def _title(band: Band) -> str:
    if not band.level % 2:
        return _("computed from gradients")
    numbers = ", ".join(str(call + 1 if call >= 0 else -call) for call in band.calls)
    text = ngettext(
        "second storey: gradient computation of pass {numbers}",
        "second storey: gradient computation of passes {numbers}",
        len(band.calls),
    )
    if band.level > 1:
        text = ngettext(
            "storey {level}: gradient computation of pass {numbers}",
            "storey {level}: gradient computation of passes {numbers}",
            len(band.calls),
        )
    text = text.format(numbers=numbers, level=band.level // 2 + 2)
    if band.hidden:
        more = ngettext("{n} more node, closed", "{n} more nodes, closed", band.hidden)
        text += " · " + more.format(n=band.hidden)
    return text


def _aligned(storeys: Sequence[Storey]) -> tuple[Storey, ...]:
    """All as wide as the widest."""
    if not storeys:
        return ()
    left = min(one.x for one in storeys)
    right = max(one.x + one.width for one in storeys)
    return tuple(replace(one, x=left, width=right - left) for one in storeys)
