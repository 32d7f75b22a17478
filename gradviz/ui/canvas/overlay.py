"""What is in the hand while one edits: the loose wire, ports, the line of a cut, snap lines."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPolygonF

from gradviz.diagram import NodeId, Point
from gradviz.edit.align import Guide
from gradviz.look import STROKE, Palette
from gradviz.ui.canvas.edges import curve
from gradviz.ui.canvas.ports import Port
from gradviz.ui.canvas.spatial import Floats
from gradviz.ui.canvas.wiring import Loose
from gradviz.ui.theme import colour

_RADIUS, _DRAWN = 4.5, 7.0  # px of a port, and of the one that draws the wire
_FAINT = 0.35  # of ports that cannot take the wire


def paint_ports(
    painter: QPainter,
    ports: Iterable[Port],
    colours: Palette,
    *,
    faint: Container[NodeId] = (),
    drawn: Port | None = None,
) -> None:
    """Rings at ports; `faint` are nodes that cannot take the wire, `drawn` is what draws it."""
    painter.setPen(QPen(colour(colours.selection), STROKE.node_marked))
    painter.setBrush(colour(colours.node))
    for port in ports:
        painter.setOpacity(_FAINT if port.node in faint else 1.0)
        size = _DRAWN if port == drawn else _RADIUS
        painter.drawEllipse(QPointF(*port.at), size, size)
    painter.setOpacity(1.0)


def paint_loose(painter: QPainter, loose: Loose, colours: Palette) -> None:
    """The wire: to the port that draws it, or to the pointer; one that is refused is broken."""
    end = loose.port.at if loose.port is not None else loose.at
    start, stop = (loose.fixed.at, end) if loose.fixed.slot is None else (end, loose.fixed.at)
    pen = QPen(colour(colours.error if loose.reason else colours.selection), STROKE.edge_current)
    if loose.reason:
        pen.setStyle(Qt.PenStyle.DashLine)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    reach = max(abs(stop[0] - start[0]) / 2, 24.0)
    path = QPainterPath(QPointF(*start))
    path.cubicTo(start[0] + reach, start[1], stop[0] - reach, stop[1], stop[0], stop[1])
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(path)


def paint_cut(
    painter: QPainter,
    line: Sequence[Point],
    wires: Iterable[Floats],
    colours: Palette,
    *,
    joins: bool = False,
) -> None:
    """The line of a cut and the wires that it cuts; with `joins` the wire that takes a node."""
    code = colours.selection if joins else colours.error
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colour(code), STROKE.edge_current))
    for points in wires:
        painter.drawPath(curve(points))
    if line:
        pen = QPen(colour(code), STROKE.edge)
        pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.drawPolyline(QPolygonF([QPointF(*at) for at in line]))


def paint_guides(painter: QPainter, guides: Sequence[Guide], colours: Palette) -> None:
    """The lines that a dragged box stands on."""
    pen = QPen(colour(colours.selection), 1.0)
    pen.setCosmetic(True)
    painter.setPen(pen)
    for guide in guides:
        if guide.axis == "x":
            painter.drawLine(QPointF(guide.at, guide.start), QPointF(guide.at, guide.end))
        else:
            painter.drawLine(QPointF(guide.start, guide.at), QPointF(guide.end, guide.at))
