"""`Pen`: the elements of a picture in the making, and the characters that they use."""

from __future__ import annotations

from dataclasses import dataclass, field

from gradviz.export.fonts import Letters
from gradviz.export.xml import element, escape, num
from gradviz.figure import Edge
from gradviz.look import Palette
from gradviz.scene.measure import Family, width

Point = tuple[float, float]


@dataclass(slots=True)
class Pen:
    """Writes texts and shapes as elements; `prefix` keeps ids apart where there are two figures."""

    colours: Palette
    prefix: str = ""
    letters: Letters = field(default_factory=Letters)

    def text(
        self,
        words: str,
        at: Point,
        class_: str | None,
        *,
        family: Family = "ui",
        bold: bool = False,
    ) -> str:
        """A line of text whose baseline begins (or by its class ends, is centred) at a point."""
        self.letters.add(words, family, bold)
        return element("text", escape(words), x=at[0], y=at[1], class_=class_)


def fitted(words: str, room: float, size: float, *, family: Family = "ui") -> str:
    """The text, its end lost to an ellipsis where it is wider than `room` px."""
    if width(words, size, family=family) <= room:
        return words
    while words and width(words + "…", size, family=family) > room:
        words = words[:-1]
    return words.rstrip() + "…"


def path(points: tuple[Point, ...] | list[Point]) -> str:
    """A closed polygon's path data."""
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points) + "Z"


def curve(edge: Edge) -> str:
    """A cubic's path data."""
    (ax, ay), *rest = edge.points
    return f"M{num(ax)} {num(ay)}C" + " ".join(f"{num(x)} {num(y)}" for x, y in rest)
