"""`NoticeBar`: what the files of the document have to say, with its answers one click away."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from gradviz.language import _
from gradviz.ui.documents.notices import Notice
from gradviz.ui.theme import ThemeSource
from gradviz.ui.widgets.glyph_button import GlyphButton
from gradviz.ui.widgets.labels import named


class NoticeBar(QWidget):
    """Shows the newest notice until it is answered or closed; never modal."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self.notice: Notice | None = None
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.buttons: list[QPushButton] = []
        self._row = QHBoxLayout()
        self._row.setSpacing(8)
        self.close_button = GlyphButton(theme, "close")
        card = named(QWidget(), "Banner")
        card.setProperty("tone", "note")
        card.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        inner = QHBoxLayout(card)
        inner.setContentsMargins(16, 8, 8, 8)
        inner.addWidget(self.text, 1)
        inner.addLayout(self._row)
        inner.addWidget(self.close_button)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(16, 12, 16, 0)
        outer.addWidget(card)
        self.close_button.clicked.connect(self.dismiss)
        self.retranslate()
        self.hide()

    def say(self, notice: Notice) -> None:
        """Show this one in place of the one before."""
        self.notice = notice
        self.retranslate()

    def dismiss(self) -> None:
        self.notice = None
        self.retranslate()

    def withdraw(self, *kinds: str) -> None:
        """Take a notice of these kinds away: it is no longer true."""
        if self.notice is not None and self.notice.kind in kinds:
            self.dismiss()

    def retranslate(self) -> None:
        self.close_button.describe(_("Close"))
        notice = self.notice
        self.setVisible(notice is not None)
        if notice is None:
            return
        said = _(notice.text)
        self.text.setText(said.format(**notice.fields) if notice.fields else said)
        while len(self.buttons) < len(notice.answers):
            button = QPushButton()
            button.clicked.connect(self._clicked)
            self._row.addWidget(button)
            self.buttons.append(button)
        for number, button in enumerate(self.buttons):
            button.setVisible(number < len(notice.answers))
            if number < len(notice.answers):
                button.setText(_(notice.answers[number][0]))

    def _clicked(self) -> None:
        notice, button = self.notice, self.sender()
        if notice is not None and isinstance(button, QPushButton):
            _text, answer = notice.answers[self.buttons.index(button)]
            self.dismiss()
            answer()
