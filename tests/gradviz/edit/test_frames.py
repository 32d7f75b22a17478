"""Frames and notes."""

import pytest

from gradviz import look, storage
from gradviz.diagram import Diagram, Frame, Node, Note
from gradviz.edit import frames
from gradviz.edit.outcome import Added, Refusal
from gradviz.scene.framing import COLOURS, outline


def pair() -> Diagram:
    nodes = [Node("x", "leaf", name="x"), Node("y", "exp", ("x",), name="y")]
    return Diagram({node.id: node for node in nodes}, positions={"x": (0.0, 0.0)})


def made(found: Diagram | Added | Refusal) -> Diagram:
    assert not isinstance(found, Refusal), found
    return found.diagram if isinstance(found, Added) else found


def refused(found: object) -> str:
    assert isinstance(found, Refusal)
    return found.sentence


def test_a_node_is_in_one_frame() -> None:
    diagram = made(frames.add_frame(pair(), ["y", "x"], title="loss"))
    assert diagram.frames == (Frame("frame", "loss", ("x", "y")),)
    diagram = made(frames.add_frame(diagram, ["x"], colour="leaf"))
    assert [(one.id, one.members) for one in diagram.frames] == [
        ("frame", ("y",)),
        ("frame#2", ("x",)),
    ]
    assert [one.id for one in made(frames.join(diagram, "frame", ["x", "y"])).frames] == ["frame"]


def test_what_no_frame_can_be() -> None:
    assert refused(frames.add_frame(pair())) == "A frame needs nodes, or a place, to go around."
    assert refused(frames.add_frame(pair(), ["z"])) == "There is no node “z”."
    assert refused(frames.add_frame(pair(), ["x"], colour="mauve")) == "There is no colour “mauve”."
    assert refused(frames.remove_frame(pair(), "f")) == "There is no frame “f”."
    assert refused(frames.add_note(pair(), "n" * 10_001, (0.0, 0.0))) == (
        "The text is longer than 10000 characters."
    )


def test_colours_are_the_palette_s() -> None:
    assert set(COLOURS) <= set(look.roles())


def test_a_frame_is_changed_moved_and_taken_away() -> None:
    diagram = made(frames.add_frame(pair(), ["x", "y"]))
    diagram = made(frames.change_frame(diagram, "frame", title="forward", colour="seed"))
    assert diagram.frames[0] == Frame("frame", "forward", ("x", "y"), colour="seed")
    moved = made(frames.move_frame(diagram, "frame", (5.0, -5.0), {"y": (100.0, 50.0)}))
    assert moved.positions == {"x": (5.0, -5.0), "y": (105.0, 45.0)}
    assert made(frames.remove_frame(moved, "frame")).frames == ()


def test_a_frame_around_a_place() -> None:
    diagram = made(frames.add_frame(pair(), rect=(0.0, 0.0, 50.0, 40.0)))
    moved = made(frames.move_frame(diagram, "frame", (1.0, 2.0)))
    assert moved.frames[0].rect == (1.0, 2.0, 50.0, 40.0)
    assert outline(moved.frames[0], {}) == (1.0, 2.0, 50.0, 40.0)


def test_a_frame_is_drawn_around_its_members() -> None:
    boxes = {"x": (0.0, 0.0, 100.0, 50.0), "y": (200.0, 20.0, 100.0, 60.0)}
    found = outline(Frame("f", members=("x", "y")), boxes)
    assert found == (-16.0, -44.0, 332.0, 140.0)
    assert outline(Frame("f", members=("z",)), boxes) is None


def test_notes() -> None:
    diagram = made(frames.add_note(pair(), "the chain rule", (1.0, 2.0)))
    diagram = made(frames.add_note(diagram, "ends here", (3.0, 4.0)))
    diagram = made(frames.change_note(diagram, "note", text="**the** chain rule"))
    diagram = made(frames.change_note(diagram, "note#2", at=(5.0, 6.0)))
    assert diagram.notes == (
        Note("note", "**the** chain rule", (1.0, 2.0)),
        Note("note#2", "ends here", (5.0, 6.0)),
    )
    assert [note.id for note in made(frames.remove_note(diagram, "note")).notes] == ["note#2"]
    assert refused(frames.change_note(diagram, "n", text="?")) == "There is no note “n”."
    assert frames.change_note(diagram, "note", at=(1.0, 2.0)) is diagram


@pytest.mark.parametrize("colour", COLOURS)
def test_they_are_in_the_file(colour: str) -> None:
    diagram = made(frames.add_frame(pair(), ["x"], title="a", colour=colour))
    diagram = made(frames.add_note(diagram, "b", (0.5, 0.25)))
    again = storage.loads(storage.dumps(diagram), "a.gradviz")
    assert (again.frames, again.notes) == (diagram.frames, diagram.notes)


def test_nodes_join_a_frame_and_leave_it() -> None:
    diagram = made(frames.add_frame(pair(), ["x"]))
    both = made(frames.join(diagram, "frame", ["y"]))
    assert both.frames[0].members == ("x", "y")
    assert made(frames.leave(both, ["x"])).frames[0].members == ("y",)
    assert made(frames.leave(both, ["x", "y"])).frames == ()  # around nothing
    assert made(frames.leave(pair(), ["x"])).frames == ()
    assert refused(frames.join(diagram, "f", ["y"])) == "There is no frame “f”."
    assert refused(frames.join(diagram, "frame", ["z"])) == "There is no node “z”."
    assert refused(frames.leave(diagram, ["z"])) == "There is no node “z”."
