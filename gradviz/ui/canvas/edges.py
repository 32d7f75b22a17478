"""Edges close by: curves by state, the seed's arrow, the pulse and the contribution on it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPolygonF

from gradviz.figure import Edge
from gradviz.look import RADIUS, SPACE, STROKE, Palette
from gradviz.ui.canvas import text
from gradviz.ui.canvas.spatial import Floats, curve_points
from gradviz.ui.theme import colour

_ARROW = 8.0
PILL_HEIGHT = 20.0
_PILL_PAD = 10.0
_PILL_LIFT = 20.0  # from the pulse to the middle of the pill


def edge_pen(edge: Edge, colours: Palette, zoom: float, *, lit: bool = False) -> QPen:
    """The pen of an edge. Below zoom 1 thin lines stay one px wide, which Qt draws fast."""
    code, width = colours.edge, STROKE.edge
    if edge.kind == "seed":
        code, width = colours.seed, STROKE.edge_done
    elif edge.state == "current":
        code, width = colours.positive, STROKE.edge_current
    elif lit:
        code, width = colours.selection, STROKE.edge_done
    elif edge.state == "done":
        code, width = colours.soft, STROKE.edge_done
    pen = QPen(colour(code), width)
    if width * zoom < 1.5 and edge.state != "current":
        pen.setWidthF(1.0)
        pen.setCosmetic(True)
    if not edge.tracked and not lit:
        pen.setColor(colour(colours.edge))
        unit = 1.0 if pen.isCosmetic() else pen.widthF()
        pen.setDashPattern([length / unit for length in STROKE.dash_edge])
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def curve(points: Floats) -> QPainterPath:
    """Four control points as a path."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = points.tolist()
    path = QPainterPath(QPointF(ax, ay))
    path.cubicTo(bx, by, cx, cy, dx, dy)
    return path


def paint_edge(painter: QPainter, edge: Edge, points: Floats, pen: QPen) -> None:
    """Draw an edge with a pen; the seed's gets a head at the node that it points at."""
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if edge.kind != "seed":
        painter.drawPath(curve(points))
        return
    seed_first = edge.source.startswith("seed:")
    start, end = (points[0], points[3]) if seed_first else (points[3], points[0])
    tail, tip = QPointF(*start.tolist()), QPointF(*end.tolist())
    towards = 1.0 if tip.x() > tail.x() else -1.0
    neck = QPointF(tip.x() - towards * _ARROW, tip.y())
    painter.drawLine(tail, neck)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(pen.color())
    half = _ARROW * 0.6
    painter.drawPolygon(QPolygonF([tip, neck + QPointF(0.0, -half), neck + QPointF(0.0, half)]))


def pulse_at(points: Floats, share: float) -> QPointF:
    """Where the pulse is once `share` of its way back to the input is done."""
    x, y = curve_points(points[None], np.array((1.0 - share,)))[0, 0].tolist()
    return QPointF(x, y)


def paint_pulse(painter: QPainter, points: Floats, share: float, colours: Palette) -> None:
    """Draw the dot that carries a contribution along the current edge."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(colours.positive))
    painter.drawEllipse(pulse_at(points, share), STROKE.pulse, STROKE.pulse)


def pill_rect(label: str, points: Floats, share: float) -> QRectF:
    """Where the contribution is written: above the pulse."""
    width = text.CELL.width(label) + 2 * _PILL_PAD
    centre = pulse_at(points, share)
    return QRectF(
        centre.x() - width / 2, centre.y() - _PILL_LIFT - PILL_HEIGHT / 2, width, PILL_HEIGHT
    )


def paint_pill(
    painter: QPainter, label: str, rect: QRectF, colours: Palette, *, quiet: bool = False
) -> None:
    """Write the contribution on a rounded ground, above everything else; one of before, `quiet`."""
    painter.setPen(QPen(colour(colours.edge if quiet else colours.positive), STROKE.hair))
    painter.setBrush(colour(colours.node if quiet else colours.positive_ground))
    painter.drawRoundedRect(rect, RADIUS.pill, RADIUS.pill)
    painter.setPen(colour(colours.ink if quiet else colours.positive))
    at = (rect.center().x(), rect.center().y() + SPACE.half)
    text.draw(painter, label, at, text.CELL, align="centre")
