"""`Menus`: the menu of what is under the pointer; its rows are actions of the window's table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QPointF, QTimer
from PySide6.QtWidgets import QMenu

from gradviz.diagram import NodeId

if TYPE_CHECKING:
    from gradviz.ui.window import Window

_NODE = (
    "rename", "replace", "swap", "no_grad", "", "cut", "copy", "copy_value", "duplicate", "",
    "delete", "heal", "", "backward_here", "sum_here", "seed_here", "", "frame", "unframe",
    "tidy_selection",
)  # fmt: skip
_GROUND = ("add", "note", "paste", "", "select_all", "fit", "tidy", "", "play")


class Menus(QObject):
    """Of the editable canvas of one window."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self.menu = QMenu(window)
        window.stage.canvas.menu_asked.connect(self._show)
        self.menu.aboutToHide.connect(lambda: QTimer.singleShot(0, self._hidden))

    def _show(self, key: NodeId | None, at: QPoint) -> None:
        self._window.sync_actions()
        canvas = self._window.stage.canvas
        place = canvas.scene_point(QPointF(canvas.viewport().mapFromGlobal(at)))
        self._window.drawing.remarks.place = place  # a note goes to where the menu was asked for
        self.menu.clear()
        for row in _GROUND if key is None else _NODE:
            if row:
                self.menu.addAction(self._window.action(row))
            else:
                self.menu.addSeparator()
        self.menu.popup(at)

    def _hidden(self) -> None:
        self._window.drawing.remarks.place = None
