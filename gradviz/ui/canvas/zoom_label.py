"""`ZoomLabel`: how large the picture is drawn, at the canvas's lower right; a click chooses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QMenu, QPushButton

from gradviz.language import _

if TYPE_CHECKING:
    from gradviz.ui.canvas.view import CanvasView

_ZOOMS = (0.25, 0.5, 1.0, 1.5, 2.0)
_AWAY = 8  # px


class ZoomLabel(QPushButton):
    """Follows every zoom; its menu has the usual ones, and the whole picture."""

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view)
        self._view = view
        self.setObjectName("Zoom")
        self.setProperty("kind", "quiet")
        self.menu_of_zooms = QMenu(self)
        self.clicked.connect(self._ask)
        view.looked.connect(self._tell)
        view.installEventFilter(self)
        self._tell()

    @property
    def widest(self) -> float:
        """Room in px for the largest zoom."""
        return self.fontMetrics().horizontalAdvance("9999 %") + 2.0 * _AWAY

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._tell()
        return super().eventFilter(watched, event)

    def _tell(self) -> None:
        self.setText(f"{self._view.zoom * 100:.0f} %")
        self.setToolTip(_("How large the picture is drawn"))
        self.adjustSize()
        corner = self._view.rect().bottomRight()
        self.move(corner.x() - self.width() - _AWAY, corner.y() - self.height() - _AWAY // 2)

    def _ask(self) -> None:
        self.menu_of_zooms.clear()
        for zoom in _ZOOMS:
            self.menu_of_zooms.addAction(f"{zoom * 100:.0f} %").setData(zoom)
        self.menu_of_zooms.addAction(_("Fit the picture")).setData(0.0)
        for action in self.menu_of_zooms.actions():
            action.triggered.connect(self._chosen)
        self.menu_of_zooms.popup(self.mapToGlobal(self.rect().topLeft()))

    def _chosen(self) -> None:
        action = self.sender()
        zoom = float(action.data()) if action is not None else 0.0  # type: ignore[attr-defined]
        if zoom:
            self._view.zoom_to(zoom)
        else:
            self._view.fit()
