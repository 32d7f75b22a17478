"""Frames and notes in the picture: where they are, what they say, and how they look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gradviz.diagram import Diagram, Frame, NodeId, Note, Rect
from gradviz.figure import Figure, FrameBox, NoteBox
from gradviz.language import _
from gradviz.look import SPACE, TYPE, Palette, mix
from gradviz.scene.measure import width, wrapped

# Roles of `gradviz.look.Palette` that a frame may have; each has a ground of its own but "soft".
COLOURS = ("soft", "selection", "leaf", "seed", "reduction", "positive", "negative")
FRAME, NOTE = "frame:", "note:"  # before their ids in a figure
PAD, HEADER = 16.0, 28.0  # of a frame around its members; room for its title above them
BASELINE = 20.0  # px from a frame's upper edge to its title's baseline
NOTE_PAD, NOTE_LINE, NOTE_WIDTH = 10.0, 18.0, 260.0  # px in a note; of its lines; of its text
NOTE_BASELINE = 13.5  # px from a line's upper edge


def outline(frame: Frame, boxes: Mapping[NodeId, Rect]) -> Rect | None:
    """Where a frame is drawn: around its members' boxes with room for the title, or its own."""
    return around([boxes[key] for key in frame.members if key in boxes]) or frame.rect


def around(inside: Sequence[Rect]) -> Rect | None:
    """The frame of these boxes; None of none."""
    if not inside:
        return None
    left, top = min(box[0] for box in inside) - PAD, min(box[1] for box in inside) - PAD - HEADER
    right = max(box[0] + box[2] for box in inside) + PAD
    bottom = max(box[1] + box[3] for box in inside) + PAD
    return left, top, right - left, bottom - top


def framed(diagram: Diagram, boxes: Mapping[NodeId, Rect]) -> tuple[FrameBox, ...]:
    """The frames of the diagram around these boxes; one that goes around nothing is not drawn."""
    found = ((frame, outline(frame, boxes)) for frame in diagram.frames)
    return tuple(
        FrameBox(f"{FRAME}{frame.id}", *rect, frame.title, frame.colour, frame.members)
        for frame, rect in found
        if rect is not None
    )


def noted(diagram: Diagram, left: float, bottom: float) -> tuple[NoteBox, ...]:
    """The notes; those without a place stand one under the other from this corner."""
    found = []
    for note in diagram.notes:
        lines = note_lines(note)
        wide = max((width(line, TYPE.caption) for line in lines), default=0.0) + 2 * NOTE_PAD
        high = NOTE_LINE * len(lines) + NOTE_PAD
        x, y = note.at if note.at is not None else (left, bottom + SPACE.two)
        bottom = bottom if note.at is not None else y + high
        found.append(NoteBox(f"{NOTE}{note.id}", x, y, wide, high, lines))
    return tuple(found)


def blank_figure(diagram: Diagram) -> Figure:
    """The picture of a diagram that has no nodes yet."""
    caption = _("Nothing here yet: double-click to add a node.")
    return Figure((), (), 0, 0, caption, notes=noted(diagram, 0, 0))


def note_lines(note: Note) -> tuple[str, ...]:
    """The text in lines as wide as a note may be; a break of the writer's stays one."""
    found: list[str] = []
    for line in note.text.splitlines() or [""]:
        found += wrapped(line, NOTE_WIDTH, TYPE.caption) or [""]
    return tuple(found)


def frame_ground(colours: Palette, role: str) -> str:
    """What lies under the nodes in a frame: paler than the ground of the role itself."""
    if role == "soft":
        return mix(colours.canvas, colours.edge, 0.08)
    return mix(colours.canvas, getattr(colours, f"{role}_ground"), 0.55)


def frame_line(colours: Palette, role: str) -> str:
    """The border of a frame."""
    return mix(colours.canvas, getattr(colours, role), 0.45)


def note_ground(colours: Palette) -> str:
    """What a note is written on."""
    return mix(colours.canvas, colours.edge, 0.12)
