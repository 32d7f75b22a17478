"""`Jacobians`: the panel's place in the window, and what shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDockWidget, QWidget

from gradviz.diagram import NodeId
from gradviz.ui.panels.jacobian import JacobianPanel

if TYPE_CHECKING:
    from gradviz.ui.window import Window

_HEIGHT = 280  # px at first


class Jacobians(QObject):
    """A dock along the bottom, which is not there until it is asked for."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._placed = False
        self.panel = JacobianPanel(window.player, window.selection, window.theme)
        self.dock = QDockWidget(window)
        self.dock.setObjectName("JacobianDock")
        self.dock.setTitleBarWidget(QWidget())
        self.dock.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        self.dock.setWidget(self.panel)
        window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self.dock)
        self.dock.hide()
        self.panel.closed.connect(self._close)
        self.panel.row_picked.connect(self._pick)
        window.files.opening.connect(self.panel.forget)
        window.stage.canvas.edge_picked.connect(self.panel.show_edge)
        window.stage.twin.edge_picked.connect(self.panel.show_edge)

    @property
    def shown(self) -> bool:
        return not self.dock.isHidden()

    def show(self, on: bool) -> None:
        self.dock.setVisible(on)
        if on and not self._placed:
            self._placed = True
            self._window.resizeDocks([self.dock], [_HEIGHT], Qt.Orientation.Vertical)

    def _pick(self, of: NodeId, row: int) -> None:
        """A row of what the pass starts from is asked for by the one-hot seed that picks it."""
        if of == self._window.starting.subject:
            self._window.starting.choose(f"onehot:{row}")

    def _close(self) -> None:
        self.show(False)
        self._window.sync_actions()
