"""A small drawing and hands to work on it with: wires are dragged, keys are typed."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from gradviz.diagram import Diagram, Node, NodeId
from gradviz.ui.canvas.annotated import AnnotatedCanvas
from gradviz.ui.canvas.editable import EditableCanvas
from gradviz.ui.canvas.ports import Port
from tests.ui.conftest import App

LEFT = Qt.MouseButton.LeftButton


def leaf(key: NodeId, *values: float) -> Node:
    return Node(key, "leaf", data=np.array(values, np.float32), name=key)


START = Diagram(
    positions={"x": (0, 0), "w": (0, 150), "e": (250, 0), "m": (500, 60), "s": (760, 60)},
    drawn=True,
).put(
    leaf("x", 2, 3),
    leaf("w", 1, 5),
    Node("e", "exp", ("x",)),
    Node("m", "mul", ("e", None)),
    Node("s", "sum", ("m",), {"dim": None, "keepdim": False}),
)


@pytest.fixture
def canvas(app: App) -> EditableCanvas:
    return drawn(app, START)


def drawn(app: App, diagram: Diagram) -> EditableCanvas:
    """The canvas with a drawing that hands can work on, all of it in sight."""
    window = app.window
    window.drawing.listen()
    window.document.load(diagram, None)
    app.settle()
    canvas = window.stage.canvas
    app.qtbot.waitUntil(canvas.isVisible)
    window.resize(1600, 900)
    app.qtbot.waitUntil(lambda: canvas.width() > 900)
    canvas.fit()
    return canvas


def port(canvas: EditableCanvas, node: NodeId, slot: int | None) -> Port:
    return next(port for port in canvas.ports.of(node) if port.slot == slot)


def place(canvas: AnnotatedCanvas, x: float, y: float) -> QPoint:
    return canvas.mapFromScene(QPointF(x, y))


def drag(
    canvas: EditableCanvas,
    start: QPoint,
    end: QPoint,
    keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    view = canvas.viewport()
    QTest.mousePress(view, LEFT, keys, start)
    for share in (0.3, 0.7, 1.0):
        QTest.mouseMove(view, start + (end - start) * share)
    QTest.mouseRelease(view, LEFT, keys, end)


def inputs(app: App, key: NodeId) -> tuple[NodeId | None, ...]:
    return app.window.document.diagram.nodes[key].inputs


def chosen(app: App) -> list[NodeId]:
    return list(app.window.selection.ids)


def keyed(app: App, text: str) -> None:
    """Add something by the keyboard alone."""
    QTest.keyClick(app.window.stage.canvas, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    finder = app.window.drawing.palette.finder
    assert finder.isVisible()
    QTest.keyClicks(finder.line, text)
    QTest.keyClick(finder.line, Qt.Key.Key_Return)
    app.settle()
