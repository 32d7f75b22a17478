"""`Drawing`: puts the parts of drawing by hand together for one window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QToolTip

from gradviz.edit.outcome import Refusal
from gradviz.ui.drawing.dropped import Dropped
from gradviz.ui.drawing.editing import Editing
from gradviz.ui.drawing.hands import Hands
from gradviz.ui.drawing.menus import Menus
from gradviz.ui.drawing.node_editor import NodeEditor
from gradviz.ui.drawing.op_palette import OpPalette
from gradviz.ui.drawing.remarks import Remarks
from gradviz.ui.drawing.sight import Sight
from gradviz.ui.drawing.wires import Wires

if TYPE_CHECKING:
    from gradviz.ui.window import Window


class Drawing(QObject):
    """What an edit refuses is said in the status bar, and at the node that it is about."""

    node_editor: NodeEditor
    dropped: Dropped
    remarks: Remarks

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._listening = False
        canvas = window.stage.canvas
        self.editing = Editing(window.document, window.selection, window.stage.places, self)
        self.palette = OpPalette(self.editing, window.theme, window)
        self.hands = Hands(self.editing, window.selection, window.player, canvas, self.palette)
        self.palette.backward_asked.connect(window.calls.calling.add)
        self.node_editor = NodeEditor(window, self.editing)
        window.inspector.offer(self.node_editor)
        self.dropped = Dropped(window, self.editing, self.node_editor.source.importer)
        canvas.activated.connect(self._opened)
        self.remarks = Remarks(canvas, self.editing, window.theme, window)
        canvas.marked_changed.connect(window.sync_actions)
        window.files.opening.connect(canvas.finish_writing)
        self.editing.refused.connect(self._refused)
        self.sight = Sight(canvas, self.editing, window.player)

    def listen(self) -> None:
        """From now on what is done on the canvas is an edit."""
        if not self._listening:
            self._listening = True
            canvas = self._window.stage.canvas
            window = self._window
            self.wires = Wires(canvas, self.editing, self.palette, window.player, window)
            self.menus = Menus(self._window)

    def retranslate(self) -> None:
        self.node_editor.retranslate()

    def _opened(self, key: str) -> None:
        """A node was double-clicked, or Enter pressed on it."""
        self._window.selection.select(key)
        self.node_editor.begin()

    def delete(self) -> None:
        """Take the selected nodes out, or the marked frame or note away."""
        marked = self._window.stage.canvas.marked
        if marked is not None:
            self.remarks.remove(marked)
        else:
            self.hands.delete()

    def _refused(self, refusal: Refusal) -> None:
        self._window.status.say(refusal.sentence)
        canvas = self._window.stage.canvas
        box = next((b for b in canvas.figure.boxes if b.id == refusal.node), None)
        if box is not None and canvas.isVisible():
            at = canvas.mapFromScene(box.x, box.y + box.height)
            place = canvas.viewport().mapToGlobal(at + QPoint(0, 4))
            QToolTip.showText(place, refusal.sentence, canvas.viewport())
