"""`Form`: fields under their names, or beside them, in the narrow column of the inspector."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QPushButton, QSizePolicy, QWidget

from gradviz.ui.widgets.labels import Elided

_LEAST, _NAMES = 44, 100  # px of the names


class Form(QGridLayout):
    """Names to the left, what is set to the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setContentsMargins(0, 0, 0, 0)
        self.setHorizontalSpacing(8)
        self.setVerticalSpacing(6)
        self.setColumnStretch(1, 1)
        self.setColumnMinimumWidth(0, _LEAST)

    def put(self, label: Elided, widget: QWidget) -> None:
        """Another row; it is seen where its widget is."""
        at = self.rowCount()
        top = Qt.AlignmentFlag.AlignTop
        self.addWidget(label, at, 0, top)
        self.addWidget(widget, at, 1)

    def put_wide(self, widget: QWidget) -> None:
        """Another row without a name."""
        self.addWidget(widget, self.rowCount(), 0, 1, 2)


def field(text: str = "") -> Elided:
    """The name of what stands beside it, as high as a line to type in."""
    label = Elided(name="Field")
    label.setText(text)
    label.setToolTip(text)
    label.setFixedHeight(30)
    label.setMaximumWidth(_NAMES)
    label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    return label


def narrow(button: QPushButton) -> None:
    """Have a button share a line with another one, however narrow that is."""
    button.setProperty("kind", "preset")
    button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)


def chain(widgets: Iterable[QWidget]) -> None:
    """Have Tab go from one to the next in this order."""
    before: QWidget | None = None
    for widget in widgets:
        if before is not None:
            QWidget.setTabOrder(before, widget)
        before = widget
