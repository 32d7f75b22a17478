"""Badges of nodes: small pills at a card's lower edge; where they lie and how they look."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from gradviz.language import N_
from gradviz.look import STROKE, TYPE, Palette
from gradviz.scene.measure import width

if TYPE_CHECKING:
    from gradviz.figure import Badge, Box

Floats = npt.NDArray[np.float64]
BadgeTone = Literal["holds", "fails", "equal", "differs", "only", "unknown"]

HEIGHT = 15.0
BASELINE = 11.0  # from the pill's top
MARK_WIDTH = 22.0  # where there is no text
_INSIDE = 3.5  # px of the pill that lie on the card, where no row ever is
HANGING = HEIGHT - _INSIDE  # px below the card
_PAD = 6.0
_GAP = 4.0
_INSET = 10.0  # from the card's sides: the ports stay free
_LEAST = 20.0  # a pill narrower than this says nothing
_READABLE = 5  # characters of a text below which its glyph says more

WORDS: Mapping[BadgeTone, str] = {
    "holds": N_("agrees"),
    "fails": N_("does not agree"),
    "equal": N_("equal"),
    "differs": N_("differs"),
    "only": N_("only on this side"),
    "unknown": N_("cannot be told"),
}
GLYPHS: Mapping[BadgeTone, str] = {
    "holds": "✓",
    "fails": "✗",
    "equal": "=",
    "differs": "≠",
    "only": "+",
    "unknown": "?",
}


@dataclass(frozen=True, slots=True)
class BadgePlace:
    """A pill in canvas px, and as much of its text as has room."""

    badge: Badge
    text: str
    x: float
    y: float
    width: float


@dataclass(frozen=True, slots=True)
class BadgeLook:
    """Colours and outline of a tone. No two are alike without their colours but by their glyph."""

    ground: str
    line: str
    ink: str
    dash: tuple[float, float] | None = None


def badge_look(colours: Palette, tone: BadgeTone) -> BadgeLook:
    """Pale and whole where all is well, filled where not, broken lines where one cannot compare."""
    match tone:
        case "holds" | "equal":
            return BadgeLook(colours.holds_ground, colours.holds, colours.holds)
        case "fails":
            return BadgeLook(colours.error, colours.error, colours.canvas)
        case "differs":
            return BadgeLook(colours.ink, colours.ink, colours.canvas)
        case "only":
            return BadgeLook(colours.node, colours.ink, colours.ink, STROKE.dash_edge)
        case "unknown":
            return BadgeLook(colours.node, colours.soft, colours.soft, STROKE.dash_cell)


def badge_places(box: Box) -> tuple[BadgePlace, ...]:
    """The pills of a box from left to right, the last one ending at the lower right.

    They keep within the card's sides; a text that has no room loses its end, or all of it.
    """
    room, found = box.width - 2 * _INSET, []
    for badge in box.badges:
        text = _fitted(badge, room - 2 * _PAD)
        wide = width(text, TYPE.small, bold=True) + 2 * _PAD
        if wide > room or room < _LEAST:
            break
        found.append((badge, text, wide))
        room -= wide + _GAP
    places, right = [], box.x + box.width - _INSET
    for badge, text, wide in reversed(found):
        places.append(BadgePlace(badge, text, right - wide, box.y + box.height - _INSIDE, wide))
        right -= wide + _GAP
    return tuple(reversed(places))


def plain_marks(rects: Floats) -> Floats:
    """Where a badge without text lies on boxes of these rectangles (n, 4)."""
    marks = rects.copy()
    marks[:, 2], marks[:, 3] = MARK_WIDTH, HEIGHT
    marks[:, 0] += rects[:, 2] - _INSET - MARK_WIDTH
    marks[:, 1] += rects[:, 3] - _INSIDE
    return marks


def tone_of(kind: str) -> BadgeTone | None:
    """The tone of this name, if it is one."""
    return next((tone for tone in WORDS if tone == kind), None)


def tones(badges: Iterable[tuple[Badge, ...]]) -> tuple[BadgeTone, ...]:
    """The tones that are there, in the order of a legend."""
    there = {badge.tone for each in badges for badge in each}
    return tuple(tone for tone in WORDS if tone in there)


def _fitted(badge: Badge, room: float) -> str:
    text = badge.text
    if width(text, TYPE.small, bold=True) <= room:
        return text
    while text and width(text + "…", TYPE.small, bold=True) > room:
        text = text[:-1]
    return text.rstrip() + "…" if len(text) >= _READABLE else GLYPHS[badge.tone]
