"""Steps of a person at the fields that change the selected node."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from gradviz.diagram import Node, NodeId
from gradviz.run import Array
from gradviz.ui.drawing.node_editor import NodeEditor
from gradviz.ui.widgets.entry_line import EntryLine
from tests.ui.conftest import App

KEY, CONTROL = Qt.Key, Qt.KeyboardModifier.ControlModifier
SCRIPT = """import torch
# the data
x = torch.tensor([2.0, 3.0], requires_grad=True)
w = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], requires_grad=True)
y = w @ x  # a product
z = y.sum(0)
z.backward()
"""


def node(app: App, name: str) -> Node:
    return next(n for n in app.window.document.diagram.nodes.values() if n.name == name)


def select(app: App, name: str) -> NodeId:
    key = node(app, name).id
    app.window.selection.select(key)
    return key


def data(app: App, name: str) -> Array:
    array = node(app, name).data
    assert array is not None
    return array


def focused() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


def type_into(line: EntryLine, text: str, *, enter: bool = True) -> None:
    line.take()
    QTest.keyClicks(line.line, text)
    if enter:
        QTest.keyClick(line.line, KEY.Key_Return)


def opened(app: App, folder: Path) -> NodeEditor:
    """The fields of a window that has the script open."""
    script = folder / "script.py"
    script.write_text(SCRIPT)
    app.open(str(script))
    app.window.activateWindow()
    app.window.drawing.listen()
    return app.window.drawing.node_editor
