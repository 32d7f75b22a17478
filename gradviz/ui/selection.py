"""`Selection`: which nodes are selected."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from gradviz.diagram import NodeId


class Selection(QObject):
    """Ids of the selected nodes, in the order they were picked; `changed` follows a change."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.ids: tuple[NodeId, ...] = ()

    @property
    def node(self) -> NodeId | None:
        """The node picked last."""
        return self.ids[-1] if self.ids else None

    def select(self, *ids: NodeId) -> None:
        if ids != self.ids:
            self.ids = ids
            self.changed.emit()

    def keep(self, there: Callable[[NodeId], bool]) -> None:
        """Drop the ids that are not there any more."""
        self.select(*filter(there, self.ids))
