"""The design tokens: contrast, and the scale of magnitudes."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from gradviz import look
from gradviz.palettes import Signs, coloured
from gradviz.scene.badges import GLYPHS, WORDS, BadgeTone, badge_look

THEMES = {
    f"{theme}, {signs}": coloured(theme, signs)
    for theme in get_args(look.Theme)
    for signs in get_args(Signs)
}
TEXT = [
    *((ink, ground) for ink in ("ink", "soft") for ground in ("canvas", "panel", "node")),
    ("ink", "zero"),
    ("ink", "selection_ground"),
    ("on_selection", "selection"),
    *(
        (name, ground)
        for name in ("positive", "negative", "seed", "reduction", "leaf", "error", "holds")
        for ground in (f"{name}_ground", "canvas", "panel", "node")
    ),
    *((name, "panel") for name in ("selection",)),
]
KINDS = ("positive", "negative", "seed", "reduction", "leaf", "error", "holds")
MARKS = [
    (name, ground)
    for name in ("edge", "selection", *KINDS)
    for ground in ("canvas", "node", "panel")
]


def test_contrast_of_black_on_white_is_21() -> None:
    assert look.contrast("#000000", "#FFFFFF") == pytest.approx(21.0)
    # The luminance of mid grey 119 is ((119/255 + 0.055) / 1.055) ** 2.4 = 0.1845.
    assert look.contrast("#777777", "#FFFFFF") == pytest.approx(1.05 / 0.2345, abs=0.01)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("ink", "ground"), TEXT)
def test_text_reads_on_its_ground(theme: str, ink: str, ground: str) -> None:
    colours = THEMES[theme]
    assert look.contrast(getattr(colours, ink), getattr(colours, ground)) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("mark", "ground"), MARKS)
def test_marks_are_seen_on_their_ground(theme: str, mark: str, ground: str) -> None:
    colours = THEMES[theme]
    assert look.contrast(getattr(colours, mark), getattr(colours, ground)) >= 3.0


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("tone", ["value", "positive", "negative", "zero", "error", "empty"])
@pytest.mark.parametrize("level", [0.0, 0.3, 0.7, 1.0])
def test_numbers_read_on_their_cells(theme: str, tone: look.Tone, level: float) -> None:
    colours = THEMES[theme]
    ground = look.cell_ground(colours, tone, level)
    assert look.contrast(look.cell_ink(colours, tone), ground) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_both_signs_start_at_the_colour_of_zero_and_end_at_the_full_colour(theme: str) -> None:
    colours = THEMES[theme]
    assert look.swatch(colours, "positive", 0.0) == look.swatch(colours, "negative", 0.0)
    assert look.swatch(colours, "positive", 0.0) == colours.zero
    assert look.swatch(colours, "positive", 1.0) == colours.positive
    assert look.swatch(colours, "negative", 1.0) == colours.negative


def test_mix_is_halfway() -> None:
    assert look.mix("#000000", "#FF8000", 0.5) == "#804000"
    assert look.mix("#102030", "#FFFFFF", -3.0) == "#102030"


@pytest.mark.parametrize("theme", THEMES)
def test_every_role_is_a_colour(theme: str) -> None:
    for role in look.roles():
        assert re.fullmatch("#[0-9A-F]{6}", getattr(THEMES[theme], role))


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("tone", WORDS)
def test_badges_read_and_are_seen(theme: str, tone: BadgeTone) -> None:
    colours = THEMES[theme]
    drawn = badge_look(colours, tone)
    assert look.contrast(drawn.ink, drawn.ground) >= 4.5
    for around in (colours.node, colours.canvas):
        assert look.contrast(drawn.line, around) >= 3.0


def test_badges_are_told_apart_without_colour() -> None:
    assert len(set(GLYPHS.values())) == len(GLYPHS) == len(WORDS)
    dashes = {tone: badge_look(look.LIGHT, tone).dash for tone in WORDS}
    assert dashes["only"] != dashes["unknown"]
    assert [tone for tone, dash in dashes.items() if dash is None] == [
        "holds",
        "fails",
        "equal",
        "differs",
    ]
