"""`Chooser`: a list at the upper right of a canvas, from which one chooses what is shown on it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject

from gradviz.look import SPACE
from gradviz.ui.canvas.stage import Stage
from gradviz.ui.theme import ThemeSource
from gradviz.ui.widgets.choice import Choice

_WIDEST, _HIGH = 220, 28


class Chooser(Choice):
    """Keeps to the corner of its canvas, over the strip that has the heading."""

    def __init__(self, view: Stage, theme: ThemeSource) -> None:
        super().__init__(theme, parent=view)
        self._view = view
        self.setMaximumWidth(_WIDEST)
        view.installEventFilter(self)
        self.activated.connect(self._keep)

    def set_rows(self, rows: Sequence[tuple[str, str]], key: str | None) -> None:
        super().set_rows(rows, key)
        self._keep()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._keep()
        return False

    def _keep(self) -> None:
        wide = min(self.sizeHint().width(), _WIDEST, self._view.width() // 2)
        self.setGeometry(self._view.width() - wide - round(SPACE.half), 3, wide, _HIGH)
        self.raise_()
