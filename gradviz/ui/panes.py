"""Where the parts of the window stand: code and console, the stage, the inspector, the bars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

if TYPE_CHECKING:
    from gradviz.ui.window import Window

_PANES, _CODE_PANES = [296, 704, 280], [430, 170]  # px at first


def lay_out(window: Window) -> None:
    """Put the parts of a window in their places."""
    window.setMinimumSize(960, 600)
    window.left_panes = left = QSplitter(Qt.Orientation.Vertical)
    left.addWidget(window.code)
    left.addWidget(window.console)
    left.setSizes(_CODE_PANES)
    window.panes = QSplitter(Qt.Orientation.Horizontal)
    for pane in (left, window.stage, window.inspector):
        window.panes.addWidget(pane)
    window.panes.setStretchFactor(1, 1)
    window.panes.setSizes(_PANES)
    for splitter in (left, window.panes):
        splitter.setHandleWidth(1)
        splitter.setChildrenCollapsible(False)
    left.setMinimumWidth(220)
    window.stage.setMinimumWidth(320)
    window.inspector.setMinimumWidth(220)
    middle = QWidget()
    column = QVBoxLayout(middle)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(window.start_bar)
    column.addWidget(window.seed_editor)
    column.addWidget(window.panes, 1)
    column.addWidget(window.timeline)
    window.setCentralWidget(middle)
    window.setStatusBar(window.status)
