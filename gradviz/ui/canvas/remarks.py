"""Frames and notes on the canvas: where they are now, and how they are drawn."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from gradviz.diagram import NodeId, Point, Rect
from gradviz.figure import Figure, FrameBox, NoteBox
from gradviz.look import NODE, RADIUS, STROKE, Palette
from gradviz.scene.framing import (
    BASELINE,
    HEADER,
    NOTE_BASELINE,
    NOTE_LINE,
    NOTE_PAD,
    around,
    frame_ground,
    frame_line,
    note_ground,
)
from gradviz.ui.canvas import text
from gradviz.ui.canvas.spatial import Spatial
from gradviz.ui.theme import colour

_READABLE = 0.3  # the zoom from which texts are written
_TITLE = text.Face(text.CAPTION.size, bold=True)
Remark = FrameBox | NoteBox


@dataclass(frozen=True, slots=True)
class Held:
    """The frame or note that is marked, and how far it was dragged, in scene px."""

    id: str
    dx: float = 0.0
    dy: float = 0.0


def rect_of(remark: Remark, spatial: Spatial, held: Held | None = None) -> Rect:
    """Where it is now: a frame around its members, wherever these were dragged."""
    if isinstance(remark, FrameBox) and remark.members and spatial.moved:
        rows = [spatial.row[key] for key in remark.members if key in spatial.row]
        found = around([(*spatial.rects[row].tolist(),) for row in rows])
        if found is not None:
            return found
    dx, dy = (held.dx, held.dy) if held is not None and held.id == remark.id else (0.0, 0.0)
    return remark.x + dx, remark.y + dy, remark.width, remark.height


def remark_at(figure: Figure, spatial: Spatial, at: Point) -> Remark | None:
    """The note, or the frame by its header, under a point of the scene."""
    for note in reversed(figure.notes):
        if _holds(rect_of(note, spatial), at):
            return note
    for frame in reversed(figure.frames):
        x, y, width, _height = rect_of(frame, spatial)
        if _holds((x, y, width, HEADER), at):
            return frame
    return None


def frame_at(
    figure: Figure, spatial: Spatial, at: Point, *, but: Collection[NodeId]
) -> FrameBox | None:
    """The topmost frame under a point of the scene that holds none of these nodes."""
    for frame in reversed(figure.frames):
        if not set(but).intersection(frame.members) and _holds(rect_of(frame, spatial), at):
            return frame
    return None


def remarks(figure: Figure) -> Iterator[Remark]:
    """All frames and notes of a figure, in the order in which they are drawn."""
    yield from figure.frames
    yield from figure.notes


def paint_remarks(  # what is drawn, where it is, and how
    painter: QPainter,
    figure: Figure,
    spatial: Spatial,
    colours: Palette,
    zoom: float,
    held: Held | None,
) -> None:
    """Draw frames and notes; the marked one has the border of what is selected."""
    for remark in remarks(figure):
        rect = rect_of(remark, spatial, held)
        marked = held is not None and held.id == remark.id
        if isinstance(remark, FrameBox):
            _paint_frame(painter, remark, rect, colours, zoom >= _READABLE, marked)
        else:
            _paint_note(painter, remark, rect, colours, zoom >= _READABLE, marked)


def paint_taking(painter: QPainter, rect: Rect, colours: Palette) -> None:
    """Draw the border of a frame that takes what is dragged over it."""
    painter.setPen(QPen(colour(colours.selection), STROKE.node_marked))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(*rect), RADIUS.panel, RADIUS.panel)


def _paint_frame(
    painter: QPainter, frame: FrameBox, rect: Rect, colours: Palette, written: bool, marked: bool
) -> None:
    line = colours.selection if marked else frame_line(colours, frame.colour)
    painter.setPen(QPen(colour(line), STROKE.node_marked if marked else STROKE.hair))
    painter.setBrush(colour(frame_ground(colours, frame.colour)))
    painter.drawRoundedRect(QRectF(*rect), RADIUS.panel, RADIUS.panel)
    if written and frame.title:
        painter.setPen(colour(getattr(colours, frame.colour)))
        at = (rect[0] + NODE.pad, rect[1] + BASELINE)
        text.draw(painter, frame.title, at, _TITLE, width=rect[2] - 2 * NODE.pad)


def _paint_note(
    painter: QPainter, note: NoteBox, rect: Rect, colours: Palette, written: bool, marked: bool
) -> None:
    pen = QPen(colour(colours.selection), STROKE.node_marked)
    painter.setPen(pen if marked else Qt.PenStyle.NoPen)
    painter.setBrush(colour(note_ground(colours)))
    painter.drawRoundedRect(QRectF(*rect), RADIUS.cell, RADIUS.cell)
    if written:
        painter.setPen(colour(colours.ink))
        x, y = rect[0] + NOTE_PAD, rect[1] + NOTE_PAD / 2 + NOTE_BASELINE
        for row, line in enumerate(note.lines):
            text.draw(painter, line, (x, y + row * NOTE_LINE), text.CAPTION)


def _holds(rect: Rect, at: Point) -> bool:
    x, y, width, height = rect
    return x <= at[0] <= x + width and y <= at[1] <= y + height
