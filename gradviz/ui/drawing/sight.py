"""`Sight`: what was just added, by hand or by the start of a pass, is brought into view."""

from __future__ import annotations

from PySide6.QtCore import QObject

from gradviz.diagram import NodeId
from gradviz.ui.canvas.editable import EditableCanvas
from gradviz.ui.drawing.editing import Editing
from gradviz.ui.player import Player

_READABLE = 0.6  # zoom from which the numbers in boxes are read


class Sight(QObject):
    """The view moves no farther than it has to, and not at all while it shows everything."""

    def __init__(self, canvas: EditableCanvas, editing: Editing, player: Player) -> None:
        super().__init__(canvas)
        self._canvas, self._player = canvas, player
        self._awaited: NodeId | None = None
        self._starts: tuple[NodeId, ...] = ()
        editing.added.connect(self._await)
        editing.making.connect(canvas.hold)  # a hand that draws wants nothing to move
        player.moved.connect(self._look)

    def _await(self, key: NodeId) -> None:
        """It is shown as soon as it is drawn."""
        self._awaited = key

    def _look(self) -> None:
        rows = self._canvas.spatial.row
        if self._awaited is not None and self._awaited in rows:
            self._canvas.reveal(self._awaited)
            self._awaited = None
        before, self._starts = self._starts, self._shown()
        if self._canvas.fitted:
            return
        new = [key for key in self._starts if key not in before and key in rows]
        if not all(map(self._canvas.shows, new)):
            self._bring(new)

    def _bring(self, keys: list[NodeId]) -> None:
        """The whole picture where it stays readable, else the view moves on to these nodes."""
        canvas = self._canvas
        if canvas.zoom_that_fits(canvas.extent()) >= _READABLE:
            canvas.fit()
            canvas.hold()
            return
        for key in keys:
            canvas.reveal(key)

    def _shown(self) -> tuple[NodeId, ...]:
        """The seed and the reduction of the pass on screen."""
        done = self._player.current
        if done is None:
            return ()
        return (*(node.id for node in done.added), f"seed:{done.root}")
