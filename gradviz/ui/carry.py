"""What the user chose stays when the script changes: starts of backward calls, positions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.diagram import BackwardCall, Diagram, Start, frames_without
from gradviz.run import Run

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
        moved = _fitted(call, before, derived, run) if call.edited else None
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
        positions={key: at for key, at in before.positions.items() if key in derived.nodes},
        title=before.title or derived.title,
        source=before.source,
        seeds=before.seeds,
        notes=before.notes,
        frames=frames_without(before.frames, before.nodes.keys() - derived.nodes.keys()),
    )


def _is(one: BackwardCall, other: BackwardCall) -> bool:
    return one is other


def _fitted(call: BackwardCall, before: Diagram, derived: Diagram, run: Run) -> BackwardCall | None:
    target, value = derived.nodes.get(call.target), run.values.get(call.target)
    if target is None or value is None or before.nodes[call.target].name != target.name:
        return None
    start = _fitted_start(call.start, value.array)
    if start is None:
        return None
    known = derived.nodes
    inputs = call.inputs and tuple(key for key in call.inputs if key in known)
    clear = tuple(key for key in call.clear if key in known)
    return replace(call, start=start, clear=clear, inputs=inputs)


def _fitted_start(start: Start, y: Array) -> Start | None:
    if start.values is None:
        return start if start.reduction != "component" or start.index < y.size else None
    if start.values.shape == y.shape:
        return start
    if start.preset is None:
        return None
    from gradviz.starts import preset_seed  # brings the engine in

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
