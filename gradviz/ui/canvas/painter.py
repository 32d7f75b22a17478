"""`Painter`: a figure in bulk, in as much detail as the zoom lets the eye take in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPen

from gradviz import look
from gradviz.figure import Box, Figure
from gradviz.look import NODE, Palette
from gradviz.scene.badges import WORDS, badge_look, plain_marks
from gradviz.ui.canvas import boxes, edges
from gradviz.ui.canvas.bulk import draw_lines, draw_rects
from gradviz.ui.canvas.cards import Cards, Placed
from gradviz.ui.canvas.codes import CURRENT, DONE, Codes
from gradviz.ui.canvas.floors import paint_storeys
from gradviz.ui.canvas.remarks import Held, paint_remarks
from gradviz.ui.canvas.spatial import Area, Rows, Spatial, flatten
from gradviz.ui.theme import colour

AT_REST = 0.5  # where on its way the pulse is drawn when it does not move
RING = 4.0  # from a box to the ring that says it is selected
REACH = 12.0  # nothing of a box is drawn farther outside it
_OUTLINED = 0.04  # the zoom from which boxes far away have outlines
_PLAIN = 40  # boxes beyond which a hurried frame leaves out texts


class Detail(IntEnum):
    """FAR: plain rectangles, hairlines. MID: bodies, tints, curves. NEAR: everything."""

    FAR = 0
    MID = 1
    NEAR = 2


def detail_at(zoom: float, count: int) -> Detail:
    """The detail for `count` visible boxes: what is readable, and more where it costs little."""
    if zoom >= 0.5 or (zoom >= 0.25 and count <= 150):
        return Detail.NEAR
    if zoom >= 0.2 or count <= 400:
        return Detail.MID
    return Detail.FAR


@dataclass(frozen=True, slots=True)
class Marks:
    """What a view adds to a figure: rows of boxes, how far the pulse has come (0..1)."""

    selected: frozenset[int] = frozenset()
    hovered: int | None = None
    focused: int | None = None
    pulse: float = AT_REST
    hurried: bool = False  # the zoom is changing
    remark: Held | None = None  # the frame or note that is marked


@dataclass(slots=True)
class Painter:
    """Draws one figure; `spatial` says where its boxes are now, which a drag may have changed."""

    figure: Figure
    spatial: Spatial
    colours: Palette
    cards: Cards | None = None  # where boxes that were drawn before are copied from
    _codes: Codes | None = field(default=None, repr=False)

    def paint(
        self,
        painter: QPainter,
        areas: Sequence[Area],
        zoom: float,
        marks: Marks,
        *,
        detail: Detail,
    ) -> None:
        """Draw what touches the areas (scene px). The painter maps scene px to device px."""
        wider = [_wider(area, REACH) for area in areas]
        shown = _together([self.spatial.boxes_in(area) for area in wider])
        lines = _together([self.spatial.edges_in(area) for area in wider])
        paint_storeys(painter, self.figure.storeys, self.colours, zoom)
        paint_remarks(painter, self.figure, self.spatial, self.colours, zoom, marks.remark)
        if detail is Detail.FAR:
            self._far_edges(painter, lines)
            self._far_boxes(painter, shown, zoom)
            self._plain_badges(painter, shown)
        elif detail is Detail.MID:
            self._mid_edges(painter, lines)
            self._mid_boxes(painter, shown)
            self._plain_badges(painter, shown)
        else:
            self._near_edges(painter, lines, zoom, marks)
            self._near_boxes(painter, shown, zoom, hurried=marks.hurried)
        self._marked(painter, shown, zoom, marks, pills=detail is Detail.NEAR)
        self._current(painter, lines, zoom, marks, labels=detail is Detail.NEAR)

    def current_edge(self) -> int | None:
        """The row of the edge that this step takes, if it takes one."""
        states = self.codes.edge_states
        found = np.flatnonzero(states == CURRENT)
        return int(found[-1]) if len(found) else None

    @property
    def codes(self) -> Codes:
        if self._codes is None:
            self._codes = Codes(self.figure)
        return self._codes

    def _near_edges(self, painter: QPainter, rows: Rows, zoom: float, marks: Marks) -> None:
        lit = set(self.spatial.edges_of([marks.hovered])) if marks.hovered is not None else set()
        for row in sorted(rows.tolist(), key=lambda row: row in lit):
            edge = self.figure.edges[row]
            pen = edges.edge_pen(edge, self.colours, zoom, lit=row in lit)
            edges.paint_edge(painter, edge, self.spatial.curves[row], pen)

    def _near_boxes(self, painter: QPainter, rows: Rows, zoom: float, *, hurried: bool) -> None:
        if self.cards is None:
            for row in rows.tolist():
                self._at_its_place(painter, row, self.figure.boxes[row], boxes.paint_box)
            return
        corners = self.spatial.rects[rows, :2].tolist()
        placed = [
            (self.figure.boxes[row], x, y)
            for row, (x, y) in zip(rows.tolist(), corners, strict=True)
        ]
        left = self.cards.paint(painter, placed, self.colours, zoom, hurried)
        if hurried and len(left) > _PLAIN:
            self._mid_boxes(painter, self._rows(left))
            return
        for row in self._rows(left).tolist():
            self._at_its_place(painter, row, self.figure.boxes[row], boxes.paint_box)

    def _rows(self, placed: Sequence[Placed]) -> Rows:
        return np.array([self.spatial.row[box.id] for box, _, _ in placed], np.intp)

    def _at_its_place(
        self,
        painter: QPainter,
        row: int,
        box: Box,
        draw: Callable[[QPainter, Box, Palette], None],
    ) -> None:
        x, y = self.spatial.rects[row, :2].tolist()
        if x == box.x and y == box.y:
            draw(painter, box, self.colours)
            return
        painter.translate(x - box.x, y - box.y)
        draw(painter, box, self.colours)
        painter.translate(box.x - x, box.y - y)

    def _mid_edges(self, painter: QPainter, rows: Rows) -> None:
        for state, code in self._edge_colours():
            chosen = rows[self.codes.edge_states[rows] == state]
            painter.setPen(_hairline(code))
            draw_lines(painter, flatten(self.spatial.curves[chosen], 8).reshape(-1, 4))

    def _far_edges(self, painter: QPainter, rows: Rows) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for state, code in self._edge_colours():
            chosen = rows[self.codes.edge_states[rows] == state]
            painter.setPen(_hairline(code))
            draw_lines(painter, self.spatial.curves[chosen][:, (0, 3)].reshape(-1, 4))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)

    def _edge_colours(self) -> tuple[tuple[int, str], ...]:
        colours = self.colours
        pale = look.mix(colours.canvas, colours.edge, 0.7)
        return ((0, pale), (DONE, colours.edge), (CURRENT, colours.positive))

    def _far_boxes(self, painter: QPainter, rows: Rows, zoom: float) -> None:
        """Boxes as rectangles; where an outline would be all that is seen, in its colour."""
        tiny = zoom < _OUTLINED
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, tiny)
        for kind, (fill, line) in enumerate(_fills(self.colours)):
            chosen = rows[self.codes.kinds[rows] == kind]
            painter.setPen(Qt.PenStyle.NoPen if tiny else _hairline(line))
            painter.setBrush(colour(line if tiny else fill))
            draw_rects(painter, self.spatial.rects[chosen])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)

    def _mid_boxes(self, painter: QPainter, rows: Rows) -> None:
        for kind, (fill, line) in enumerate(_fills(self.colours)):
            chosen = rows[self.codes.kinds[rows] == kind]
            painter.setPen(_hairline(line))
            painter.setBrush(colour(fill if kind in (3, 4) else self.colours.node))
            draw_rects(painter, self.spatial.rects[chosen])
            if kind in (1, 2):  # leaves and reductions have headers of their colour
                heads = self.spatial.rects[chosen].copy()
                heads[:, 3] = np.minimum(heads[:, 3], NODE.header - 2)
                painter.setBrush(colour(fill))
                draw_rects(painter, heads)
        painter.setPen(Qt.PenStyle.NoPen)
        for code, rects in self._tints(rows).items():
            painter.setBrush(colour(code))
            draw_rects(painter, np.array(rects))

    def _plain_badges(self, painter: QPainter, rows: Rows) -> None:
        """Badges without their texts: a mark by the tone of a box's first one."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(Qt.PenStyle.NoPen)
        for code, tone in enumerate(WORDS):
            rects = self.spatial.rects[rows[self.codes.badges[rows] == code]]
            painter.setBrush(colour(badge_look(self.colours, tone).line))
            draw_rects(painter, plain_marks(rects))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)

    def _tints(self, rows: Rows) -> dict[str, list[tuple[float, float, float, float]]]:
        """Cells without their texts: rectangles by colour."""
        found: dict[str, list[tuple[float, float, float, float]]] = {}
        for row in rows.tolist():
            box = self.figure.boxes[row]
            off_x, off_y = (self.spatial.rects[row, :2] - (box.x, box.y)).tolist()
            for x, y, wide, high, code in self.codes.tints(row, box, self.colours):
                found.setdefault(code, []).append((x + off_x, y + off_y, wide, high))
        return found

    def _marked(
        self, painter: QPainter, rows: Rows, zoom: float, marks: Marks, *, pills: bool
    ) -> None:
        """Rings around the selected boxes, under their badges; a full one where the keyboard is."""
        for row in rows.tolist():
            if row in marks.selected or row == marks.focused:
                strong = row == marks.focused
                ink = QColor(colour(self.colours.selection))
                ink.setAlphaF(1.0 if strong else 0.55)
                painter.setPen(QPen(ink, max(2.0, 1.5 / zoom)))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                self._at_its_place(painter, row, self.figure.boxes[row], _ring)
                if pills:
                    self._at_its_place(painter, row, self.figure.boxes[row], boxes.paint_pills)

    def _current(
        self, painter: QPainter, rows: Rows, zoom: float, marks: Marks, *, labels: bool
    ) -> None:
        row = self.current_edge()
        if row is None:
            return
        edge, points = self.figure.edges[row], self.spatial.curves[row]
        if not labels:
            pen = edges.edge_pen(edge, self.colours, zoom)
            pen.setWidthF(max(pen.widthF(), 2.0 / zoom))
            edges.paint_edge(painter, edge, points, pen)
            return
        for each in rows.tolist():  # what came before, which this is added to
            told = self.figure.edges[each].label
            if told and each != row:
                rect = edges.pill_rect(told, self.spatial.curves[each], 0.5)
                edges.paint_pill(painter, told, rect, self.colours, quiet=True)
        if edge.kind != "seed":
            edges.paint_pulse(painter, points, marks.pulse, self.colours)
        if edge.label:
            rect = edges.pill_rect(edge.label, points, marks.pulse)
            edges.paint_pill(painter, edge.label, rect, self.colours)


def _fills(colours: Palette) -> tuple[tuple[str, str], ...]:
    """Ground and outline of a plain rectangle, by the codes of `Codes.kinds`."""
    return (
        (colours.node, look.mix(colours.line, colours.edge, 0.5)),
        (colours.leaf_ground, colours.leaf),
        (colours.reduction_ground, colours.reduction),
        (colours.seed_ground, colours.seed),
        (colours.error_ground, colours.error),
    )


def _hairline(code: str) -> QPen:
    pen = QPen(colour(code), 1.0)
    pen.setCosmetic(True)
    return pen


def _ring(painter: QPainter, box: Box, _colours: Palette) -> None:
    painter.drawPath(boxes.outline(box, RING))


def _together(found: Sequence[Rows]) -> Rows:
    """The rows that are in any of these, in their order."""
    if len(found) == 1:
        return found[0]
    chosen = np.zeros(max((int(rows[-1]) + 1 for rows in found if len(rows)), default=0), bool)
    for rows in found:
        chosen[rows] = True
    return np.flatnonzero(chosen)


def _wider(area: Area, by: float) -> Area:
    left, top, right, bottom = area
    return (left - by, top - by, right + by, bottom + by)
