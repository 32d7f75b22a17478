"""Values read from files: by the selected node's button, or dropped on the canvas."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from gradviz.diagram import Diagram, Node
from tests.ui.answers import Answers
from tests.ui.conftest import App

# Of tool tips and menus, which the offscreen screen cannot bring to the front.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

START = Diagram(positions={"x": (0, 0), "n": (0, 200)}, drawn=True).put(
    Node("x", "leaf", data=np.array([2.0, 3.0], np.float32), name="x"),
    Node("n", "constant", data=np.array([1, 2], np.int64), name="n"),
)


@pytest.fixture
def folder(app: App, tmp_path: Path) -> Path:
    app.window.document.load(START, None)
    app.settle()
    app.window.drawing.listen()
    (tmp_path / "table.csv").write_text("a,b\n1,2\n3,4.5\n")
    (tmp_path / "wrong.csv").write_text("1,2\n3,four\n")
    np.save(tmp_path / "whole.npy", np.arange(6).reshape(2, 3))
    np.savez(tmp_path / "several.npz", images=np.ones((2, 2)), labels=np.array([0, 1, 1]))
    Image.new("RGB", (3, 2), (255, 0, 0)).save(tmp_path / "red.png")
    return tmp_path


def read(app: App, key: str, path: Path) -> None:
    app.window.selection.select(key)
    answers = app.window.files.dialogs
    assert isinstance(answers, Answers)
    answers.path = path
    app.window.drawing.node_editor.source.importer.button.click()
    app.settle()


def drop(app: App, *paths: Path, at: tuple[float, float] = (100, 150)) -> None:
    canvas = app.window.stage.canvas
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    place, copy = canvas.mapFromScene(QPointF(*at)), Qt.DropAction.CopyAction
    left, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    for event in (
        QDragEnterEvent(place, copy, mime, left, keys),
        QDropEvent(QPointF(place), copy, mime, left, keys),
    ):
        QApplication.sendEvent(canvas.viewport(), event)
    app.settle()


def test_a_table_becomes_the_value_of_the_node(app: App, folder: Path) -> None:
    read(app, "x", folder / "table.csv")
    data = app.window.document.diagram.nodes["x"].data
    assert data is not None
    assert data.tolist() == [[1, 2], [3, 4.5]]
    assert app.window.document.history.undoText() == "Read table.csv"


def test_a_file_that_is_wrong_says_where_and_keeps_the_value(app: App, folder: Path) -> None:
    read(app, "x", folder / "wrong.csv")
    importer = app.window.drawing.node_editor.source.importer
    assert importer.said.text() == "wrong.csv, line 2, column 2: “four” is not a number."
    assert importer.said.isVisible()
    assert app.window.document.diagram.nodes["x"].data is START.nodes["x"].data


def test_integers_become_floating_in_a_leaf_and_it_says_so(app: App, folder: Path) -> None:
    read(app, "x", folder / "whole.npy")
    importer = app.window.drawing.node_editor.source.importer
    data = app.window.document.diagram.nodes["x"].data
    assert data is not None
    assert data.dtype == np.float32
    assert "int64 was cast to float32" in importer.said.text()
    read(app, "n", folder / "whole.npy")
    data = app.window.document.diagram.nodes["n"].data
    assert data is not None
    assert data.dtype == np.int64
    assert importer.said.text() == "whole.npy"


def test_an_archive_asks_which_array(app: App, folder: Path) -> None:
    read(app, "x", folder / "several.npz")
    which = app.window.drawing.node_editor.source.importer.which
    assert which.isVisible()
    assert [which.itemText(at) for at in range(which.count())] == ["images", "labels"]
    which.setCurrentIndex(1)
    which.activated.emit(1)
    app.settle()
    data = app.window.document.diagram.nodes["x"].data
    assert data is not None
    assert data.tolist() == [0, 1, 1]


def test_an_image_is_grey_or_coloured(app: App, folder: Path) -> None:
    read(app, "x", folder / "red.png")
    which = app.window.drawing.node_editor.source.importer.which
    data = app.window.document.diagram.nodes["x"].data
    assert data is not None
    assert data.shape == (2, 3)
    which.setCurrentIndex(1)
    which.activated.emit(1)
    app.settle()
    data = app.window.document.diagram.nodes["x"].data
    assert data is not None
    assert data.shape == (3, 2, 3)
    assert data[0].tolist() == [[1, 1, 1], [1, 1, 1]]


def test_a_table_dropped_on_the_canvas_is_a_leaf_there(app: App, folder: Path) -> None:
    drop(app, folder / "table.csv")
    diagram = app.window.document.diagram
    node = diagram.nodes["table"]
    assert node.op == "leaf"
    assert node.data is not None
    assert node.data.tolist() == [[1, 2], [3, 4.5]]
    x, y = diagram.positions["table"]
    assert x == pytest.approx(100, abs=2)
    assert y == pytest.approx(150 - 28, abs=2)
    assert app.window.selection.ids == ("table",)
    assert "table = torch.tensor" in (diagram.source or "")
    app.window.document.history.undo()
    assert "table" not in app.window.document.diagram.nodes


def test_whole_numbers_dropped_are_a_constant(app: App, folder: Path) -> None:
    drop(app, folder / "whole.npy")
    assert app.window.document.diagram.nodes["whole"].op == "constant"


def test_an_image_dropped_can_be_taken_in_colour(app: App, folder: Path) -> None:
    drop(app, folder / "red.png")
    data = app.window.document.diagram.nodes["red"].data
    assert data is not None
    assert data.shape == (2, 3)
    which = app.window.drawing.node_editor.source.importer.which
    assert which.isVisible()
    which.setCurrentIndex(1)
    which.activated.emit(1)
    app.settle()
    data = app.window.document.diagram.nodes["red"].data
    assert data is not None
    assert data.shape == (3, 2, 3)


def test_an_archive_dropped_asks_which(app: App, folder: Path) -> None:
    drop(app, folder / "several.npz")
    menu = app.window.drawing.dropped.menu
    texts = [action.text() for action in menu.actions() if not action.isSeparator()]
    assert texts == ["images", "labels", "All 2 arrays"]
    menu.actions()[-1].trigger()
    menu.close()
    app.settle()
    nodes = app.window.document.diagram.nodes
    assert nodes["images"].op == "leaf"
    assert nodes["labels"].op == "constant"


def test_what_cannot_be_read_is_said(app: App, folder: Path) -> None:
    drop(app, folder / "wrong.csv")
    assert list(app.window.document.diagram.nodes) == ["x", "n"]
    assert "column 2: “four” is not a number" in app.window.status.currentMessage()


def test_a_file_of_numbers_on_the_gallery_begins_a_drawing(app: App, folder: Path) -> None:
    app.window.document.load(Diagram(), None)
    app.window.stage.show_gallery()
    at = app.window.stage.mapToGlobal(QPoint(200, 200))
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(folder / "table.csv"))])
    app.window.filing.dropping.take(mime, at)
    app.settle()
    assert list(app.window.document.diagram.nodes) == ["table"]
    assert app.window.stage.pages.currentWidget() is app.window.stage.canvas
