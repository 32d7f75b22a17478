"""Nodes as cards: outline by kind, header, rows of cells; everything the eye reads close by."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPainterPath, QPen, QPolygonF

from gradviz import look
from gradviz.figure import Box, Cell, Row
from gradviz.look import NODE, RADIUS, STROKE, Palette
from gradviz.scene.badges import BASELINE, HEIGHT, BadgePlace, BadgeTone, badge_look, badge_places
from gradviz.scene.places import RowPlace, points_right, row_places, seed_outline, seed_room
from gradviz.scene.sockets import RADIUS as SOCKET
from gradviz.scene.sockets import socket_places
from gradviz.scene.storey_look import storey_frame
from gradviz.ui.canvas import text
from gradviz.ui.theme import colour

BADGE = 8.0  # radius of the mark of an error, centred on a corner of the box
_TITLE_GAP = 8.0


def paint_box(painter: QPainter, box: Box, colours: Palette) -> None:
    """Draw a box with everything on it, at its place."""
    if box.kind == "seed":
        _seed(painter, box, colours)
    else:
        _card(painter, box, colours)
    for place in row_places(box):
        _row(painter, box, place, colours)
    if box.open:
        _sockets(painter, box, colours)
    paint_pills(painter, box, colours)
    if box.error is not None:
        _badge(painter, box, colours)


def _sockets(painter: QPainter, box: Box, colours: Palette) -> None:
    """Rings at the inputs that are still open."""
    pen = QPen(colour(colours.error), STROKE.node_marked)
    pen.setStyle(Qt.PenStyle.DotLine)
    painter.setPen(pen)
    painter.setBrush(colour(colours.node))
    for _slot, (x, y) in socket_places(box):
        painter.drawEllipse(QPointF(x, y), SOCKET, SOCKET)


def outline(box: Box, outset: float = 0.0) -> QPainterPath:
    """The outline of a box by its kind, moved outwards by `outset` px."""
    path = QPainterPath()
    if box.kind == "seed":
        path.addPolygon(_flag(box, outset))
        path.closeSubpath()
        return path
    radius = corner(box) + outset
    rect = QRectF(box.x, box.y, box.width, box.height)
    path.addRoundedRect(rect.adjusted(-outset, -outset, outset, outset), radius, radius)
    return path


def corner(box: Box) -> float:
    """The corner radius of a card."""
    return RADIUS.leaf if box.kind == "leaf" else RADIUS.node


def outline_pen(box: Box, colours: Palette) -> QPen:
    """The pen of a box's outline: what is wrong first, then the step, then the kind."""
    kinds = {"leaf": colours.leaf, "reduction": colours.reduction, "seed": colours.seed}
    if box.error is not None:
        pen = QPen(colour(colours.error), STROKE.node_marked)
    elif box.state == "current":
        pen = QPen(colour(colours.selection), STROKE.node_current)
    elif box.kind in kinds:
        pen = QPen(colour(kinds[box.kind]), STROKE.node_marked)
    else:
        return QPen(colour(colours.line), STROKE.node)
    if box.kind == "reduction" and box.state != "current":
        on, off = STROKE.dash
        pen.setDashPattern([on / pen.widthF(), off / pen.widthF()])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def _card(painter: QPainter, box: Box, colours: Palette) -> None:
    pen = outline_pen(box, colours)
    if pen.style() == Qt.PenStyle.SolidLine:  # zoomed out it stays a px wide, or it would fade
        pen.setWidthF(max(pen.widthF(), 1.0 / max(painter.worldTransform().m11(), 0.2)))
    half = pen.widthF() / 2
    rect = QRectF(box.x, box.y, box.width, box.height).adjusted(half, half, -half, -half)
    radius = corner(box) - half
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(colours.node))
    painter.drawRoundedRect(rect, radius, radius)
    ground = {"leaf": colours.leaf_ground, "reduction": colours.reduction_ground}.get(box.kind)
    if ground is not None:
        painter.setBrush(colour(ground))
        painter.drawPath(_header(rect, radius))
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect, radius, radius)
    if box.level % 2:
        painter.setPen(QPen(colour(storey_frame(colours)), STROKE.hair))
        inset = STROKE.second
        inner = rect.adjusted(inset, inset, -inset, -inset)
        painter.drawRoundedRect(inner, radius - inset, radius - inset)
    _title(painter, box, colours)


def _header(rect: QRectF, radius: float) -> QPainterPath:
    left, top, right, bottom = rect.left(), rect.top(), rect.right(), rect.top() + NODE.header - 2
    size = 2 * radius
    path = QPainterPath(QPointF(left, bottom))
    path.arcTo(QRectF(left, top, size, size), 180, -90)
    path.arcTo(QRectF(right - size, top, size, size), 90, -90)
    path.lineTo(right, bottom)
    path.closeSubpath()
    return path


def _title(painter: QPainter, box: Box, colours: Palette) -> None:
    inks = {"leaf": colours.leaf, "reduction": colours.reduction}
    baseline = box.y + NODE.header / 2 + 4.5
    left, right = box.x + NODE.pad, box.x + box.width - NODE.pad
    # What takes no part in this pass is quiet; fading it would take the contrast from its text.
    strong = inks.get(box.kind, colours.ink if box.tracked else colours.soft)
    painter.setPen(colour(inks.get(box.kind, colours.soft)))
    taken = 0.0
    if box.flag:
        taken = _TITLE_GAP + text.draw(
            painter,
            box.flag,
            (right, baseline),
            text.STRONG_LABEL if box.kind == "reduction" else text.LABEL,
            width=(right - left) * 0.6,
            align="right",
        )
    painter.setPen(colour(strong))
    text.draw(
        painter,
        box.title,
        (left, baseline),
        text.TITLE,
        width=right - left - taken,
    )


