"""`Gallery`: the examples as cards, on the start page."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from gradviz.examples import Example, examples
from gradviz.language import _
from gradviz.ui.theme import ThemeSource, colour
from gradviz.ui.widgets.labels import Elided, named

_THUMB, _CARD = 112, 288
Draw = Callable[[QPainter, QRectF], None]


class Thumbnail(QWidget):
    """A picture drawn once for a size, a theme and a screen; the ground until there is one."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._draw: Draw | None = None
        self._kept: QPixmap | None = None
        self._key: tuple[object, ...] = ()
        self.setFixedHeight(_THUMB)
        theme.changed.connect(self.update)

    @property
    def drawn(self) -> bool:
        """Whether it has its picture."""
        return self._draw is not None

    def set_drawing(self, draw: Draw) -> None:
        self._draw, self._kept = draw, None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        key = (self.size(), self._theme.name, self.devicePixelRatioF())
        if self._kept is None or key != self._key:
            self._key, self._kept = key, self._rendered()
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._kept)

    def _rendered(self) -> QPixmap:
        ratio = self.devicePixelRatioF()
        kept = QPixmap(self.size() * ratio)
        kept.setDevicePixelRatio(ratio)
        kept.fill(colour(self._theme.colours.canvas))
        if self._draw is not None:
            with QPainter(kept) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                self._draw(painter, QRectF(self.rect()).adjusted(8, 8, -8, -8))
        return kept


class Card(QFrame):
    """One example; a click, Enter or Space opens it."""

    opened = Signal(str)

    def __init__(self, theme: ThemeSource, name: str) -> None:
        super().__init__()
        self.setObjectName("Card")
        self.name = name
        self.thumbnail = Thumbnail(theme)
        self.title = Elided(name="CardTitle")
        self.text = named(QLabel(), "Soft")
        self.text.setWordWrap(True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 12)
        column.setSpacing(0)
        column.addWidget(self.thumbnail)
        words = QVBoxLayout()
        words.setContentsMargins(15, 12, 15, 0)
        words.setSpacing(4)
        words.addWidget(self.title)
        words.addWidget(self.text, 1)
        column.addLayout(words, 1)

    def describe(self, example: Example) -> None:
        self.title.setText(example.title)
        self.text.setText(example.text)
        self.setAccessibleName(example.title)
        self.setAccessibleDescription(example.text)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        left = event.button() is Qt.MouseButton.LeftButton
        if left and self.rect().contains(event.position().toPoint()):
            self.opened.emit(self.name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.opened.emit(self.name)
        else:
            super().keyPressEvent(event)


class Gallery(QWidget):
    """`opened(name)` asks for an example, `file_asked` for a file, `blank_asked` for neither."""

    opened = Signal(str)
    file_asked = Signal()
    blank_asked = Signal()
    draw_asked = Signal()
    back_asked = Signal()
    tour_asked = Signal()
    guide_asked = Signal()

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self.setObjectName("Page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._columns = 0
        self.title, self.text = named(QLabel(), "PageTitle"), named(QLabel(), "Soft")
        self.text.setWordWrap(True)
        self.file, self.blank, self.back = QPushButton(), QPushButton(), QPushButton()
        self.tour, self.guide, self.draw = QPushButton(), QPushButton(), QPushButton()
        self.tour.setProperty("kind", "primary")
        self.cards = {example.name: Card(theme, example.name) for example in examples()}
        self._lay_out()
        self.file.clicked.connect(self.file_asked)
        self.blank.clicked.connect(self.blank_asked)
        self.draw.clicked.connect(self.draw_asked)
        self.back.clicked.connect(self.back_asked)
        self.tour.clicked.connect(self.tour_asked)
        self.guide.clicked.connect(self.guide_asked)
        self.set_back("")
        for card in self.cards.values():
            card.opened.connect(self.opened)
        self.retranslate()
        self._arrange(3)

    def set_back(self, name: str) -> None:
        """Offer the way back to the document of this name; "" where there is none."""
        self.back.setText(_("Back to {name}").format(name=name))
        self.back.setVisible(bool(name))

    def offer_tour(self, wanted: bool) -> None:
        """Whether the tour stands first; once it was seen it is in the menu only."""
        self.tour.setVisible(wanted)

    def retranslate(self) -> None:
        self.title.setText(_("See how a gradient comes about"))
        self.text.setText(
            _("Open an example, open or drop a file, write a script, or draw the computation.")
        )
        self.tour.setText(_("A tour in five steps"))
        self.guide.setText(_("Guide"))
        self.file.setText(_("Open a file…"))
        self.blank.setText(_("Write a script"))
        self.draw.setText(_("Draw a diagram"))
        for example in examples():
            self.cards[example.name].describe(example)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(max(1, (self.width() - 48) // (_CARD - 40)))

    def _lay_out(self) -> None:
        inner = named(QWidget(), "PageArea")
        self._grid = QGridLayout()
        self._grid.setSpacing(16)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.tour)
        row.addWidget(self.file)
        row.addWidget(self.blank)
        row.addWidget(self.draw)
        row.addWidget(self.guide)
        row.addWidget(self.back)
        row.addStretch(1)
        column = QVBoxLayout(inner)
        column.setContentsMargins(32, 24, 32, 32)
        column.setSpacing(8)
        column.addWidget(self.title)
        column.addWidget(self.text)
        column.addSpacing(4)
        column.addLayout(row)
        column.addSpacing(12)
        column.addLayout(self._grid)
        column.addStretch(1)
        self._area = QScrollArea()
        self._area.setObjectName("PageArea")
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setWidget(inner)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._area)

    def _arrange(self, columns: int) -> None:
        columns = min(columns, 4)
        if columns == self._columns:
            return
        for old in range(max(columns, self._columns)):
            self._grid.setColumnStretch(old, 1 if old < columns else 0)
        self._columns = columns
        for at, card in enumerate(self.cards.values()):
            self._grid.addWidget(card, *divmod(at, columns))
