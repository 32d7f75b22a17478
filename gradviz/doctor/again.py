"""Findings about a second backward pass through what the first has freed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from engine import errors as said
from gradviz.diagram import NodeId
from gradviz.doctor import flow
from gradviz.doctor.finding import Case, Finding, Repair, repair
from gradviz.doctor.seeds import backward_call
from gradviz.doctor.text import Text, named, names
from gradviz.language import N_, _
from gradviz.run import Pass

WHY = N_(
    "A backward pass frees what the forward pass saved for it. Keep it with retain_graph=True in"
    " the earlier call, or compute the output again before the second one."
)
CARRIED_WHY = N_(
    "{name} is carried from one turn of the loop into the next with its whole history, which the"
    " pass of the turn before has freed. Where gradients need not reach back further than one"
    " turn, cut the history."
)

MAX_NAMED = 3  # nodes in one sentence


def errors(case: Case) -> Iterator[Finding]:
    """Readings of the error, where saved tensors were freed."""
    if said.FREED[:50] not in case.message or case.run.error is None:
        return
    failed = next((done for done in case.run.passes if done.error is not None), None)
    if failed is None:
        return
    nodes, before = flow.shared(case, failed)
    stopped = flow.stopped_at(case, failed)
    line = failed.call.line or case.run.error.line
    kept = flow.saved(case, nodes)[:MAX_NAMED] or ([] if stopped is None else [stopped])
    titles = ", ".join(case.title(key) for key in kept)
    sentence = _("this pass needs what {names} saved, and an earlier pass freed it").format(
        names=titles
    )
    if line is not None:
        sentence = _(
            "this pass needs what {names} saved (line {made}), and the pass of line {first}"
            " freed it"
        ).format(
            names=titles,
            made=case.line(kept[0]) if kept else line,
            first=before[-1].call.line if before else line,
        )
    repairs = (*_retained(case, before), *recomputed(case, nodes, failed))
    carried = tuple(_cut(case, failed))
    if carried:
        why = _(CARRIED_WHY).format(name=carried[0])
        yield Finding(
            "freed-graph",
            sentence,
            why,
            line,
            stopped,
            repairs=(*_detached(case, failed, carried), *repairs),
        )
    yield Finding("freed-graph", sentence, _(WHY), line, stopped, repairs=repairs)


def _retained(case: Case, before: list[Pass]) -> tuple[Repair, ...]:
    edits = []
    for done in before:
        call = backward_call(case.text, done.call.line)
        if call is not None and not done.call.retain_graph:
            edits.append(case.text.keyword(call, "retain_graph", "True"))
    label = _("keep the graph: retain_graph=True in the earlier call")
    return repair(label, *edits, key="retain")


def recomputed(case: Case, nodes: list[NodeId], failed: Pass) -> tuple[Repair, ...]:
    """The repair that computes the shared nodes again before they are used again."""
    statement = _first_use(case, nodes, failed)
    if statement is None:
        return ()
    texts = flow.copies(case, nodes, statement)
    if not texts:
        return ()
    label = _("compute it again before the second call")
    return repair(label, case.text.before(statement, *texts))


def _first_use(case: Case, nodes: list[NodeId], failed: Pass) -> ast.stmt | None:
    """The first statement that only the failed pass needed, else the call itself."""
    own = set(flow.history(case, flow.origin(case, failed))).difference(nodes)
    last = max((case.line(key) or 0 for key in nodes), default=0)
    lines = [line for key in own if (line := case.line(key)) is not None and line > last]
    return case.text.at(min([*lines, failed.call.line or 0])) if failed.call.line else None


def _cut(case: Case, failed: Pass) -> Iterator[str]:
    """The variables that a loop around the call carries from turn to turn."""
    call = case.text.at(failed.call.line)
    loop = case.text.loop_of(call) if call is not None else None
    if loop is None:
        return
    tracked = {node.name for node in case.diagram.nodes.values() if node.inputs and node.name}
    seen: set[str] = set()
    for statement in loop.body:
        if isinstance(statement, ast.Assign):
            read = names(statement.value)
            given = {name for target in statement.targets for name in _targets(target)}
            if given & read:
                yield from sorted((given & read & tracked) - seen)
            yield from sorted((read & tracked & _later(case.text, loop, statement)) - seen - given)
            seen |= given | read


def _later(text: Text, loop: ast.For | ast.While, statement: ast.stmt) -> set[str]:
    """What the loop assigns below the statement."""
    return {
        name
        for other in loop.body
        if isinstance(other, ast.Assign) and other.lineno > statement.lineno
        for target in other.targets
        for name in _targets(target)
    }


def _targets(target: ast.expr) -> list[str]:
    if isinstance(target, (ast.Tuple, ast.List)):
        return [name for item in target.elts for name in _targets(item)]
    name = named(target)
    return [] if name is None else [name]


def _detached(case: Case, failed: Pass, carried: tuple[str, ...]) -> tuple[Repair, ...]:
    statement = case.text.at(failed.call.line)
    if statement is None:
        return ()
    label = _("cut the history between the turns: {name}.detach()").format(name=", ".join(carried))
    return repair(label, case.text.after(statement, *(f"{n} = {n}.detach()" for n in carried)))
