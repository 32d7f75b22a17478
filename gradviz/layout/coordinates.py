"""Coordinates of ordered layers: boxes near their neighbours, none overlapping, sizes respected."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from gradviz.look import NODE

_SWEEPS = 10


def columns(layers: Sequence[Sequence[int]], widths: Sequence[float]) -> list[float]:
    """The left side of every box: a column is as wide as its widest box, boxes centred in it."""
    left = [0.0] * len(widths)
    x = 0.0
    for layer in layers:
        wide = max(widths[node] for node in layer)
        for node in layer:
            left[node] = x + (wide - widths[node]) / 2
        x += wide + NODE.column_gap
    return left


def rows(
    layers: Sequence[Sequence[int]],
    heights: Sequence[float],
    pairs: Sequence[tuple[int, int]],
) -> list[float]:
    """The middle height of every box; the order within each layer is kept."""
    neighbours: tuple[list[list[int]], list[list[int]]] = (
        [[] for _ in heights],
        [[] for _ in heights],
    )
    for source, target in pairs:
        neighbours[0][target].append(source)
        neighbours[1][source].append(target)
    middle = [0.0] * len(heights)
    for layer in layers:
        _settle(layer, [0.0] * len(layer), heights, middle)
    for sweep in range(_SWEEPS):
        forth = sweep % 2 == 0
        for layer in layers if forth else reversed(layers):
            _settle(layer, _wishes(layer, neighbours, forth, middle), heights, middle)
    return middle


def _wishes(
    layer: Sequence[int],
    neighbours: tuple[list[list[int]], list[list[int]]],
    forth: bool,
    middle: Sequence[float],
) -> list[float]:
    """Where each box would like to be: at the mean of its neighbours on the side swept from."""
    wanted: list[float] = []
    for node in layer:
        near = neighbours[0 if forth else 1][node] or neighbours[1 if forth else 0][node]
        wanted.append(sum(middle[other] for other in near) / len(near) if near else middle[node])
    return wanted


def _settle(
    layer: Sequence[int], wanted: Sequence[float], heights: Sequence[float], middle: list[float]
) -> None:
    found = settled(wanted, [heights[node] for node in layer], NODE.lane_gap)
    for node, place in zip(layer, found, strict=True):
        middle[node] = place


def settled(wanted: Sequence[float], sizes: Sequence[float], gap: float) -> list[float]:
    """The least squares places in this order, `gap` apart (pool adjacent violators)."""
    if not wanted:
        return []
    offsets, offset = [0.0], 0.0
    for one, other in pairwise(sizes):
        offset += (one + other) / 2 + gap
        offsets.append(offset)
    blocks: list[tuple[float, int]] = []  # mean, count
    for wish, shift in zip(wanted, offsets, strict=True):
        mean, count = wish - shift, 1
        while blocks and blocks[-1][0] > mean:
            before, many = blocks.pop()
            mean = (mean * count + before * many) / (count + many)
            count += many
        blocks.append((mean, count))
    means = [mean for mean, count in blocks for _node in range(count)]
    return [mean + shift for mean, shift in zip(means, offsets, strict=True)]
