"""Labels of the panels: headings, field names, hairlines, and texts that give way."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from gradviz.look import TYPE
from gradviz.ui.theme import font

W = TypeVar("W", bound=QWidget)


def named(widget: W, name: str) -> W:
    """The widget under the name that the style sheet knows it by."""
    widget.setObjectName(name)
    return widget


class Heading(QLabel):
    """The name of a panel, in small capitals where the script has them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("Heading")
        face = QFont(font(TYPE.label, bold=True))
        face.setCapitalization(QFont.Capitalization.AllUppercase)
        face.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, 0.8)
        self.setFont(face)
        self.setContentsMargins(16, 12, 16, 8)


class Field(QLabel):
    """The name of what stands under it."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setObjectName("Field")


class Rule(QFrame):
    """A hairline between two parts of a panel."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("Rule")
        self.setFixedHeight(1)


class Mono(QLabel):
    """A text in the monospaced face, which can be selected and copied."""

    def __init__(self, size: float = TYPE.body, *, bold: bool = False) -> None:
        super().__init__()
        self.setFont(font(size, mono=True, bold=bold))
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)


class Elided(QLabel):
    """A text of one line that ends in an ellipsis where there is no room for it."""

    def __init__(self, parent: QWidget | None = None, *, name: str = "") -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        area = self.contentsRect()
        metrics = QFontMetrics(self.font())
        left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        shown = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, area.width())
        with QPainter(self) as painter:
            painter.setPen(self.palette().color(self.foregroundRole()))
            painter.drawText(area, left, shown)
