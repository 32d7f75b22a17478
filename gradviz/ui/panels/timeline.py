"""`Timeline`: play, step and scrub through the reverse pass."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from gradviz.diagram import Diagram
from gradviz.labels import added_titles, start_name, step_name, titles
from gradviz.language import _, current
from gradviz.look import TYPE
from gradviz.run import Pass, Run
from gradviz.twin import reduction_of
from gradviz.twin.figures import Beside
from gradviz.ui.panels.chips import Chip, Chips
from gradviz.ui.player import SPEEDS, Player
from gradviz.ui.theme import ThemeSource, font
from gradviz.ui.widgets.choice import Choice
from gradviz.ui.widgets.glyph_button import GlyphButton


def chips_of(diagram: Diagram, run: Run, done: Pass | None) -> tuple[Chip, ...]:
    """The positions of a pass: its start, then every step by what it does."""
    if done is None or (done.error is not None and not done.steps):
        return ()
    known = dict(titles(diagram))
    known.update(added_titles(done, known))
    seeded = done.call.start.kind == "seed"
    reduced = bool(done.added) or reduction_of(diagram, done.call, run.values) is not None
    first = Chip(start_name(done), "seed" if seeded else "reduction" if reduced else "selection")
    return (first, *(Chip(step_name(step, known)) for step in done.steps))


def paired_chips(beside: Beside) -> tuple[Chip, ...]:
    """The moments of two passes in step: the left one above, the right one below."""
    pair = beside.pair
    left, right = (chips_of(side.diagram, side.run, side.done) for side in (pair.left, pair.right))
    waits = _("waits")
    made = [replace(left[0], below=(right[0].text, right[0].tone))]
    for moment in beside.moments[1:]:
        if moment.mover == "right":
            made.append(replace(right[moment.right], lane="lower", waits=waits))
        elif moment.mover == "left":
            made.append(replace(left[moment.left], lane="upper", waits=waits))
        else:
            one, other = left[moment.left], right[moment.right]
            below = (other.text, other.tone) if other.text != one.text else None
            made.append(replace(one, below=below))
    return tuple(made)


class Timeline(QWidget):
    """Reads the player and tells it where to go."""

    def __init__(self, player: Player, theme: ThemeSource) -> None:
        super().__init__()
        self.setObjectName("Timeline")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._player = player
        self._shown: tuple[object, ...] = ()
        self.first = GlyphButton(theme, "first")
        self.back = GlyphButton(theme, "back")
        self.play = GlyphButton(theme, "play", primary=True)
        self.forward = GlyphButton(theme, "forward")
        self.last = GlyphButton(theme, "last")
        self.chips = Chips(theme)
        self.speed = Choice(theme)
        self.speed.set_rows([(str(s), f"{s:g}×") for s in SPEEDS], "1.0")
        self.count = QLabel()
        self.count.setFont(font(TYPE.body, mono=True, bold=True))
        self.count.setMinimumWidth(64)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 16, 8)
        row.setSpacing(4)
        for button in (self.first, self.back, self.play, self.forward, self.last):
            row.addWidget(button)
        row.addSpacing(12)
        row.addWidget(self.chips, 1)
        row.addSpacing(12)
        row.addWidget(self.speed)
        row.addSpacing(12)
        row.addWidget(self.count)
        self.setFocusProxy(self.chips)
        self.first.clicked.connect(self._to_first)
        self.back.clicked.connect(self._step_back)
        self.play.clicked.connect(player.toggle)
        self.forward.clicked.connect(self._step_forward)
        self.last.clicked.connect(self._to_last)
        self.chips.chosen.connect(self._chosen)
        self.speed.activated.connect(self._speed_chosen)
        player.moved.connect(self.sync)
        self.retranslate()

    def retranslate(self) -> None:
        self.first.describe(_("To the seed"), "Home")
        self.back.describe(_("Step back"), ",")
        self.forward.describe(_("Step forward"), ".")
        self.last.describe(_("To the end"), "End")
        self.speed.setToolTip(_("Speed of playing"))
        self.speed.setAccessibleName(_("Speed of playing"))
        self.chips.setAccessibleName(_("Steps of the reverse pass"))
        self._shown = ()
        self.sync()

    def sync(self) -> None:
        player = self._player
        done, (diagram, run, _index) = player.current, player.scene
        shown = (done, diagram.nodes, current(), player.beside)
        same = len(shown) == len(self._shown) and all(
            a is b for a, b in zip(shown, self._shown, strict=True)
        )
        if not same and not player.passing:  # the steps are the same ones then
            self._shown = shown
            beside = player.beside
            self.chips.set_chips(paired_chips(beside) if beside else chips_of(diagram, run, done))
        self.chips.set_position(player.position)
        self.play.set_glyph("pause" if player.playing else "play")
        self.play.describe(_("Pause") if player.playing else _("Play"), "P")
        self.speed.set_rows([(str(s), f"{s:g}×") for s in SPEEDS], str(player.speed))
        self.count.setText(f"{player.position} / {player.last}")
        some = player.last > 0
        self.play.setEnabled(some)
        self.speed.setEnabled(some)
        self.first.setEnabled(player.position > 0)
        self.back.setEnabled(player.position > 0)
        self.forward.setEnabled(player.position < player.last)
        self.last.setEnabled(player.position < player.last)

    def _chosen(self, position: int) -> None:
        self._player.pause()
        self._player.go(position)

    def _to_first(self) -> None:
        self._chosen(0)

    def _to_last(self) -> None:
        self._chosen(self._player.last)

    def _step_back(self) -> None:
        self._chosen(self._player.position - 1)

    def _step_forward(self) -> None:
        self._chosen(self._player.position + 1)

    def _speed_chosen(self) -> None:
        if self.speed.key:
            self._player.set_speed(float(self.speed.key))
