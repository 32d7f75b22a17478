"""`Wires`: what the mouse does with wires on the canvas, as edits."""

from __future__ import annotations

from collections.abc import Container, Mapping
from html import escape

from PySide6.QtCore import QObject, QPoint, QPointF
from PySide6.QtWidgets import QWidget

from gradviz.cells import array_text
from gradviz.diagram import Diagram, NodeId, Point
from gradviz.edit import align, ports, wires
from gradviz.edit.catalogue import entry_of
from gradviz.edit.order import would_cycle
from gradviz.edit.outcome import Refusal
from gradviz.labels import titles
from gradviz.language import _, ngettext
from gradviz.look import NODE
from gradviz.ui.canvas.editable import EditableCanvas
from gradviz.ui.canvas.ports import Port
from gradviz.ui.canvas.wiring import Loose
from gradviz.ui.drawing.editing import Editing
from gradviz.ui.drawing.op_palette import Ground, OpPalette
from gradviz.ui.player import Player


class Wires(QObject):
    """Binds a canvas to the edits; it holds no state of its own."""

    def __init__(
        self,
        canvas: EditableCanvas,
        editing: Editing,
        palette: OpPalette,
        player: Player,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._canvas, self._editing, self._palette = canvas, editing, palette
        self._player = player
        self._window = window
        canvas.set_rules(self)
        canvas.wired.connect(self._wired)
        canvas.released.connect(self._released)
        canvas.cut_through.connect(self._cut)
        canvas.dropped_on.connect(self._dropped)
        canvas.palette_asked.connect(self._asked)
        canvas.rerouted.connect(self._rerouted)

    def objection(self, source: NodeId, target: NodeId, slot: int) -> str:
        """Why a wire may not be plugged in, or what the op says against it; "" where it fits."""
        diagram = self._editing.diagram
        if source not in diagram.nodes or target not in diagram.nodes:
            return _("This node belongs to the pass, not to the program.")
        values = {key: value.array for key, value in self._player.run.values.items()}
        found = ports.objection(diagram, source, target, slot, values)
        return "" if found is None else found.sentence

    def barred(self, fixed: Port) -> Container[NodeId]:
        """The node itself, and those with which a wire would close a loop."""
        diagram = self._editing.diagram
        if fixed.node not in diagram.nodes:
            return self._canvas.spatial.row
        if fixed.slot is None:
            return {key for key in diagram.nodes if would_cycle(diagram, fixed.node, key)}
        return {key for key in diagram.nodes if would_cycle(diagram, key, fixed.node)}

    def describe(self, port: Port) -> str:
        """The name of the input and what fills it, or what comes out."""
        diagram, run = self._editing.diagram, self._player.run
        node = diagram.nodes.get(port.node)
        if node is None:
            return ""
        source: NodeId | None = node.id
        lines = [titles(diagram)[node.id]]
        if port.slot is not None:
            found = entry_of(node.op)
            lines = [found.slot_name(port.slot) if found else str(port.slot)]
            source = node.inputs[port.slot] if port.slot < len(node.inputs) else None
            if source is None:
                return "<br>".join([*map(escape, lines), escape(_("not connected"))])
            lines[0] += f" ← {titles(diagram)[source]}"
        value = run.values.get(source or "")
        if value is not None:
            lines += [f"{value.array.dtype} {tuple(value.array.shape)}", array_text(value.array)]
        return "<br>".join(escape(line) for line in lines)

    def _wired(self, loose: Loose) -> None:
        ends = loose.ends
        if ends is None:
            return
        source, target, slot = ends
        diagram = self._editing.diagram
        made: Diagram | Refusal
        if loose.was is not None and loose.was != (target, slot):
            made = wires.move(diagram, loose.was, (target, slot))
        else:
            made = wires.connect(diagram, source, target, slot)
        self._editing.make(_("Connect"), made)

    def _released(self, loose: Loose) -> None:
        """Over empty ground: a wire that was taken out stays out, a new one asks what to add."""
        if loose.was is not None:
            made = wires.disconnect(self._editing.diagram, *loose.was)
            self._editing.make(_("Unplug"), made)
            return
        x, y = loose.at
        if loose.fixed.slot is None:
            ground = Ground((x, y - NODE.header), sources=(loose.fixed.node,))
        else:
            corner = (x - NODE.min_width, y - NODE.header)
            ground = Ground(corner, wire=(loose.fixed.node, loose.fixed.slot))
        self._palette.ask(ground, self.in_window(loose.at))

    def _cut(self, ends: tuple[tuple[NodeId, int], ...]) -> None:
        text = ngettext("Cut {count} wire", "Cut {count} wires", len(ends))
        known = [end for end in ends if end[0] in self._editing.diagram.nodes]
        made = wires.cut(self._editing.diagram, known)
        self._editing.make(text.format(count=len(known)), made)

    def _dropped(self, key: NodeId, edge_id: str, places: Mapping[NodeId, Point]) -> None:
        """A node without wires on a wire: it goes between; where it cannot it is only moved."""
        edge = next((e for e in self._canvas.figure.edges if e.id == edge_id), None)
        diagram = align.place(self._editing.diagram, places)
        if edge is None:
            return
        made = wires.insert(diagram, key, edge.target, edge.slot)
        if isinstance(made, Refusal):
            self._editing.refused.emit(made)
            made = diagram
        self._editing.make(_("Insert"), made)

    def _rerouted(self, old: NodeId, new: NodeId) -> None:
        self._editing.make(_("Reroute"), wires.reroute(self._editing.diagram, old, new))

    def _asked(self, at: Point) -> None:
        self._palette.ask(Ground((at[0], at[1] - NODE.header)), self.in_window(at))

    def in_window(self, at: Point) -> QPoint:
        """A point of the scene in px of the window."""
        viewport = self._canvas.viewport()
        return viewport.mapTo(self._window, self._canvas.mapFromScene(QPointF(*at)))
