"""`Banner`: what went wrong, in the reader's language, with the repairs one click away."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from gradviz.labels import titles
from gradviz.language import _
from gradviz.ui.player import Player
from gradviz.ui.theme import ThemeSource
from gradviz.ui.widgets.glyph_button import GlyphButton
from gradviz.ui.widgets.labels import named

NONSCALAR = "grad can be implicitly created only for scalar outputs"
FREED = "Trying to backward through the graph a second time"


class Banner(QWidget):
    """Shows itself while the pass on screen failed in a way that has repairs; never modal.

    `repair` names the repair asked for: a key of the start bar's list, or "retain".
    """

    repair = Signal(str)

    def __init__(self, player: Player, theme: ThemeSource) -> None:
        super().__init__()
        self.setObjectName("BannerPlace")
        self._player = player
        self._note = ""
        card = named(QWidget(), "Banner")
        card.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = named(QLabel(), "BannerTitle")
        self.text = named(QLabel(), "Soft")
        for label in (self.title, self.text):
            label.setWordWrap(True)
        self.buttons: dict[str, QPushButton] = {}
        self.close_button = GlyphButton(theme, "close")
        row = QHBoxLayout()
        row.setSpacing(8)
        for key, kind in (
            ("sum", "reduction"),
            ("mean", "reduction"),
            ("ones", "seed"),
            ("retain", "primary"),
        ):
            button = QPushButton()
            button.setProperty("kind", kind)
            button.setProperty("repair", key)
            button.clicked.connect(self._clicked)
            self.buttons[key] = button
            row.addWidget(button)
        row.addStretch(1)
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(self.title)
        words.addWidget(self.text)
        words.addSpacing(4)
        words.addLayout(row)
        inner = QHBoxLayout(card)
        inner.setContentsMargins(16, 12, 8, 12)
        inner.addLayout(words, 1)
        inner.addWidget(self.close_button)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(16, 12, 16, 12)
        outer.addWidget(card)
        self.card = card
        self.close_button.clicked.connect(self.dismiss)
        player.moved.connect(self.sync)
        self.retranslate()

    def retranslate(self) -> None:
        self.buttons["sum"].setText(_("Append sum"))
        self.buttons["mean"].setText(_("Append mean"))
        self.buttons["ones"].setText(_("Use a seed of ones"))
        self.buttons["retain"].setText(_("Keep the graph in the pass before"))
        self.close_button.describe(_("Close"))
        self.sync()

    def say(self, text: str) -> None:
        """A notice of the app itself, shown until it is closed."""
        self._note = text
        self.sync()

    def dismiss(self) -> None:
        self._note = ""
        self.sync()

    def sync(self) -> None:
        done = self._player.current
        failed = done.error if done is not None else None
        kind = ""
        if failed is not None and NONSCALAR in failed.message:
            kind = "nonscalar"
        elif failed is not None and FREED in failed.message:
            kind = "freed"
        for key, button in self.buttons.items():
            wanted = "freed" if key == "retain" else "nonscalar"
            button.setVisible(kind == wanted and not self._note)
        self.close_button.setVisible(bool(self._note))
        self.setVisible(bool(kind or self._note))
        if self._note:
            self._words("", self._note)
        elif kind == "nonscalar" and done is not None:
            self._tell_nonscalar(done.call.target)
        elif kind == "freed":
            self._words(
                _("The graph was freed by the pass before"),
                _(
                    "A backward pass frees what the forward pass saved for it. Keep the graph with"
                    " retain_graph=True in the earlier call, or compute the output anew."
                ),
            )

    def _tell_nonscalar(self, target: str) -> None:
        value = self._player.run.values.get(target)
        shape = "" if value is None else str(tuple(value.array.shape))
        name = titles(self._player.diagram).get(target, target)
        self._words(
            _("{name} is not a scalar, so the pass does not know where to begin").format(name=name),
            _(
                "{name} has the shape {shape}. backward() alone needs one number. Reduce {name} to"
                " one, or say with a seed how much each element counts."
            ).format(name=name, shape=shape),
        )

    def _words(self, title: str, text: str) -> None:
        self.title.setText(title)
        self.title.setVisible(bool(title))
        self.text.setText(text)

    def _clicked(self) -> None:
        button = self.sender()
        if button is not None:
            self.repair.emit(str(button.property("repair")))
