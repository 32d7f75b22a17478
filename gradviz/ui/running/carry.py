"""What the user chose stays when the script changes: starts of backward calls, positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.diagram import BackwardCall, Diagram, Frame, NodeId, Start, frames_without
from gradviz.matching import matched
from gradviz.run import Run
from gradviz.storeys import gradient_id, gradient_of, is_there

Array = npt.NDArray[Any]
Calls = tuple[BackwardCall, ...]
Ids = Mapping[NodeId, NodeId]  # the ids that nodes have now, by those that they had


def carry(before: Diagram, own: Calls | None, derived: Diagram, run: Run) -> Diagram:
    """`derived`, with the starts, positions, frames and title that the user gave to `before`.

    `own` are the calls that the script of `before` makes by itself (None: not known). A start is
    carried where the script still makes that call as before, and its target still exists with a
    shape that the start fits. A call without a line was added in the app.
    """
    now = {old: new for new, old in matched(before, derived).items()}
    calls = list(derived.calls)
    for at, call in enumerate(before.calls):
        moved = _fitted(call, now, derived, run, calls) if call.edited else None
        if moved is None:
            continue
        if call.line is None:
            calls.append(moved)
        elif at < len(derived.calls) and (own is None or _same(own[at], derived.calls[at], now)):
            calls[at] = replace(moved, line=derived.calls[at].line)
    kept = len(calls) == len(derived.calls) and all(map(_is, calls, derived.calls))
    return replace(
        derived,
        calls=derived.calls if kept else tuple(calls),
        positions={now[key]: at for key, at in before.positions.items() if key in now},
        title=before.title or derived.title,
        source=before.source,
        seeds=before.seeds,
        notes=before.notes,
        frames=_frames(before, now),
    )


def _frames(before: Diagram, now: Ids) -> tuple[Frame, ...]:
    """The frames around the nodes that are still there, under the ids that those have now."""
    kept = frames_without(before.frames, before.nodes.keys() - now.keys())
    return tuple(
        replace(frame, members=tuple(now[key] for key in frame.members if key in now))
        for frame in kept
    )


def _now(key: NodeId, now: Ids) -> NodeId | None:
    """The id that a node, or a gradient that a call gives for it, has now; None if it is gone."""
    if key in now:
        return now[key]
    found = gradient_of(key)
    moved = None if found is None else _now(found[1], now)
    return None if found is None or moved is None else gradient_id(found[0], moved)


def _is(one: BackwardCall, other: BackwardCall) -> bool:
    return one is other


def _fitted(
    call: BackwardCall, now: Ids, derived: Diagram, run: Run, calls: Sequence[BackwardCall]
) -> BackwardCall | None:
    target = _now(call.target, now)
    y = None if target is None else _output(target, derived, run, calls)
    start = None if y is None else _fitted_start(call.start, y)
    if target is None or start is None:
        return None
    inputs = call.inputs and tuple(now[key] for key in call.inputs if key in now)
    clear = tuple(now[key] for key in call.clear if key in now)
    return replace(call, target=target, start=start, clear=clear, inputs=inputs)


def _output(
    target: NodeId, derived: Diagram, run: Run, calls: Sequence[BackwardCall]
) -> Array | None:
    """The value that a call from this target starts from; None where there is none."""
    found = gradient_of(target)
    if found is not None and target not in derived.nodes:  # it has the shape of its node
        there = is_there(target, derived.nodes, calls)
        while found is not None and found[1] not in run.values:
            found = gradient_of(found[1])
        value = run.values.get(found[1]) if found is not None and there else None
    else:
        value = run.values.get(target)
    return None if value is None else value.array


def _fitted_start(start: Start, y: Array) -> Start | None:
    if start.values is None:
        return start if start.reduction != "component" or start.index < y.size else None
    if start.values.shape == y.shape:
        return start
    if start.preset is None:
        return None
    from gradviz.seeds.starts import preset_seed  # brings the engine in

    try:
        return replace(start, values=preset_seed(start.preset, y))
    except ValueError:
        return None


def _same(one: BackwardCall, other: BackwardCall, now: Ids) -> bool:
    """Whether two scripts make the same call, so that what was chosen instead still stands."""
    a, b = one.start, other.start
    if (a.values is None) != (b.values is None):
        return False
    same_values = a.values is None or b.values is None or np.array_equal(a.values, b.values)
    return (
        _now(one.target, now) == other.target
        and (a.kind, a.reduction, a.index) == (b.kind, b.reduction, b.index)
        and same_values
    )
