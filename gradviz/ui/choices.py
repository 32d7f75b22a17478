"""Ways to start a backward call as the start bar offers them: rows to choose, vectors as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from gradviz.diagram import BackwardCall, Diagram, NodeId, Start
from gradviz.language import _
from gradviz.run import Run
from gradviz.seeds.starts import REDUCTIONS, Array, preset_seed
from gradviz.twin import as_reduction, reduction_of

Way = Literal["reduction", "seed"]
_LISTED = 8  # components and one-hot seeds that get a row of their own
_RANDOM = ("random", "normal")  # presets that are made from a number
_WRITTEN = 64  # elements of a vector that is written out


@dataclass(frozen=True, slots=True)
class Choice:
    """A row of the list: its key, such as "mean", "component:1", "onehot:0", and its words."""

    key: str
    text: str


def way_of(diagram: Diagram, run: Run, call: BackwardCall) -> Way | None:
    """How the call starts; a scalar that the script reduced itself counts as a reduction."""
    if call.start.kind != "implicit":
        return call.start.kind
    return "reduction" if reduction_of(diagram, call, run.values) else None


def subject(diagram: Diagram, run: Run, call: BackwardCall) -> NodeId:
    """The node that is reduced or seeded: the target, or what the script's reduction reduces."""
    reading = reduction_of(diagram, call, run.values)
    return reading.source if reading else call.target


def choices(way: Way, y: Array) -> Iterator[Choice]:
    """What may be chosen for an output like y."""
    if way == "reduction":
        for name, row in REDUCTIONS.items():
            if not row.indexed:
                yield Choice(name, _(row.title))
        for k in range(min(y.size, _LISTED)):
            yield Choice(f"component:{k}", _("component {k}").format(k=k))
        for k in range(min(y.shape[-1], _LISTED) if y.ndim else 0):
            yield Choice(f"cross_entropy:{k}", _("cross-entropy, class {k}").format(k=k))
        return
    yield Choice("ones", _("ones"))
    yield Choice("1/N", "1/N")
    for k in range(min(y.size, _LISTED)):
        yield Choice(f"onehot:{k}", _("one-hot {k}").format(k=k))
    yield Choice("random", _("random ±1"))
    yield Choice("normal", _("normal"))
    yield Choice("typed", _("typed"))


def key_of(diagram: Diagram, run: Run, call: BackwardCall) -> str | None:
    """The key of the row that the call's start is; None where it has none yet."""
    start = call.start
    if start.kind == "implicit":
        reading = reduction_of(diagram, call, run.values)
        return reading.reduction if reading else None
    if start.kind == "reduction":
        name = start.reduction or "sum"
        return f"{name}:{start.index}" if name in REDUCTIONS and REDUCTIONS[name].indexed else name
    if start.preset is not None:
        kind = start.preset.partition(":")[0]
        return kind if kind in _RANDOM else start.preset
    return _recognised(start.values)


def _recognised(values: Array | None) -> str:
    """The row that makes these numbers."""
    if values is None or not values.size or values.dtype.kind not in "fiu":
        return "typed"
    if (values == 1).all():
        return "ones"
    if (values == np.asarray(1 / values.size, dtype=values.dtype)).all():
        return "1/N"
    places = np.flatnonzero(values)
    single = len(places) == 1 and values.reshape(-1)[places[0]] == 1
    return f"onehot:{places[0]}" if single and places[0] < _LISTED else "typed"


def start_of(key: str, y: Array, before: Start) -> Start:
    """The start that a row stands for. `before` gives "weighted" and "typed" their numbers."""
    name, _colon, argument = key.partition(":")
    if name == "weighted":
        return Start("reduction", reduction="weighted", values=vector_of(before, y))
    if name in REDUCTIONS:
        return Start("reduction", reduction=name, index=int(argument or 0))
    if name == "typed":
        return Start("seed", values=vector_of(before, y))
    preset = f"{name}:{_after(before.preset)}" if name in _RANDOM else key
    return Start("seed", preset=preset, values=preset_seed(preset, y))


def other_way(start: Start, way: Way, y: Array, cotangent: Array | None) -> Start:
    """The start that gives the same gradients the other way; `cotangent` is what reached y."""
    if way == "reduction":
        return as_reduction(start, y)
    name = start.reduction or "sum"
    preset = {"sum": "ones", "mean": "1/N", "component": f"onehot:{start.index}"}.get(name)
    if preset is not None:
        return Start("seed", preset=preset, values=preset_seed(preset, y))
    values = start.values if name == "weighted" and start.values is not None else cotangent
    return Start("seed", values=np.ones_like(y) if values is None else values.reshape(y.shape))


def vector_of(start: Start, y: Array) -> Array:
    """The numbers of a start where they fit y, else ones."""
    fits = start.values is not None and start.values.shape == y.shape
    return start.values if fits and start.values is not None else np.ones_like(y)


def retarget(call: BackwardCall, target: NodeId, y: Array) -> BackwardCall:
    """The call from another node; a start that does not fit y there becomes one of ones."""
    start = call.start
    if start.values is not None and start.values.shape != y.shape:
        preset = start.preset or "ones"
        if preset.startswith("onehot") and int(preset.partition(":")[2] or 0) >= y.size:
            preset = "ones"
        if start.kind == "seed":
            start = replace(start, preset=preset, values=preset_seed(preset, y), name=None)
        else:
            weighted = start.reduction == "weighted"
            start = replace(start, values=np.ones_like(y) if weighted else None)
    count = y.size if start.reduction == "component" else y.shape[-1] if y.ndim else 1
    if start.index >= count:
        start = replace(start, index=0)
    return replace(call, target=target, start=start, edited=True)


def written(values: Array) -> str:
    """A vector as it may be typed: `[1, 0.5]`; empty where it is too long or complex."""
    if values.size > _WRITTEN or values.dtype.kind == "c":
        return ""
    return _nested(values)


def _nested(values: Array) -> str:
    if values.ndim == 0:
        return f"{float(values):.6g}"
    return "[" + ", ".join(_nested(item) for item in values) + "]"


def _after(preset: str | None) -> int:
    """The number of the next random seed."""
    kind, _colon, argument = (preset or "").partition(":")
    return int(argument) + 1 if kind in _RANDOM and argument.isdigit() else 0
