"""Frames around nodes and notes beside them: what a diagram says to its reader."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from gradviz.diagram import Diagram, Frame, NodeId, Note, Point, Rect
from gradviz.edit.names import free_id
from gradviz.edit.outcome import Added, Refusal, missing
from gradviz.language import _
from gradviz.scene.framing import COLOURS

MAX_TEXT = 10_000
Edit = Diagram | Refusal


def add_frame(
    diagram: Diagram,
    members: Collection[NodeId] = (),
    *,
    title: str = "",
    rect: Rect | None = None,
    colour: str = "soft",
) -> Added | Refusal:
    """A frame around nodes, or around a rectangle. A node leaves the frame it was in."""
    wrong = missing(diagram, *members) or _bad(title, colour)
    if wrong is None and not members and rect is None:
        wrong = Refusal(_("A frame needs nodes, or a place, to go around."))
    if wrong is not None:
        return wrong
    chosen = tuple(key for key in diagram.nodes if key in members)
    key = free_id([frame.id for frame in diagram.frames], "frame")
    frame = Frame(key, title, chosen, None if chosen else rect, colour)
    return Added(_join(diagram, (*diagram.frames, frame), key, chosen), (key,))


def change_frame(
    diagram: Diagram, key: str, *, title: str | None = None, colour: str | None = None
) -> Edit:
    """Give a frame another title or colour; None leaves it as it is."""
    frame = _frame(diagram, key)
    if isinstance(frame, Refusal):
        return frame
    title = frame.title if title is None else title
    colour = frame.colour if colour is None else colour
    wrong = _bad(title, colour)
    if wrong is not None:
        return wrong
    return _with_frame(diagram, replace(frame, title=title, colour=colour))


def join(diagram: Diagram, key: str, ids: Collection[NodeId]) -> Edit:
    """Take nodes into a frame; they leave the frame that they were in."""
    frame = _frame(diagram, key)
    if isinstance(frame, Refusal):
        return frame
    wrong = missing(diagram, *ids)
    if wrong is not None:
        return wrong
    inside = {*ids, *frame.members}
    members = tuple(node for node in diagram.nodes if node in inside)
    return _join(diagram, diagram.frames, key, members)


def leave(diagram: Diagram, ids: Collection[NodeId]) -> Edit:
    """Take nodes out of their frames; a frame without any goes, unless it has a rectangle."""
    wrong = missing(diagram, *ids)
    return wrong or _join(diagram, diagram.frames, "", tuple(ids))


def remove_frame(diagram: Diagram, key: str) -> Edit:
    """Take a frame away; its nodes stay."""
    frame = _frame(diagram, key)
    if isinstance(frame, Refusal):
        return frame
    return replace(diagram, frames=tuple(one for one in diagram.frames if one.id != key))


def move_frame(
    diagram: Diagram, key: str, by: Point, shown: Mapping[NodeId, Point] | None = None
) -> Edit:
    """Move a frame and what is in it; `shown` are the places of nodes that were never moved."""
    frame = _frame(diagram, key)
    if isinstance(frame, Refusal):
        return frame
    places = {**(shown or {}), **diagram.positions}
    moved = {
        node: (places[node][0] + by[0], places[node][1] + by[1])
        for node in frame.members
        if node in places
    }
    if frame.rect is not None:
        left, top, width, height = frame.rect
        frame = replace(frame, rect=(left + by[0], top + by[1], width, height))
    diagram = replace(diagram, positions={**diagram.positions, **moved})
    return _with_frame(diagram, frame)


def add_note(diagram: Diagram, text: str, at: Point) -> Added | Refusal:
    """A text on the canvas."""
    wrong = _bad(text)
    if wrong is not None:
        return wrong
    key = free_id([note.id for note in diagram.notes], "note")
    return Added(replace(diagram, notes=(*diagram.notes, Note(key, text, at))), (key,))


def change_note(
    diagram: Diagram, key: str, *, text: str | None = None, at: Point | None = None
) -> Edit:
    """Give a note another text or place; None leaves it as it is."""
    note = next((note for note in diagram.notes if note.id == key), None)
    wrong = _no(_("There is no note “{name}”."), key) if note is None else _bad(text or "")
    if wrong is not None or note is None:
        return wrong or diagram
    changed = replace(note, text=note.text if text is None else text, at=at or note.at)
    if changed == note:
        return diagram
    notes = tuple(changed if one.id == key else one for one in diagram.notes)
    return replace(diagram, notes=notes)


def remove_note(diagram: Diagram, key: str) -> Edit:
    """Take a note away."""
    left = tuple(note for note in diagram.notes if note.id != key)
    if len(left) == len(diagram.notes):
        return _no(_("There is no note “{name}”."), key)
    return replace(diagram, notes=left)


def _frame(diagram: Diagram, key: str) -> Frame | Refusal:
    found = next((frame for frame in diagram.frames if frame.id == key), None)
    return found or _no(_("There is no frame “{name}”."), key)


def _with_frame(diagram: Diagram, frame: Frame) -> Diagram:
    frames = tuple(frame if one.id == frame.id else one for one in diagram.frames)
    return diagram if frames == diagram.frames else replace(diagram, frames=frames)


def _join(
    diagram: Diagram, frames: tuple[Frame, ...], key: str, members: tuple[NodeId, ...]
) -> Diagram:
    """The frames, the one of this id with these members, which no other has then."""
    taken = set(members)
    joined = (
        replace(
            frame,
            members=members
            if frame.id == key
            else tuple(node for node in frame.members if node not in taken),
        )
        for frame in frames
    )
    kept = tuple(frame for frame in joined if frame.members or frame.rect)
    return diagram if kept == diagram.frames else replace(diagram, frames=kept)


def _bad(text: str, colour: str = COLOURS[0]) -> Refusal | None:
    if len(text) > MAX_TEXT:
        return Refusal(_("The text is longer than {count} characters.").format(count=MAX_TEXT))
    if colour not in COLOURS:
        return Refusal(_("There is no colour “{name}”.").format(name=colour))
    return None


def _no(sentence: str, name: str) -> Refusal:
    return Refusal(sentence.format(name=name))
