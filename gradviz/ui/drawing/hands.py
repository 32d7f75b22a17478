"""`Hands`: what is done to the selected nodes: delete, copy, paste, swap, align, and so on."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, QPointF
from PySide6.QtGui import QCursor, QGuiApplication

from gradviz.diagram import Diagram, NodeId, Point
from gradviz.edit import align, clip, frames, healing, nodes, wires
from gradviz.edit.align import Side, Way
from gradviz.edit.outcome import Added, Refusal
from gradviz.language import _
from gradviz.look import NODE
from gradviz.scene.framing import FRAME
from gradviz.ui.canvas.annotated import AnnotatedCanvas
from gradviz.ui.drawing.editing import Editing
from gradviz.ui.drawing.op_palette import Ground, OpPalette
from gradviz.ui.player import Player
from gradviz.ui.selection import Selection

_APART = 56.0  # px between a node and one that is added beside it
_NUDGE = 8.0  # px of an arrow key with Alt


class Hands(QObject):
    """Acts on the selection of one window; what it may not do it says through `Editing`."""

    def __init__(
        self,
        editing: Editing,
        selection: Selection,
        player: Player,
        canvas: AnnotatedCanvas,
        palette: OpPalette,
    ) -> None:
        super().__init__(canvas)
        self._editing, self._selection, self._player = editing, selection, player
        self._canvas, self._palette = canvas, palette
        canvas.copied_by.connect(self._copied_by)

    @property
    def chosen(self) -> tuple[NodeId, ...]:
        """The selected nodes that the document has; a seed or an added sum is none of them."""
        known = self._editing.diagram.nodes
        return tuple(key for key in self._selection.ids if key in known)

    def add(self) -> None:
        """Ask what to add: to the selected nodes, else at the pointer.

        The selected nodes are what it reads, in the order in which they were selected; one that
        lacks an input gets that.
        """
        if not self.chosen:
            at = self._pointed()
            self._palette.ask(Ground((at[0], at[1] - NODE.header)), self._in_window(at))
            return
        boxes = self._boxes()
        left, top, width, _height = boxes[self.chosen[-1]]
        node = self._editing.diagram.nodes[self.chosen[-1]]
        if len(self.chosen) == 1 and None in node.inputs:
            corner = (left - NODE.min_width - _APART, top + _APART)
            ground = Ground(corner, wire=(node.id, node.inputs.index(None)))
        else:
            right = max(box[0] + box[2] for box in boxes.values())
            ground = Ground(self._free(right + _APART, top), sources=self.chosen)
        self._palette.ask(ground, self._in_window((left + width, top)))

    def _free(self, x: float, y: float) -> Point:
        """A place at or under this one, where no box stands."""
        boxes = self._canvas.figure.boxes
        while any(
            abs(box.x - x) < NODE.min_width and box.y - 2 * NODE.header < y < box.y + box.height
            for box in boxes
        ):
            y += _APART
        return x, y

    def replace_op(self) -> None:
        """Ask for another op for the selected node."""
        if len(self.chosen) == 1:
            key = self.chosen[0]
            self._palette.ask(Ground(instead=key), self._beside(key))

    def delete(self) -> None:
        """Take the selected nodes out."""
        self._make(_("Delete"), healing.delete(self._editing.diagram, self.chosen))

    def heal(self) -> None:
        """Take the selected nodes out, and join what they stood between."""
        values = {key: value.array for key, value in self._player.run.values.items()}
        self._make(_("Delete and rejoin"), healing.heal(self._editing.diagram, self.chosen, values))

    def duplicate(self) -> None:
        self._make(_("Duplicate"), nodes.duplicate(self._placed(), self.chosen))

    def select_all(self) -> None:
        self._selection.select(*self._editing.diagram.nodes)

    def copy(self) -> None:
        """Put the selected nodes on the clipboard, as text."""
        text = clip.copy(self._editing.diagram, self.chosen, self._editing.places())
        if isinstance(text, Refusal):
            self._editing.refused.emit(text)
        elif self.chosen:
            QGuiApplication.clipboard().setText(text)

    def cut(self) -> None:
        self.copy()
        self.delete()

    def paste(self, *, outside: bool = False) -> None:
        """Nodes of the clipboard at the pointer; with `outside` their wires from outside too."""
        text = QGuiApplication.clipboard().text()
        at = self._pointed()
        self._make(_("Paste"), clip.paste(self._placed(), text, at=at, outside=outside))

    def swap(self) -> None:
        """Exchange the first two inputs of the selected node."""
        if len(self.chosen) == 1:
            self._make(_("Swap inputs"), wires.swap(self._editing.diagram, self.chosen[0]))

    def align(self, side: Side) -> None:
        self._place(_("Align"), align.align(self._boxes(), side))

    def distribute(self, way: Way) -> None:
        self._place(_("Distribute"), align.distribute(self._boxes(), way))

    def tidy(self) -> None:
        """Lay the selected nodes out anew, where they stand."""
        boxes = self._boxes()
        self._place(_("Tidy"), align.tidy(self._editing.diagram, list(boxes), boxes))

    def nudge(self, dx: float, dy: float) -> None:
        """Move the selected nodes by steps."""
        boxes = self._boxes()
        moved = {key: (box[0] + dx * _NUDGE, box[1] + dy * _NUDGE) for key, box in boxes.items()}
        self._place(_("Move"), moved, merge=f"nudge {sorted(moved)}")

    def no_grad(self) -> None:
        """Whether the selected nodes keep history: the other way round."""
        diagram = self._editing.diagram
        wanted = not all(diagram.nodes[key].no_grad for key in self.chosen)
        self._make(_("no_grad"), nodes.set_no_grad(diagram, self.chosen, wanted=wanted))

    def frame(self) -> None:
        """A frame around the selected nodes."""
        made = frames.add_frame(self._editing.diagram, self.chosen, title=_("Frame"))
        if isinstance(made, Added):
            self._make(_("Frame"), made.diagram)
            for key in made.ids:
                self._canvas.write(f"{FRAME}{key}")
        else:
            self._editing.refused.emit(made)

    def unframe(self) -> None:
        """Take the selected nodes out of their frames."""
        made = frames.leave(self._editing.diagram, self.chosen)
        self._make(_("Take out of the frame"), made)

    def _make(self, text: str, outcome: Diagram | Added | Refusal) -> None:
        self._editing.make(text, outcome)

    def _place(self, text: str, corners: dict[NodeId, Point], *, merge: str = "") -> None:
        made = align.place(self._placed(), corners)
        self._editing.make(text, made, merge=merge)

    def _placed(self) -> Diagram:
        """The diagram with every node where it is seen."""
        return self._editing.placed()

    def _boxes(self) -> dict[NodeId, tuple[float, float, float, float]]:
        boxes = {box.id: box for box in self._canvas.figure.boxes}
        return {
            key: (boxes[key].x, boxes[key].y, boxes[key].width, boxes[key].height)
            for key in self.chosen
            if key in boxes
        }

    def _copied_by(self, step: Point) -> None:
        self._make(_("Duplicate"), nodes.duplicate(self._placed(), self.chosen, step))

    def _pointed(self) -> Point:
        """The pointer in the scene; the middle of what is seen where it is elsewhere."""
        viewport = self._canvas.viewport()
        at = viewport.mapFromGlobal(QCursor.pos())
        if not viewport.rect().contains(at):
            at = viewport.rect().center()
        return self._canvas.scene_point(QPointF(at))

    def _in_window(self, at: Point) -> QPoint:
        point = self._canvas.mapFromScene(QPointF(*at))
        return self._canvas.viewport().mapTo(self._canvas.window(), point)

    def _beside(self, key: NodeId) -> QPoint:
        box = next(box for box in self._canvas.figure.boxes if box.id == key)
        return self._in_window((box.x, box.y + box.height))
