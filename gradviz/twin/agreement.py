"""Whether each node's cotangent is the same on both sides, and by how much it is not: badges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.cells import number
from gradviz.diagram import NodeId
from gradviz.figure import Badge
from gradviz.language import _
from gradviz.run import Pass
from gradviz.twin.comparing import Pair, Side, distance

Array = npt.NDArray[Any]
Marks = Mapping[NodeId, tuple[Badge, ...]]
_ROUNDING = 100  # units in the last place of the largest element


class Agreement:
    """The badges of a pair at any place in time; what was compared once is remembered."""

    def __init__(self, pair: Pair) -> None:
        self._pair = pair
        self._alone = (_alone(pair.left, pair.right), _alone(pair.right, pair.left))
        self._known: dict[tuple[int, int], Badge] = {}

    def marks(self, left: int | None = None, right: int | None = None) -> tuple[Marks, Marks]:
        """The badges of both sides after these many steps (None: all of them).

        A node that both sides reach has one as soon as both have; one that is there, or is reached,
        on one side alone is marked so from the start.
        """
        ours, theirs = _seen(self._pair.left.done, left), _seen(self._pair.right.done, right)
        both = {key: (self._badge(ours[key], theirs[key]),) for key in ours.keys() & theirs.keys()}
        return {**both, **self._alone[0]}, {**both, **self._alone[1]}

    def _badge(self, one: Array, other: Array) -> Badge:
        key = (id(one), id(other))
        if key not in self._known:
            self._known[key] = _compared(one, other)
        return self._known[key]


def _seen(done: Pass, position: int | None) -> dict[NodeId, Array]:
    """What has reached each node, and the injected seed at its own box."""
    found = done.cotangents(position)
    if done.call.start.kind == "seed" and done.seed is not None:
        found[f"seed:{done.call.target}"] = done.seed
    return found


def _alone(side: Side, other: Side) -> Marks:
    """The nodes that have no partner on the other side, or none that a gradient reaches."""
    mine, theirs = _nodes(side), _nodes(other)
    reached = _seen(side.done, None).keys() - _seen(other.done, None).keys()
    unknown = _("The other side has no such node.")
    unreached = _("On the other side no gradient reaches this node.")
    return {
        key: (Badge(_("only here"), "only", unreached if key in theirs else unknown),)
        for key in (mine - theirs) | reached
    }


def _nodes(side: Side) -> set[NodeId]:
    return {*side.diagram.nodes, *(node.id for node in side.done.added)}


def _compared(one: Array, other: Array) -> Badge:
    gap = distance(one, other)
    if gap == 0:
        return Badge("=", "equal", _("The gradient here is the same on both sides, bit for bit."))
    if gap <= _rounding(one, other):
        tip = _("The gradient here is the same on both sides but for rounding: {gap}.")
        return Badge(f"≈ {number(gap)}", "equal", tip.format(gap=number(gap)))
    tip = _("The gradients here differ between the sides, by {gap} at most.")
    return Badge(f"Δ {number(gap)}", "differs", tip.format(gap=number(gap)))


def _rounding(one: Array, other: Array) -> float:
    """By how much two gradients may differ that are computed in another order."""
    if one.dtype.kind not in "fc" or one.dtype != other.dtype:
        return 0.0
    sizes = np.abs(np.concatenate([one.ravel(), other.ravel()]))
    largest = float(sizes[np.isfinite(sizes)].max(initial=0.0))
    return _ROUNDING * float(np.finfo(one.dtype).eps) * largest
