"""Accumulation in time: a leaf's `.grad` from call to call, and a cotangent's sum within one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from gradviz.cells import label_text
from gradviz.diagram import NodeId
from gradviz.language import _
from gradviz.run import Pass, Run, Step

Array = npt.NDArray[Any]
How = Literal["first", "added", "cleared", "changed", "untouched"]


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """A leaf's `.grad` around one backward call.

    `found` is what the call met there, None for nothing; `brought` what it added, None where it
    did not reach the leaf; `after` what is there then. `how` it came about: "first" where no
    earlier call had left anything, "added" to what one had left, "cleared" before the call,
    "changed" where the program wrote something else into it in between, "untouched" by the call.
    """

    leaf: NodeId
    index: int
    found: Array | None
    brought: Array | None
    after: Array | None
    how: How


def history(run: Run, leaf: NodeId) -> tuple[Moment, ...]:
    """A moment of the leaf for each backward call, in their order."""
    made: list[Moment] = []
    left: Array | None = None
    for index, done in enumerate(run.passes):
        made.append(_moment(leaf, index, done, left))
        left = done.grads.get(leaf)
    return tuple(made)


@lru_cache(maxsize=1024)  # asked for with each leaf of a training loop
def _cotangents(done: Pass) -> Mapping[NodeId, Array]:
    return done.cotangents()


def _moment(leaf: NodeId, index: int, done: Pass, left: Array | None) -> Moment:
    after = done.grads.get(leaf)
    arrived = None if done.call.gives else _cotangents(done).get(leaf)
    brought = None if done.error is not None and _same(after, left) else arrived
    cleared = leaf in done.call.cleared
    found = _found(left, brought, after, cleared=cleared)
    if cleared and left is not None:
        how: How = "cleared"
    elif left is not None and not _same(found, left):
        how = "changed"
    elif brought is None:
        how = "untouched"
    else:
        how = "first" if left is None else "added"
    return Moment(leaf, index, found, brought, after, how)


def _found(
    left: Array | None, brought: Array | None, after: Array | None, *, cleared: bool
) -> Array | None:
    """What was in `.grad` when the call came: what the last one left, unless that was changed."""
    if cleared:
        return None if brought is not None else after
    if left is None or after is None or brought is None:
        return left if brought is not None else after
    with np.errstate(all="ignore"):  # NaN and inf are shown, not warned of
        if _close(left + brought, after):
            return left
        found: Array = after - brought
    return found


def _same(a: Array | None, b: Array | None) -> bool:
    if a is None or b is None:
        return a is b
    return a.shape == b.shape and bool(((a == b) | ((a != a) & (b != b))).all())


def _close(a: Array, b: Array) -> bool:
    return a.shape == b.shape and bool(np.allclose(a, b, rtol=1e-5, atol=0, equal_nan=True))


def leaves(run: Run) -> tuple[NodeId, ...]:
    """The nodes that have a `.grad` after any call, in the order in which they came by it."""
    return tuple(dict.fromkeys(leaf for done in run.passes for leaf in done.grads))


@dataclass(frozen=True, slots=True, eq=False)
class Arrival:
    """A contribution that reached a node: at which step, from where, and the sum with it.

    `summed` are the axes that it was summed over, because the forward op had broadcast them.
    """

    position: int
    sender: NodeId
    slot: int
    contribution: Array
    summed: tuple[int, ...]
    total: Array


def arrivals(done: Pass, node: NodeId, position: int | None = None) -> tuple[Arrival, ...]:
    """What reached the node in the first `position` steps (None: all), in their order."""
    steps = done.steps if position is None else done.steps[:position]
    return tuple(_arrival(at, step) for at, step in enumerate(steps, 1) if step.input == node)


def _arrival(position: int, step: Step) -> Arrival:
    return Arrival(position, step.node, step.slot, step.contribution, step.summed, step.after)


def meeting(done: Pass) -> Iterator[tuple[NodeId, tuple[Arrival, ...]]]:
    """The nodes where something adds up: several contributions meet, or one was summed back."""
    came: dict[NodeId, list[Arrival]] = {}
    for at, step in enumerate(done.steps, 1):
        came.setdefault(step.input, []).append(_arrival(at, step))
    for key, each in came.items():
        if len(each) > 1 or any(one.summed for one in each):
            yield key, tuple(each)


def contribution_text(step: Step) -> str:
    """What a step carries, for its edge: "+" where it is added to something, "Σ" where summed."""
    text = label_text(step.contribution)
    if step.summed:
        text = f"{summed_text(step.summed)} = {text}"
    return text if step.before is None else f"+ {text}"


def summed_text(axes: tuple[int, ...]) -> str:
    """The axes that a contribution was summed over, because they had been broadcast."""
    return _("Σ axis {axes}").format(axes=", ".join(map(str, axes)))
