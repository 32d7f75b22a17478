"""`CallsDock`: the list of backward calls in the window, and what is asked of it on the canvas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gradviz.ui.docking.calling import Calling
from gradviz.ui.panels.calls import CallsPanel

if TYPE_CHECKING:
    from gradviz.ui.window import Window


class CallsDock(QObject):
    """Its panel stands in the docks."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        document, player, starting = window.document, window.player, window.starting
        self.calling = Calling(
            document,
            player,
            window.selection,
            starting,
            window.live,
            lambda: window.drawing.editing,  # which is not there before it is asked for
        )
        self.panel = CallsPanel(document, player, starting, self.calling, window.theme)
        window.selection.changed.connect(self.panel.sync)
        window.docks.add("calls", self.panel)

    def begin(self, key: str) -> None:
        """A call more from the selected node, by a row of the choices or with nothing."""
        for target in self._picked()[:1]:
            self.calling.add(target, key)

    def _picked(self) -> list[str]:
        nodes = self._window.document.diagram.nodes
        return [key for key in self._window.selection.ids if key in nodes]
