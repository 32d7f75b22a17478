"""Layers and the order in them: which column a box stands in, and above which others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Pairs = Sequence[tuple[int, int]]
_ENGINE_LIMIT = 1500  # nodes up to which fast-sugiyama's crossing reduction takes well under 1 s
_SWEEPS = 6


def layers(count: int, pairs: Pairs) -> list[list[int]]:
    """The layers of an acyclic graph of nodes 0..count-1, each in drawing order; deterministic.

    Parts that are not connected are to be given one by one.
    """
    if 1 < count <= _ENGINE_LIMIT:
        try:
            return _engine_layers(count, pairs)
        except (ValueError, RuntimeError):
            pass
    return _own_layers(count, pairs)


def _engine_layers(count: int, pairs: Pairs) -> list[list[int]]:
    import fast_sugiyama  # a compiled library, loaded where it is used

    part = next(iter(fast_sugiyama.from_edges(list(dict.fromkeys(pairs)))))
    nodes: Any = part[0]
    by_level: dict[float, list[tuple[float, int]]] = {}
    for node, (across, level) in nodes:
        if node >= count:
            continue  # it stands for an edge that passes through a layer
        by_level.setdefault(level, []).append((across, node))
    # Its levels fall from sources to sinks.
    return [[node for _at, node in sorted(by_level[y])] for y in sorted(by_level, reverse=True)]


def _own_layers(count: int, pairs: Pairs) -> list[list[int]]:
    ranks = ranked(count, pairs)
    table: list[list[int]] = [[] for _ in range(max(ranks, default=-1) + 1)]
    for node in range(count):
        table[ranks[node]].append(node)
    before: list[list[int]] = [[] for _ in range(count)]
    after: list[list[int]] = [[] for _ in range(count)]
    for source, target in pairs:
        before[target].append(source)
        after[source].append(target)
    place = [0.0] * count
    for layer in table:
        _number(layer, place)
    for sweep in range(_SWEEPS):
        forth = sweep % 2 == 0
        for layer in table if forth else reversed(table):
            _by_neighbours(layer, before if forth else after, place)
    return table


def _by_neighbours(layer: list[int], neighbours: list[list[int]], place: list[float]) -> None:
    """Sort a layer by the mean place of the neighbours; nodes without any keep theirs."""
    wanted = {
        node: sum(place[other] for other in near) / len(near)
        if (near := neighbours[node])
        else place[node]
        for node in layer
    }
    layer.sort(key=wanted.__getitem__)
    _number(layer, place)


def _number(layer: list[int], place: list[float]) -> None:
    """Places in 0..1, so that layers of different sizes compare."""
    for at, node in enumerate(layer):
        place[node] = (at + 0.5) / len(layer)


def ranked(count: int, pairs: Pairs) -> list[int]:
    """The longest path to each node; a source moves up to its nearest user.

    Nodes are numbered so that sources come before their users.
    """
    ranks = [0] * count
    nearest: list[int | None] = [None] * count
    has_inputs = [False] * count
    for source, target in sorted(pairs, key=lambda pair: pair[1]):
        ranks[target] = max(ranks[target], ranks[source] + 1)
        has_inputs[target] = True
    for source, target in pairs:
        known = nearest[source]
        nearest[source] = ranks[target] if known is None else min(known, ranks[target])
    for node in range(count):
        user = nearest[node]
        if not has_inputs[node] and user is not None:
            ranks[node] = user - 1
    return ranks
