"""What is asked of the sandbox and what it answers; done on the evaluator's thread, Qt-free."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from gradviz.diagram import Diagram
from gradviz.run import Run
from gradviz.script.limits import Limits
from gradviz.ui.carry import Calls, carry

if TYPE_CHECKING:
    from gradviz.twin import Comparison


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
    came of the diagram already. `twin` is the index of the pass to be run both ways as well.
    """

    diagram: Diagram
    filename: str = "script.py"
    derive: bool = False
    own: Calls | None = None
    run: Run | None = None
    twin: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """The diagram as derived, its run, and the calls that its script makes by itself.

    `twin` is the comparison asked for; `problem` says why there is none.
    """

    request: Request
    diagram: Diagram
    run: Run
    own: Calls | None
    twin: Comparison | None = None
    problem: str = ""


def _lay_out(diagram: Diagram, run: Run) -> None:
    """Find the first layout here; asked for again with the same objects, it is there at once."""
    from gradviz.picture import picture

    if diagram.nodes:
        picture(diagram, run)


def work(worker: Worker, request: Request) -> Answer:
    """Do what the request asks."""
    diagram, own, run = request.diagram, request.own, request.run
    if run is None and request.derive and diagram.source is not None:
        derived, run = worker.run(diagram.source, request.filename)
        own = derived.calls
        diagram = carry(diagram, request.own, derived, run)
        if diagram.calls is not own:
            run = replace(worker.evaluate(diagram), console=run.console)
    elif run is None:
        run = worker.evaluate(diagram)
    if request.derive:
        _lay_out(diagram, run)
    answer = Answer(request, diagram, run, own)
    if request.twin is None or not run.passes:
        return answer
    from gradviz.twin import compare  # brings the engine in; the first window does not wait for it

    try:
        found = compare(worker.evaluate, diagram, run, index=request.twin).timed()
    except ValueError as problem:
        return replace(answer, problem=str(problem))
    return replace(answer, twin=found)
