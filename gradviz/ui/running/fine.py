"""`Fine`: the better layout of a middling diagram, made in a process while the first is shown."""

from __future__ import annotations

import threading

from PySide6.QtCore import QObject, Signal

from gradviz.diagram import Diagram
from gradviz.layout import AT_ONCE, FINE_LIMIT, FineLayout, fine_in_process, graph_of
from gradviz.run import Run
from gradviz.scene.geometry import sizes


class Fine(QObject):
    """`found(diagram, places)` comes for the diagram asked for last."""

    found = Signal(object, object)
    _done = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._asked: Diagram | None = None
        self._layout: FineLayout | None = None
        self._done.connect(self._receive)

    def ask(self, diagram: Diagram, run: Run) -> None:
        """Begin; what was under way for another diagram is given up.

        Where the user chose every place there is nothing to find.
        """
        self.cancel()
        if diagram.positions.keys() >= diagram.nodes.keys():
            return
        if AT_ONCE < len(diagram.nodes) <= FINE_LIMIT:
            self._asked = diagram
            self._layout = fine_in_process(graph_of(diagram, sizes(diagram, run)))
            arguments = (diagram, self._layout)
            threading.Thread(target=self._wait, args=arguments, daemon=True).start()

    def cancel(self) -> None:
        self._asked = None
        if self._layout is not None:
            self._layout.cancel()
            self._layout = None

    def _wait(self, diagram: Diagram, layout: FineLayout) -> None:
        places = layout.result(30)
        if places is not None and self._asked is diagram:
            self._done.emit(diagram, places)

    def _receive(self, diagram: Diagram, places: object) -> None:
        if diagram is self._asked:
            self._asked = self._layout = None
            self.found.emit(diagram, places)
