"""`Recombiner`: while a seed is dragged, runs for it out of passes that the sandbox ran before."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QObject, Signal

from gradviz.diagram import BackwardCall, Diagram
from gradviz.jacobians.linear import Combination, unit_diagram, unit_passes
from gradviz.run import Array, Run
from gradviz.ui.player import Player
from gradviz.ui.running.evaluator import Evaluator
from gradviz.ui.running.work import Answer, Request


class Recombiner(QObject):
    """Between `begin` and `end` it answers `run`; `ready` says that it can do so from now on.

    Where the pass is not linear, or is seen to differ when it is run again, it refuses, and the
    diagram is to be run as ever.
    """

    ready = Signal()

    def __init__(self, player: Player, evaluator: Evaluator, parent: QObject) -> None:
        super().__init__(parent)
        self._player, self._evaluator = player, evaluator
        self._known: Combination | None = None
        self._base: tuple[Diagram, Run, int] | None = None  # what was run, and which pass of it
        self._made: Run | None = None
        self._asked: tuple[Request, tuple[int, ...]] | None = None
        self.active = False
        evaluator.filed.connect(self._receive)

    @property
    def waiting(self) -> bool:
        """Whether the passes that are needed are being run."""
        return self.active and self._asked is not None

    def begin(self, components: Sequence[int]) -> None:
        """These components are about to be dragged."""
        self.active = True
        self._rebase()
        if self._known is None or self._base is None:
            return
        diagram, run, index = self._base
        missing = tuple(k for k in components if k not in self._known.units)
        value = run.value(diagram.calls[index].target)
        if missing and value is not None:
            y = value.array
            request = Request(unit_diagram(diagram, index, y, missing))
            self._asked = request, missing
            self._evaluator.later(request)

    def end(self) -> None:
        self.active = False

    def run(self, diagram: Diagram) -> Run | None:
        """The run of a diagram that differs from the last one run in the seed alone, if known."""
        if not self.active or self._known is None or self._base is None:
            return None
        base, _run, index = self._base
        seed = _seed_of(base, diagram, index)
        if seed is None or not self._known.knows(seed):
            return None
        self._made = self._known.run(seed)
        return self._made

    def _rebase(self) -> None:
        """Take the run on screen for what to start from, unless it was made here."""
        player, before = self._player, self._base
        if player.run is self._made and before is not None and player.index == before[2]:
            return
        known, self._asked, self._made = self._known, None, None
        self._base, self._known = (player.diagram, player.run, player.index), None
        if player.twin is None and player.index < len(player.diagram.calls):
            self._known = Combination.of(player.run, player.index)
        same = before is not None and _same_call(before, self._base)
        if self._known is not None and known is not None and same:
            self._known = self._known.with_units_of(known)

    def _receive(self, answer: Answer) -> None:
        if self._asked is None or answer.request is not self._asked[0]:
            return
        if self._known is None or self._base is None:
            return
        components, self._asked = self._asked[1], None
        diagram, _run, index = self._base
        passes = unit_passes(diagram, index, answer.run)
        whole = len(passes) == len(components) + 1 and self._known.agrees(passes[0])
        known = self._known if whole else None
        for k, done in zip(components, passes[1:], strict=False):
            known = None if known is None else known.with_unit(k, done)
        self._known = known
        self.ready.emit()


def _same_call(one: tuple[Diagram, Run, int], other: tuple[Diagram, Run, int]) -> bool:
    a, b = one[0], other[0]
    if one[2] != other[2] or a.nodes is not b.nodes or one[2] >= len(a.calls):
        return False
    return _alike(a.calls[one[2]], b.calls[other[2]])


def _alike(a: BackwardCall, b: BackwardCall) -> bool:
    """Whether two calls differ in nothing but the numbers of their seeds."""
    return (a.target, a.inputs, a.create_graph, a.start.kind, a.enabled) == (
        b.target,
        b.inputs,
        b.create_graph,
        b.start.kind,
        b.enabled,
    )


def _seed_of(base: Diagram, diagram: Diagram, index: int) -> Array | None:
    """The seed of the diagram's call where nothing else differs from the base."""
    if diagram.nodes is not base.nodes or len(diagram.calls) != len(base.calls):
        return None
    for at, (a, b) in enumerate(zip(base.calls, diagram.calls, strict=True)):
        if at != index and a is not b:
            return None
    call, before = diagram.calls[index], base.calls[index]
    same = (call.retain_graph, call.clear) == (before.retain_graph, before.clear)
    values = call.start.values
    fits = values is not None and np.isfinite(values).all()
    return values if same and fits and _alike(call, before) else None
