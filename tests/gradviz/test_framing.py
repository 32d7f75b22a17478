"""Frames and notes in the picture: where they are, and that every export shows them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from gradviz import storage
from gradviz.diagram import Diagram, Frame, Node, Note
from gradviz.evaluate import evaluate
from gradviz.export import export
from gradviz.figure import Figure, figure
from gradviz.look import DARK, LIGHT, contrast
from gradviz.scene.framing import (
    COLOURS,
    HEADER,
    NOTE_WIDTH,
    PAD,
    frame_ground,
    note_ground,
    note_lines,
    outline,
)

BARE = Diagram(positions={"x": (0.0, 0.0), "y": (300.0, 40.0)}).put(
    Node("x", "leaf", data=np.array([2, 3], np.float32), name="x"),
    Node("y", "exp", ("x",), name="y"),
)
NOTE = Note("note", "Both grow alike.\n\n梯度在此相加。", (20.0, 200.0))
FRAME = Frame("frame", "Loss", ("x", "y"), colour="seed")
DIAGRAM = replace(BARE, frames=(FRAME,), notes=(NOTE,))


def drawn(diagram: Diagram) -> Figure:
    return figure(diagram, evaluate(diagram))


def test_a_frame_goes_around_its_members_with_room_for_its_title() -> None:
    found = drawn(DIAGRAM)
    (frame,), (x, y) = found.frames, found.boxes
    assert (frame.x, frame.y) == (x.x - PAD, x.y - PAD - HEADER)
    assert frame.x + frame.width == y.x + y.width + PAD
    assert frame.y + frame.height == max(x.y + x.height, y.y + y.height) + PAD
    assert (frame.title, frame.colour, frame.members) == ("Loss", "seed", ("x", "y"))


def test_the_picture_has_room_for_frames_and_notes() -> None:
    plain, found = drawn(BARE), drawn(DIAGRAM)
    assert (found.left, found.top) == (plain.left - PAD, plain.top - PAD - HEADER)
    (note,) = found.notes
    assert found.top + found.height >= note.y + note.height
    far = drawn(replace(BARE, notes=(replace(NOTE, at=(-500.0, 0.0)),)))
    assert far.left < -500.0


def test_a_note_without_a_place_stands_under_the_picture() -> None:
    found = drawn(replace(BARE, notes=(Note("a", "first"), Note("b", "second"))))
    first, second = found.notes
    lowest = max(box.y + box.height for box in found.boxes)
    assert lowest < first.y < first.y + first.height < second.y
    assert first.x == 0.0


def test_lines_are_as_wide_as_a_note_may_be_and_breaks_stay() -> None:
    assert note_lines(NOTE) == ("Both grow alike.", "", "梯度在此相加。")
    many = note_lines(Note("n", "word " * 60))
    assert len(many) > 3
    found = drawn(replace(BARE, notes=(Note("n", "word " * 60),))).notes[0]
    assert found.width <= NOTE_WIDTH + 20


def test_a_frame_of_nothing_is_not_drawn() -> None:
    assert outline(Frame("f", members=("gone",)), {}) is None
    assert drawn(replace(BARE, frames=(Frame("f", members=("gone",)),))).frames == ()
    alone = drawn(replace(BARE, frames=(Frame("f", rect=(0, -200, 80, 60)),))).frames
    assert (alone[0].y, alone[0].height) == (-200, 60)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("role", COLOURS)
def test_titles_and_notes_can_be_read(theme: Any, role: str) -> None:
    assert contrast(getattr(theme, role), frame_ground(theme, role)) >= 4.5
    assert contrast(theme.ink, note_ground(theme)) >= 7


def test_they_are_in_the_svg_under_the_nodes(tmp_path: Path) -> None:
    path = tmp_path / "f.svg"
    export(DIAGRAM, evaluate(DIAGRAM), path)
    text = path.read_text("utf-8")
    assert '<g class="frame">' in text
    assert ">Loss</text>" in text
    assert ">Both grow alike.</text>" in text
    assert ">梯度在此相加。</text>" in text
    assert text.index('class="frame"') < text.index('class="note"') < text.index('class="edges"')


def test_png_shows_what_the_svg_does(tmp_path: Path) -> None:
    path, plain = tmp_path / "f.png", tmp_path / "p.png"
    run = evaluate(DIAGRAM)
    export(DIAGRAM, run, path)
    export(BARE, run, plain)
    for code in (frame_ground(LIGHT, "seed"), note_ground(LIGHT)):
        assert _count(path, code) > 1000
        assert _count(plain, code) < 100


def test_json_has_them_as_data(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    export(DIAGRAM, evaluate(DIAGRAM), path)
    told = json.loads(path.read_text())["figure"]
    assert told["frames"][0]["title"] == "Loss"
    assert told["notes"][0]["lines"][0] == "Both grow alike."


def test_a_file_keeps_them() -> None:
    again = storage.loads(storage.dumps(DIAGRAM), "f")
    assert (again.frames, again.notes) == ((FRAME,), (NOTE,))


def _count(path: Path, code: str) -> int:
    """How many px of a picture have this colour."""
    wanted = tuple(int(code[k : k + 2], 16) for k in (1, 3, 5))
    found = Image.open(path).convert("RGB").getcolors(1 << 20)
    assert found is not None
    return sum(count for count, colour in found if colour == wanted)
