"""A small figure by hand: x, twice x, and their sum, with round places."""

from __future__ import annotations

from dataclasses import replace

from gradviz.figure import Box, Cell, Edge, Figure, LegendEntry, Row

WIDE, HIGH = 148.0, 86.0


def box(key: str, x: float, y: float, **more: object) -> Box:
    row = Row("value", (Cell("2", "value"), Cell("3", "value")), 2)
    made = Box(key, "op", x, y, WIDE, HIGH, key, "add", (row,))
    return replace(made, **more)  # type: ignore[arg-type]


def edge(source: Box, target: Box, slot: int = 0, **more: object) -> Edge:
    x0, y0 = source.x + source.width, source.y + source.height / 2
    x1, y1 = target.x, target.y + target.height / 2
    points = ((x0, y0), (x0 + 40, y0), (x1 - 40, y1), (x1, y1))
    made = Edge(f"{source.id}-{target.id}", source.id, target.id, slot, points)
    return replace(made, **more)  # type: ignore[arg-type]


def figure(*, current: bool = False, caption: str = "A sentence.") -> Figure:
    """Boxes at x = 0, 240 and 480; the edge from "b" to "c" may be the one of this step."""
    a, b = box("a", 0, 0, kind="leaf"), box("b", 240, 120)
    c = box("c", 480, 0, error="it fails")
    state = "current" if current else "idle"
    label = "[4, 6]" if current else None
    edges = (edge(a, b), edge(b, c, state=state, label=label), edge(a, c, 1))
    legend = (LegendEntry("leaf", "leaf"), LegendEntry("reduction", "reduction"))
    return Figure((a, b, c), edges, 692.0, 270.0, caption, legend, -32.0, -32.0)
