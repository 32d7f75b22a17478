"""`Proving`: on request, a badge on each node that says what speaks for its gradient."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gradviz.diagram import Diagram
from gradviz.language import _
from gradviz.run import Run
from gradviz.ui.running.prover import Asked, Prover

if TYPE_CHECKING:
    from gradviz.proofs import Report
    from gradviz.ui.window import Window


class Proving(QObject):
    """What is known of the run on screen: nothing, how far a check is, or what it found.

    `changed` follows every change of it. Another run has to be checked anew.
    """

    changed = Signal()

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._player, self._stage, self._status = window.player, window.stage, window.status
        self._about: tuple[Diagram, Run] | None = None
        self.report: Report | None = None
        self.problem = ""
        self.progress = (0, 0)  # so many of so many nodes and leaves
        self._prover = Prover(self)
        self._prover.found.connect(self._found)
        self._prover.refused.connect(self._refused)
        self._prover.told.connect(self._told)
        self._status.cancelled.connect(self.cancel)
        self._player.moved.connect(self._follow)
        self.changed.connect(window.sync_actions)
        window.inspector.proofs.attach(self)

    @property
    def busy(self) -> bool:
        return self._prover.busy

    @property
    def possible(self) -> bool:
        """Whether there is something to check that has not been."""
        return bool(self._player.diagram.nodes) and not self.busy and self.report is None

    @property
    def index(self) -> int:
        """The pass on screen."""
        return self._player.index

    def check(self) -> None:
        """Begin a check of everything in the run on screen."""
        if self.possible:
            self._about = self._player.diagram, self._player.run
            self.problem, self.progress = "", (0, 0)
            self._prover.ask(*self._about)
            self._tell()

    def cancel(self) -> None:
        """Give up a check that is under way."""
        if self.busy:
            self._prover.cancel()
            self._tell()

    def retranslate(self) -> None:
        """Forget what was said in another language."""
        self._forget()

    def close_down(self) -> None:
        """Give up what is under way, for good."""
        self._prover.close()

    def _follow(self) -> None:
        """The player moved: badges of leaves are about a pass, all of them about a run."""
        if self._about is None:
            return
        diagram, run = self._about
        if self._player.diagram is not diagram or self._player.run is not run:
            self._forget()
        elif self.report is not None:
            self._mark()

    def _forget(self) -> None:
        if self._about is not None:
            self._prover.cancel()
            self._about = self.report = None
            self.problem = ""
            self._tell()

    def _found(self, _asked: Asked, report: Report) -> None:
        from gradviz.proofs.words import verdict

        self.report = report
        self._tell()
        self._status.say(verdict(report))

    def _refused(self, _asked: Asked, why: str) -> None:
        self.problem = why
        self._tell()
        self._status.say(_("The gradients could not be checked: {why}").format(why=why))

    def _told(self, _asked: Asked, done: int, count: int) -> None:
        self.progress = (done, count)
        self._status.show_check(*self.progress)
        self.changed.emit()

    def _tell(self) -> None:
        self._mark()
        if self.busy:
            self._status.show_check(*self.progress)
        else:
            self._status.hide_check()
        self.changed.emit()

    def _mark(self) -> None:
        from gradviz.proofs.badges import badges

        self._stage.show_marks({} if self.report is None else badges(self.report, self.index))
