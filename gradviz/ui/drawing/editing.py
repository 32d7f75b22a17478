"""`Editing`: edits of the diagram by hand. Each is one undo step; what is refused says why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from gradviz.diagram import Diagram, NodeId, Point
from gradviz.edit.outcome import Added, Refusal
from gradviz.ui.documents.document import Document
from gradviz.ui.selection import Selection

_LAID_OUT = 200  # nodes up to which a new layout is no wait
Places = Callable[[], Mapping[NodeId, Point]]


class Editing(QObject):
    """`refused(Refusal)` says why an edit was not made; the diagram is as it was then.

    `making` comes just before one is, `added(id)` after one that added nodes, with the last.

    From the first edit of nodes or wires on every node stays where it is seen: `places` tells
    where that is.
    """

    refused = Signal(object)
    making = Signal()
    added = Signal(str)

    def __init__(
        self, document: Document, selection: Selection, places: Places, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._document, self._selection, self._places = document, selection, places

    @property
    def diagram(self) -> Diagram:
        """What the next edit starts from."""
        return self._document.diagram

    def places(self) -> Mapping[NodeId, Point]:
        """Where the nodes are seen."""
        return {**self._places(), **self.diagram.positions}

    def placed(self) -> Diagram:
        """The diagram with every node where it is seen, so that copies can stand beside."""
        known = {key: at for key, at in self.places().items() if key in self.diagram.nodes}
        return replace(self.diagram, positions=known)

    def make(
        self,
        text: str,
        outcome: Diagram | Added | Refusal,
        *,
        at: Mapping[NodeId, Point] | None = None,
        merge: str = "",
    ) -> bool:
        """Take an edit's outcome; False where it was refused.

        `text` is what undo calls it, `at` are the corners of new nodes. Edits in a row with the
        same `merge` are undone as one. What was added is selected.
        """
        if isinstance(outcome, Refusal):
            self.refused.emit(outcome)
            return False
        made = outcome.diagram if isinstance(outcome, Added) else outcome
        if self._leaves_places(made):
            self._document.edit(text, made, merge=merge)
        elif self._leaves_wires(made):
            self._document.edit(text, replace(made, drawn=True), merge=merge)
        elif made is not self.diagram:
            self.making.emit()
            self._document.edit(text, self._held(made, at or {}), merge=merge)
        if isinstance(outcome, Added) and outcome.ids:
            self._selection.select(*outcome.ids)
            self.added.emit(outcome.ids[-1])
        return True

    def _held(self, made: Diagram, at: Mapping[NodeId, Point]) -> Diagram:
        """The diagram with every node where it is seen, if any node is another one now."""
        if made.nodes is self.diagram.nodes:
            return made
        corners = {**self.places(), **made.positions, **at}
        kept = {key: corners[key] for key in made.nodes if key in corners}
        return replace(made, positions=kept, drawn=True)

    def _leaves_places(self, made: Diagram) -> bool:
        """Whether nodes, their places and the script stay as they are: nothing has to be held."""
        now = self.diagram
        kept = made.nodes is now.nodes and made.positions is now.positions
        return made is not now and kept and not made.drawn

    def _leaves_wires(self, made: Diagram) -> bool:
        """Whether only values, names and parameters change of nodes that nobody has placed.

        They are laid out anew then, as when the script is typed on: boxes change their sizes.
        """
        now = self.diagram
        if made is now or now.positions or made.positions or len(now.nodes) > _LAID_OUT:
            return False
        if made.nodes is now.nodes or list(made.nodes) != list(now.nodes):
            return False
        return all(node.inputs == now.nodes[key].inputs for key, node in made.nodes.items())
