"""`Banner`: what went wrong, in the reader's language, with the repairs one click away."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from gradviz.labels import titles
from gradviz.language import N_, _
from gradviz.look import TYPE
from gradviz.run import Failure, Run
from gradviz.ui.player import Player
from gradviz.ui.running.doctoring import Examined
from gradviz.ui.theme import ThemeSource, font
from gradviz.ui.widgets.glyph_button import GlyphButton
from gradviz.ui.widgets.labels import Elided, named
from gradviz.ui.widgets.repair_preview import grads_line, grads_lines

if TYPE_CHECKING:
    from gradviz.doctor.finding import Finding, Repair

NONSCALAR = "grad can be implicitly created only for scalar outputs"
FREED = "Trying to backward through the graph a second time"
# Repairs that are done at once, without an edit of the script: their words and their colour.
QUICK: Mapping[str, tuple[str, str]] = {
    "sum": (N_("Append sum"), "reduction"),
    "mean": (N_("Append mean"), "reduction"),
    "ones": (N_("Use a seed of ones"), "seed"),
    "retain": (N_("Keep the graph in the pass before"), "primary"),
}
_LIST = re.compile(r"\b(?:backward|grad)\(\s*\[")
_MOST = 3  # repairs
_LEAVES = 2  # gradients under one of them
_ROOMY = 600  # px in which quick repairs stand side by side


class Banner(QWidget):
    """Shows itself while the run on screen ended with an error that has repairs; never modal.

    `repair` names a quick repair: a key of the start bar's list, or "retain"; `applied` brings one
    of the doctor's. A finding is shown once the doctor has looked at the run on screen.
    """

    repair = Signal(str)
    applied = Signal(object)  # a Repair
    doctor_asked = Signal()

    def __init__(self, player: Player, theme: ThemeSource) -> None:
        super().__init__()
        self.setObjectName("BannerPlace")
        self._player = player
        self._note, self._back = "", False
        self._calm = False  # whether the note is of nothing amiss
        self._examined: Examined | None = None
        self._put_away: Run | None = None  # the run whose error the reader has put away
        self._docked = False
        self._offered: list[Repair] = []
        self._said: tuple[object, ...] | None = None  # what the words on screen are about
        card = named(QWidget(), "Banner")
        card.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = named(QLabel(), "BannerTitle")
        self.text = named(QLabel(), "Soft")
        for label in (self.title, self.text):
            label.setWordWrap(True)
        self.buttons = {key: self._button(kind) for key, (_text, kind) in QUICK.items()}
        self.others = [self._button("") for _n in range(_MOST)]
        self.previews = {
            button: Elided(name="Soft") for button in (*self.buttons.values(), *self.others)
        }
        self.doctor = self._button("quiet")
        self.close_button = GlyphButton(theme, "close")
        self.grid = QGridLayout()
        self.grid.setHorizontalSpacing(16)
        self.grid.setVerticalSpacing(4)
        for preview in self.previews.values():
            preview.setFont(font(TYPE.cell, mono=True))
        self._lay_out(card)
        self.card = card
        self.close_button.clicked.connect(self.dismiss)
        player.moved.connect(self.sync)
        self.retranslate()

    def retranslate(self) -> None:
        for key, (text, _kind) in QUICK.items():
            self.buttons[key].setText(_(text))
        self.doctor.setText(_("Open the doctor"))
        self.close_button.describe(_("Close"))
        self._said = None
        self.sync()

    def say(self, text: str, *, wrong: bool = True) -> None:
        """A notice of the app itself, shown until it is closed; `wrong`: of something amiss."""
        self._note, self._calm = text, not wrong
        self.sync()

    def dismiss(self) -> None:
        if self._note:
            self._note = ""
        else:
            self._put_away = self._player.run
        self.sync()

    def show_examined(self, examined: Examined | None) -> None:
        """What the doctor found in the run on screen; None while that is not known."""
        self._examined = examined
        self.sync()

    def give_way(self, docked: bool) -> None:
        """Stay hidden while the doctor's panel says the same."""
        self._docked = docked
        self.sync()

    def stand_back(self, back: bool) -> None:
        """Show notes only, while a page says the same as the error."""
        self._back = back
        self.sync()

    def sync(self) -> None:
        failed, finding = self._failed(), self._finding()
        quick = self._quick(failed)
        silent = self._docked or self._back or self._put_away is self._player.run
        silent = silent or self._player.twin is not None  # both repairs are on screen then
        told = failed is not None and bool(quick or finding) and not silent
        self.setVisible(told or bool(self._note))
        said = (self._note, failed, finding, quick, self._seen(), self._narrow())
        if said == self._said:  # as at every step of a pass
            return
        self._said = said
        self._colour("note" if self._note and self._calm else "")
        if self._note:
            self._words("", self._note)
            self._offer((), ())
        elif told and failed is not None:
            self._tell(failed, finding, quick)
        else:
            self._said = None

    def _colour(self, tone: str) -> None:
        """Red for what is wrong, quiet for what is only to be known."""
        if self.card.property("tone") != tone:
            self.card.setProperty("tone", tone)
            self.card.style().unpolish(self.card)
            self.card.style().polish(self.card)

    def _failed(self) -> Failure | None:
        """The error of the pass on screen, else the one that ended the run."""
        done = self._player.current
        own = done.error if done is not None else None
        return own or self._player.run.error

    def _seen(self) -> Examined | None:
        """What was found in the run on screen."""
        found = self._examined
        return found if found is not None and found.patient.shown is self._player.run else None

    def _finding(self) -> Finding | None:
        seen = self._seen()
        found = () if seen is None else seen.findings
        return next((finding for finding in found if finding.severity == "error"), None)

    def _quick(self, failed: Failure | None) -> tuple[str, ...]:
        """The repairs that are done at once; of those, once they have been tried, what helps."""
        keys: tuple[str, ...] = ()
        if failed is not None and NONSCALAR in failed.message:
            keys = () if self._from_several(failed) else ("sum", "mean", "ones")
        elif failed is not None and FREED in failed.message:
            keys = ("retain",)
        seen = self._seen()
        if seen is None or seen.stopped:
            return keys
        return tuple(key for key in keys if key in seen.quick)

    def _from_several(self, failed: Failure) -> bool:
        """Whether the line starts from a list of outputs, which the start bar cannot."""
        lines = (self._player.diagram.source or "").split("\n")
        line = lines[failed.line - 1] if failed.line and failed.line <= len(lines) else ""
        return _LIST.search(line) is not None

    def _tell(self, failed: Failure, finding: Finding | None, quick: tuple[str, ...]) -> None:
        plain = finding is None or finding.kind == "nonscalar"
        if NONSCALAR in failed.message and quick and plain:
            self._tell_nonscalar(failed)
        elif FREED in failed.message and quick:
            self._words(
                _("The graph was freed by the pass before"),
                _(
                    "A backward pass frees what the forward pass saved for it. Keep the graph with"
                    " retain_graph=True in the earlier call, or compute the output anew."
                ),
            )
        elif finding is not None:
            place = "" if finding.line is None else _("line {line}").format(line=finding.line)
            named_there = not place or place in finding.sentence
            said = finding.sentence if named_there else f"{place}: {finding.sentence}"
            self._words(said[:1].upper() + said[1:] if place else said, finding.why)
        known = () if finding is None else finding.repairs
        self._offer(quick, [repair for repair in known if repair.key not in quick])

    def _tell_nonscalar(self, failed: Failure) -> None:
        target = failed.node or ""
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

    def _offer(self, quick: Sequence[str], others: Sequence[Repair]) -> None:
        """The quick ones beside each other, then the doctor's, each with what it would do."""
        while self.grid.takeAt(0) is not None:
            pass
        seen, self._offered = self._seen(), list(others)[: _MOST - len(quick)]
        for button, preview in self.previews.items():
            button.hide()
            preview.hide()
        across = 1 if self._narrow() else max(1, len(quick))
        for at, key in enumerate(quick):
            tried = None if seen is None else seen.quick.get(key)
            row, column = divmod(at, across)
            self._place(self.buttons[key], tried, (2 * row, column, 1))
        first = -(-len(quick) // across)
        for at, repair in enumerate(self._offered):
            button = self.others[at]
            button.setText(repair.label[:1].upper() + repair.label[1:])
            self._place(button, repair, (2 * (first + at), 0, across))
        self.doctor.setVisible(not self._note)
        row, column = (2 * (first + len(self._offered)), 0) if self._narrow() else (0, across)
        self.grid.addWidget(self.doctor, row, column, Qt.AlignmentFlag.AlignLeft)
        self.grid.setColumnStretch(across + 1, 1)

    def _narrow(self) -> bool:
        """Whether the quick repairs do not fit beside each other."""
        return self.width() < _ROOMY

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if (event.oldSize().width() < _ROOMY) != self._narrow():
            self.sync()

    def _place(
        self,
        button: QPushButton,
        repair: Repair | None,
        at: tuple[int, int, int],
    ) -> None:
        preview, seen = self.previews[button], self._seen()
        row, column, wide = at
        self.grid.addWidget(button, row, column, 1, wide, Qt.AlignmentFlag.AlignLeft)
        self.grid.addWidget(preview, row + 1, column, 1, wide)
        preview.setText("…" if repair is None else grads_line(repair.grads, most=_LEAVES))
        lines = () if repair is None or seen is None else grads_lines(repair.grads, seen.grads)
        button.setToolTip("\n".join(lines))
        preview.setToolTip(button.toolTip())
        button.show()
        preview.show()

    def _clicked(self) -> None:
        button = self.sender()
        for key, quick in self.buttons.items():
            if button is quick:
                self.repair.emit(key)
        for other, repair in zip(self.others, self._offered, strict=False):
            if button is other:
                self.applied.emit(repair)

    def _button(self, kind: str) -> QPushButton:
        button = QPushButton()
        button.setProperty("kind", kind)
        button.clicked.connect(self._clicked)
        return button

    def _lay_out(self, card: QWidget) -> None:
        self.doctor.clicked.connect(self.doctor_asked)
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(self.title)
        words.addWidget(self.text)
        words.addSpacing(4)
        words.addLayout(self.grid)
        inner = QHBoxLayout(card)
        inner.setContentsMargins(16, 12, 8, 12)
        inner.addLayout(words, 1)
        inner.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(16, 12, 16, 12)
        outer.addWidget(card)
