"""`Clipboard`: whether nodes are on the system's clipboard."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

_MARK, _BEGINNING = "gradviz_nodes", 64  # how copied nodes begin, in characters


class Clipboard(QObject):
    """Its text is asked for once after each change: the program that owns it may be slow.

    `changed` follows a change, made in whatever window or program.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._nodes: bool | None = None
        QGuiApplication.clipboard().dataChanged.connect(self._forget)

    @property
    def holds_nodes(self) -> bool:
        if self._nodes is None:
            self._nodes = _MARK in QGuiApplication.clipboard().text()[:_BEGINNING]
        return self._nodes

    def _forget(self) -> None:
        self._nodes = None
        self.changed.emit()
