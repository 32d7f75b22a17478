"""Repairs of backward calls as the app holds them: for what no edit of a script can reach."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from engine import errors as said
from gradviz.diagram import BackwardCall, Diagram, Start
from gradviz.doctor import flow
from gradviz.doctor.finding import Case, Repair
from gradviz.doctor.leaves import final_grads
from gradviz.doctor.seeds import backward_call, is_method
from gradviz.doctor.several import outputs
from gradviz.doctor.text import Text
from gradviz.language import N_, _

if TYPE_CHECKING:
    from gradviz.run import Run

Evaluator = Callable[[Diagram], "Run | None"]

LABELS: Mapping[str, str] = {
    "sum": N_("append sum: every element counts once"),
    "mean": N_("append mean: every element counts 1/N"),
    "ones": N_("use a seed of ones: every element counts once"),
    "retain": N_("keep the graph in the pass before"),
}


def failed_index(run: Run) -> int | None:
    """The backward call that raised."""
    return next((at for at, done in enumerate(run.passes) if done.error is not None), None)


def ways(case: Case) -> Mapping[str, Repair]:
    """What may be done about the call that failed, by its key; not yet tried."""
    index = failed_index(case.run)
    if index is None or index >= len(case.diagram.calls):
        return {}
    failed = case.run.passes[index]
    message = "" if failed.error is None else failed.error.message
    made: dict[str, Diagram] = {}
    if said.IMPLICIT_SCALAR in message:
        call = case.diagram.calls[index]
        for key, start in _starts(case, call).items():
            edited = replace(call, start=start, edited=True)
            made[key] = case.diagram.with_call(index, edited)
    elif said.FREED[:50] in message:
        _nodes, before = flow.shared(case, failed)
        shared = {at for at, done in enumerate(case.run.passes) if done in before}
        calls = tuple(
            replace(call, retain_graph=True, edited=True) if at in shared else call
            for at, call in enumerate(case.diagram.calls)
        )
        made["retain"] = replace(case.diagram, calls=calls)
    return {key: Repair(_(LABELS[key]), diagram=diagram, key=key) for key, diagram in made.items()}


def _starts(case: Case, call: BackwardCall) -> Mapping[str, Start]:
    from gradviz.seeds.starts import preset_seed

    value = case.run.values.get(call.target)
    if value is None or value.array.size == 1 or _from_several(case, call):
        return {}
    return {
        "sum": Start("reduction", reduction="sum"),
        "mean": Start("reduction", reduction="mean"),
        "ones": Start("seed", preset="ones", values=preset_seed("ones", value.array)),
    }


def _from_several(case: Case, call: BackwardCall) -> bool:
    """Whether the script starts it from a list of outputs, of which it holds the first."""
    written = backward_call(case.text, call.line)
    return written is not None and not is_method(written) and bool(outputs(written))


def tried(case: Case, evaluate: Evaluator) -> Mapping[str, Repair]:
    """Those of the ways that help, with the gradients that they give."""
    found: dict[str, Repair] = {}
    for key, way in ways(case).items():
        run = None if way.diagram is None else evaluate(way.diagram)
        if run is None or way.diagram is None or _no_further(case, run):
            continue
        after = Case(Text(""), way.diagram, run)
        found[key] = replace(way, grads=final_grads(after), error=run.error)
    return found


def _no_further(case: Case, run: Run) -> bool:
    """Whether the call that failed fails again."""
    index = failed_index(case.run)
    return index is None or index >= len(run.passes) or run.passes[index].error is not None


def chosen_here(case: Case) -> bool:
    """Whether what failed is not, or not only, what the script says."""
    index = failed_index(case.run)
    calls = case.diagram.calls[: 0 if index is None else index + 1]
    return not case.text.source or any(call.edited for call in calls)
