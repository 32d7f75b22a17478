"""The list of backward calls as texts: from where, by what, with what, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from gradviz.cells import array_text
from gradviz.diagram import BackwardCall, Diagram, NodeId, Start
from gradviz.labels import added_titles, clean, name_of, titles
from gradviz.language import _
from gradviz.run import Pass, Run
from gradviz.seeds.starts import REDUCTIONS
from gradviz.twin.reading import reduction_of

_LEAVES = 4  # whose gradients are told
Came = Literal["done", "failed", "off", "waiting", "refused"]


@dataclass(frozen=True, slots=True)
class CallRow:
    """One call. `came` says how it ended, `outcome` the gradients or the error, on one line."""

    target: str
    start: str
    flags: str
    outcome: str
    came: Came
    enabled: bool = True


def standing(calls: Sequence[BackwardCall], shown: Sequence[BackwardCall]) -> int:
    """How many of the first calls are as they were when the run on screen was made.

    What came of these holds, whatever has changed behind them.
    """
    count = 0
    for one, other in zip(calls, shown, strict=False):
        if one is not other and not _same(one, other):
            break
        count += 1
    return count


def _same(one: BackwardCall, other: BackwardCall) -> bool:
    """Whether both run alike."""
    return (
        one.start is other.start
        and (one.target, one.enabled, one.captures) == (other.target, other.enabled, other.captures)
        and (one.retain_graph, one.create_graph) == (other.retain_graph, other.create_graph)
        and (one.inputs, one.cleared) == (other.inputs, other.cleared)
    )


def names(diagram: Diagram, run: Run) -> dict[NodeId, str]:
    """What nodes are called, the gradients that passes give included."""
    known = dict(titles(diagram))
    for done in run.passes:
        known |= added_titles(done, known) if done.beyond else {}
    return known


def call_row(
    diagram: Diagram, run: Run, call: BackwardCall, done: Pass | None, known: Mapping[NodeId, str]
) -> CallRow:
    """A call and what came of it; `done` is None while that is not known yet."""
    reading = None
    if call.target in run.values:
        reading = reduction_of(diagram, call, run.values)
    target = name_of(reading.source if reading else call.target, known)
    start = start_text(reading.start if reading else call.start)
    outcome, came = _outcome(call, done, known)
    return CallRow(target, start, _flags(call, known), outcome, came, call.enabled)


def start_text(start: Start) -> str:
    """How a call begins: `Σ sum`, `v ones`, `v = [1, 0.5]`; a dash where it has nothing."""
    if start.kind == "implicit":
        return "–"
    if start.kind == "reduction":
        name = start.reduction or "sum"
        row = REDUCTIONS.get(name)
        numbered = row is not None and row.indexed and start.values is None
        title = name if row is None else _(row.title)
        return f"Σ {title} {start.index}" if numbered else f"Σ {title}"
    if start.preset is None:
        given = clean(start.name or "v")
        return f"{given} = {array_text(start.values)}" if start.values is not None else given
    kind, _colon, argument = start.preset.partition(":")
    words = {
        "ones": _("ones"),
        "1/N": "1/N",
        "random": _("random ±1"),
        "normal": _("normal"),
        "onehot": _("one-hot {k}").format(k=argument),
    }
    return f"v {words.get(kind, start.preset)}"


def _flags(call: BackwardCall, known: Mapping[NodeId, str]) -> str:
    told = ["autograd.grad"] if call.gives else []
    told += ["retain_graph"] if call.retain_graph and not call.create_graph else []
    told += ["create_graph"] if call.create_graph else []
    told += [_("clears .grad")] if call.clear else []
    if call.inputs is not None:
        told.append("inputs=" + ", ".join(name_of(key, known) for key in call.inputs))
    return "  ".join(told)


def _outcome(
    call: BackwardCall, done: Pass | None, known: Mapping[NodeId, str]
) -> tuple[str, Came]:
    if not call.enabled:
        return _("off"), "off"
    if done is None:
        return "…", "waiting"
    if done.error is not None:
        return f"{done.error.type}: {' '.join(done.error.message.split())}", "failed"
    given = done.grads
    if call.gives:
        reached = done.cotangents()
        given = {key: reached[key] for key in call.inputs or () if key in reached}
    told = [
        (f"∇{name_of(key, known)}" if call.gives else f"{name_of(key, known)}.grad", array)
        for key, array in given.items()
    ]
    texts = [f"{name} = {array_text(array)}" for name, array in told[:_LEAVES]]
    texts += ["…"] if len(told) > _LEAVES else []
    return "   ".join(texts) or _("no gradient"), "done"
