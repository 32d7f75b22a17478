"""`gradviz elsewhere`: what other libraries would do with the output of a backward call."""

from __future__ import annotations

import sys

from gradviz.cells import array_text, shape_text
from gradviz.commands.common import (
    Opened,
    Sheet,
    add_row,
    check_pass,
    opened,
    sheet,
    show,
    show_failure,
)
from gradviz.commands.problem import CommandProblem
from gradviz.diagram import BackwardCall, Start
from gradviz.elsewhere import Answer, answers
from gradviz.guide.subject import subject_of
from gradviz.guide.ways import Outcome, Way, outcome
from gradviz.labels import titles
from gradviz.language import _
from gradviz.report import VERSION, dumps, nested


def elsewhere(src: str, *, number: int | None = None, as_json: bool = False) -> int:
    """Print what each library does with the target of SRC's pass `number` (the first)."""
    with opened(src) as found:
        if not found.run.passes:
            show_failure(found.run.error)
            if found.run.error is not None:
                return found.status()
            raise CommandProblem(_("the program makes no backward call"))
        check_pass(number, len(found.run.passes))
        name, shape = _target(found, number or 1)
        told, total = answers(shape), _total(found, number or 1)
        if as_json:
            sys.stdout.write(dumps(_document(name, shape, told, total)))
        else:
            show(_sheet(name, shape, told, total))
        return 0


def _target(found: Opened, number: int) -> tuple[str, tuple[int, ...]]:
    """The title and shape of what the call starts from: of y, also where it was reduced."""
    target = found.run.passes[number - 1].call.target
    value = found.run.values.get(target)
    if value is None:
        raise CommandProblem(_("{name} has no value").format(name=target))
    return titles(found.diagram).get(target, target), value.array.shape


def _total(found: Opened, number: int) -> Outcome:
    """The gradient of the target's sum, which is its own where it is one number."""
    target = found.run.passes[number - 1].call.target
    subject = subject_of(found.diagram, found.run, BackwardCall(target, Start("seed")))
    return Outcome() if subject is None else outcome(found.sandbox, Way("sum"), subject)


def _sheet(name: str, shape: tuple[int, ...], told: tuple[Answer, ...], total: Outcome) -> Sheet:
    heading = _("asked for the gradient of {name}, {shape}, without a seed").format(
        name=name, shape=shape_text(shape)
    )
    made = sheet(
        heading,
        _("library"),
        _("version"),
        _("asked by"),
        _("what it does"),
        _("gradient"),
        _("with a seed v"),
    )
    given = ", ".join(f"{leaf}: {array_text(array)}" for leaf, array in total.grads)
    for answer in told:
        library = answer.library
        add_row(
            made,
            library.name,
            library.version,
            library.asks,
            answer.words,
            "" if answer.does == "raises" else given,
            library.seed,
        )
    return made


def _document(
    name: str, shape: tuple[int, ...], told: tuple[Answer, ...], total: Outcome
) -> dict[str, object]:
    given = {leaf: nested(array) for leaf, array in total.grads}
    return {
        "gradviz": VERSION,
        "target": name,
        "shape": list(shape),
        "libraries": [
            {
                "name": answer.library.name,
                "version": answer.library.version,
                "asks": answer.library.asks,
                "does": answer.does,
                "error": answer.error or None,
                "gradient": None if answer.does == "raises" else given or None,
                "total": answer.library.total,
                "seed": answer.library.seed,
                "source": answer.library.source,
            }
            for answer in told
        ],
    }
