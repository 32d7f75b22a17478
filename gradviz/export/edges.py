"""Edges as SVG paths: by state, the seed's arrow, the pulse and the contribution on it."""

from __future__ import annotations

from gradviz.diagram import Point
from gradviz.export.pen import Pen, curve, path
from gradviz.export.xml import element
from gradviz.figure import Edge, Figure
from gradviz.look import RADIUS, SPACE, STROKE, TYPE
from gradviz.scene.measure import width

_ARROW = 8.0
_PILL_HEIGHT, _PILL_PAD, _PILL_LIFT = 20.0, 10.0, 20.0


def edges(figure: Figure, pen: Pen) -> str:
    """All edges, the one of this step last."""
    drawn = sorted(figure.edges, key=lambda edge: edge.state == "current")
    return "".join(_edge(edge, pen) for edge in drawn)


def _edge(edge: Edge, pen: Pen) -> str:
    words = ["edge", edge.kind, edge.state]
    if not edge.tracked:
        words.append("untracked")
    names = {"id": f"{pen.prefix}edge-{edge.id}", "class_": " ".join(words)}
    if edge.kind != "seed":
        return element("path", d=curve(edge), **names)
    (x1, y1), (x0, y0) = edge.points[0], edge.points[3]
    neck, half = x1 + (_ARROW if x0 > x1 else -_ARROW), _ARROW * 0.6
    line = element("line", x1=x0, y1=y0, x2=neck, y2=y1, **names)
    head = [(x1, y1), (neck, y1 - half), (neck, y1 + half)]
    return line + element("path", d=path(head), class_="arrow")


def contribution(figure: Figure, pen: Pen) -> str:
    """The dot on the edge of this step and what it carries, above everything else.

    What came before and is added to it stands on the edges that it came along.
    """
    found = next(
        (edge for edge in figure.edges if edge.state == "current" and edge.kind == "data"), None
    )
    if found is None:
        return ""
    parts = [
        _pill(edge.label, _middle(edge), pen, quiet=True)
        for edge in figure.edges
        if edge.label and edge is not found
    ]
    x, y = _middle(found)
    parts.append(element("circle", cx=x, cy=y, r=STROKE.pulse, class_="pulse"))
    if found.label:
        parts.append(_pill(found.label, (x, y), pen))
    return "".join(parts)


def _middle(edge: Edge) -> Point:
    x, y = (
        sum(w * p[axis] for w, p in zip((1, 3, 3, 1), edge.points, strict=True)) / 8
        for axis in (0, 1)
    )
    return x, y


def _pill(label: str, at: Point, pen: Pen, *, quiet: bool = False) -> str:
    wide = width(label, TYPE.cell, family="mono") + 2 * _PILL_PAD
    x, middle = at[0], at[1] - _PILL_LIFT
    ground = element(
        "rect",
        x=x - wide / 2,
        y=middle - _PILL_HEIGHT / 2,
        width=wide,
        height=_PILL_HEIGHT,
        rx=RADIUS.pill,
        class_="pill quiet" if quiet else "pill",
    )
    kind = "number" if quiet else "number positive"
    return ground + pen.text(label, (x, middle + SPACE.half), kind, family="mono")
