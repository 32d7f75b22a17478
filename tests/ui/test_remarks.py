"""Frames and notes on the canvas: made, written on, dragged, coloured, removed; each undoable."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QCursor, QFocusEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from gradviz import storage
from gradviz.diagram import Diagram, Frame, Node, Note
from gradviz.scene.framing import HEADER, PAD
from gradviz.ui.canvas.annotated import AnnotatedCanvas
from gradviz.ui.canvas.in_place import InPlace
from gradviz.ui.canvas.remarks import rect_of
from tests.ui.by_hand import drawn, place
from tests.ui.conftest import App

# Of tool tips and menus, which the offscreen screen cannot bring to the front.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
NONE = Qt.KeyboardModifier.NoModifier
START = Diagram(positions={"x": (0, 0), "e": (250, 0), "s": (500, 0)}, drawn=True).put(
    Node("x", "leaf", data=np.array([0, 1], np.float32), name="x"),
    Node("e", "exp", ("x",), name="y"),
    Node("s", "sum", ("e",), {"dim": None, "keepdim": False}),
)


@pytest.fixture
def canvas(app: App) -> AnnotatedCanvas:
    return drawn(app, START)


def line(canvas: AnnotatedCanvas) -> InPlace:
    assert canvas.line is not None
    return canvas.line


def say(app: App, canvas: AnnotatedCanvas, text: str, key: Qt.Key = Qt.Key.Key_Return) -> None:
    written = line(canvas)
    written.setPlainText(text)
    QTest.keyClick(written, key, Qt.KeyboardModifier.ControlModifier)
    app.settle()


def drag(canvas: AnnotatedCanvas, start: QPoint, by: QPoint) -> None:
    view = canvas.viewport()
    QTest.mousePress(view, LEFT, NONE, start)
    for share in (0.5, 1.0):
        QTest.mouseMove(view, start + by * share)
    QTest.mouseRelease(view, LEFT, NONE, start + by)


def frames(app: App) -> tuple[Frame, ...]:
    return app.window.document.diagram.frames


def notes(app: App) -> tuple[Note, ...]:
    return app.window.document.diagram.notes


@pytest.fixture
def framed(app: App, canvas: AnnotatedCanvas) -> AnnotatedCanvas:
    app.window.selection.select("x", "e")
    app.window.action("frame").trigger()
    say(app, canvas, "Growth")
    return canvas


@pytest.fixture
def noted(app: App, canvas: AnnotatedCanvas) -> AnnotatedCanvas:
    canvas.write_note((60.0, 160.0))
    say(app, canvas, "Both grow alike.")
    return canvas


def marked(canvas: AnnotatedCanvas) -> str | None:
    return canvas.marked


def header(canvas: AnnotatedCanvas) -> QPoint:
    (frame,) = canvas.figure.frames
    return place(canvas, frame.x + frame.width / 2, frame.y + HEADER / 2)


def test_a_frame_is_made_around_the_selection_and_named(app: App, framed: AnnotatedCanvas) -> None:
    assert frames(app) == (Frame("frame", "Growth", ("x", "e")),)
    (frame,) = framed.figure.frames
    assert (frame.x, frame.y, frame.title) == (-PAD, -PAD - HEADER, "Growth")
    history = app.window.document.history
    history.undo()
    assert frames(app)[0].title == "Frame"
    history.undo()
    assert frames(app) == ()
    assert framed.figure.frames == ()


def test_a_title_is_edited_by_a_double_click(app: App, framed: AnnotatedCanvas) -> None:
    QTest.mouseDClick(framed.viewport(), LEFT, NONE, header(framed))
    assert line(framed).toPlainText() == "Growth"
    QTest.keyClick(line(framed), Qt.Key.Key_Escape)
    QTest.mouseDClick(framed.viewport(), LEFT, NONE, header(framed))
    line(framed).setPlainText("A  loss\n")
    QTest.keyClick(line(framed), Qt.Key.Key_Return)
    app.settle()
    assert frames(app)[0].title == "A loss"


def test_a_frame_is_moved_by_its_header_with_its_members(app: App, framed: AnnotatedCanvas) -> None:
    start, by, zoom = header(framed), QPoint(80, 40), framed.zoom
    view = framed.viewport()
    QTest.mousePress(view, LEFT, NONE, start)
    QTest.mouseMove(view, start + by)
    (frame,) = framed.figure.frames
    x, y, *_size = rect_of(frame, framed.spatial)
    assert (x - frame.x, y - frame.y) == pytest.approx((80 / zoom, 40 / zoom))
    QTest.mouseRelease(view, LEFT, NONE, start + by)
    app.settle()
    positions = app.window.document.diagram.positions
    assert positions["x"] == pytest.approx((80 / zoom, 40 / zoom))
    assert positions["e"] == pytest.approx((250 + 80 / zoom, 40 / zoom))
    assert positions["s"] == pytest.approx((500, 0))
    app.window.document.history.undo()
    assert app.window.document.diagram.positions["x"] == pytest.approx((0, 0))
    assert framed.figure.frames[0].x == -PAD


def test_a_node_is_dragged_into_a_frame_and_taken_out(app: App, framed: AnnotatedCanvas) -> None:
    app.window.action("fit").trigger()
    start, end = place(framed, 530, 12), place(framed, 240, 60)
    view = framed.viewport()
    QTest.mousePress(view, LEFT, NONE, start)
    QTest.mouseMove(view, start + QPoint(0, 30))
    assert framed.frame_under is None  # still beside it
    QTest.mouseMove(view, end)
    assert framed.frame_under == framed.figure.frames[0]
    QTest.mouseRelease(view, LEFT, NONE, end)
    app.settle()
    assert framed.frame_under is None
    assert frames(app)[0].members == ("x", "e", "s")
    moved = app.window.document.diagram.positions["s"]
    assert moved[0] < 400
    history = app.window.document.history
    history.undo()  # place and frame as one step
    assert frames(app)[0].members == ("x", "e")
    assert app.window.document.diagram.positions["s"] == (500, 0)
    history.redo()
    app.window.selection.select("x", "s")
    assert app.window.action("unframe").isEnabled()
    app.window.action("unframe").trigger()
    app.settle()
    assert frames(app)[0].members == ("e",)
    assert app.window.document.diagram.positions["s"] == moved
    assert not app.window.action("unframe").isEnabled()


def test_a_box_that_a_pass_adds_joins_nothing(app: App, framed: AnnotatedCanvas) -> None:
    app.window.calls.begin("sum")
    app.settle()
    app.window.action("fit").trigger()
    history, added = app.window.document.history, framed.figure.boxes[-1]
    count, before = history.count(), framed.spatial.rects.tolist()
    assert added.id not in START.nodes
    start = place(framed, added.x + 30, added.y + 10)
    for end in (place(framed, 240, 60), start + QPoint(10, 40)):  # into the frame; beside it
        drag(framed, start, end - start)
        app.settle()
        assert history.count() == count
        assert framed.spatial.rects.tolist() == before
        assert not framed.spatial.moved


def test_a_script_s_nodes_are_pinned_no_further(app: App) -> None:
    """A node that goes into a frame stays where it is put; the others make room as before."""
    app.open("example:sum")
    canvas, window = app.window.stage.canvas, app.window
    window.selection.select("x")
    window.action("frame").trigger()
    canvas.finish_writing()
    canvas.joined.emit("frame:frame", {"y": (300.0, 40.0)})
    app.settle()
    diagram = window.document.diagram
    assert diagram.positions == {"y": (300.0, 40.0)}
    assert diagram.frames[0].members == ("x", "y")
    assert not diagram.drawn


def test_what_is_copied_joins_no_frame(app: App, framed: AnnotatedCanvas) -> None:
    app.window.action("fit").trigger()
    start, view = place(framed, 530, 12), framed.viewport()
    alt = Qt.KeyboardModifier.AltModifier
    QTest.mousePress(view, LEFT, alt, start)
    QTest.mouseMove(view, place(framed, 240, 60))
    assert framed.frame_under is None
    QTest.mouseRelease(view, LEFT, alt, place(framed, 240, 60))
    app.settle()
    assert frames(app)[0].members == ("x", "e")
    assert len(app.window.document.diagram.nodes) == len(START.nodes) + 1


def test_a_member_stays_one_wherever_it_is_dragged(app: App, framed: AnnotatedCanvas) -> None:
    app.window.action("fit").trigger()
    start = place(framed, 280, 12)
    QTest.mousePress(framed.viewport(), LEFT, NONE, start)
    QTest.mouseMove(framed.viewport(), start + QPoint(20, 20))
    assert framed.frame_under is None
    QTest.keyClick(framed, Qt.Key.Key_Escape)
    QTest.mouseRelease(framed.viewport(), LEFT, NONE, start)
    assert frames(app)[0].members == ("x", "e")


def test_a_drag_that_is_given_up_moves_nothing(app: App, framed: AnnotatedCanvas) -> None:
    start, count = header(framed), app.window.document.history.count()
    QTest.mousePress(framed.viewport(), LEFT, NONE, start)
    QTest.mouseMove(framed.viewport(), start + QPoint(50, 0))
    QTest.keyClick(framed, Qt.Key.Key_Escape)
    QTest.mouseRelease(framed.viewport(), LEFT, NONE, start)
    assert app.window.document.history.count() == count
    assert framed.spatial.rects[0, :2].tolist() == [0, 0]


def test_a_frame_follows_its_members(app: App, framed: AnnotatedCanvas) -> None:
    drag(framed, place(framed, 300, 10), QPoint(60, 60))
    app.settle()
    (frame,) = framed.figure.frames
    box = next(box for box in framed.figure.boxes if box.id == "e")
    assert frame.x + frame.width == box.x + box.width + PAD


def test_the_menu_of_a_frame_colours_and_removes_it(app: App, framed: AnnotatedCanvas) -> None:
    QTest.mousePress(framed.viewport(), RIGHT, NONE, header(framed))
    QTest.mouseRelease(framed.viewport(), RIGHT, NONE, header(framed))
    menu = app.window.drawing.remarks.menu
    assert [action.text() for action in menu.actions() if action.text()] == [
        "Title…", "Colour", "Remove the frame",
    ]  # fmt: skip
    colours = menu.actions()[1].menu()
    assert isinstance(colours, QMenu)
    assert [action.isChecked() for action in colours.actions()] == [True, *[False] * 4]
    colours.actions()[3].trigger()
    app.settle()
    assert frames(app)[0].colour == "seed"
    assert framed.figure.frames[0].colour == "seed"
    menu.actions()[-1].trigger()
    app.settle()
    assert frames(app) == ()
    assert set(app.window.document.diagram.nodes) == {"x", "e", "s"}


def test_delete_takes_the_picked_frame_and_no_node(app: App, framed: AnnotatedCanvas) -> None:
    QTest.mouseClick(framed.viewport(), LEFT, NONE, header(framed))
    assert marked(framed) == "frame:frame"
    assert app.window.selection.ids == ()
    assert app.window.action("delete").isEnabled()
    app.window.action("delete").trigger()
    app.settle()
    assert frames(app) == ()
    assert len(app.window.document.diagram.nodes) == 3
    assert marked(framed) is None
    assert not app.window.action("delete").isEnabled()


def test_a_node_is_picked_before_the_frame_behind_it(app: App, framed: AnnotatedCanvas) -> None:
    QTest.mouseClick(framed.viewport(), LEFT, NONE, header(framed))
    QTest.mouseClick(framed.viewport(), LEFT, NONE, place(framed, 300, 10))
    assert marked(framed) is None
    assert app.window.selection.ids == ("e",)


def test_a_note_is_written_where_the_pointer_is(app: App, canvas: AnnotatedCanvas) -> None:
    at = place(canvas, 60, 170)
    QCursor.setPos(canvas.viewport().mapToGlobal(at))
    app.window.action("note").trigger()
    assert line(canvas).isVisible()
    say(app, canvas, "First line\nsecond line")
    (note,) = notes(app)
    assert note.text == "First line\nsecond line"
    assert note.at == pytest.approx((60, 170), abs=2 / canvas.zoom)
    assert canvas.figure.notes[0].lines == ("First line", "second line")
    app.window.document.history.undo()
    assert notes(app) == ()


def test_an_empty_note_is_none(app: App, canvas: AnnotatedCanvas) -> None:
    canvas.write_note((0.0, 160.0))
    say(app, canvas, "  ")
    assert notes(app) == ()
    assert app.window.document.history.count() == 0


def test_a_note_is_edited_moved_and_removed(app: App, noted: AnnotatedCanvas) -> None:
    (box,) = noted.figure.notes
    middle = place(noted, box.x + box.width / 2, box.y + box.height / 2)
    QTest.mouseDClick(noted.viewport(), LEFT, NONE, middle)
    assert line(noted).toPlainText() == "Both grow alike."
    say(app, noted, "They do.")
    assert notes(app)[0].text == "They do."
    zoom = noted.zoom
    drag(noted, place(noted, box.x + 5, box.y + 5), QPoint(40, 20))
    app.settle()
    assert notes(app)[0].at == pytest.approx((60 + 40 / zoom, 160 + 20 / zoom))
    assert (noted.figure.notes[0].x, noted.figure.notes[0].y) == notes(app)[0].at
    QTest.keyClick(noted, Qt.Key.Key_Return)  # it is picked
    say(app, noted, "")
    assert notes(app) == ()
    for _step in range(3):
        app.window.document.history.undo()
    assert notes(app)[0] == Note("note", "Both grow alike.", (60.0, 160.0))


def test_a_text_that_is_too_long_is_refused_and_not_lost(app: App, canvas: AnnotatedCanvas) -> None:
    canvas.write_note((0.0, 160.0))
    say(app, canvas, "x" * 10_001)
    assert notes(app) == ()
    assert line(canvas).toPlainText() == "x" * 10_001
    say(app, canvas, "x")
    assert notes(app)[0].text == "x"


def test_a_note_leaves_a_script_and_the_layout_as_they_are(app: App) -> None:
    app.write("import torch\nx = torch.ones(2, requires_grad=True)\ny = x * 2\n")
    window = app.window
    window.drawing.listen()
    canvas = window.stage.canvas
    canvas.write_note((0.0, 200.0))
    say(app, canvas, "Twice")
    diagram = window.document.diagram
    assert (diagram.drawn, dict(diagram.positions)) == (False, {})
    window.selection.select(*diagram.nodes)
    window.action("frame").trigger()
    say(app, canvas, "All")
    assert not window.document.diagram.drawn
    app.write("import torch\nx = torch.ones(3, requires_grad=True)\ny = x * 2\n")
    app.qtbot.waitUntil(lambda: len(canvas.figure.frames) == 1)
    assert frames(app)[0].title == "All"
    assert notes(app)[0].text == "Twice"


def test_without_nodes_the_notes_are_there(app: App, tmp_path: Path) -> None:
    path = tmp_path / "plan.gradviz"
    storage.write(path, Diagram(notes=(Note("n", "To do", (10.0, 20.0)),)))
    app.open(str(path))
    canvas = app.window.stage.canvas
    assert app.window.stage.pages.currentWidget() is canvas
    assert canvas.figure.notes[0].lines == ("To do",)


def test_saved_and_opened_they_are_the_same(
    app: App, framed: AnnotatedCanvas, tmp_path: Path
) -> None:
    framed.write_note((60.0, 160.0))
    say(app, framed, "Both grow alike.")
    kept = frames(app), notes(app)
    app.answers.path = tmp_path / "remarks.gradviz"
    app.window.files.save()
    app.settle()
    app.open("example:sum")
    assert frames(app) == ()
    app.open(str(tmp_path / "remarks.gradviz"))
    assert (frames(app), notes(app)) == kept


def test_both_canvases_show_them(app: App, framed: AnnotatedCanvas) -> None:
    app.window.selection.select("e")
    app.window.action("sum_here").trigger()
    app.settle()
    app.window.commands.set_twin(True)
    app.settle()
    twin = app.window.stage.twin
    assert [view.figure.frames[0].title for view in (twin.first, twin.second)] == ["Growth"] * 2


def test_what_is_being_written_is_not_lost(
    app: App, canvas: AnnotatedCanvas, tmp_path: Path
) -> None:
    """Another shortcut, a menu or the end of the window take it first."""
    window = app.window
    canvas.write_note((0.0, 160.0))
    line(canvas).setPlainText("saved")
    QTest.keyClick(line(canvas), Qt.Key.Key_A)  # a letter, which fits the picture otherwise
    app.answers.path = tmp_path / "one.gradviz"
    override = QKeyEvent(
        QEvent.Type.ShortcutOverride, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier
    )
    QApplication.sendEvent(line(canvas), override)
    assert [note.text for note in notes(app)] == ["asaved"]
    window.files.save()
    app.settle()
    canvas.write_note((0.0, 260.0))
    line(canvas).setPlainText("closing")
    app.answers.decision = "cancel"
    window.close()
    assert [note.text for note in notes(app)] == ["asaved", "closing"]
    assert window.isVisible()
    assert app.answers.asked[-1].startswith("save one.gradviz?")
    canvas.write_note((0.0, 360.0))
    line(canvas).setPlainText("menu")
    QApplication.sendEvent(
        line(canvas), QFocusEvent(QEvent.Type.FocusOut, Qt.FocusReason.PopupFocusReason)
    )
    assert [note.text for note in notes(app)][2:] == ["menu"]
