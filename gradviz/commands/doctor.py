"""`gradviz doctor`: what is wrong or risky in a script, where, and the repairs."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from gradviz.cells import array_text
from gradviz.commands.common import Opened, opened, show_failure, working
from gradviz.commands.problem import CommandProblem
from gradviz.doctor.changes import changes
from gradviz.doctor.examine import examine
from gradviz.doctor.finding import Finding, Repair
from gradviz.language import N_, _
from gradviz.report import VERSION, dumps, nested

SEVERITIES = {"error": N_("error"), "risk": N_("risk"), "note": N_("note")}
_LEAVES = 8  # gradients that are shown of one repair


def doctor(
    src: str, *, repair: int | None = None, out: Path | None = None, as_json: bool = False
) -> int:
    """Print SRC's findings, or write SRC with a repair; status 1 where there are findings."""
    if repair is None and out is not None:
        raise CommandProblem(_("-o goes with --apply: say which repair is to be written"))
    with opened(src) as found:
        source = found.loaded.text or ""
        with working(_("trying repairs")):
            findings = examine(
                found.diagram,
                found.run,
                source=source,
                rerun=found.sandbox.run,
                evaluate=found.sandbox.evaluate,
            )
        if repair is not None:
            return _apply(findings, repair, out)
        if as_json:
            sys.stdout.write(dumps(document(found, findings)))
        else:
            _print(found, findings)
        calm = all(finding.severity == "note" for finding in findings)
        return found.status() if calm else 1


def _apply(findings: Sequence[Finding], number: int, out: Path | None) -> int:
    from gradviz.storage import FileProblem, write, write_text

    chosen = dict(enumerate(_repairs(findings), 1)).get(number)
    if chosen is None:
        raise CommandProblem(
            _("there is no repair {number}: the doctor has {count}").format(
                number=number, count=len(list(_repairs(findings)))
            )
        )
    drawn = chosen.diagram
    if drawn is not None and (out is None or out.suffix.lower() != ".gradviz"):
        raise CommandProblem(_("this repair is one of the diagram: name a .gradviz file with -o"))
    if out is None:
        sys.stdout.write(chosen.source)
    else:
        try:
            if drawn is not None:
                write(out, drawn)
            else:
                write_text(out, chosen.source)
        except FileProblem as problem:
            raise CommandProblem(str(problem)) from problem
    return 0 if chosen.error is None else 1


def _repairs(findings: Sequence[Finding]) -> Iterator[Repair]:
    return (repair for finding in findings for repair in finding.repairs)


def _print(found: Opened, findings: Sequence[Finding]) -> None:
    if not findings:
        show_failure(found.run.error)
        known = _("nothing that the doctor knows") if found.run.error else _("nothing found")
        print(known)
        return
    source, number = found.loaded.text or "", 0
    for finding in findings:
        print("\n".join(_heading(finding, source.split("\n"))))
        for repair in finding.repairs:
            number += 1
            print("\n".join(_shown(repair, number, source)))
        print()


def _heading(finding: Finding, lines: Sequence[str]) -> Iterator[str]:
    severity = _(SEVERITIES[finding.severity])
    if finding.line is None:
        yield _("{severity}: {sentence}").format(severity=severity, sentence=finding.sentence)
    else:
        place = _("line {line}").format(line=finding.line)
        yield _("{place}, {severity}: {sentence}").format(
            place=place, severity=severity, sentence=finding.sentence
        )
        if 0 < finding.line <= len(lines):
            yield f"    {lines[finding.line - 1].strip()}"
    yield f"  {finding.why}"


def _shown(repair: Repair, number: int, source: str) -> Iterator[str]:
    """The repair as changed lines, and what every gradient would be."""
    yield _("  repair {number}: {label}").format(number=number, label=repair.label)
    for change in changes(source, repair):
        yield f"    {change.sign} {change.text}"
    for name, grad in list(repair.grads.items())[:_LEAVES]:
        yield f"      {name}.grad = {array_text(grad)}"
    if len(repair.grads) > _LEAVES:
        yield _("      and {count} more").format(count=len(repair.grads) - _LEAVES)
    if repair.error is not None:
        after = _("      after that, line {line}: {type}: {message}")
        error = repair.error
        yield after.format(line=error.line, type=error.type, message=error.message.split("\n")[0])


def document(found: Opened, findings: Sequence[Finding]) -> dict[str, Any]:
    """The findings as plain data, as `assets/schema/doctor.json` says."""
    numbers = {id(repair): at for at, repair in enumerate(_repairs(findings), 1)}
    error = found.run.error
    return {
        "gradviz": VERSION,
        "error": None
        if error is None
        else {"type": error.type, "message": error.message, "line": error.line},
        "findings": [
            {
                "kind": finding.kind,
                "severity": finding.severity,
                "line": finding.line,
                "node": finding.node,
                "sentence": finding.sentence,
                "why": finding.why,
                "repairs": [
                    _repair_document(repair, numbers[id(repair)]) for repair in finding.repairs
                ],
            }
            for finding in findings
        ],
    }


def _repair_document(repair: Repair, number: int) -> dict[str, Any]:
    error = repair.error
    return {
        "number": number,
        "label": repair.label,
        "edits": [
            {"start": edit.start, "end": edit.end, "text": edit.text} for edit in repair.edits
        ],
        "source": repair.source,
        "grads": {name: nested(grad) for name, grad in repair.grads.items()},
        "error": None
        if error is None
        else {"type": error.type, "message": error.message, "line": error.line},
    }
