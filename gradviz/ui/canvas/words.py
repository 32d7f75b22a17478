"""What the canvas says of a node, an edge or a whole figure in words."""

from __future__ import annotations

from html import escape

from gradviz.figure import Box, Edge, Figure, Row
from gradviz.language import _, ngettext


def box_tooltip(box: Box) -> str:
    """Name, kind, values and what is wrong, as rich text."""
    head = f"<b>{escape(box.title)}</b>"
    if box.flag:
        head += f" · {escape(box.flag)}"
    lines = [head, *(f"{escape(row.label)} {escape(row_text(row))}".strip() for row in box.rows)]
    lines += badge_lines(box)
    if box.error is not None:
        lines.append(escape(box.error))
    return "<br>".join(line for line in lines if line)


def badge_lines(box: Box) -> list[str]:
    """What the badges of a node say, as rich text."""
    return [escape(line) for badge in box.badges for line in (badge.tip or badge.text).split("\n")]


def edge_tooltip(edge: Edge) -> str:
    """What travels along an edge in this step; nothing where nothing does."""
    return escape(edge.label or "")


def row_text(row: Row) -> str:
    """The numbers of a row as they would be typed, or its note where they are not shown."""
    if row.form != "cells":
        return row.note
    texts = [cell.text for cell in row.cells]
    lines = [texts[at : at + row.columns] for at in range(0, len(texts), max(row.columns, 1))]
    parts = ["[" + ", ".join(line) + "]" for line in lines]
    return parts[0] if len(parts) == 1 else "[" + ", ".join(parts) + "]"


def value_text(box: Box) -> str:
    """The value of a node for the clipboard: its first row, or its title."""
    return row_text(box.rows[0]) if box.rows else box.title


def summary(figure: Figure) -> str:
    """A figure in a sentence or two, for those who hear it."""
    nodes = sum(box.kind != "seed" for box in figure.boxes)
    edges = sum(edge.kind != "seed" for edge in figure.edges)
    return _("{nodes}, {edges}. {caption}").format(
        nodes=ngettext("{n} node", "{n} nodes", nodes).format(n=nodes),
        edges=ngettext("{n} edge", "{n} edges", edges).format(n=edges),
        caption=". ".join([*(one.title for one in figure.storeys), figure.caption]),
    )
