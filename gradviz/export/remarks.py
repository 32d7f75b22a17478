"""Frames and notes as SVG groups."""

from __future__ import annotations

from gradviz.export.pen import Pen, fitted
from gradviz.export.xml import element, escape
from gradviz.figure import FrameBox, NoteBox
from gradviz.look import NODE, RADIUS, STROKE, TYPE
from gradviz.scene.framing import (
    BASELINE,
    NOTE_BASELINE,
    NOTE_LINE,
    NOTE_PAD,
    frame_ground,
    frame_line,
    note_ground,
)


def frame(one: FrameBox, pen: Pen) -> str:
    """The group of a frame: its ground and its title."""
    drawn = element(
        "rect",
        x=one.x,
        y=one.y,
        width=one.width,
        height=one.height,
        rx=RADIUS.panel,
        fill=frame_ground(pen.colours, one.colour),
        stroke=frame_line(pen.colours, one.colour),
        stroke_width=STROKE.hair,
    )
    if one.title:
        title = fitted(one.title, one.width - 2 * NODE.pad, TYPE.caption)
        pen.letters.add(title, "ui", True)
        x, y, ink = one.x + NODE.pad, one.y + BASELINE, getattr(pen.colours, one.colour)
        drawn += element("text", escape(title), x=x, y=y, class_="heads", style=f"fill:{ink}")
    return element("g", drawn, class_="frame")


def note(one: NoteBox, pen: Pen) -> str:
    """The group of a note: its ground and its lines."""
    ground = element(
        "rect",
        x=one.x,
        y=one.y,
        width=one.width,
        height=one.height,
        rx=RADIUS.cell,
        fill=note_ground(pen.colours),
    )
    x, y = one.x + NOTE_PAD, one.y + NOTE_PAD / 2 + NOTE_BASELINE
    lines = "".join(
        pen.text(line, (x, y + row * NOTE_LINE), "caption") for row, line in enumerate(one.lines)
    )
    return element("g", ground + lines, class_="note")
