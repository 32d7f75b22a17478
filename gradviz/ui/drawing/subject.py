"""`Subject`: the node that is edited beside the canvas, and how an edit of it is made."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count

from PySide6.QtGui import QUndoStack

from gradviz.diagram import Array, Diagram, Node, NodeId
from gradviz.edit.outcome import Added, Refusal
from gradviz.labels import titles
from gradviz.ui.drawing.editing import Editing
from gradviz.ui.player import Player
from gradviz.ui.selection import Selection

_bursts = count(1)


class Subject:
    """What an edit refuses is given back as a sentence, to be said where it was asked for."""

    def __init__(
        self, editing: Editing, selection: Selection, player: Player, history: QUndoStack
    ) -> None:
        self._editing, self._selection, self._player = editing, selection, player
        self.history = history

    @property
    def diagram(self) -> Diagram:
        return self._editing.diagram

    @property
    def node(self) -> Node | None:
        """The selected node, if the document has it and no backward call made it."""
        node = self.diagram.nodes.get(self._selection.node or "")
        return node if node is not None and node.upper is None else None

    @property
    def key(self) -> NodeId:
        node = self.node
        return node.id if node is not None else ""

    def values(self) -> Mapping[NodeId, Array]:
        """What the nodes of the document came to the last time that they were computed."""
        return {key: value.array for key, value in self._player.run.values.items()}

    def problem(self) -> str:
        """What the last run says against the node; "" where nothing."""
        error = self._player.run.error
        return error.message if error is not None and error.node == self.key else ""

    def title(self, key: NodeId) -> str:
        return titles(self.diagram).get(key, key)

    def go_to(self, key: NodeId) -> None:
        """Select another node."""
        self._selection.select(key)

    def make(self, text: str, outcome: Diagram | Added | Refusal, *, merge: str = "") -> str:
        """Take an edit; why it is refused, or "". What is selected stays so."""
        if isinstance(outcome, Refusal):
            return outcome.sentence
        made = outcome.diagram if isinstance(outcome, Added) else outcome
        self._editing.make(text, made, merge=merge)
        return ""


class Burst:
    """Edits while something is typed: one undo step, which can be taken back as a whole."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._name, self._index = "", -1

    def make(self, text: str, outcome: Diagram | Added | Refusal) -> str:
        """As `Subject.make` does."""
        history = self._subject.history
        if not self._name or history.index() != self._index:
            self._name = f"typed {next(_bursts)}"
        wrong = self._subject.make(text, outcome, merge=self._name)
        if not wrong:
            self._index = history.index()
        return wrong

    def end(self) -> None:
        """What is typed next is a step of its own."""
        self._name, self._index = "", -1

    def take_back(self) -> None:
        """Undo what was typed."""
        history = self._subject.history
        if self._name and history.index() == self._index:
            history.undo()
        self.end()
