"""What the mouse does with wires: plug in and out, cut through, drop a node on one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent

from gradviz.diagram import NodeId, Point
from gradviz.ui.canvas.gestures import Drag, Gesture, Mouse
from gradviz.ui.canvas.ports import Port

if TYPE_CHECKING:
    from gradviz.ui.canvas.editable import EditableCanvas

GRAB, MAGNET = 9.0, 16.0  # px of the viewport to a port that is taken, and that draws a wire


@dataclass(frozen=True, slots=True)
class Loose:
    """A wire in the hand: it leaves `fixed` and ends at `at`, at `port` where that draws it.

    `reason` says why it may not be plugged in there. `was` is the input that it was taken from.
    With `all_users` every wire from `fixed` is in the hand, and goes to another output.
    """

    fixed: Port
    at: Point
    port: Port | None = None
    reason: str = ""
    was: tuple[NodeId, int] | None = None
    all_users: bool = False

    @property
    def ends(self) -> tuple[NodeId, NodeId, int] | None:
        """Source, target and slot, where it is plugged in."""
        if self.port is None or self.all_users:
            return None
        source, target = (
            (self.fixed, self.port) if self.fixed.slot is None else (self.port, self.fixed)
        )
        assert target.slot is not None
        return source.node, target.node, target.slot


class Wire(Gesture):
    """Lead a wire from a port; magnetic ports take it, empty ground asks what to add."""

    def __init__(
        self,
        view: EditableCanvas,
        at: QPointF,
        fixed: Port,
        was: tuple[NodeId, int] | None = None,
    ) -> None:
        super().__init__(view, at)
        self._canvas, self._fixed, self._was = view, fixed, was

    def step(self, at: QPointF) -> None:
        canvas, fixed = self._canvas, self._fixed
        point = canvas.scene_point(at)
        port = canvas.ports.near(point, MAGNET / canvas.zoom, outputs=fixed.slot is not None)
        loose = Loose(fixed, point, port, was=self._was)
        if loose.ends is not None:
            reason = canvas.accepts(*loose.ends)
            loose = Loose(fixed, point, port, reason, self._was)
        canvas.show_loose(loose)

    def end(self) -> None:
        canvas, loose = self._canvas, self._canvas.loose
        canvas.show_loose(None)
        if not self.begun:
            canvas.pick_at(self.start)
        elif loose is None:
            return
        elif loose.ends is not None:
            canvas.wired.emit(loose)
        elif canvas.node_at(self.last) is None:
            canvas.released.emit(loose)

    def cancel(self) -> None:
        self._canvas.show_loose(None)


class Reroute(Gesture):
    """Lead everything that reads a node to another node's output."""

    def __init__(self, view: EditableCanvas, at: QPointF, fixed: Port) -> None:
        super().__init__(view, at)
        self._canvas, self._fixed = view, fixed

    def step(self, at: QPointF) -> None:
        canvas, point = self._canvas, self._canvas.scene_point(at)
        port = canvas.ports.near(point, MAGNET / canvas.zoom, outputs=True)
        port = None if port is not None and port.node == self._fixed.node else port
        canvas.show_loose(Loose(self._fixed, point, port, all_users=True))

    def end(self) -> None:
        canvas, loose = self._canvas, self._canvas.loose
        canvas.show_loose(None)
        if self.begun and loose is not None and loose.port is not None:
            canvas.rerouted.emit(self._fixed.node, loose.port.node)

    def cancel(self) -> None:
        self._canvas.show_loose(None)


class Cut(Gesture):
    """Draw a line; the wires that it crosses are unplugged."""

    def __init__(self, view: EditableCanvas, at: QPointF) -> None:
        super().__init__(view, at)
        self._canvas = view
        self._line: list[Point] = [view.scene_point(at)]

    def step(self, at: QPointF) -> None:
        self._line.append(self._canvas.scene_point(at))
        self._canvas.show_cut(self._line)

    def end(self) -> None:
        crossed = self._canvas.crossed
        self._canvas.show_cut([])
        if self.begun and crossed:
            self._canvas.cut_through.emit(crossed)

    def cancel(self) -> None:
        self._canvas.show_cut([])


