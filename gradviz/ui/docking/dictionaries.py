"""`Dictionaries`: the table of reductions and seeds in the window, kept about what is on screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gradviz.diagram import NodeId
from gradviz.language import _
from gradviz.twin.dictionary import Translation
from gradviz.ui.panels.reductions import ReductionsPanel
from gradviz.ui.running.work import Answer, Request

if TYPE_CHECKING:
    from gradviz.ui.window import Window

KEY = "reductions"
_TRIES = 3  # a job may be given up for a newer one


class Dictionaries(QObject):
    """Asks for the table when there is nothing else to do, one at a time."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._player, self._evaluator = window.player, window.evaluator
        self._starting = window.starting
        self._asked: Request | None = None
        self._shown: Request | None = None
        self._tries, self._source = 0, ""
        self.panel = ReductionsPanel()
        window.docks.add(KEY, self.panel)
        self.panel.wanted.connect(self._begin)
        self.panel.taken.connect(self._take)
        window.player.moved.connect(self.sync)
        self._docks = window.docks
        window.stage.table.reductions_asked.connect(self._show)
        window.evaluator.filed.connect(self._file)
        window.evaluator.failed.connect(self._fail)

    def sync(self) -> None:
        """Ask for the table of the pass on screen, where it is not the one that is shown."""
        player = self._player
        if not self.panel.isVisible() or player.passing or self._asked is not None:
            return
        if self._is_about_now(self._shown):
            self._mark()
            return
        self._shown = None
        if player.index >= len(player.run.passes):
            self.panel.say(_("There is no backward pass to start otherwise."))
            return
        if self._tries == 0 and not self.panel.buttons:
            self.panel.say(_("Working it out …"))
        self._asked = Request(player.diagram, run=player.run, dictionary=player.index)
        self._evaluator.later(self._asked)

    def _show(self) -> None:
        self._docks.show(KEY)

    def _begin(self) -> None:
        self._shown, self._tries = None, 0
        self.sync()

    def _is_about_now(self, request: Request | None) -> bool:
        player = self._player
        return (
            request is not None
            and request.diagram.nodes is player.diagram.nodes
            and request.diagram.calls is player.diagram.calls
            and request.dictionary == player.index
        )

    def _file(self, answer: Answer) -> None:
        if answer.request is not self._asked:
            return
        request, self._asked = answer.request, None
        self._tries = self._tries + 1 if answer.dictionary is None else 0
        if self._is_about_now(request) and (answer.dictionary or self._tries >= _TRIES):
            self._shown = request
            if answer.dictionary is not None:
                self._source = answer.dictionary.source
                self.panel.show_found(answer.dictionary, answer.diagram)
                self._mark()
            else:
                self.panel.say(answer.problem)
        self.sync()

    def _mark(self) -> None:
        """What reached the output is the seed of the pass, however it starts."""
        passes, index = self._player.run.passes, self._player.index
        done = passes[index] if index < len(passes) else None
        self.panel.mark(done.cotangents().get(self._source) if done else None)

    def _fail(self) -> None:
        self._asked = None

    def _take(self, row: Translation, source: NodeId, as_seed: bool) -> None:
        start = row.start
        if as_seed and row.seed is not None:
            from gradviz.ui.choices import other_way

            start = other_way(row.start, "seed", row.seed, row.seed)
        self._starting.take(start, source)