def _flag(box: Box, outset: float = 0.0) -> QPolygonF:
    (tip_x, tip_y), (shoulder, top), (end, _), (_, bottom), _ = seed_outline(box)
    across = -outset if points_right(box) else outset
    return QPolygonF(
        [
            QPointF(tip_x - across * 1.3, tip_y),
            QPointF(shoulder - across * 0.4, top - outset),
            QPointF(end + across, top - outset),
            QPointF(end + across, bottom + outset),
            QPointF(shoulder - across * 0.4, bottom + outset),
        ]
    )


def _seed(painter: QPainter, box: Box, colours: Palette) -> None:
    pen = outline_pen(box, colours)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(colour(colours.seed_ground))
    painter.drawPolygon(_flag(box, -pen.widthF() / 2))
    left, right = seed_room(box)
    baseline = box.y + NODE.header / 2 + 4.5
    painter.setPen(colour(colours.seed))
    used = text.draw(
        painter,
        box.title,
        (left, baseline),
        text.TITLE,
        width=right - left,
    )
    if box.flag and used + _TITLE_GAP < right - left:
        text.draw(
            painter,
            box.flag,
            (right, baseline),
            text.LABEL,
            width=right - left - used - _TITLE_GAP,
            align="right",
        )


def _row(painter: QPainter, box: Box, place: RowPlace, colours: Palette) -> None:
    row = place.row
    painter.setPen(colour(colours.seed if box.kind == "seed" else colours.soft))
    if row.label and box.kind != "seed":
        text.draw(painter, row.label, place.label, text.LABEL, width=NODE.label_width - 2)
    for cell, (x, y, wide, high) in zip(row.cells, place.cells, strict=True):
        _cell(painter, row, cell, QRectF(x, y, wide, high), colours)
    if row.note:
        painter.setPen(colour(colours.soft))
        limit = box.x + box.width - NODE.pad / 2 - place.note[0]
        text.draw(painter, row.note, place.note, text.SMALL, width=limit)


def _cell(painter: QPainter, row: Row, cell: Cell, rect: QRectF, colours: Palette) -> None:
    if row.form != "cells":
        painter.fillRect(rect, colour(look.swatch(colours, cell.tone, cell.level)))
        if cell.tone == "error":
            _hatch(painter, rect, colours)
        return
    painter.setPen(Qt.PenStyle.NoPen)
    if cell.tone == "empty":
        pen = QPen(colour(colours.edge), STROKE.hair)
        pen.setDashPattern(list(STROKE.dash_cell))
        painter.setPen(pen)
        rect = rect.adjusted(0.5, 0.5, -0.5, -0.5)
    painter.setBrush(colour(look.cell_ground(colours, cell.tone, cell.level)))
    painter.drawRoundedRect(rect, RADIUS.cell, RADIUS.cell)
    if cell.tone == "error":
        _hatch(painter, rect, colours)
    if cell.text:
        painter.setPen(colour(look.cell_ink(colours, cell.tone)))
        at = (rect.center().x(), rect.center().y() + 4.5)
        text.draw(painter, cell.text, at, text.CELL, width=rect.width(), align="centre")


def _hatch(painter: QPainter, rect: QRectF, colours: Palette) -> None:
    """Slanting lines in the colour of errors: NaN and inf are not told by colour alone."""
    painter.save()
    painter.setClipRect(rect, Qt.ClipOperation.IntersectClip)
    ink = colour(look.mix(colours.error_ground, colours.error, 0.3))
    painter.setPen(QPen(ink, STROKE.hair))
    x = rect.left() - rect.height()
    while x < rect.right():
        painter.drawLine(QPointF(x, rect.bottom()), QPointF(x + rect.height(), rect.top()))
        x += STROKE.hatch
    painter.restore()


def _badge(painter: QPainter, box: Box, colours: Palette) -> None:
    centre = QPointF(box.x + box.width - 4.0, box.y + 4.0)
    painter.setPen(QPen(colour(colours.canvas), 2.0))
    painter.setBrush(QBrush(colour(colours.error)))
    painter.drawEllipse(centre, BADGE, BADGE)
    painter.setPen(colour(colours.canvas))
    at = (centre.x(), centre.y() + 4.0)
    text.draw(painter, "!", at, text.STRONG_LABEL, align="centre")


def paint_pills(painter: QPainter, box: Box, colours: Palette) -> None:
    """Draw a box's badges at its lower edge."""
    for place in badge_places(box):
        _pill(painter, place, colours)


def _pill(painter: QPainter, place: BadgePlace, colours: Palette) -> None:
    paint_pill_ground(painter, place.badge.tone, (place.x, place.y, place.width, HEIGHT), colours)
    painter.setPen(colour(badge_look(colours, place.badge.tone).ink))
    at = (place.x + place.width / 2, place.y + BASELINE)
    text.draw(painter, place.text, at, text.STRONG_SMALL, align="centre")


def paint_pill_ground(
    painter: QPainter, tone: BadgeTone, at: tuple[float, float, float, float], colours: Palette
) -> None:
    """The pill of a badge, without its text, in a rectangle: x, y, width, height."""
    drawn = badge_look(colours, tone)
    pen = QPen(colour(drawn.line), STROKE.hair)
    if drawn.dash is not None:
        pen.setDashPattern(list(drawn.dash))
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    painter.setBrush(colour(drawn.ground))
    rect = QRectF(*at).adjusted(0.5, 0.5, -0.5, -0.5)
    painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2)
