"""`gradviz compare`: one backward call by a reduction and by a seed, and what differs."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from gradviz.commands.common import Opened, opened, show, show_failure
from gradviz.commands.problem import CommandProblem
from gradviz.diagram import Start
from gradviz.language import _
from gradviz.twin import (
    Comparison,
    Pair,
    compare_calls,
    compare_starts,
    parse_start,
    reading_of,
)
from gradviz.twin import compare as compare_both


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be compared: the call `number`, from 1, its start replaced by `start`.

    With `against`, that with another start; with `against_pass`, that with another call; with
    `dictionary`, every reduction with its seed. `facts` adds what sets the two apart.
    """

    number: int = 1
    start: str | None = None
    against: str | None = None
    against_pass: int | None = None
    dictionary: bool = False
    facts: bool = False
    as_json: bool = False
    full: bool = False


def compare(src: str, asked: Asked) -> int:
    """Print the difference table of a backward call of SRC, or all of it as JSON."""
    _check(asked)
    with opened(src) as found:
        if not found.diagram.calls and found.run.error is not None:
            show_failure(found.run.error)
            return found.status()
        try:
            _tell(found, asked)
        except ValueError as problem:
            raise CommandProblem(str(problem)) from problem
        return 0


def _check(asked: Asked) -> None:
    """Refuse options that ask for two things at once."""
    other = {
        "--dictionary": asked.dictionary,
        "--against": asked.against is not None,
        "--against-pass": asked.against_pass is not None,
    }
    given = [name for name, on in other.items() if on]
    if asked.start is not None and "--against" not in given:
        given = [*given, "--with"]
    if asked.facts and asked.dictionary:
        given = [*given, "--facts"]
    if len(given) > 1:
        raise CommandProblem(
            _("{one} and {other} do not go together").format(one=given[0], other=given[1])
        )


def _tell(found: Opened, asked: Asked) -> None:
    from gradviz.commands import compare_tables as tables

    index = asked.number - 1
    if asked.dictionary:
        from gradviz.twin.dictionary import dictionary

        made = dictionary(found.sandbox.evaluate, found.diagram, found.run, index=index)
        if not asked.as_json:
            show(*tables.of_dictionary(made, found.diagram))
            return
        from gradviz.twin.report import of_dictionary

        _write(of_dictionary(made, full=asked.full))
        return
    both: Comparison | Pair
    if asked.against is None and asked.against_pass is None:
        both = comparison(found, number=asked.number, start=asked.start)
    else:
        both = _pair(found, asked)
    if asked.as_json:
        from gradviz.twin import report

        if isinstance(both, Comparison):
            _write(report.of_comparison(both, full=asked.full))
        else:
            _write(report.of_pair(both, full=asked.full))
        return
    show(*tables.of_sides(both, facts=asked.facts))


def _write(document: dict[str, object]) -> None:
    from gradviz.report import dumps

    sys.stdout.write(dumps(document))


def comparison(found: Opened, *, number: int, start: str | None) -> Comparison:
    """The call `number`, counted from 1, both ways. Raises CommandProblem where that cannot be."""
    index = number - 1
    try:
        return compare_both(
            found.sandbox.evaluate,
            found.diagram,
            found.run,
            index=index,
            start=None if start is None else _start(found, index, start),
        )
    except ValueError as problem:
        raise CommandProblem(str(problem)) from problem


def _pair(found: Opened, asked: Asked) -> Pair:
    index, evaluate = asked.number - 1, found.sandbox.evaluate
    if asked.against_pass is not None:
        pair = (index, asked.against_pass - 1)
        return compare_calls(evaluate, found.diagram, found.run, pair)
    first = _own(found, index) if asked.start is None else _start(found, index, asked.start)
    second = _start(found, index, asked.against or "")
    starts = (first or Start(), second or Start())
    return compare_starts(evaluate, found.diagram, found.run, index, starts)


def _own(found: Opened, index: int) -> Start | None:
    """The call's own start, from what the script reduced; sum where it would be refused."""
    if not 0 <= index < len(found.diagram.calls):
        return None
    call = found.diagram.calls[index]
    reading = reading_of(found.diagram, call, found.run.values)
    if reading is not None:
        return reading.start
    value = found.run.value(call.target)
    refused = call.start.kind == "implicit" and value is not None and value.array.size != 1
    return Start("reduction", reduction="sum") if refused else call.start


def _start(found: Opened, index: int, text: str) -> Start | None:
    """The start that was typed; None where the call it is for does not exist."""
    if not 0 <= index < len(found.diagram.calls):
        return None
    call = found.diagram.calls[index]
    reading = reading_of(found.diagram, call, found.run.values)
    value = found.run.value(reading.source if reading else call.target)
    return None if value is None else parse_start(text, value.array)
