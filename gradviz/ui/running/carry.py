"""What the user chose stays when the script changes: starts of backward calls, positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.diagram import BackwardCall, Diagram, NodeId, Point, Start, frames_without
from gradviz.matching import matched
from gradviz.run import Run
from gradviz.storeys import gradient_of, is_there

Array = npt.NDArray[Any]
Calls = tuple[BackwardCall, ...]


def carry(before: Diagram, own: Calls | None, derived: Diagram, run: Run) -> Diagram:
    """`derived`, with the starts, positions and title that the user gave to `before`.

    `own` are the calls that the script of `before` makes by itself (None: not known). A start is
    carried where the script still makes that call as before, and its target still exists with a
    shape that the start fits. A call without a line was added in the app.
    """
    calls = list(derived.calls)
    for at, call in enumerate(before.calls):
        moved = _fitted(call, before, derived, run, calls) if call.edited else None
        if moved is None:
            continue
        if call.line is None:
            calls.append(moved)
        elif at < len(derived.calls) and (own is None or _same(own[at], derived.calls[at])):
            calls[at] = replace(moved, line=derived.calls[at].line)
    kept = len(calls) == len(derived.calls) and all(map(_is, calls, derived.calls))
    return replace(
        derived,
        calls=derived.calls if kept else tuple(calls),
        positions=_places(before, derived),
        title=before.title or derived.title,
        source=before.source,
        seeds=before.seeds,
        notes=before.notes,
        frames=frames_without(before.frames, before.nodes.keys() - derived.nodes.keys()),
    )


def _places(before: Diagram, derived: Diagram) -> dict[NodeId, Point]:
    """Where the user put the nodes that are still there, under the ids that they have now."""
    if not before.positions:
        return {}
    same = matched(before, derived)
    return {
        key: before.positions[same[key]]
        for key in derived.nodes
        if key in same and same[key] in before.positions
    }


def _is(one: BackwardCall, other: BackwardCall) -> bool:
    return one is other


def _fitted(
    call: BackwardCall,
    before: Diagram,
    derived: Diagram,
    run: Run,
    calls: Sequence[BackwardCall],
) -> BackwardCall | None:
    y = _output(call.target, before, derived, run, calls)
    start = None if y is None else _fitted_start(call.start, y)
    if start is None:
        return None
    known = derived.nodes
    inputs = call.inputs and tuple(key for key in call.inputs if key in known)
    clear = tuple(key for key in call.clear if key in known)
    return replace(call, start=start, clear=clear, inputs=inputs)


def _output(
    target: NodeId, before: Diagram, derived: Diagram, run: Run, calls: Sequence[BackwardCall]
) -> Array | None:
    """The value that a call from this target starts from; None where the target is gone."""
    found = gradient_of(target)
    if found is not None and target not in derived.nodes:  # it has the shape of its node
        there = is_there(target, derived.nodes, calls)
        while found is not None and found[1] not in run.values:
            found = gradient_of(found[1])
        value = run.values.get(found[1]) if found is not None and there else None
        return None if value is None else value.array
    old, new, value = before.nodes.get(target), derived.nodes.get(target), run.values.get(target)
    if old is None or new is None or value is None or old.name != new.name:
        return None
    return value.array


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


def _same(one: BackwardCall, other: BackwardCall) -> bool:
    """Whether two scripts make the same call, so that what was chosen instead still stands."""
    a, b = one.start, other.start
    if (a.values is None) != (b.values is None):
        return False
    same_values = a.values is None or b.values is None or np.array_equal(a.values, b.values)
    return (
        one.target == other.target
        and (a.kind, a.reduction, a.index) == (b.kind, b.reduction, b.index)
        and same_values
    )
