"""Boxes as SVG groups: the same card, flag, cells and badge as on the canvas."""

from __future__ import annotations

from gradviz import look
from gradviz.export.pen import Pen, fitted, path
from gradviz.export.xml import element, escape, num
from gradviz.figure import Box, Cell, Row
from gradviz.look import NODE, RADIUS, STROKE, TYPE
from gradviz.scene.badges import BASELINE, HEIGHT, BadgePlace, badge_places
from gradviz.scene.places import Rect, RowPlace, row_places, seed_outline, seed_room
from gradviz.scene.sockets import RADIUS as SOCKET
from gradviz.scene.sockets import socket_places

_BADGE = 8.0
_TITLE_GAP = 8.0


def node(box: Box, pen: Pen) -> str:
    """The group of a box, with a tooltip that tells it in words."""
    parts = [element("title", escape(_told(box)))]
    parts.append(_seed(box, pen) if box.kind == "seed" else _card(box, pen))
    parts += [_row(box, place, pen) for place in row_places(box)]
    parts += [
        element("circle", cx=x, cy=y, r=num(SOCKET), class_="socket")
        for _slot, (x, y) in socket_places(box)
    ]
    parts += [_pill(place, pen) for place in badge_places(box)]
    if box.error is not None:
        parts.append(_badge(box, pen))
    return element(
        "g", "".join(parts), id=f"{pen.prefix}node-{box.id}", class_=" ".join(_classes(box))
    )


def _classes(box: Box) -> list[str]:
    words = ["node", box.kind, box.state]
    if not box.tracked:
        words.append("untracked")
    if box.error is not None:
        words.append("failed")
    return words


def _told(box: Box) -> str:
    words = f"{box.title} ({box.flag})" if box.flag else box.title
    rows = [
        f"{row.label} {row.note or ', '.join(cell.text for cell in row.cells)}".strip()
        for row in box.rows
    ]
    badges = [badge.tip.replace("\n", "; ") or badge.text for badge in box.badges]
    return "; ".join([words, *rows, *badges, *([box.error] if box.error else [])])


def _card(box: Box, pen: Pen) -> str:
    half = _stroke(box) / 2
    radius = (RADIUS.leaf if box.kind == "leaf" else RADIUS.node) - half
    x, y = box.x + half, box.y + half
    wide, high = box.width - 2 * half, box.height - 2 * half
    frame = {"x": x, "y": y, "width": wide, "height": high, "rx": radius}
    parts = [element("rect", **frame, class_="card")]
    if box.kind in ("leaf", "reduction"):
        parts.append(element("path", d=_header(x, y, wide, radius), class_="ground"))
    parts.append(element("rect", **frame, class_="outline"))
    if box.level % 2:
        parts.append(_second_frame(x, y, wide, high, radius))
    left, right = box.x + NODE.pad, box.x + box.width - NODE.pad
    baseline = box.y + NODE.header / 2 + 4.5
    room = right - left
    if box.flag:
        bold = box.kind == "reduction"
        flag = fitted(box.flag, room * 0.6, TYPE.label)
        parts.append(pen.text(flag, (right, baseline), "flag", bold=bold))
        room -= look_width(flag) + _TITLE_GAP
    title = fitted(box.title, room + 1, TYPE.title, family="mono")
    parts.append(pen.text(title, (left, baseline), "title", family="mono", bold=True))
    if box.selected:
        parts.append(
            element(
                "rect",
                x=box.x - 4,
                y=box.y - 4,
                width=box.width + 8,
                height=box.height + 8,
                rx=radius + 4,
                class_="ring",
            )
        )
    return "".join(parts)


def _second_frame(x: float, y: float, wide: float, high: float, radius: float) -> str:
    inset = STROKE.second
    return element(
        "rect",
        x=x + inset,
        y=y + inset,
        width=wide - 2 * inset,
        height=high - 2 * inset,
        rx=radius - inset,
        class_="second",
    )


def look_width(words: str) -> float:
    """The width of a label."""
    from gradviz.scene.measure import width

    return width(words, TYPE.label)


def _stroke(box: Box) -> float:
    if box.error is not None:
        return STROKE.node_marked
    if box.state == "current":
        return STROKE.node_current
    return STROKE.node_marked if box.kind in ("leaf", "reduction", "seed") else STROKE.node


