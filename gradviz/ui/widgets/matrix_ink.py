"""`Ink`: paints the parts of a `MatrixView`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from gradviz import look
from gradviz.cells import Scale, gradient_cells, number, pooled, scale_of
from gradviz.jacobians.rows import Jacobian
from gradviz.look import RADIUS, TYPE
from gradviz.ui.theme import colour, font, metrics
from gradviz.ui.widgets.heat import heat_image

if TYPE_CHECKING:
    from gradviz.ui.widgets.matrix import Frame

Array = npt.NDArray[Any]
_GAP = 6.0
_AMPLE = 56.0  # px of a cell from which its number has the usual size
_LINE = 14.0  # px between two labels under one another


class Ink:
    """One painting: in these colours, of a matrix that has this frame."""

    def __init__(
        self, painter: QPainter, colours: look.Palette, scale: Scale, frame: Frame
    ) -> None:
        self._painter, self._colours, self._scale, self.frame = painter, colours, scale, frame
        self._size = TYPE.cell if frame.cell_width >= _AMPLE else TYPE.label
        room = frame.cell_width - 8.0
        self._chars = int(room / metrics(self._size, mono=True).horizontalAdvance("0"))

    def matrix(self, found: Jacobian, rows: range, columns: range, offset: QPointF) -> None:
        """The cells in view: with numbers, or as a map."""
        frame, painter = self.frame, self._painter
        painter.save()
        painter.setClipRect(QRectF(frame.left, frame.top, frame.width, frame.height))
        part = found.matrix[rows.start : rows.stop, columns.start : columns.stop]
        if frame.numbers:
            for at, values in zip(rows, part, strict=True):
                for column, value in zip(columns, values, strict=True):
                    self._number(self._cell(at, column, offset), value, self._scale)
        elif part.size:
            self._image(part, self._area(rows, columns, offset), self._scale)
        painter.restore()

    def labels(
        self, found: Jacobian, rows: range, columns: range, offset: QPointF, *, row: int | None
    ) -> None:
        """Names of rows and columns, as many as there is room for."""
        self._painter.setFont(font(TYPE.label, mono=True))
        self._row_labels(found, rows, offset, row)
        self._column_labels(found, columns, offset)

    def _row_labels(self, found: Jacobian, rows: range, offset: QPointF, row: int | None) -> None:
        frame, painter = self.frame, self._painter
        right = frame.left - (frame.seed_width + _GAP if frame.seed_width else 0.0) - 6.0
        names = found.row_label
        if self._widest(names, rows) > right + 10.0:
            names = found.row_index
        for at in _spread(rows, _LINE / frame.cell_height):
            y = self._cell(at, 0, offset).center().y()
            if frame.top - 4 <= y <= frame.top + frame.height + 4:
                painter.setPen(colour(self._colours.seed if at == row else self._colours.soft))
                where = QRectF(0, y - 9, right, 18)
                ends = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                painter.drawText(where, ends, names(at))

    def _column_labels(self, found: Jacobian, columns: range, offset: QPointF) -> None:
        """Each over the middle of its column, the outer ones kept over the matrix."""
        frame, painter = self.frame, self._painter
        painter.setPen(colour(self._colours.soft))
        names = found.column_label
        if self._widest(names, columns) > frame.cell_width:
            names = found.column_index
        wide = self._widest(names, columns)
        free, face = frame.left - 8, metrics(TYPE.label, mono=True)
        for at in _spread(columns, wide / frame.cell_width):
            x = self._cell(0, at, offset).center().x()
            if frame.left <= x <= frame.left + frame.width:
                own = face.horizontalAdvance(names(at)) + 2.0
                where = QRectF(x - own / 2, frame.top - 20, own, 18)
                if not frame.numbers:
                    where.moveLeft(min(where.left(), self._right - own))
                    where.moveLeft(max(where.left(), frame.left))
                if where.left() >= free:
                    painter.drawText(where, Qt.AlignmentFlag.AlignCenter, names(at))
                    free = where.right()

    @property
    def _right(self) -> float:
        return float(self._painter.viewport().width())

    def _widest(self, names: Callable[[int], str], columns: range) -> float:
        face = metrics(TYPE.label, mono=True)
        ends = {columns.start, columns.stop - 1}
        return max(face.horizontalAdvance(names(at)) for at in ends) + 10.0

    def seed(self, seed: Array, rows: range, offset: QPointF) -> None:
        """The seed's elements beside the rows that they weigh."""
        frame, painter = self.frame, self._painter
        left = frame.left - frame.seed_width - _GAP
        painter.save()
        painter.setPen(colour(self._colours.seed))
        painter.setFont(font(TYPE.label, mono=True, bold=True))
        title = QRectF(left, 0, frame.seed_width, frame.top)
        painter.drawText(title, Qt.AlignmentFlag.AlignCenter, "v")
        painter.setClipRect(QRectF(left, frame.top, frame.seed_width, frame.height))
        part = seed[rows.start : rows.stop]
        if not frame.numbers or frame.seed_width < look.NODE.cell_min:
            area = self._area(rows, range(1), offset)
            area.setLeft(left)
            area.setWidth(frame.seed_width)
            self._image(part.reshape(-1, 1), area, scale_of([seed]))
        else:
            for at, value in zip(rows, part, strict=True):
                rect = self._cell(at, 0, offset)
                rect.moveLeft(left)
                rect.setWidth(frame.seed_width)
                self._text(
                    rect,
                    number(value, chars=self._chars),
                    self._colours.seed_ground,
                    self._colours.seed,
                )
        painter.restore()

    def product(self, product: Array, columns: range, offset: QPointF) -> None:
        """Seed times matrix, each element under its column."""
        frame, painter = self.frame, self._painter
        top = frame.top + frame.height + _GAP
        painter.save()
        painter.setFont(font(TYPE.label, mono=True, bold=True))
        painter.setPen(colour(self._colours.ink))
        high = max(frame.product_height, 18.0)
        where = QRectF(0, top - (high - frame.product_height) / 2, frame.left - 6.0, high)
        ends = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(where, ends, "vᵀ · J")
        scale = scale_of([product])
        painter.setClipRect(QRectF(frame.left, top - 1, frame.width, frame.product_height + 2))
        part = product[columns.start : columns.stop]
        if frame.numbers and frame.product_height >= _LINE:
            for at, value in zip(columns, part, strict=True):
                rect = self._cell(0, at, offset)
                rect.moveTop(top)
                rect.setHeight(frame.product_height)
                self._number(rect, value, scale)
        else:
            area = self._area(range(1), columns, offset)
            area.moveTop(top)
            area.setHeight(frame.product_height)
            self._image(part.reshape(1, -1), area, scale)
        painter.restore()

    def mark(self, row: int, offset: QPointF) -> None:
        """The row that a one-hot seed picks."""
        frame, painter = self.frame, self._painter
        rect = self._cell(row, 0, offset)
        rect.setLeft(frame.left - (frame.seed_width + _GAP if frame.seed_width else 0.0))
        rect.setRight(frame.left + frame.width)
        if rect.bottom() < frame.top or rect.top() > frame.top + frame.height:
            return
        if rect.height() < 4:
            rect = QRectF(rect.left(), rect.center().y() - 2, rect.width(), 4)
        painter.setPen(QPen(colour(self._colours.seed), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect.adjusted(-2, -1, 2, 1), RADIUS.cell, RADIUS.cell)

    def _cell(self, row: int, column: int, offset: QPointF) -> QRectF:
        frame = self.frame
        return QRectF(
            frame.left + column * frame.cell_width - offset.x(),
            frame.top + row * frame.cell_height - offset.y(),
            frame.cell_width,
            frame.cell_height,
        )

    def _area(self, rows: range, columns: range, offset: QPointF) -> QRectF:
        first = self._cell(rows.start, columns.start, offset)
        last = self._cell(max(rows.stop - 1, 0), max(columns.stop - 1, 0), offset)
        return QRectF(first.topLeft(), last.bottomRight())

    def _image(self, part: Array, area: QRectF, scale: Scale) -> None:
        """Swatches; where there are more than pixels, each pixel the largest in size."""
        high, wide = max(1, math.ceil(area.height())), max(1, math.ceil(area.width()))
        table = pooled(np.asarray(part), high, wide)
        self._painter.drawImage(area, heat_image(table, scale, self._colours))
        self._painter.setPen(QPen(colour(self._colours.line), 1))
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.drawRect(area)

    def _number(self, rect: QRectF, value: Any, scale: Scale) -> None:
        (cell,) = gradient_cells(np.asarray(value), scale, chars=self._chars)
        ground = look.cell_ground(self._colours, cell.tone, cell.level)
        self._text(rect, cell.text, ground, look.cell_ink(self._colours, cell.tone))

    def _text(self, rect: QRectF, text: str, ground: str, ink: str) -> None:
        painter = self._painter
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(ground))
        painter.drawRoundedRect(rect.adjusted(1.5, 1, -1.5, -1), RADIUS.cell, RADIUS.cell)
        painter.setPen(colour(ink))
        painter.setFont(font(self._size, mono=True))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)


def _spread(places: range, apart: float) -> range:
    """Some of the places, at least so many cells apart, always at the same ones."""
    step = max(1, math.ceil(apart))
    return range(math.ceil(places.start / step) * step, places.stop, step)
