"""A script after an edit of its diagram: what was written by hand stays where it can."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gradviz.diagram import Diagram
from gradviz.language import N_, _
from gradviz.program import pytorch
from gradviz.program.changes import are_numbers_only
from gradviz.program.patch import Beyond
from gradviz.program.patching import patched
from gradviz.program.sameness import computes_the_same
from gradviz.program.settled import settled
from gradviz.run import Run

Reader = Callable[[str], tuple[Diagram, Run]]
STOPPED = N_("What comes after the line at which the script stopped is not in it.")
UNLIKE = N_("The edit does not fit the lines of the script: the program is written anew.")


@dataclass(frozen=True, slots=True, eq=False)
class Rewriting:
    """The new script. `unrolled`: it is written anew, and `sentence` says why.

    `follows`: a number was changed from which the script computes those of later leaves, as in a
    training loop; so what is read from it is the edited diagram but for their numbers.
    """

    text: str
    unrolled: bool = False
    sentence: str = ""
    follows: bool = False


def rewritten(
    source: str, before: Diagram, after: Diagram, run: Run, read: Reader, *, ended: bool = True
) -> Rewriting:
    """The script `source`, whose diagram is `before`, made one whose diagram is `after`.

    `run` is that of `after`, and `ended` says whether the script itself ran to its end. `read` runs
    a script and gives its diagram, with which what is written is checked before it is given out.
    Raises NotWritten where `after` is no program.
    """
    anew = pytorch.write(after, run).text
    try:
        text = patched(source, before, after, run)
        diagram, its = read(text)
        if reads_as(after, run, diagram, its, more=not ended):
            return Rewriting(text)
        if are_numbers_only(before, after) and computes_the_same(
            settled(after, run), settled(diagram, its), more=not ended, numbers=False
        ):
            return Rewriting(text, follows=True)
        reason = _(UNLIKE)
    except Beyond as beyond:
        reason = str(beyond) or _(UNLIKE)
    if not ended:
        reason = f"{reason} {_(STOPPED)}"
    return Rewriting(anew, unrolled=True, sentence=reason)


def reads_as(wanted: Diagram, run: Run, read: Diagram, its: Run, *, more: bool = False) -> bool:
    """Whether a program that reads as `read` is that of the diagram wanted.

    One in which a backward call raises ends there, so it is compared that far. `more`: it may go
    on behind what the diagram has.
    """
    fails = [at for at, done in enumerate(run.passes) if done.error is not None]
    if not fails and more:
        return computes_the_same(settled(wanted, run), settled(read, its), more=True)
    if not fails:
        same = its.error is None and len(its.passes) == len(read.calls)
        return same and computes_the_same(settled(wanted, run), settled(read, its))
    until = sum(call.enabled for call in wanted.calls[: fails[0] + 1])
    same = its.error is not None and len(read.calls) == until
    return same and computes_the_same(settled(wanted, run), settled(read, its), as_far=True)
