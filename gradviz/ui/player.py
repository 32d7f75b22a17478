"""`Player`: a run, one of its passes, and a position in time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from gradviz.diagram import Diagram
from gradviz.look import MOTION
from gradviz.run import Pass, Run, Step
from gradviz.twin.figures import Beside

if TYPE_CHECKING:
    from gradviz.twin import Pair
    from gradviz.twin.pairing import Moment

SPEEDS = (0.5, 1.0, 2.0, 4.0)


class Player(QObject):
    """The diagram and the run that are on screen belong together and change together.

    `position` counts the steps done: 0 is the seed alone, `last` the whole pass. With `twin` the
    pass on screen is that of its left side, and `position` counts the `moments` of both: `done`
    and `done_beside` are the steps that either side has done then.
    `moved` follows every change of run, pass, position, playing or speed.
    """

    moved = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.diagram = Diagram()
        self.run = Run()
        self.beside: Beside | None = None
        self.index = 0
        self.position = 0
        self.speed = 1.0
        self.passing = False
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._tick)

    @property
    def twin(self) -> Pair | None:
        """What stands side by side."""
        return self.beside.pair if self.beside else None

    @property
    def moments(self) -> tuple[Moment, ...]:
        """The places in the time of both sides; none where there is one picture."""
        return self.beside.moments if self.beside else ()

    @property
    def scene(self) -> tuple[Diagram, Run, int]:
        """The diagram, the run and the index of the pass that the position is about."""
        if self.twin is not None:
            return self.twin.left.diagram, self.twin.left.run, 0
        return self.diagram, self.run, self.index

    @property
    def current(self) -> Pass | None:
        """The pass on screen, None where there is none."""
        _diagram, run, index = self.scene
        return run.passes[index] if index < len(run.passes) else None

    @property
    def last(self) -> int:
        if self.moments:
            return len(self.moments) - 1
        return len(self.current.steps) if self.current else 0

    @property
    def done(self) -> int:
        """The steps of the pass on screen that are done at the position."""
        return self.moments[self.position].left if self.moments else self.position

    @property
    def done_beside(self) -> int:
        """The steps of the twin's right side that are done at the position."""
        return self.moments[self.position].right if self.moments else self.position

    @property
    def step(self) -> Step | None:
        """The step that led to the position; None at the seed."""
        if self.current is None or self.done == 0:
            return None
        return self.current.steps[self.done - 1]

    @property
    def playing(self) -> bool:
        return self._timer.isActive()

    @property
    def interval(self) -> int:
        """Milliseconds from one step to the next at this speed."""
        return round(MOTION.step / self.speed)

    def show(
        self,
        diagram: Diagram,
        run: Run,
        twin: Pair | None = None,
        *,
        passing: bool = False,
    ) -> None:
        """Put another run on screen; the position is kept, and so is being at the end.

        It is `passing` where it differs in gradients alone and another run follows for certain.
        """
        self.passing = passing
        at_end = self.position == self.last
        self.diagram, self.run = diagram, run
        if twin is not self.twin:
            self.beside = Beside(twin) if twin else None
        self.index = min(self.index, max(0, len(run.passes) - 1))
        self._settle(at_end)

    def open(self, diagram: Diagram, run: Run) -> None:
        """Put another document's run on screen: its first pass that failed, else its first."""
        self.run, self.position = Run(), 0
        self.beside = None
        self.index = next((n for n, done in enumerate(run.passes) if done.error), 0)
        self.show(diagram, run)

    def choose(self, index: int) -> None:
        """Go to another pass; a position at the end stays at the end."""
        if index != self.index and 0 <= index < len(self.run.passes):
            at_end = self.position == self.last
            self.index = index
            self.beside = None
            self._settle(at_end)

    def go(self, position: int) -> None:
        """Go to a position, clamped to the pass; playing goes on from there."""
        position = max(0, min(position, self.last))
        if position != self.position:
            self.position = position
            self._settle(position == self.last)

    def go_to_step(self, number: int) -> None:
        """Go to where the pass on screen has done this many steps."""
        here = (at for at, moment in enumerate(self.moments) if moment.left == number)
        self.go(next(here, number))

    def play(self) -> None:
        """Start playing; from the seed where the pass is at its end."""
        if self.last == 0:
            return
        if self.position == self.last:
            self.position = 0
        self._timer.start(self.interval)
        self.moved.emit()

    def pause(self) -> None:
        if self.playing:
            self._timer.stop()
            self.moved.emit()

    def toggle(self) -> None:
        if self.playing:
            self.pause()
        else:
            self.play()

    def set_speed(self, speed: float) -> None:
        if speed != self.speed:
            self.speed = speed
            if self.playing:
                self._timer.start(self.interval)
            self.moved.emit()

    def _tick(self) -> None:
        self.go(self.position + 1)

    def _settle(self, at_end: bool) -> None:
        self.position = self.last if at_end else min(self.position, self.last)
        if self.position == self.last:
            self._timer.stop()
        self.moved.emit()
