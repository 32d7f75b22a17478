"""`AnnotatedCanvas`: a canvas whose frames and notes are picked, dragged and written on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter

from gradviz.diagram import NodeId, Point
from gradviz.figure import Figure, FrameBox
from gradviz.scene.framing import HEADER, NOTE_WIDTH
from gradviz.ui.canvas.editable import EditableCanvas
from gradviz.ui.canvas.gestures import Gesture, Mouse
from gradviz.ui.canvas.in_place import InPlace
from gradviz.ui.canvas.painter import Marks
from gradviz.ui.canvas.remarks import (
    Held,
    Remark,
    frame_at,
    paint_taking,
    rect_of,
    remark_at,
    remarks,
)
from gradviz.ui.canvas.spatial import Rows
from gradviz.ui.canvas.wiring import EditingMouse

Writer = Callable[[str, str, Point], bool]
_LEAST = 200  # px of the viewport that one writes in
_NEW = ""  # the id of a note that is not there yet


class AnnotatedCanvas(EditableCanvas):
    """Tells what is done with frames and notes, and changes none.

    `carried(id, (dx, dy))`: one was dragged. `joined(id, places)`: nodes were, into a frame.
    `remark_menu_asked(id, global position)`. `marked` is the one that was picked last, and
    `marked_changed` follows it. What is written goes to the writer.
    """

    carried = Signal(str, object)
    joined = Signal(str, object)
    remark_menu_asked = Signal(str, QPoint)
    marked_changed = Signal()

    _held: Held | None = None
    _writer: Writer | None = None
    _text_of: Callable[[str], str] | None = None
    line: InPlace | None = None  # in which one writes now
    frame_under: FrameBox | None = None  # that takes the dragged nodes where they are let go

    def _make_mouse(self) -> Mouse:
        return AnnotatingMouse(self)

    def set_writer(self, writer: Writer, text_of: Callable[[str], str]) -> None:
        """Who takes what was written: an id ("" for a new note), the text, and the place.

        `text_of` knows a note's text, which its lines are broken from.
        """
        self._writer, self._text_of = writer, text_of

    @property
    def marked(self) -> str | None:
        return None if self._held is None else self._held.id

    def marks(self) -> Marks:
        return replace(super().marks(), remark=self._held)

    def show_figure(self, figure: Figure) -> None:
        held = self._held
        if held is not None:
            there = any(one.id == held.id for one in remarks(figure))
            self._set_held(Held(held.id) if there else None)
        super().show_figure(figure)

    def remark(self, key: str) -> Remark | None:
        """The frame or note of this id."""
        return next((one for one in remarks(self.figure) if one.id == key), None)

    def remark_under(self, at: QPointF) -> Remark | None:
        """The note, or the frame by its header, under a point of the viewport; a box hides it."""
        if self.node_at(at) is not None:
            return None
        return remark_at(self.figure, self.spatial, self.scene_point(at))

    # Picking

    def mark(self, key: str) -> None:
        """Pick a frame or a note; no node is selected then."""
        super().pick(())
        self._set_held(Held(key))

    def select(self, ids: Sequence[NodeId]) -> None:
        if ids:
            self._set_held(None)
        super().select(ids)

    def pick(self, ids: Sequence[NodeId]) -> None:
        self._set_held(None)
        super().pick(ids)

    def _set_held(self, held: Held | None) -> None:
        before, self._held = self._held, held
        if before != held:
            self.viewport().update()
        if (before and before.id) != (held and held.id):
            self.marked_changed.emit()

    # Dragging

    def carry(self, by: Point) -> None:
        """Draw the marked one this far from where it was, in scene px; a frame with its nodes."""
        held = self._held
        if held is None:
            return
        rows = self._members(held.id)
        if len(rows):
            self.spatial.move(rows, by[0] - held.dx, by[1] - held.dy)
        self._held = Held(held.id, *by)
        self.viewport().update()

    def tell_carried(self) -> None:
        held = self._held
        if held is not None and (held.dx or held.dy):
            self.carried.emit(held.id, (held.dx, held.dy))

    def mark_under(self, at: Point) -> None:
        """Find the frame as well that the pointer has brought nodes of elsewhere to."""
        super().mark_under(at)
        before, self.frame_under = self.frame_under, None
        if self.wire_under is None:
            self.frame_under = frame_at(self.figure, self.spatial, at, but=self.selected)
        if before != self.frame_under:
            self.viewport().update()

    def forget_under(self) -> None:
        super().forget_under()
        self.frame_under = None

    def tell_moved(self) -> None:
        if self.frame_under is None:
            super().tell_moved()
        else:
            self.joined.emit(self.frame_under.id, self.dragged_places())

    def _members(self, key: str) -> Rows:
        found = self.remark(key)
        members = found.members if isinstance(found, FrameBox) else ()
        keys = [*members, *(f"seed:{one}" for one in members)]
        return np.array(sorted(self._rows_of(keys)), np.intp)

    # Writing

    def write_note(self, at: Point) -> None:
        """Ask for the text of a new note there."""
        self._write(_NEW, "", QRectF(*at, NOTE_WIDTH, HEADER), at)

    def write(self, key: str) -> None:
        """Ask for another title of a frame, or another text of a note."""
        found = self.remark(key)
        if found is None:
            return
        x, y, width, height = rect_of(found, self.spatial)
        if isinstance(found, FrameBox):
            self._write(key, found.title, QRectF(x, y, width, HEADER), (x, y), single=True)
        else:
            text = self._text_of(key) if self._text_of is not None else ""
            self._write(key, text, QRectF(x, y, max(width, NOTE_WIDTH), height), (x, y))

    def _write(self, key: str, text: str, area: QRectF, at: Point, *, single: bool = False) -> None:
        self.finish_writing()
        if not self.isVisible():
            return
        place = self.viewportTransform().mapRect(area).toRect()
        place.setWidth(max(place.width(), _LEAST))
        room = self.viewport().rect()
        place.moveLeft(max(0, min(place.left(), room.right() - place.width())))
        place.moveTop(max(0, min(place.top(), room.bottom() - place.height())))
        self.line = InPlace(
            self.viewport(),
            text,
            lambda written: self._writer is None or self._writer(key, written, at),
            single=single,
            zoom=self.zoom,
        )
        self.line.gone.connect(self._written)
        self.line.open(place)

    def finish_writing(self) -> None:
        """Take what is being written."""
        if self.line is not None:
            self.line.finish()

    def _written(self) -> None:
        self.line = None
        self.setFocus()

    # Qt's events

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        super().drawForeground(painter, rect)
        if self.frame_under is not None:
            paint_taking(painter, rect_of(self.frame_under, self.spatial), self._theme.colours)

    def ask_menu(self, at: QPointF) -> None:
        found = self.remark_under(at)
        if found is None:
            super().ask_menu(at)
            return
        self.mark(found.id)
        self.remark_menu_asked.emit(found.id, self.viewport().mapToGlobal(at.toPoint()))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        found = self.remark_under(event.position())
        if found is not None and event.button() == Qt.MouseButton.LeftButton:
            self.write(found.id)
            return
        super().mouseDoubleClickEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._held is not None:
            if event.key() == Qt.Key.Key_Escape and self._mouse.gesture is None:
                self._set_held(None)
                return
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.write(self._held.id)
                return
        super().keyPressEvent(event)


class Carry(Gesture):
    """Drag the marked frame or note."""

    def __init__(self, view: AnnotatedCanvas, at: QPointF) -> None:
        super().__init__(view, at)
        self._canvas = view

    def step(self, at: QPointF) -> None:
        zoom = self._canvas.zoom
        gone = at - self.start
        self._canvas.carry((gone.x() / zoom, gone.y() / zoom))

    def end(self) -> None:
        if self.begun:
            self._canvas.tell_carried()

    def cancel(self) -> None:
        self._canvas.carry((0.0, 0.0))


class AnnotatingMouse(EditingMouse):
    """As where wires are led; what is behind them are frames and notes."""

    def __init__(self, view: AnnotatedCanvas) -> None:
        super().__init__(view)
        self._annotated = view

    def _begin(self, event: QMouseEvent) -> Gesture | None:
        found = super()._begin(event)
        if found is not None:
            return found
        remark = self._annotated.remark_under(event.position())
        if remark is None:
            return None
        self._annotated.mark(remark.id)
        return Carry(self._annotated, event.position())
