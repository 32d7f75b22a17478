"""`Starting`: edits how the backward call on screen begins; each edit is one undo step."""

from __future__ import annotations

from dataclasses import replace

from gradviz.diagram import LEAF, BackwardCall, Diagram, NodeId, Start
from gradviz.language import _
from gradviz.run import Run
from gradviz.seeds.starts import Array, preset_seed
from gradviz.storeys import given_gradients, made_from, same_gradient
from gradviz.ui import choices
from gradviz.ui.documents.document import Document
from gradviz.ui.player import Player
from gradviz.ui.running.carry import Calls

_TARGETS = 200  # nodes listed to start from


class Starting:
    """Reads the run on screen, writes the document. Where there is no call yet it makes one."""

    def __init__(self, document: Document, player: Player) -> None:
        self._document, self._player = document, player
        # Many ask after each change, and it goes over all nodes.
        self._targets: tuple[object, Run, int, tuple[NodeId, ...]] | None = None
        self._awaited: int | None = None  # the pass that was added and has not run yet
        player.moved.connect(self._arrived)

    @property
    def call(self) -> BackwardCall | None:
        """The call on screen; a new one from the last output where the program makes none."""
        diagram, index = self._player.diagram, self._player.index
        if index < len(diagram.calls):
            return diagram.calls[index]
        targets = self.targets()
        return BackwardCall(targets[-1], edited=True) if targets else None

    @property
    def made(self) -> BackwardCall | None:
        """The call on screen, None where the program makes none."""
        return self.call if self._player.index < len(self._player.diagram.calls) else None

    @property
    def subject(self) -> NodeId | None:
        """The node that is reduced or seeded."""
        call = self.call
        if call is None:
            return None
        return choices.subject(self._player.diagram, self._player.run, call)

    @property
    def output(self) -> Array | None:
        """The value of the subject."""
        value = self._player.run.value(self.subject)
        return value.array if value else None

    @property
    def way(self) -> choices.Way | None:
        call = self.made
        return choices.way_of(self._player.diagram, self._player.run, call) if call else None

    @property
    def key(self) -> str | None:
        """The row of the list of choices that the start is."""
        call = self.made
        return choices.key_of(self._player.diagram, self._player.run, call) if call else None

    @property
    def values(self) -> Array | None:
        """The numbers of the seed, or of the weights; None where the start has none of its own."""
        call, done = self.made, self._player.current
        if call is None or (self.way != "seed" and self.key != "weighted"):
            return None
        if call.start.values is None and done is not None:
            return done.seed
        return call.start.values

    def targets(self, index: int | None = None) -> list[NodeId]:
        """Nodes that a pass may start from (None: the one on screen), those with a name last.

        Gradients come first that earlier passes with create_graph give.
        """
        index = self._player.index if index is None else index
        diagram, run = self._player.diagram, self._player.run
        known = self._targets
        if known is None or known[0] is not diagram.nodes or known[1:3] != (run, index):
            known = self._targets = diagram.nodes, run, index, _targets(diagram, run, index)
        return list(known[3])

    def gradients(self) -> list[NodeId]:
        """The gradients that the pass on screen gives and that can be differentiated again."""
        diagram, done = self._player.diagram, self._player.current
        if done is None or self._player.twin is not None:
            return []
        return given_gradients(diagram, done, self._player.index)

    def differentiate(self, key: NodeId) -> None:
        """A pass more, from a gradient: by a seed of ones, each leaf's `.grad` cleared first."""
        diagram, value = self._document.diagram, self._player.run.value(key)
        if value is None:
            return
        start = Start("seed", preset="ones", values=preset_seed("ones", value.array))
        leaves = tuple(key for key, node in diagram.nodes.items() if node.op == LEAF)
        call = BackwardCall(same_gradient(key, diagram), start, clear=leaves, edited=True)
        self._awaited = len(diagram.calls)
        self._document.edit(
            _("Differentiate again"), replace(diagram, calls=(*diagram.calls, call))
        )

    def remove(self) -> None:
        """Take the pass on screen away, where it was added here and is the last."""
        if self.removable:
            diagram = self._document.diagram
            text = _("Remove this pass")
            self._document.edit(text, replace(diagram, calls=diagram.calls[:-1]))

    @property
    def removable(self) -> bool:
        calls, index = self._document.diagram.calls, self._player.index
        return index == len(calls) - 1 and calls[index].edited and calls[index].line is None

    def _arrived(self) -> None:
        """Go to the pass that was added, once it has run."""
        if self._awaited is not None and self._awaited < len(self._player.run.passes):
            index, self._awaited = self._awaited, None
            self._player.choose(index)

    def choose_way(self, way: choices.Way) -> None:
        """Start by a reduction or by a seed, with the same gradients as now."""
        call, target, y = self.call, self.subject, self.output
        if call is None or target is None or y is None or self.way == way:
            return
        start = call.start
        if start.kind == "implicit":
            start = Start("reduction", reduction=self.key or "sum")
        if start.kind != way:
            done = self._player.current
            reached = done.cotangents().get(target) if done else None
            start = choices.other_way(start, way, y, reached)
        self._set(_("Start"), replace(call, target=target, start=start, edited=True))

    def choose(self, key: str) -> None:
        """Start by a row of the list of choices, such as "mean" or "onehot:0"."""
        call, target, y = self.call, self.subject, self.output
        if call is not None and target is not None and y is not None:
            start = choices.start_of(key, y, call.start)
            self._set(_("Start"), replace(call, target=target, start=start, edited=True))

    def take(self, start: Start, target: NodeId) -> None:
        """Start by this from the node."""
        call = self.call
        if call is not None and target in self._player.run.values:
            self._set(_("Start"), replace(call, target=target, start=start, edited=True))

    def type_in(self, text: str) -> None:
        """Start by the numbers in the text. Raises ValueError, the start then stays."""
        if self.output is not None:
            from gradviz.seeds.seed_text import read_text

            self.use(read_text(text, self.output))

    def use(self, values: Array, *, preset: str | None = None, merge: str = "") -> None:
        """Start by a seed of these numbers, or by a sum weighted with them where there is one.

        Edits in a row with the same `merge` are undone as one.
        """
        call, target, weighted = self.call, self.subject, self.key == "weighted"
        if call is None or target is None:
            return
        start = Start("seed", values=values, preset=preset)
        if weighted:
            start = Start("reduction", reduction="weighted", values=values)
        self._set(_("Seed"), replace(call, target=target, start=start, edited=True), merge)

    def retarget(self, target: NodeId) -> None:
        """Start from another node."""
        call, value = self.call, self._player.run.value(target)
        if call is not None and value is not None:
            self._set(_("Output"), choices.retarget(call, target, value.array))

    def retain(self, on: bool) -> None:
        call = self.call
        if call is not None:
            self._set("retain_graph", replace(call, retain_graph=on, edited=True))

    def create_graph(self, on: bool) -> None:
        """Have the call make a graph of its gradients; that keeps what was saved, as in PyTorch."""
        call = self.call
        if call is not None:
            keep = on or (call.retain_graph and not call.create_graph)
            made = replace(call, create_graph=on, retain_graph=keep, edited=True)
            self._set("create_graph", made)

    def clear(self, on: bool) -> None:
        """Clear the `.grad` of every leaf before the call, or of none."""
        call = self.call
        if call is not None:
            nodes = self._player.diagram.nodes
            leaves = tuple(key for key, node in nodes.items() if on and node.op == LEAF)
            self._set(_("Clear .grad first"), replace(call, clear=leaves, edited=True))

    def reset(self, own: Calls | None) -> None:
        """Start as the script does by itself."""
        index = self._player.index
        if own is not None and index < len(own):
            self._set(_("Start as the script does"), own[index])

    def _set(self, text: str, call: BackwardCall, merge: str = "") -> None:
        diagram, index = self._document.diagram, self._player.index
        if index < len(diagram.calls):
            self._document.edit(text, diagram.with_call(index, call), merge=merge)
        else:
            self._document.edit(text, replace(diagram, calls=(*diagram.calls, call)), merge=merge)


def _targets(diagram: Diagram, run: Run, index: int) -> tuple[NodeId, ...]:
    found = [
        key
        for key, node in diagram.nodes.items()
        if key in run.values and run.values[key].requires_grad and not node.is_source
    ]
    later = made_from(diagram, index)
    found = [key for key in found if key not in later]
    named = [key for key in found if diagram.nodes[key].name]
    nameless = [key for key in found if not diagram.nodes[key].name]
    given = [
        key
        for at, done in enumerate(run.passes[:index])
        for key in given_gradients(diagram, done, at)
        if key not in found
    ]
    return tuple((given + nameless + named)[-_TARGETS:])
