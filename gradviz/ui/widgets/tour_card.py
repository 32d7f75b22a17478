"""`TourCard` and `Ring`: what to do next, and a line around where."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from gradviz.look import RADIUS, STROKE
from gradviz.ui.theme import ThemeSource, colour
from gradviz.ui.widgets.labels import named

_WIDTH, _AWAY = 340, 16  # px
_OUTSET = 4  # px from the widget to the line around it


class Ring(QWidget):
    """A line around a widget; the mouse goes through it."""

    def __init__(self, theme: ThemeSource, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def surround(self, target: QWidget | None) -> None:
        """Stand around this widget of the same window; None, or one that is not seen: nowhere."""
        window = self.parentWidget()
        if target is None or window is None or not target.isVisible():
            self.hide()
            return
        area = QRect(target.mapTo(window, QPoint(0, 0)), target.size())
        out = area.adjusted(-_OUTSET, -_OUTSET, _OUTSET, _OUTSET)
        self.setGeometry(out.intersected(window.rect()))
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(colour(self._theme.colours.selection), STROKE.node_current))
            inside = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
            painter.drawRoundedRect(inside, RADIUS.node, RADIUS.node)


class TourCard(QFrame):
    """One step of the tour in words; `further` and `left` are asked for by its buttons."""

    further = Signal()
    left = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("TourCard")
        self.setFixedWidth(_WIDTH)
        self.count, self.title, self.text = (
            named(QLabel(), name) for name in ("Soft", "CardTitle", "Soft")
        )
        self.text.setWordWrap(True)
        self.title.setWordWrap(True)
        self.leave, self.next = QPushButton(), QPushButton()
        self.leave.setProperty("kind", "quiet")
        row = QHBoxLayout()
        row.addWidget(self.count)
        row.addStretch(1)
        row.addWidget(self.leave)
        row.addWidget(self.next)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(6)
        column.addWidget(self.title)
        column.addWidget(self.text)
        column.addSpacing(4)
        column.addLayout(row)
        self.leave.clicked.connect(self.left)
        self.next.clicked.connect(self.further)
        self.hide()

    def say(self, title: str, text: str, count: str, *, next_one: str, leave: str) -> None:
        """These words, and these on the buttons; a button without a word is not there."""
        self.title.setText(title)
        self.text.setText(text)
        self.count.setText(count)
        for button, word in ((self.next, next_one), (self.leave, leave)):
            button.setText(word)
            button.setVisible(bool(word))
        self.setAccessibleName(f"{title} {text}")
        self.adjustSize()

    def stand_in(self, area: QWidget) -> None:
        """Stand in the lower right corner of a widget of the same window."""
        window = self.parentWidget()
        if window is None:
            return
        corner = area.mapTo(window, QPoint(area.width(), area.height()))
        self.adjustSize()
        self.move(corner.x() - self.width() - _AWAY, corner.y() - self.height() - _AWAY)
        self.show()
        self.raise_()
