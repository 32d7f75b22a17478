"""The page "Three mistakes": what goes wrong, and the repaired script beside it."""

from __future__ import annotations

from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from gradviz.guide.mistakes import KINDS, MISTAKES
from gradviz.language import _
from gradviz.ui.panels.guide.desk import Desk
from gradviz.ui.panels.guide.parts import ScriptCard, scrolling
from gradviz.ui.widgets.labels import named
from gradviz.ui.widgets.segmented import Segment, Segmented

_TONES = {"fails": "error", "misleads": "reduction", "casts": "selection"}


class MistakesPage(QWidget):
    """One mistake at a time; each of its pairs is a row."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.key = MISTAKES[0].key
        self.tabs = Segmented(desk.theme, pad=10)
        self.tabs.activated.connect(self.turn)
        self.parts: dict[str, QWidget] = {}
        self.cards: dict[str, tuple[ScriptCard, ScriptCard]] = {}
        self._texts: dict[str, QLabel] = {}
        row = QHBoxLayout()
        row.addWidget(self.tabs)
        row.addStretch(1)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(24, 0, 24, 16)
        column.setSpacing(8)
        column.addLayout(row)
        for mistake in MISTAKES:
            part = QWidget()
            grid = QGridLayout(part)
            grid.setContentsMargins(0, 0, 0, 0)
            grid.setHorizontalSpacing(16)
            grid.setVerticalSpacing(6)
            for at, pair in enumerate(mistake.pairs):
                cards = ScriptCard(desk, tone=_TONES[pair.kind]), ScriptCard(desk, tone="leaf")
                text = self._texts[pair.name] = named(QLabel(), "Soft")
                text.setWordWrap(True)
                grid.addWidget(text, 2 * at, 0, 1, 2)
                for side, card in enumerate(cards):
                    grid.addWidget(card, 2 * at + 1, side)
                    grid.setColumnStretch(side, 1)
                self.cards[pair.name] = cards
            self.parts[mistake.key] = part
            column.addWidget(part)
        column.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scrolling(inner))
        self.setFocusProxy(self.tabs)
        self.turn(self.key)

    def turn(self, key: str) -> None:
        """Show this mistake."""
        self.key = key
        for name, part in self.parts.items():
            part.setVisible(name == key)
        self.tabs.set_on(key)
        if self.isVisible():
            self.sync()

    def sync(self) -> None:
        for mistake in MISTAKES:
            if mistake.key == self.key:
                for pair in mistake.pairs:
                    for card in self.cards[pair.name]:
                        card.sync()

    def retranslate(self) -> None:
        self.tabs.set_segments(
            *(Segment(each.key, _(each.title), "selection") for each in MISTAKES)
        )
        self.tabs.setAccessibleName(_("Mistake"))
        for mistake in MISTAKES:
            for pair in mistake.pairs:
                wrong, right = self.cards[pair.name]
                self._texts[pair.name].setText(_(pair.text))
                wrong.describe(pair.name, _(pair.title), _(KINDS[pair.kind]))
                right.describe(pair.repaired, _(pair.repair), _("repaired"))
