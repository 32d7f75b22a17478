"""What the user chose stays when the script changes, where it still fits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gradviz.diagram import BackwardCall, Diagram, Frame, Node, Start
from gradviz.run import Run, Value
from gradviz.ui.running.carry import carry
from gradviz.ui.running.live import TAKEN_OUT
from tests.ui.by_hand import START as HALF
from tests.ui.by_hand import drawn
from tests.ui.conftest import App


def _derived(size: int, *calls: BackwardCall) -> tuple[Diagram, Run]:
    y = np.ones(size, dtype=np.float32)
    nodes = {"x": Node("x", "leaf", data=y, name="x"), "y": Node("y", "mul", ("x", "x"), name="y")}
    run = Run({"x": Value(y, True), "y": Value(y, True, "MulBackward0")})
    return Diagram(nodes, calls, source="s"), run


_OWN = BackwardCall("y", line=3)
_RECT = (0.0, 0.0, 9.0, 9.0)
_SEED = Start("seed", values=np.array([1.0, 0.5], dtype=np.float32))


def _before(start: Start, *, line: int | None = 3) -> Diagram:
    diagram, _run = _derived(2, BackwardCall("y", start, line=line, edited=True))
    return replace(diagram, source="s2", title="t", positions={"x": (1.0, 2.0), "gone": (0.0, 0.0)})


def test_an_edited_start_is_carried_to_the_new_line() -> None:
    derived, run = _derived(2, replace(_OWN, line=4))
    found = carry(_before(_SEED), (_OWN,), derived, run)
    assert (found.calls[0].start, found.calls[0].line) == (_SEED, 4)
    assert (found.source, found.title, dict(found.positions)) == ("s2", "t", {"x": (1.0, 2.0)})


def test_a_vector_of_another_shape_is_dropped() -> None:
    derived, run = _derived(3, _OWN)
    assert carry(_before(_SEED), (_OWN,), derived, run).calls is derived.calls


def test_a_preset_is_made_anew_for_another_shape() -> None:
    derived, run = _derived(4, _OWN)
    start = Start("seed", preset="1/N", values=np.full(2, 0.5, dtype=np.float32))
    found = carry(_before(start), (_OWN,), derived, run).calls[0].start
    assert found.values is not None
    assert found.values.tolist() == [0.25] * 4


def test_the_script_wins_where_its_own_call_changed() -> None:
    changed = replace(_OWN, start=Start("seed", values=np.zeros(2, dtype=np.float32)))
    derived, run = _derived(2, changed)
    assert carry(_before(_SEED), (_OWN,), derived, run).calls is derived.calls


def test_a_call_that_the_app_added_is_added_again() -> None:
    derived, run = _derived(2)
    found = carry(_before(_SEED, line=None), (), derived, run)
    assert [call.start for call in found.calls] == [_SEED]


def test_a_target_that_is_gone_takes_its_start_along() -> None:
    x = Node("x", "leaf", data=np.ones(2), name="x")
    derived = Diagram({"x": x}, (), source="s")
    run = Run({"x": Value(np.ones(2), True)})
    assert carry(_before(_SEED), (_OWN,), derived, run).calls == ()


def _unnamed(line: int) -> tuple[Diagram, Run]:
    """A product without a name on this line of the script; its id says so, as the reader's do."""
    y = np.ones(2, dtype=np.float32)
    key = f"mul@{line}"
    nodes = {"x": Node("x", "leaf", data=y, name="x"), key: Node(key, "mul", ("x", "x"))}
    run = Run({"x": Value(y, True), key: Value(y, True, "MulBackward0")})
    return Diagram(nodes, source="s"), run


def test_frames_places_and_calls_follow_a_node_to_another_line() -> None:
    before, _run = _unnamed(3)
    derived, run = _unnamed(4)
    frames = (Frame("f", "t", ("mul@3",)),)
    call = BackwardCall("mul@3", _SEED, edited=True, inputs=("mul@3", "x"), clear=("x",))
    given = replace(before, frames=frames, calls=(call,), positions={"mul@3": (7.0, 8.0)})
    found = carry(given, (), derived, run)
    assert found.frames == (Frame("f", "t", ("mul@4",)),)
    assert found.positions == {"mul@4": (7.0, 8.0)}
    (carried,) = found.calls
    assert (carried.target, carried.inputs, carried.clear) == ("mul@4", ("mul@4", "x"), ("x",))
    assert carried.start is _SEED


