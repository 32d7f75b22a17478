"""Two passes in step: which step of the one goes with which of the other, and which is extra."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from typing import Literal

from gradviz.diagram import NodeId
from gradviz.run import Pass, Step

Mover = Literal["both", "left", "right"]
_Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """How many steps either side has done, and which of them moved to come here."""

    left: int
    right: int
    mover: Mover = "both"


def moments(left: Pass, right: Pass) -> tuple[Moment, ...]:
    """The time of both: at first both are placed at their starts, then they go on together.

    The same edge of the same nodes is one step on both sides, and so is what gives a node that
    both have its cotangent from a node that one has alone. Steps without a partner are extra.
    """
    pairs = _in_order(_keys(left, right), _keys(right, left))
    found = [Moment(0, 0)]
    for a, b in [*pairs, (len(left.steps) + 1, len(right.steps) + 1)]:
        last = found[-1]
        found += [Moment(at, last.right, "left") for at in range(last.left + 1, a)]
        found += [Moment(a - 1, at, "right") for at in range(last.right + 1, b)]
        found.append(Moment(a, b))
    return tuple(found[:-1])


def partners(left: Pass, right: Pass) -> tuple[frozenset[NodeId], frozenset[NodeId]]:
    """The nodes that a gradient reaches on the left alone, and on the right alone."""
    ours, theirs = left.cotangents().keys(), right.cotangents().keys()
    return frozenset(ours - theirs), frozenset(theirs - ours)


def _keys(of: Pass, other: Pass) -> list[_Key]:
    """For each step a key that its partner has too."""
    shared = {step.node for step in other.steps}
    count: Counter[NodeId] = Counter()

    def key(step: Step) -> _Key:
        if step.node in shared:
            return (step.node, step.slot, step.input)
        count[step.input] += 1
        return (step.input, count[step.input])

    return [key(step) for step in of.steps]


def _in_order(ours: list[_Key], theirs: list[_Key]) -> list[tuple[int, int]]:
    """The longest list of equal keys, as positions from 1, that rises on both sides."""
    places = {key: at for at, key in enumerate(theirs, 1)}
    both = [(at, places[key]) for at, key in enumerate(ours, 1) if key in places]
    tails: list[int] = []  # the least end of a rising list, by its length
    ends: list[int] = []  # the index in `both` of that end
    before: list[int] = []
    for index, (_at, place) in enumerate(both):
        length = bisect_left(tails, place)
        if length == len(tails):
            tails.append(place)
            ends.append(index)
        tails[length], ends[length] = place, index
        before.append(ends[length - 1] if length else -1)
    found: list[tuple[int, int]] = []
    index = ends[-1] if ends else -1
    while index >= 0:
        found.append(both[index])
        index = before[index]
    return found[::-1]
