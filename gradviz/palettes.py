"""`palette`: the colours in use, those of a theme with the reader's choice of sign colours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Literal

from gradviz.look import DARK, LIGHT, Palette, Theme, mix

Signs = Literal["orange-blue", "blue-orange", "strong"]
_THEMES: Mapping[Theme, Palette] = {"light": LIGHT, "dark": DARK}
_STRONGER, _DARKER = 0.22, 0.45  # of the sign's colour into its ground, of ink into the colour

_signs: Signs = "orange-blue"


def palette(theme: Theme) -> Palette:
    """The colours of the theme called "light" or "dark"."""
    return coloured(theme, _signs)


def use_signs(signs: Signs) -> None:
    """Say signs by these colours from now on. Like the language, it is the reader's choice."""
    global _signs
    _signs = signs


@cache
def coloured(theme: Theme, signs: Signs) -> Palette:
    """A theme with the colours of the signs.

    "orange-blue" is the theme's own: orange above zero, blue below, a pair that colour-blind
    readers tell apart. "blue-orange" has them the other way round, "strong" deeper grounds.
    """
    colours = _THEMES[theme]
    if signs == "blue-orange":
        return replace(
            colours,
            positive=colours.negative,
            positive_ground=colours.negative_ground,
            negative=colours.positive,
            negative_ground=colours.positive_ground,
        )
    if signs == "strong":
        return replace(
            colours,
            positive=mix(colours.positive, colours.ink, _DARKER),
            positive_ground=mix(colours.positive_ground, colours.positive, _STRONGER),
            negative=mix(colours.negative, colours.ink, _DARKER),
            negative_ground=mix(colours.negative_ground, colours.negative, _STRONGER),
        )
    return colours
