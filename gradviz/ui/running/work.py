"""What is asked of the sandbox and what it answers; done on the evaluator's thread, Qt-free."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from gradviz.beginning import beginning
from gradviz.diagram import Diagram
from gradviz.language import N_, _
from gradviz.run import Run, Value
from gradviz.script.limits import Limits
from gradviz.ui.running.carry import Calls, carry

if TYPE_CHECKING:
    from gradviz.twin import Pair, Sides
    from gradviz.twin.dictionary import Dictionary


_CUT = N_("The script made {count} nodes before it was stopped; the first {shown} are shown.")


class Worker(Protocol):
    """The sandbox as the app uses it; calls block, `cancel` comes from another thread."""

    limits: Limits  # of every request from now on

    def run(self, source: str, filename: str) -> tuple[Diagram, Run]: ...

    def evaluate(self, diagram: Diagram) -> Run: ...

    def cancel(self) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """A diagram to run: `derive` reads its nodes from its source anew.

    `own` are the calls that the script of the diagram made before (None: not known), `run` what
    came of the diagram already. `twin` says what is to be put side by side as well, `dictionary` of
    which pass the reductions are to be translated into seeds. `base` is what a diagram that is
    drawn by hand was before, with its script, and `before` the run on screen, whose values are
    taken over where they are the same.
    """

    diagram: Diagram
    filename: str = "script.py"
    derive: bool = False
    own: Calls | None = None
    run: Run | None = None
    twin: Sides | None = None
    dictionary: int | None = None
    base: Diagram | None = None
    before: Run | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """The diagram as derived, its run, and the calls that its script makes by itself.

    `twin` is the pair asked for; `problem` says why there is none, or no dictionary. `base` is
    what the script of the next edit by hand is made of; `told` says that one was written anew, or
    that only the beginning is shown.
    """

    request: Request
    diagram: Diagram
    run: Run
    own: Calls | None
    twin: Pair | None = None
    dictionary: Dictionary | None = None
    problem: str = ""
    base: Diagram | None = None
    told: str = ""


def _draw_first(diagram: Diagram, run: Run, before: Run | None = None) -> None:
    """Draw it here; asked for again with the same objects, it is there at once.

    What looks as it did for the run `before` is taken over from that picture.
    """
    from gradviz.scene.picture import picture, picture_of

    if not diagram.nodes:
        return
    made, known = picture(diagram, run), None if before is None else picture_of(before)
    if known is not None:
        made.follow(known)
    made.figure()


def work(worker: Worker, request: Request) -> Answer:
    """Do what the request asks."""
    diagram, own, run, told = request.diagram, request.own, request.run, ""
    if run is None and request.derive and diagram.source is not None:
        whole, all_of_it = worker.run(diagram.source, request.filename)
        derived, run = beginning(whole, all_of_it)
        if derived is not whole:
            told = _(_CUT).format(count=f"{len(whole.nodes):,}", shown=f"{len(derived.nodes):,}")
        own = derived.calls
        diagram = carry(diagram, request.own, derived, run)
        if diagram.calls is not own:
            run = replace(worker.evaluate(diagram), console=run.console)
    elif run is None:
        run = worker.evaluate(diagram)
        if diagram.drawn:
            return _drawn(worker, request, _kept(run, request.before))
    if request.derive:
        _draw_first(diagram, run)
    base = request.base if diagram.drawn else diagram
    answer = Answer(request, diagram, run, own, base=base, told=told)
    return _compared(worker, answer) if run.passes else answer


def _kept(run: Run, before: Run | None) -> Run:
    """The run with the very values of the one before where they are the same: drawn at once."""
    if before is None:
        return run
    known = before.values
    values = {
        key: known[key] if key in known and _same(known[key], value) else value
        for key, value in run.values.items()
    }
    return replace(run, values=values)


def _same(one: Value, other: Value) -> bool:
    a, b = one.array, other.array
    return (
        (one.requires_grad, one.grad_fn) == (other.requires_grad, other.grad_fn)
        and (a.dtype, a.shape) == (b.dtype, b.shape)
        and a.tobytes() == b.tobytes()
    )


def _drawn(worker: Worker, request: Request, run: Run) -> Answer:
    """A diagram drawn by hand, with its script."""
    from gradviz.edit.fit import as_run
    from gradviz.program.drawn import follow  # it knows every op, which takes a moment to load

    def read(text: str) -> tuple[Diagram, Run]:
        return worker.run(text, request.filename)

    diagram = as_run(request.diagram, run) if run.fitted else request.diagram
    made = follow(diagram, run, request.base, read)
    base = made.diagram if made.whole else request.base
    _draw_first(made.diagram, made.run, request.before)
    answer = Answer(request, made.diagram, made.run, made.diagram.calls, base=base, told=made.told)
    return _compared(worker, answer) if made.run.passes else answer


def _compared(worker: Worker, answer: Answer) -> Answer:
    """The answer with what is to stand beside the run."""
    request, diagram, run = answer.request, answer.diagram, answer.run
    try:  # the imports bring the engine in; the first window does not wait for it
        if request.twin is not None:
            from gradviz.twin import side_by_side

            pair = side_by_side(worker.evaluate, diagram, run, request.twin).timed()
            answer = replace(answer, twin=pair)
        if request.dictionary is not None:
            from gradviz.twin.dictionary import dictionary

            made = dictionary(worker.evaluate, diagram, run, index=request.dictionary)
            answer = replace(answer, dictionary=made)
    except ValueError as problem:
        return replace(answer, problem=str(problem))
    return answer
