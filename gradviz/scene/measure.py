"""Widths of texts in the bundled fonts, and lines broken by them: the same on every machine."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Literal

from gradviz import resources

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

Family = Literal["ui", "mono"]
FILES = {
    ("ui", False): "Inter-Regular.otf",
    ("ui", True): "Inter-SemiBold.otf",
    ("mono", False): "JetBrainsMono-Regular.ttf",
    ("mono", True): "JetBrainsMono-Bold.ttf",
}
_EM = 1000  # advances are read at this size, where hinting no longer rounds them
_PIECES = re.compile(r"[^\s\u2e80-\u9fff\uff00-\uffef]+\s*|[\u2e80-\u9fff\uff00-\uffef]\s*|\s+")
_CLOSING = "，。；：、）」』！？"
_FALLBACK = {"ui": 0.56, "mono": 0.6}  # of an em, where a font is missing


def width(text: str, size: float, *, family: Family = "ui", bold: bool = False) -> float:
    """The width of a line of text in px; characters the fonts lack count by their kind."""
    return size * sum(_advance(character, family, bold) for character in text)


def wrapped(sentence: str, room: float, size: float) -> list[str]:
    """The sentence in lines of at most `room` px, where it can be broken.

    A line may break after a space, and before or after any Chinese character but punctuation.
    """
    lines = [""]
    for piece in _PIECES.findall(sentence):
        fits = width((lines[-1] + piece).rstrip(), size) <= room
        if lines[-1] and not fits and piece[0] not in _CLOSING:
            lines[-1] = lines[-1].rstrip()
            lines.append("")
        lines[-1] += piece
    return [line for line in lines if line]


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters: the middle gives way to an ellipsis."""
    if len(text) <= limit:
        return text
    head = (limit - 1 + 1) // 2
    return text[:head] + "…" + text[len(text) - (limit - 1 - head) :]


@cache
def _advance(character: str, family: Family, bold: bool) -> float:
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    if unicodedata.combining(character):
        return 0.0
    font = _font(family, bold)
    return _FALLBACK[family] if font is None else font.getlength(character) / _EM


@cache
def _font(family: Family, bold: bool) -> FreeTypeFont | None:
    from PIL import ImageFont  # not needed where nothing is drawn

    try:
        path = resources.path("fonts", FILES[family, bold])
        return ImageFont.truetype(str(path), _EM, layout_engine=ImageFont.Layout.BASIC)
    except (OSError, ImportError):
        return None
