"""`Calling`: edits of the list of backward calls. Each is one undo step."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gradviz.diagram import LEAF, BackwardCall, Diagram, NodeId, Start
from gradviz.language import _
from gradviz.run import Array
from gradviz.ui import choices
from gradviz.ui.documents.document import Document
from gradviz.ui.player import Player
from gradviz.ui.running.live import Live
from gradviz.ui.selection import Selection
from gradviz.ui.starting import Starting

if TYPE_CHECKING:
    from gradviz.edit.outcome import Refusal
    from gradviz.ui.drawing.editing import Editing

NOTHING = "nothing"  # the key of a call that starts with nothing


class Calling(QObject):
    """Writes the document of one window; a call that is added comes on screen once it has run.

    `refused(index, sentence)` says why an edit of a call was not made. What a script makes by
    itself stays in it: a call is added after those, and where one of those goes, or another comes
    before it, the script is written anew as it is after edits of the nodes.
    """

    refused = Signal(int, str)

    def __init__(
        self,
        document: Document,
        player: Player,
        selection: Selection,
        starting: Starting,
        live: Live,
        editing: Callable[[], Editing],
    ) -> None:
        super().__init__(document)
        self._document, self._player, self._selection = document, player, selection
        self._starting, self._live, self._editing = starting, live, editing
        self._awaited: int | None = None
        self._player.moved.connect(self._arrived)

    @property
    def calls(self) -> tuple[BackwardCall, ...]:
        return self._document.diagram.calls

    def usual(self) -> NodeId | None:
        """Where a new call starts: at the selected node, else at the last output."""
        picked = [key for key in self._selection.ids if key in self._document.diagram.nodes]
        if picked:
            return picked[-1]
        targets = self._starting.targets()
        return targets[-1] if targets else None

    def add(self, target: NodeId, key: str = NOTHING) -> None:
        """A call more, from a node: with nothing, or started as a row of the choices says."""
        from gradviz.edit import calls

        diagram = self._document.diagram
        start = self._start(key, target, Start())
        self._make(_("Add a backward call"), calls.add(diagram, target, start), go=len(self.calls))

    def add_usual(self) -> None:
        """A call more from where one would start: a sum, or nothing where a number is."""
        target = self.usual()
        value = self._player.run.value(target)
        if target is not None:
            self.add(target, "sum" if value is not None and value.array.ndim else NOTHING)

    def remove(self, indices: Iterable[int]) -> None:
        """Take calls out, and those that start from a gradient that they give."""
        from gradviz.edit import calls

        made: Diagram | Refusal = self._document.diagram
        chosen = sorted(set(indices), reverse=True)
        for index in chosen:
            before = made
            made = calls.remove(before, index) if isinstance(before, Diagram) else before
        if chosen:
            own = any(self.calls[index].line is not None for index in chosen)
            self._make(_("Remove a backward call"), made, chosen[-1], own=own)

    def duplicate(self, index: int) -> None:
        """The same call once more; after all calls that a script makes."""
        from gradviz.edit import calls

        diagram = self._document.diagram
        made, at = calls.duplicate(diagram, index), index + 1
        later = [n for n, call in enumerate(self.calls) if call.line is not None and n > index]
        if later and isinstance(made, Diagram) and not diagram.drawn:
            made, at = calls.move(made, index + 1, later[-1] + 1), later[-1] + 1
        self._make(_("Duplicate the backward call"), made, index, go=at)

    def move(self, index: int, to: int) -> None:
        """Have a call run as number `to`, counted from 0."""
        from gradviz.edit import calls

        if 0 <= to < len(self.calls) and to != index:
            made = calls.move(self._document.diagram, index, to)
            passed = self.calls[min(index, to) : max(index, to) + 1]
            own = any(call.line is not None for call in passed)
            self._make(_("Move the backward call"), made, index, go=to, own=own)

    def enable(self, index: int, on: bool) -> None:
        from gradviz.edit import calls

        made = calls.set_enabled(self._document.diagram, index, wanted=on)
        text = _("Switch the backward call on") if on else _("Switch the backward call off")
        self._make(text, made, index)

    def retarget(self, index: int, target: NodeId) -> None:
        """Start from another node; a start that does not fit there becomes one of ones."""
        call = self._as_read(index)
        value = self._player.run.value(target)
        if value is not None:
            call = choices.retarget(call, target, value.array)
        self._begin(_("Output"), index, target, call.start)

    def choose(self, index: int, key: str) -> None:
        """Start as a row of the choices says, such as "mean" or "onehot:0", or with nothing."""
        call = self._as_read(index)
        self._begin(_("Start"), index, call.target, self._start(key, call.target, call.start))

    def retain(self, index: int, on: bool) -> None:
        from gradviz.edit import calls

        made = calls.set_flags(self._document.diagram, index, retain_graph=on)
        self._make("retain_graph", made, index)

    def create_graph(self, index: int, on: bool) -> None:
        """Make a graph of the gradients; that keeps what was saved, as in PyTorch."""
        from gradviz.edit import calls

        call = self.calls[index]
        keep = on or (call.retain_graph and not call.create_graph)
        diagram = self._document.diagram
        made = calls.set_flags(diagram, index, create_graph=on, retain_graph=keep)
        self._make("create_graph", made, index)

    def clear(self, index: int, on: bool) -> None:
        """Clear the `.grad` of every leaf before the call, or of none."""
        from gradviz.edit import calls

        made = calls.set_clear(self._document.diagram, index, self.leaves() if on else ())
        self._make(_("Clear .grad first"), made, index)

    def want(self, index: int, leaf: NodeId, on: bool) -> None:
        """Whether the call gives a leaf its gradient; of all again, it names none."""
        from gradviz.edit import calls

        leaves, inputs = self.leaves(), self.calls[index].inputs
        given = set(leaves if inputs is None else inputs)
        given = given | {leaf} if on else given - {leaf}
        others = tuple(key for key in inputs or () if key not in leaves)
        wanted = (*(key for key in leaves if key in given), *others)
        every = wanted == leaves and not self.calls[index].captures
        made = calls.set_inputs(self._document.diagram, index, None if every else wanted)
        self._make("inputs", made, index)

    def leaves(self) -> tuple[NodeId, ...]:
        nodes = self._document.diagram.nodes
        return tuple(key for key, node in nodes.items() if node.op == LEAF)

    def compare(self, left: int, right: int) -> None:
        """Put two calls side by side."""
        self._live.set_sides(f"call:{left}", f"call:{right}")

    def output(self, index: int) -> Array | None:
        """The value that a call reduces or seeds."""
        value = self._player.run.value(self._as_read(index).target)
        return None if value is None else value.array

    def _as_read(self, index: int) -> BackwardCall:
        """The call; where the script reduces by itself, by that reduction of what it reduces."""
        from gradviz.twin.reading import reduction_of

        call, run = self.calls[index], self._player.run
        known = call.target in run.values
        reading = reduction_of(self._document.diagram, call, run.values) if known else None
        if reading is None:
            return call
        return replace(call, target=reading.source, start=reading.start)

    def _start(self, key: str, target: NodeId, before: Start) -> Start:
        value = self._player.run.value(target)
        if key == NOTHING:
            return Start()
        if value is None:  # a seed by rule is made once there is an output
            return (
                Start("reduction", reduction="sum") if key == "sum" else Start("seed", preset=key)
            )
        return choices.start_of(key, value.array, before)

    def _begin(self, text: str, index: int, target: NodeId, start: Start) -> None:
        from gradviz.edit import calls

        value = self._player.run.value(target)
        made = calls.set_target(self._document.diagram, index, target)
        if isinstance(made, Diagram):
            y = None if value is None else value.array
            made = calls.set_start(made, index, start, y)
        self._make(text, made, index)

    def _make(
        self,
        text: str,
        outcome: Diagram | Refusal,
        index: int = -1,
        *,
        go: int | None = None,
        own: bool = False,
    ) -> None:
        """Take an edit's outcome; `own` where it is one of the script's own calls."""
        editing = self._editing()
        if not isinstance(outcome, Diagram):
            editing.make(text, outcome)
            self.refused.emit(index, outcome.sentence)
            return
        self._awaited = go
        editing.make(text, replace(outcome, drawn=True) if own else outcome)

    def _arrived(self) -> None:
        """Go to the call that was added or moved, once it has run."""
        index, player = self._awaited, self._player
        if index is None or player.diagram.calls is not self.calls:
            return
        self._awaited = None
        if index < len(player.run.passes):
            player.choose(index)