def test_a_start_stays_with_its_call_on_another_line() -> None:
    before, _run = _unnamed(3)
    derived, run = _unnamed(4)
    own = BackwardCall("mul@3", line=3)
    edited = replace(before, calls=(replace(own, start=_SEED, edited=True),))
    derived = replace(derived, calls=(BackwardCall("mul@4", line=4),))
    (carried,) = carry(edited, (own,), derived, run).calls
    assert (carried.target, carried.start, carried.line) == ("mul@4", _SEED, 4)


def test_a_frame_goes_with_the_last_of_its_nodes_unless_it_has_a_place() -> None:
    before, _run = _unnamed(3)
    frames = (Frame("f", "", ("mul@3",)), Frame("g", "", ("mul@3", "x")), Frame("h", rect=_RECT))
    x = Node("x", "leaf", data=np.ones(2), name="x")
    found = carry(replace(before, frames=frames), (), Diagram({"x": x}, source="s"), Run({}))
    assert found.frames == (Frame("g", "", ("x",)), Frame("h", rect=_RECT))


def test_frames_stay_where_a_comment_is_typed_into_a_drawing(app: App) -> None:
    whole = replace(HALF.put(Node("m", "mul", ("e", "w"))), frames=(Frame("f", "t", ("e", "m")),))
    drawn(app, whole)
    document = app.window.document
    ops = [document.diagram.nodes[key].op for key in document.diagram.frames[0].members]
    assert ops == ["exp", "mul"]
    places = {document.diagram.nodes[key].op: at for key, at in whole.positions.items()}
    app.write(f"# a comment\n{document.diagram.source}")
    assert not document.diagram.drawn
    (frame,) = document.diagram.frames
    assert [document.diagram.nodes[key].op for key in frame.members] == ops
    found = document.diagram.positions
    assert {document.diagram.nodes[key].op: at for key, at in found.items()} == places


def test_typing_says_that_it_takes_out_what_is_not_finished(app: App) -> None:
    drawn(app, HALF)
    window = app.window
    said: list[str] = []
    window.live.unrolled.connect(said.append)
    assert len(window.document.diagram.nodes) == 5
    app.write(f"{window.document.diagram.source}# a")
    assert [node.op for node in window.document.diagram.nodes.values()] == ["leaf", "exp"]
    assert said == [TAKEN_OUT]
    assert window.stage.banner.isVisible()
    app.write(f"{window.document.diagram.source}b")
    assert len(said) == 1
    for _step in range(2):
        window.action("undo").trigger()
        app.settle()
    assert list(window.document.diagram.nodes) == ["x", "w", "e", "m", "s"]
    assert window.document.diagram.nodes["m"].inputs == ("e", None)
    assert len(said) == 1


_SCRIPT = """import torch
x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x.exp()
z = (y * 2).sum()
"""


def test_what_an_error_hides_has_its_frames_and_places_again(app: App) -> None:
    app.write(_SCRIPT)
    document = app.window.document
    frames = (Frame("f", "t", ("mul@4",)), Frame("g", "", ("y", "mul@4")), Frame("h", "", ("z",)))
    places = {"y": (1.0, 2.0), "mul@4": (7.0, 8.0)}
    document.edit("Frame", replace(document.diagram, frames=frames, positions=places))
    app.settle()
    app.write(_SCRIPT.replace("z =", "k = 5 * y\nk = unkno\nz ="))  # half of a word is there
    assert document.diagram.frames == (Frame("g", "", ("y",)),)
    moved = {"y": (3.0, 4.0), "k": (5.0, 6.0)}
    document.edit("Move", replace(document.diagram, positions=moved))
    app.settle()
    app.write(_SCRIPT.replace("z =", "k = 5 * y\nk = unknow\nz ="))
    app.write(_SCRIPT.replace("z =", "k = 5 * y\nz ="))
    assert {frame.id: frame.members for frame in document.diagram.frames} == {
        "f": ("mul@5",),
        "g": ("y", "mul@5"),
        "h": ("z",),
    }
    assert document.diagram.positions == {**moved, "mul@5": (7.0, 8.0)}


def test_a_frame_removed_while_an_error_hides_its_nodes_stays_away(app: App) -> None:
    app.write(_SCRIPT)
    document = app.window.document
    document.edit("Frame", replace(document.diagram, frames=(Frame("g", "", ("y", "z")),)))
    app.settle()
    app.write(_SCRIPT.replace("z =", "unkno\nz ="))
    assert document.diagram.frames == (Frame("g", "", ("y",)),)
    document.edit("Remove", replace(document.diagram, frames=()))
    app.settle()
    app.write(_SCRIPT)
    assert list(document.diagram.nodes) == ["x", "y", "constant@4", "mul@4", "z"]
    assert document.diagram.frames == ()
