"""`gradviz export`: a pass at a position in time, drawn into files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gradviz.commands.common import Opened, check_pass, opened, show_failure, working
from gradviz.commands.compare import comparison
from gradviz.commands.problem import CommandProblem
from gradviz.diagram import Diagram
from gradviz.export import SUFFIXES, ExportProblem
from gradviz.export import export as write
from gradviz.language import _
from gradviz.look import Theme
from gradviz.run import Run
from gradviz.twin import Pair
from gradviz.twin.pairing import moments


@dataclass(frozen=True, slots=True, eq=False)
class _Subject:
    """What is drawn: the pass `index` of a run, and its twin beside it where one is asked for."""

    diagram: Diagram
    run: Run
    index: int
    twin: Pair | None = None


def export(
    src: str,
    out: Sequence[Path],
    *,
    number: int | None = None,
    step: int | None = None,
    twin: bool = False,
    theme: Theme = "light",
    scale: float = 1.0,
    width: int | None = None,
    storeys: bool = True,
) -> int:
    """Draw SRC into each file of `out`; status 1 where the program raised, drawn all the same.

    Without `storeys`, second storeys are closed.
    """
    _check_targets(out)
    with opened(src) as found:
        subject = _subject(found, number, twin=twin)
        _check_step(subject, step)
        for path in out:
            try:
                with working(_("drawing {path}").format(path=path)):
                    write(
                        subject.diagram,
                        subject.run,
                        path,
                        index=subject.index,
                        position=step,
                        twin=subject.twin,
                        theme=theme,
                        scale=scale,
                        width=width,
                        opened=storeys,
                    )
            except ExportProblem as problem:
                raise CommandProblem(str(problem)) from problem
        if twin:  # a program that fails for want of a reduction or a seed has both here
            return 0
        show_failure(found.run.error)
        return found.status()


def _check_targets(out: Sequence[Path]) -> None:
    """Refuse what can be told to fail before anything runs."""
    for path in out:
        suffix = path.suffix.lower()
        if suffix not in SUFFIXES:
            raise CommandProblem(
                _("{path}: the suffix must be one of {known}").format(
                    path=path.name, known=", ".join(SUFFIXES)
                )
            )
        if suffix == ".png":
            from gradviz.environment import problem_with_display

            problem = problem_with_display({"QT_QPA_PLATFORM": "offscreen"})
            if problem is not None:
                raise CommandProblem(problem)


def _subject(found: Opened, number: int | None, *, twin: bool) -> _Subject:
    if twin:
        both = comparison(found, number=number or 1, start=None).pair
        return _Subject(both.left.diagram, both.left.run, 0, both)
    check_pass(number, len(found.run.passes))
    return _Subject(found.diagram, found.run, (number or 1) - 1)


def _check_step(subject: _Subject, step: int | None) -> None:
    if subject.twin is not None:
        most = len(moments(subject.twin.left.done, subject.twin.right.done)) - 1
    else:
        passes, index = subject.run.passes, subject.index
        most = len(passes[index].steps) if index < len(passes) else 0
    if step is not None and not 0 <= step <= most:
        raise CommandProblem(
            _("there is no step {number}: the pass has steps 0 to {last}").format(
                number=step, last=most
            )
        )
