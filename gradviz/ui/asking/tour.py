"""`Tour`: five steps from the error to one's own picture, each done by the user's own hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

from gradviz.language import N_, _
from gradviz.ui.widgets.tour_card import Ring, TourCard

if TYPE_CHECKING:
    from gradviz.ui.window import Window

EXAMPLE = "nonscalar"


@dataclass(frozen=True, slots=True)
class Step:
    """What is to be done, where, and how one sees that it was. Each is seen once it is begun."""

    title: str
    text: str
    place: Callable[[Window], QWidget | None]
    done: Callable[[Window], bool]


def _reduced(window: Window) -> bool:
    current = window.player.current
    return window.starting.way == "reduction" and current is not None and current.error is None


def _at_the_end(window: Window) -> bool:
    player = window.player
    return player.last > 0 and player.position == player.last and not player.playing


def _seeded(window: Window) -> bool:
    return window.starting.way == "seed"


def _weighted(window: Window) -> bool:
    values = window.starting.values
    return _seeded(window) and values is not None and bool(np.any(values != 1))


def _never(window: Window) -> bool:
    return False


STEPS = (
    Step(
        N_("PyTorch refuses: y has two elements"),
        N_("backward() starts from one number, and y has two. Make one of them: append a sum."),
        lambda w: w.stage.banner if w.stage.banner.isVisible() else w.start_bar.way,
        _reduced,
    ),
    Step(
        N_("Watch the gradient go back"),
        N_(
            "Press play. At each step a node multiplies what arrived by its own derivative and"
            " sends it on; at x two contributions add up."
        ),
        lambda w: w.timeline,
        _at_the_end,
    ),
    Step(
        N_("Say the same with a seed"),
        N_(
            "Choose “v seed”. No node is added: the ones that the sum would have sent back are"
            " handed to y as they are."
        ),
        lambda w: w.start_bar.way,
        _seeded,
    ),
    Step(
        N_("Let one element count"),
        N_("Choose “one-hot 0” in the list, or type other numbers: v says how much each counts."),
        lambda w: w.start_bar.choice,
        _weighted,
    ),
    Step(
        N_("Take the picture with you"),
        N_("Export what you see, as it stands, for a slide, a page or a lecture."),
        lambda w: None,
        _never,
    ),
)


class Tour(QObject):
    """Of one window. It goes on when the user did what a step asks for, and can be left."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._at: int | None = None
        self._begun = False  # the step was not done already when it was shown
        self.card: TourCard | None = None
        self._ring: Ring | None = None
        self._soon = QTimer(self, singleShot=True, interval=0)  # when the window has settled
        self._soon.timeout.connect(self._show)

    @property
    def at(self) -> int | None:
        """The step that is shown, from 0; None while there is no tour."""
        return self._at

    def start(self) -> None:
        """From the beginning, on the example of the error."""
        window = self._window
        window.settings["toured"] = True
        window.stage.gallery.offer_tour(False)
        if self.card is None:
            self.card, self._ring = TourCard(window), Ring(window.theme, window)
            self.card.further.connect(self._further)
            self.card.left.connect(self.leave)
            window.installEventFilter(self)
            window.player.moved.connect(self._look)
        self._at, self._begun = None, False
        window.files.open(f"example:{EXAMPLE}")
        self._go(0)

    def leave(self) -> None:
        """No tour any more."""
        self._at = None
        if self.card is not None and self._ring is not None:
            self.card.hide()
            self._ring.hide()

    def exported(self) -> None:
        """A picture was written."""
        if self._at == len(STEPS) - 1:
            self._go(len(STEPS))

    def retranslate(self) -> None:
        self._show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in place when the window changes."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._soon.start()
        return super().eventFilter(watched, event)

    def _look(self) -> None:
        """Whether the step was done."""
        if self._at is None or self._at >= len(STEPS):
            return
        done = STEPS[self._at].done(self._window)
        if done and self._begun:
            self._go(self._at + 1)
            return
        self._begun = self._begun or not done
        self._show()

    def _go(self, at: int) -> None:
        self._at = at
        self._begun = at < len(STEPS) and not STEPS[at].done(self._window)
        self._show()

    def _further(self) -> None:
        """The button: a picture is exported, the tour ends, or one step is passed over."""
        assert self._at is not None
        if self._at == len(STEPS) - 1:
            self._window.commands.ask_export()
        elif self._at >= len(STEPS):
            self.leave()
        else:
            self._go(self._at + 1)

    def _show(self) -> None:
        if self._at is None or self.card is None or self._ring is None:
            return
        if self._at < len(STEPS):
            step = STEPS[self._at]
            last = self._at == len(STEPS) - 1
            self.card.say(
                _(step.title),
                _(step.text),
                f"{self._at + 1} / {len(STEPS)}",
                next_one=_("Export…") if last else _("Skip this step"),
                leave=_("End the tour"),
            )
            self._ring.surround(step.place(self._window))
        else:
            self.card.say(
                _("That was the way"),
                _("Paste a script of your own, or look at the other examples in the File menu."),
                "",
                next_one=_("Close"),
                leave="",
            )
            self._ring.surround(None)
        self.card.stand_in(self._window.stage)