class Place(Drag):
    """Move boxes in line with others; one without wires that is dropped on a wire goes between."""

    def __init__(self, view: EditableCanvas, at: QPointF, *, copying: bool = False) -> None:
        super().__init__(view, at)
        self._canvas, self._copying = view, copying
        self._gone = (0.0, 0.0)
        self.free = False  # a key suspends the snapping

    def step(self, at: QPointF) -> None:
        zoom = self.view.zoom
        wanted = ((at.x() - self.start.x()) / zoom, (at.y() - self.start.y()) / zoom)
        if self.free:
            self._canvas.clear_guides()
        else:
            wanted = self._canvas.snapped(wanted, self._gone)
        self.view.shift_selected(wanted[0] - self._gone[0], wanted[1] - self._gone[1])
        self._gone = wanted
        if not self._copying:  # a copy stands where it is put
            self._canvas.mark_under(self._canvas.scene_point(at))

    def end(self) -> None:
        self._canvas.clear_guides()
        if self.begun and self._gone != (0.0, 0.0):
            self._let_go()
        self._canvas.forget_under()

    def _let_go(self) -> None:
        canvas, wire = self._canvas, self._canvas.wire_under
        if self._copying:
            step = self._gone
            self.cancel()
            canvas.copied_by.emit(step)
        elif wire is not None:
            canvas.dropped_on.emit(canvas.selected[0], wire, canvas.dragged_places())
        else:
            self.view.tell_moved()

    def cancel(self) -> None:
        self._canvas.clear_guides()
        self._canvas.forget_under()
        self.view.shift_selected(-self._gone[0], -self._gone[1])
        self._gone = (0.0, 0.0)


class EditingMouse(Mouse):
    """As on any canvas, and ports come first."""

    def __init__(self, view: EditableCanvas) -> None:
        super().__init__(view)
        self._canvas = view
        self._held: QPointF | None = None  # where the middle button was last, over a held wire

    def press(self, event: QMouseEvent) -> None:
        if self.gesture is not None and event.button() == Qt.MouseButton.MiddleButton:
            self._held = event.position()
            return
        left = event.button() == Qt.MouseButton.LeftButton
        if self.gesture is None and left and not self.space and self._canvas.editable:
            self.gesture = self._begin(event)
            if self.gesture is not None:
                return
        super().press(event)

    def move(self, event: QMouseEvent) -> None:
        if self._held is not None and event.buttons() & Qt.MouseButton.MiddleButton:
            step, self._held = event.position() - self._held, event.position()
            self._canvas.pan(step.x(), step.y())
        if isinstance(self.gesture, Place):
            control = Qt.KeyboardModifier.ControlModifier
            self.gesture.free = bool(event.modifiers() & control)
        super().move(event)

    def release(self) -> None:
        if self._held is not None:  # the middle button came up; the wire is still held
            self._held = None
            return
        super().release()

    def _begin(self, event: QMouseEvent) -> Gesture | None:
        canvas, at = self._canvas, event.position()
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        port = canvas.port_at(at, GRAB)
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if port is not None and port.slot is None and shift:
            return Reroute(canvas, at, port)
        if port is not None and not alt:
            return self._wire(port, at)
        adding = event.modifiers() & (
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        )
        if canvas.pick_at(at, adding=bool(adding)):
            return Place(canvas, at, copying=alt)
        return Cut(canvas, at) if alt else None

    def _wire(self, port: Port, at: QPointF) -> Gesture:
        """From an output or an open input a new wire; from a filled input its own."""
        if port.edge is None or port.slot is None:
            return Wire(self._canvas, at, port)
        source = self._canvas.source_of(port.edge)
        return Wire(self._canvas, at, source, (port.node, port.slot))
