"""`examine`: every finding of a script, with repairs that have been tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from gradviz.diagram import Diagram
from gradviz.doctor import again, batch, drawn, grads, history, numbers, seeds, writes
from gradviz.doctor.finding import Case, Finder, Finding, Repair
from gradviz.doctor.leaves import final_grads
from gradviz.doctor.text import Text, applied, read
from gradviz.run import Run

# What runs a repaired script; None where no more are to be run, as after a request to stop.
Runner = Callable[[str], tuple[Diagram, Run] | None]

# Of an error one reading is kept: the first of the first finder that knows its message.
ERRORS: tuple[Finder, ...] = (
    seeds.errors,
    again.errors,
    writes.errors,
    grads.errors,
    history.errors,
)
RISKS: tuple[Finder, ...] = (
    seeds.risks,
    grads.risks,
    batch.risks,
    numbers.risks,
    numbers.paths,
)
MAX_TRIALS = 40  # runs of repaired scripts
LARGE = 2000  # nodes of a run that is not kept for a second reading


def examine(
    diagram: Diagram,
    run: Run,
    *,
    source: str,
    rerun: Runner,
    evaluate: drawn.Evaluator | None = None,
) -> tuple[Finding, ...]:
    """What is wrong or risky in a run, the error first. `rerun` runs a repaired script.

    A repair is kept only where the script it makes no longer has the finding. With `evaluate`,
    which runs a diagram, calls that no script makes are repaired as well.
    """
    clinic = _Clinic(Case(read(source), diagram, run), rerun, evaluate)
    found: list[Finding] = []
    if run.error is not None:
        found += clinic.cause()
    found += clinic.risks(known=found)
    return tuple(found)


class _Clinic:
    """One script, and the trials of its repairs."""

    def __init__(self, case: Case, rerun: Runner, evaluate: drawn.Evaluator | None) -> None:
        known = {key: node for key, node in case.diagram.nodes.items() if key in case.run.values}
        self._whole = case
        self._case = replace(case, diagram=replace(case.diagram, nodes=known))
        self._runner = rerun
        self._evaluate = evaluate
        self._left = MAX_TRIALS
        self._known: dict[str, Case] = {}  # what has been tried

    def cause(self) -> list[Finding]:
        """The reading of the error whose repairs help; else the first of all."""
        found = self._reading()
        if not found or self._evaluate is None or not drawn.chosen_here(self._whole):
            return found
        ways = drawn.tried(self._whole, self._evaluate).values()
        return [replace(found[0], repairs=(*ways, *found[0].repairs))]

    def _reading(self) -> list[Finding]:
        """What a repair takes away; else what one gives way to another error that is known."""
        first: Finding | None = None
        for further in (False, True):
            for finder in ERRORS:
                for finding in finder(self._case):
                    tried = self._tried(finding, _error_gone(finder, finding, further=further))
                    if tried.repairs:
                        return [tried]
                    first = first or tried
                if first is not None and not further:
                    break
        return [] if first is None else [first]

    def risks(self, known: list[Finding]) -> Iterator[Finding]:
        lines = {(finding.kind, finding.line) for finding in known}
        for finder in RISKS:
            for finding in finder(self._case):
                if (finding.kind, finding.line) in lines:
                    continue
                lines.add((finding.kind, finding.line))
                yield self._tried(finding, _risk_gone(finder, finding))

    def _tried(self, finding: Finding, helps: Callable[[Case, Case], bool]) -> Finding:
        kept: dict[str, Repair] = {}
        for repair in finding.repairs:
            source = applied(self._case.text.source, repair.edits)
            if source in kept:
                continue
            after = self._rerun(source)
            if after is None:
                continue
            if helps(self._case, after):
                kept[source] = replace(
                    repair,
                    source=source,
                    grads=repair.grads or final_grads(after),
                    error=after.run.error,
                )
        return replace(finding, repairs=tuple(kept.values()))

    def _rerun(self, source: str) -> Case | None:
        """What comes of a repaired script; None where no more are to be run."""
        if source not in self._known:
            made = self._runner(source) if self._left else None
            self._left = max(0, self._left - 1) if made is not None else 0
            if made is None:
                return None
            after = Case(Text(source), *made)
            if len(after.diagram.nodes) > LARGE:
                return after
            self._known[source] = after
        return self._known[source]


def _error_gone(finder: Finder, finding: Finding, *, further: bool) -> Callable[[Case, Case], bool]:
    """Whether the run ends well now, or at least goes on to another error.

    With `further` it is enough that another error which is known has come in its place.
    """

    def gone(before: Case, after: Case) -> bool:
        if _warned(after) > _warned(before):  # the leaf is out of reach now
            return False
        if after.run.error is None:
            return True
        same = any(other.kind == finding.kind for other in finder(after))
        if same and _line(after) == _line(before):
            return False
        if further:
            return not same and any(True for other in ERRORS for _found in other(after))
        return _went_well(after) > _went_well(before)

    return gone


def _line(case: Case) -> int | None:
    return None if case.run.error is None else case.run.error.line


def _warned(case: Case) -> int:
    return sum(grads.NOT_A_LEAF in piece.text for piece in case.run.console)


def _went_well(case: Case) -> int:
    return sum(done.error is None for done in case.run.passes)


def _risk_gone(finder: Finder, finding: Finding) -> Callable[[Case, Case], bool]:
    def gone(before: Case, after: Case) -> bool:
        if after.run.error is not None and after.message != before.message:
            return False
        left = sum(other.kind == finding.kind for other in finder(after))
        return left < sum(other.kind == finding.kind for other in finder(before))

    return gone
