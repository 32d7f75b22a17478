"""`Live`: keeps the run on screen in step with the document."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gradviz.diagram import Diagram
from gradviz.language import N_, _
from gradviz.run import Run
from gradviz.twin.ways import EQUAL, Sides
from gradviz.ui.documents.document import Document
from gradviz.ui.player import Player
from gradviz.ui.running.carry import Calls
from gradviz.ui.running.evaluator import Evaluator
from gradviz.ui.running.hidden import with_hidden
from gradviz.ui.running.recombiner import Recombiner
from gradviz.ui.running.work import Answer, Request

if TYPE_CHECKING:
    from gradviz.twin import Pair

TAKEN_OUT = N_(
    "What is not finished is not in the code: typing has taken it out, Undo brings it back."
)
_REMEMBERED = 64  # runs kept, so that undo shows its gradients at once
_USUAL = (EQUAL, EQUAL)  # side by side: as the pass starts, and what equals that the other way


@dataclass(slots=True, eq=False)
class _Known:
    """What came of a diagram. A later diagram with the same parts needs no new run."""

    diagram: Diagram
    run: Run
    own: Calls | None
    twin: Pair | None = None
    sides: Sides | None = None  # what was asked to stand side by side
    problem: str = ""
    base: Diagram | None = None  # what the script of the next edit by hand is made of
    before: Diagram | None = None  # what it came of, where its script stopped at an error

    def derived(self, diagram: Diagram) -> bool:
        mine = self.diagram
        return mine.nodes is diagram.nodes and mine.source == diagram.source

    def fits(self, diagram: Diagram) -> bool:
        return self.derived(diagram) and self.diagram.calls is diagram.calls


class Live(QObject):
    """Asks the evaluator after every change of the document and gives its answer to the player.

    A script that cannot be read leaves the last good picture, with the new error beside it.
    `refused(sentence)` says why a pass cannot be run both ways, `unrolled(sentence)` that a script
    written by hand was written anew because of an edit of its diagram, or that what was drawn and
    is not finished went because of an edit of its script.
    """

    refused = Signal(str)
    unrolled = Signal(str)

    def __init__(
        self, document: Document, player: Player, evaluator: Evaluator, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._document, self._player, self._evaluator = document, player, evaluator
        self._known: deque[_Known] = deque(maxlen=_REMEMBERED)
        self._opening = False
        self._base: Diagram | None = None
        self.twin = False
        self._keys = _USUAL  # of what stands left and right
        self.recombiner = Recombiner(player, evaluator, self)
        self.recombiner.ready.connect(self._follow)
        document.changed.connect(self._changed)
        player.moved.connect(self._pass_chosen)
        evaluator.answered.connect(self._answered)

    @property
    def own(self) -> Calls | None:
        """The calls that the script makes by itself, None where that is not known."""
        known = self._find(self._document.diagram)
        return known.own if known else None

    def opening(self) -> None:
        """The next answer is the first of another document."""
        self._opening, self._base = True, None
        self.twin, self._keys = False, _USUAL
        self.recombiner.end()

    def set_twin(self, on: bool) -> None:
        """Run the pass on screen both ways from now on, or no longer."""
        if on != self.twin:
            self.twin, self._keys = on, _USUAL
            self._show_or_ask(soon=False)

    @property
    def sides(self) -> Sides | None:
        """What is asked to stand side by side; None where nothing is."""
        return Sides(self._player.index, *self._keys) if self.twin else None

    def set_sides(self, left: str, right: str) -> None:
        """Put these side by side: keys as `gradviz.twin.Sides` has them."""
        self.twin, self._keys = True, (left, right)
        self._show_or_ask(soon=False)

    def drag(self, *components: int) -> None:
        """From now on until `settle` only these components of the seed change."""
        self.recombiner.begin(components)

    def settle(self) -> None:
        """A drag is over: have its seed run in earnest."""
        if self.recombiner.active:
            self.recombiner.end()
            self._show_or_ask(soon=False)

    def refresh(self) -> None:
        """Run the current diagram again, its script included."""
        self._known.clear()
        self._show_or_ask(soon=False)

    def _changed(self, before: Diagram, after: Diagram) -> None:
        if self.recombiner.active:
            self._follow()
            return
        typing = before.source != after.source and before.nodes is after.nodes
        self._show_or_ask(soon=typing and not self._opening)

    def _follow(self) -> None:
        """Show what a dragged seed does where that is known, else have it run."""
        if not self.recombiner.active:
            return
        diagram = self._document.diagram
        run = self.recombiner.run(diagram)
        if run is not None:
            self._player.show(diagram, run, passing=True)
        elif not self.recombiner.waiting:
            self._show_or_ask(soon=False)

    def _pass_chosen(self) -> None:
        if self.twin and self._player.twin is None and not self._evaluator.busy:
            known = self._find(self._document.diagram)
            if known and known.sides != self.sides:
                self._show_or_ask(soon=False)

    def _show_or_ask(self, *, soon: bool) -> None:
        diagram = self._document.diagram
        known = self._find(diagram)
        if known and (not self.twin or known.sides == self.sides):
            self._show(known)
            return
        origin = next((k for k in reversed(self._known) if k.derived(diagram)), None)
        derive = origin is None and diagram.source is not None and not diagram.drawn
        own = origin.own if origin else self._own_before()
        request = Request(
            self._all_of_it(diagram) if derive else diagram,
            filename=self._document.filename or "script.py",
            derive=derive,
            own=own,
            run=known.run if known else None,
            twin=self.sides,
            base=self._base,
            before=self._player.run,
        )
        self._evaluator.ask(request, soon=soon)

    def _own_before(self) -> Calls | None:
        """Calls of the script that the current nodes were read from, before it was typed on."""
        known = self._origin(self._document.diagram)
        return known.own if known else None

    def _all_of_it(self, diagram: Diagram) -> Diagram:
        """The diagram with what an error in its script hides, which is mended with it perhaps."""
        known = self._origin(diagram)
        if known is None or known.before is None:
            return diagram
        return with_hidden(diagram, known.diagram, known.before)

    def _origin(self, diagram: Diagram) -> _Known | None:
        """What the nodes of the diagram were read from."""
        return next((k for k in reversed(self._known) if k.diagram.nodes is diagram.nodes), None)

    def _find(self, diagram: Diagram) -> _Known | None:
        return next((k for k in reversed(self._known) if k.fits(diagram)), None)

    def _answered(self, answer: Answer) -> None:
        asked = self._document.diagram
        if asked.source != answer.request.diagram.source:
            return
        drawn = asked.drawn or answer.request.diagram.drawn
        if drawn and not _same_work(asked, answer.request.diagram):
            return  # undone meanwhile, and what that shows is known
        run, diagram = answer.run, answer.diagram
        if answer.request.derive and run.error is not None and not diagram.nodes:
            if self._opening:
                self._opening = False
                self._player.open(diagram, run)
                return
            seen = self._player
            kept = replace(seen.run, error=run.error, console=run.console)
            seen.show(seen.diagram, kept, seen.twin)
            return
        drawn = diagram.drawn and answer.request.run is None
        if answer.request.run is None and not answer.request.derive and not drawn:
            run = replace(run, console=self._player.run.console or run.console)
        if asked.positions is not diagram.positions and not answer.request.derive:
            diagram = replace(diagram, positions=asked.positions)
        sides = answer.request.twin
        known = _Known(diagram, run, answer.own, answer.twin, sides, answer.problem, answer.base)
        known.before = _before_error(answer)
        self._known.append(known)
        told = answer.told or _taken_out(asked, answer)
        if told:
            self.unrolled.emit(told)
        if answer.request.derive or drawn:
            self._document.refine(diagram)
        elif not self.recombiner.active or known.fits(asked):
            self._show(known)

    def _show(self, known: _Known) -> None:
        self._base = known.base
        if self.twin and known.problem and known.sides == self.sides:
            self.refused.emit(known.problem)
            if self._keys != _USUAL:
                self.set_sides(*_USUAL)
                return
            self.twin = False
        if self._opening:
            self._opening = False
            self._player.open(self._document.diagram, known.run)
            return
        twin = known.twin if self.twin and known.sides == self.sides else None
        self._player.show(self._document.diagram, known.run, twin)


def _before_error(answer: Answer) -> Diagram | None:
    """What the diagram came of, where its script stopped at an error; else None."""
    stopped = answer.request.derive and answer.run.error is not None
    return answer.request.diagram if stopped else None


def _taken_out(before: Diagram, answer: Answer) -> str:
    """That typing has taken away what no script can say; "" where it has not."""
    if not answer.request.derive or len(before.problems()) <= len(answer.diagram.problems()):
        return ""
    return _(TAKEN_OUT)


def _same_work(one: Diagram, other: Diagram) -> bool:
    """Whether the same nodes and calls are run; places may differ."""
    return one.nodes is other.nodes and one.calls is other.calls
