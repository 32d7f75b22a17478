"""`Jacobians`: the panel in the window, and what shows and follows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gradviz.diagram import NodeId
from gradviz.ui.panels.jacobian import JacobianPanel

if TYPE_CHECKING:
    from gradviz.ui.window import Window


class Jacobians(QObject):
    """Its panel stands in the docks."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._starting = window.starting
        self.panel = JacobianPanel(window.player, window.selection, window.theme)
        self.panel.row_picked.connect(self._pick)
        window.docks.add("jacobian", self.panel)
        window.stage.canvas.edge_picked.connect(self.panel.show_edge)
        window.stage.twin.edge_picked.connect(self.panel.show_edge)

    def _pick(self, of: NodeId, row: int) -> None:
        """A row of what the pass starts from is asked for by the one-hot seed that picks it."""
        if of == self._starting.subject:
            self._starting.choose(f"onehot:{row}")
