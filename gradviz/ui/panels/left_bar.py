"""`LeftBar`: the documents that a process left unsaved when it was ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QDateTime, QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from gradviz.language import _, current
from gradviz.ui.theme import ThemeSource
from gradviz.ui.widgets.glyph_button import GlyphButton
from gradviz.ui.widgets.labels import Elided, named

_SHOWN = 180  # px of rows that are seen without scrolling


@dataclass(frozen=True, slots=True, eq=False)
class Left:
    """A row: what the document is called, when it was kept, and how it differs; else what ails."""

    key: object
    name: str
    place: str
    seconds: float
    about: str
    good: bool = True


class _Row(QWidget):
    """A document with its two answers; one that is discarded can still be taken back."""

    def __init__(self, left: Left) -> None:
        super().__init__()
        self.left = left
        self.discarded = False
        self.name, self.about = Elided(name="CardTitle"), named(QLabel(), "Soft")
        self.about.setWordWrap(True)
        self.restore, self.discard = QPushButton(), QPushButton()
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.name)
        words.addWidget(self.about)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 4, 0, 4)
        row.setSpacing(8)
        row.addLayout(words, 1)
        row.addWidget(self.restore)
        row.addWidget(self.discard)
        self.retranslate()

    def retranslate(self) -> None:
        left = self.left
        self.name.setText(left.name)
        self.name.setToolTip(left.place)
        locale = QLocale("zh_CN" if current() == "zh" else "en_US")
        when = QDateTime.fromSecsSinceEpoch(round(left.seconds))
        told = locale.toString(when, QLocale.FormatType.ShortFormat) if left.seconds else ""
        about = _("It is removed when gradviz closes.") if self.discarded else left.about
        self.about.setText(" · ".join(part for part in (told, about) if part))
        self.restore.setVisible(left.good and not self.discarded)
        self.restore.setText(_("Restore"))
        self.discard.setText(_("Keep it") if self.discarded else _("Discard"))
        self.restore.setAccessibleName(_("Restore {name}").format(name=left.name))
        self.discard.setAccessibleName(_("Discard {name}").format(name=left.name))


class LeftBar(QWidget):
    """`restored(key)` and `discarded(key, bool)` answer for one; closing leaves the rest."""

    restored = Signal(object)
    discarded = Signal(object, bool)

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self.rows: list[_Row] = []
        self.title, self.text = named(QLabel(), "BannerTitle"), named(QLabel(), "Soft")
        self.text.setWordWrap(True)
        self.later = GlyphButton(theme, "close")
        card = named(QWidget(), "Banner")
        card.setProperty("tone", "note")
        card.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        head = QHBoxLayout()
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.title)
        words.addWidget(self.text)
        head.addLayout(words, 1)
        head.addWidget(self.later, 0, Qt.AlignmentFlag.AlignTop)
        inside = named(QWidget(), "Clear")
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(0, 0, 8, 0)
        self._column.setSpacing(0)
        self._area = named(QScrollArea(), "Clear")
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setWidget(inside)
        inner = QVBoxLayout(card)
        inner.setContentsMargins(16, 12, 8, 8)
        inner.addLayout(head)
        inner.addWidget(self._area)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(16, 12, 16, 0)
        outer.addWidget(card)
        self.later.clicked.connect(self.put_away)
        self.retranslate()
        self.hide()

    def offer(self, found: Sequence[Left]) -> None:
        """Show these, besides what is shown already."""
        for left in found:
            row = _Row(left)
            row.restore.clicked.connect(self._answered)
            row.discard.clicked.connect(self._answered)
            self.rows.append(row)
            self._column.addWidget(row)
        self._fit()

    def put_away(self) -> None:
        """Nothing more is asked today."""
        for row in list(self.rows):
            self._remove(row)
        self._fit()

    def retranslate(self) -> None:
        self.title.setText(_("Work that was not saved"))
        self.text.setText(
            _("gradviz was ended before these were saved. What you leave is offered next time.")
        )
        self.later.describe(_("Later"))
        for row in self.rows:
            row.retranslate()

    def _answered(self) -> None:
        button = self.sender()
        row = next(row for row in self.rows if button in (row.restore, row.discard))
        if button is row.discard:
            row.discarded = not row.discarded
            row.retranslate()
            self.discarded.emit(row.left.key, row.discarded)
            return
        self._remove(row)
        self._fit()
        self.restored.emit(row.left.key)

    def _remove(self, row: _Row) -> None:
        self.rows.remove(row)
        self._column.removeWidget(row)
        row.hide()
        row.deleteLater()

    def _fit(self) -> None:
        """As high as the rows, up to a limit."""
        self.setVisible(bool(self.rows))
        wanted = sum(row.sizeHint().height() for row in self.rows)
        self._area.setFixedHeight(min(wanted + 4, _SHOWN))