def _header(x: float, y: float, wide: float, radius: float) -> str:
    """The top of a card, its upper corners round."""
    n, bottom = num, y + NODE.header - 2
    return (
        f"M{n(x)} {n(bottom)}V{n(y + radius)}A{n(radius)} {n(radius)} 0 0 1 {n(x + radius)} {n(y)}"
        f"H{n(x + wide - radius)}A{n(radius)} {n(radius)} 0 0 1 {n(x + wide)} {n(y + radius)}"
        f"V{n(bottom)}Z"
    )


def _seed(box: Box, pen: Pen) -> str:
    outline = path(seed_outline(box))
    at = (seed_room(box)[0], box.y + NODE.header / 2 + 4.5)
    return (
        element("path", d=outline, class_="ground")
        + element("path", d=outline, class_="outline", stroke_linejoin="round")
        + pen.text(box.title, at, "title", family="mono", bold=True)
    )


def _row(box: Box, place: RowPlace, pen: Pen) -> str:
    row, parts = place.row, []
    if row.label and box.kind != "seed":
        parts.append(pen.text(row.label, place.label, None))
    for cell, rect in zip(row.cells, place.cells, strict=True):
        parts.append(_cell(row, cell, rect, pen))
    if row.note:
        room = box.x + box.width - NODE.pad / 2 - place.note[0]
        parts.append(pen.text(fitted(row.note, room, TYPE.small), place.note, "small"))
    return "".join(parts)


def _cell(row: Row, cell: Cell, rect: Rect, pen: Pen) -> str:
    x, y, wide, high = rect
    if row.form != "cells":
        fill = look.swatch(pen.colours, cell.tone, cell.level)
        shape = element("rect", x=x, y=y, width=wide, height=high, fill=fill)
        return shape + (_hatch(rect) if cell.tone == "error" else "")
    if cell.tone == "empty":
        shape = element(
            "rect",
            x=x + 0.5,
            y=y + 0.5,
            width=wide - 1,
            height=high - 1,
            rx=RADIUS.cell,
            class_="empty",
        )
    else:
        fill = look.cell_ground(pen.colours, cell.tone, cell.level)
        shape = element("rect", x=x, y=y, width=wide, height=high, rx=RADIUS.cell, fill=fill)
    if cell.tone == "error":
        shape += _hatch(rect)
    tone = {"empty": " empty-text", "value": "", "zero": ""}.get(cell.tone, f" {cell.tone}")
    at = (x + wide / 2, y + high / 2 + 4.5)
    return shape + pen.text(cell.text, at, f"number{tone}", family="mono")


def _hatch(rect: Rect) -> str:
    x, y, wide, high = rect
    return element("rect", x=x, y=y, width=wide, height=high, rx=RADIUS.cell, fill="url(#hatch)")


def hatch_pattern(pen: Pen) -> str:
    """The slanting lines over NaN and inf."""
    ink = look.mix(pen.colours.error_ground, pen.colours.error, 0.3)
    line = element("path", d=f"M0 {num(STROKE.hatch)}L{num(STROKE.hatch)} 0", stroke=ink)
    return element(
        "pattern",
        line,
        id="hatch",
        width=STROKE.hatch,
        height=STROKE.hatch,
        patternUnits="userSpaceOnUse",
    )


def pill(tone: str, at: Rect, words: str, pen: Pen) -> str:
    """The pill of a badge in a rectangle."""
    x, y, wide, high = at
    shape = element(
        "rect", x=x + 0.5, y=y + 0.5, width=wide - 1, height=high - 1, rx=(high - 1) / 2
    )
    middle = (x + wide / 2, y + BASELINE - (HEIGHT - high) / 2)
    return element("g", shape + pen.text(words, middle, None, bold=True), class_=f"verdict {tone}")


def _pill(place: BadgePlace, pen: Pen) -> str:
    return pill(place.badge.tone, (place.x, place.y, place.width, HEIGHT), place.text, pen)


def _badge(box: Box, pen: Pen) -> str:
    x, y = box.x + box.width - 4, box.y + 4
    return element("circle", cx=x, cy=y, r=_BADGE, class_="badge") + pen.text(
        "!", (x, y + 4), "badge-text", bold=True
    )
