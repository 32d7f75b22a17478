"""What stands around a picture: heading and sentence above it, legend below."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from gradviz.export.nodes import pill
from gradviz.export.pen import Pen, path
from gradviz.export.xml import element
from gradviz.figure import Figure, LegendEntry
from gradviz.look import RADIUS, SPACE, TYPE
from gradviz.scene.badges import GLYPHS, tone_of
from gradviz.scene.measure import width, wrapped

HeadingKind = Literal["reduction", "seed", "plain"]
SIDE = SPACE.two
_LINE, _ROW = 18.0, 22.0
_MARK, _MARK_HEIGHT = 22.0, 14.0
_LEAST_WIDTH = 420.0  # so that a sentence is not broken into many short lines
_BESIDE = 1400.0  # two pictures wider than this stand one above the other


@dataclass(frozen=True, slots=True)
class Panel:
    """A figure with what is written over it, and where it lies on the sheet.

    `x`, `y` and `width` are the panel's, whose top is the sentence; `left` and `top` are what is
    added to the figure's coordinates.
    """

    figure: Figure
    heading: str = ""
    kind: HeadingKind = "plain"
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    left: float = 0.0
    top: float = 0.0

    @property
    def lines(self) -> list[str]:
        return wrapped(self.figure.caption, self.width - 2 * SIDE, TYPE.caption)

    @property
    def strip(self) -> float:
        """The height of heading and sentence."""
        count = len(self.lines) + bool(self.heading)
        return count * _LINE + 2 * SPACE.more if count else 0.0


def arranged(panels: list[Panel]) -> tuple[list[Panel], float, float]:
    """The panels placed, and the width and height that they take: side by side where they fit.

    Equal nodes stand level side by side, and one above the other in one column.
    """
    left = min(one.figure.left for one in panels)
    top = min(one.figure.top for one in panels)
    right = max(one.figure.left + one.figure.width for one in panels)
    bottom = max(one.figure.top + one.figure.height for one in panels)
    wide = max(right - left, _LEAST_WIDTH)
    inset = (wide - (right - left)) / 2 - left
    sized = [replace(one, width=wide) for one in panels]
    if wide * len(sized) <= _BESIDE:
        strip = max(one.strip for one in sized)
        return (
            [
                replace(one, x=at * wide, left=at * wide + inset, top=strip - top)
                for at, one in enumerate(sized)
            ],
            wide * len(sized),
            strip + bottom - top,
        )
    y, placed = 0.0, []
    for one in sized:
        placed.append(replace(one, y=y, left=inset, top=y + one.strip - one.figure.top))
        y += one.strip + one.figure.height
    return placed, wide, y


def strip(panel: Panel, pen: Pen) -> str:
    """Heading and sentence over the panel's figure."""
    x, y = panel.x + SIDE, panel.y + SPACE.more + 13
    parts = []
    if panel.heading:
        kind = f"heading {panel.kind}"
        parts.append(pen.text(panel.heading, (x, y), kind, family="mono", bold=True))
        y += _LINE
    for line in panel.lines:
        parts.append(pen.text(line, (x, y), "caption"))
        y += _LINE
    return "".join(parts)


def legend_rows(
    entries: tuple[LegendEntry, ...], scale: str, room: float
) -> list[list[tuple[float, LegendEntry | str]]]:
    """Entries with their places in lines of at most `room` px; the scale's words come last."""
    rows: list[list[tuple[float, LegendEntry | str]]] = []
    x = room + 1
    for entry in (*entries, *((scale,) if scale else ())):
        words = entry if isinstance(entry, str) else entry.text
        wide = width(words, TYPE.label)
        wide += 0.0 if isinstance(entry, str) else _MARK + SPACE.one
        if x + wide > room or not rows:
            rows.append([])
            x = 0.0
        rows[-1].append((x, entry))
        x += wide + SPACE.three
    return rows


def legend_height(rows: list[list[tuple[float, LegendEntry | str]]]) -> float:
    """The height of the legend's lines."""
    return len(rows) * _ROW + SPACE.one if rows else 0.0


def legend(rows: list[list[tuple[float, LegendEntry | str]]], top: float, pen: Pen) -> str:
    """The marks with their words from the sheet's height `top`."""
    parts, y = [], top + _ROW / 2
    for row in rows:
        for x, entry in row:
            left = SIDE + x
            if isinstance(entry, str):
                parts.append(pen.text(entry, (left, y + 4), None))
                continue
            parts.append(_mark(entry, left, y - _MARK_HEIGHT / 2, pen))
            parts.append(pen.text(entry.text, (left + _MARK + SPACE.one, y + 4), None))
        y += _ROW
    return element("g", "".join(parts), class_="legend")


def _mark(entry: LegendEntry, x: float, y: float, pen: Pen) -> str:
    """A small likeness of a node of the kind, or of a badge."""
    tone = tone_of(entry.kind)
    if tone is not None:
        return pill(tone, (x, y, _MARK, _MARK_HEIGHT), GLYPHS[tone], pen)
    right, bottom = x + _MARK, y + _MARK_HEIGHT
    if entry.kind == "seed":
        flag = path(
            [(x, y + _MARK_HEIGHT / 2), (x + 6, y), (right, y), (right, bottom), (x + 6, bottom)]
        )
        shape = element("path", d=flag, class_="ground") + element("path", d=flag, class_="outline")
    else:
        radius = _MARK_HEIGHT / 2 if entry.kind == "leaf" else RADIUS.cell
        frame = {"x": x, "y": y, "width": _MARK, "height": _MARK_HEIGHT, "rx": radius}
        ground = "ground" if entry.kind in ("leaf", "reduction") else "card"
        shape = element("rect", **frame, class_=ground) + element("rect", **frame, class_="outline")
    if entry.kind == "reduction":
        shape += pen.text(
            "Σ", (x + _MARK / 2, y + 10.5), "title small middle", family="mono", bold=True
        )
    return element("g", shape, class_=f"mark {entry.kind}")
