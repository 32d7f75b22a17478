"""`MatrixView`: a Jacobian with its labels, the seed beside its rows, and the product under it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip, QWidget

from gradviz.cells import Scale, number, pooled, scale_of
from gradviz.jacobians.rows import Jacobian
from gradviz.language import _
from gradviz.look import TYPE
from gradviz.ui.theme import ThemeSource, metrics
from gradviz.ui.widgets.matrix_ink import Ink

Array = npt.NDArray[Any]
WIDE, HIGH = 68.0, 24.0  # the largest cell
READABLE = 44.0, 15.0  # the smallest one with a number
_MARGIN, _BOTTOM, _HEADER, _STRIP, _GAP = 4.0, 10.0, 20.0, 12.0, 6.0
_STEP = 1.5  # of a zoom


@dataclass(frozen=True, slots=True)
class Frame:
    """Where things are, in px of the viewport: the matrix, a cell's size, the strips beside."""

    left: float
    top: float
    width: float
    height: float
    cell_width: float
    cell_height: float
    seed_width: float  # 0: no seed is shown
    product_height: float  # 0: no product is shown

    @property
    def numbers(self) -> bool:
        return self.cell_width >= READABLE[0] and self.cell_height >= READABLE[1]


class MatrixView(QAbstractScrollArea):
    """Fits the matrix into its room; numbers stand in the cells where they can be read.

    Ctrl and the wheel, or a double click, zoom in; labels, seed and product stay at the edges.
    `row_picked(row)` comes of a click beside the matrix.
    """

    row_picked = Signal(int)

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._found: Jacobian | None = None
        self._scale = Scale()
        self._zoom = 1.0
        self.seed: Array | None = None
        self.product: Array | None = None
        self.row: int | None = None
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setMinimumSize(160, 96)
        self.viewport().setMouseTracking(True)
        theme.changed.connect(self.viewport().update)

    @property
    def found(self) -> Jacobian | None:
        return self._found

    @property
    def numbers(self) -> bool:
        """Whether the cells are large enough for numbers."""
        return self._found is not None and self.frame_now().numbers

    def show_matrix(
        self, found: Jacobian | None, *, seed: Array | None = None, product: Array | None = None
    ) -> None:
        """Show it; a new matrix is fitted, a new seed leaves it where it is."""
        if found is not self._found:
            self._found, self._zoom = found, 1.0
            self._scale = scale_of([found.matrix]) if found is not None else Scale()
        self.seed = None if found is None or found.downsampled or seed is None else seed.reshape(-1)
        self.product = None if product is None else product.reshape(-1)
        self.row = found.row_of(seed) if found is not None and seed is not None else None
        self._fit_bars()
        self.viewport().update()

    def zoom(self, factor: float, around: QPointF | None = None) -> None:
        """Make cells larger or smaller, what is at `around` staying there."""
        if self._found is None or not self._found.matrix.size:
            return
        before = self.frame_now()
        at = around or QPointF(before.left + before.width / 2, before.top + before.height / 2)
        column = (at.x() - before.left + self.horizontalScrollBar().value()) / before.cell_width
        row = (at.y() - before.top + self.verticalScrollBar().value()) / before.cell_height
        rows, columns = self._found.matrix.shape
        across = columns * WIDE / max(1.0, self.viewport().width() - before.left - _MARGIN)
        down = rows * HIGH / max(1.0, self.viewport().height() - 3 * HIGH)
        self._zoom = min(max(self._zoom * factor, 1.0), max(1.0, across, down))
        self._fit_bars()
        after = self.frame_now()
        self.horizontalScrollBar().setValue(round(column * after.cell_width - at.x() + after.left))
        self.verticalScrollBar().setValue(round(row * after.cell_height - at.y() + after.top))
        self.viewport().update()

    def fit(self) -> None:
        """The whole matrix again."""
        self._zoom = 1.0
        self._fit_bars()
        self.viewport().update()

    def texts(self) -> list[list[str]]:
        """The numbers in the cells, row by row; none where they could not be read."""
        if self._found is None or not self.numbers:
            return []
        return [[number(value) for value in row] for row in self._found.matrix]

    def frame_now(self) -> Frame:
        """Where things are at this size and zoom."""
        for below in (HIGH, READABLE[1]):
            frame = self._framed(WIDE, below)
            if frame.numbers:
                return frame
        return self._framed(_STRIP, _STRIP)

    def cell(self, at: QPointF) -> tuple[int, int] | None:
        """The row and column of `matrix` under a point of the viewport."""
        frame, found = self.frame_now(), self._found
        inside = QRectF(frame.left, frame.top, frame.width, frame.height).contains(at)
        if found is None or not inside:
            return None
        across = at.x() - frame.left + self.horizontalScrollBar().value()
        down = at.y() - frame.top + self.verticalScrollBar().value()
        row, column = int(down / frame.cell_height), int(across / frame.cell_width)
        rows, columns = found.matrix.shape
        return (row, column) if row < rows and column < columns else None

    def row_beside(self, at: QPointF) -> int | None:
        """The row whose label or weight is under a point; none of a downsampled matrix."""
        frame, found = self.frame_now(), self._found
        inside = frame.top <= at.y() < frame.top + frame.height and at.x() < frame.left
        if found is None or found.downsampled or not inside:
            return None
        return int((at.y() - frame.top + self.verticalScrollBar().value()) / frame.cell_height)

    def sizeHint(self) -> QSize:
        return QSize(480, 200)

    def paintEvent(self, event: QPaintEvent) -> None:
        found = self._found
        if found is None or not found.matrix.size:
            return
        with QPainter(self.viewport()) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            ink = Ink(painter, self._theme.colours, self._scale, self.frame_now())
            rows = self._visible(0, ink.frame.cell_height, ink.frame.height)
            columns = self._visible(1, ink.frame.cell_width, ink.frame.width)
            offset = QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())
            ink.matrix(found, rows, columns, offset)
            ink.labels(found, rows, columns, offset, row=self.row)
            if self.seed is not None:
                ink.seed(self.seed, rows, offset)
            if self.product is not None:
                ink.product(self._pooled_product(), columns, offset)
            if self.row is not None:
                ink.mark(self.row, offset)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_bars()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(_STEP ** (event.angleDelta().y() / 120), event.position())
            event.accept()
            return
        super().wheelEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self.row_beside(event.position())
        if row is not None and event.button() is Qt.MouseButton.LeftButton:
            self.row_picked.emit(row)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.cell(event.position()) is None:
            return
        if self.numbers and self._zoom > 1.0:
            self.fit()
        else:
            self.zoom(math.inf, event.position())

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self._tip(QPointF(event.pos())), self)
            return True
        return super().viewportEvent(event)

    def _tip(self, at: QPointF) -> str:
        place, found = self.cell(at), self._found
        beside = self.row_beside(at)
        if found is not None and beside is not None:
            return _("one-hot seed: row {name}").format(name=found.row_label(beside))
        if place is None or found is None:
            return ""
        row, column = place
        value = number(found.matrix[row, column])
        return f"∂ {found.row_label(row)} / ∂ {found.column_label(column)} = {value}"

    def _pooled_product(self) -> Array:
        """The product with one element for each column of the matrix."""
        assert self.product is not None
        assert self._found is not None
        return pooled(self.product, 1, self._found.matrix.shape[1]).reshape(-1)

    def _framed(self, beside: float, below: float) -> Frame:
        """The frame where seed and product take so many px."""
        rows, columns = (0, 0) if self._found is None else self._found.matrix.shape
        seed = 0.0 if self.seed is None else beside
        under = 0.0 if self.product is None else below
        left = _MARGIN + self._label_width() + (seed + _GAP if seed else 0.0)
        room = self.viewport().size()
        width = max(1.0, room.width() - left - _MARGIN)
        height = max(1.0, room.height() - _HEADER - _BOTTOM - (under + _GAP if under else 0.0))
        wide = min(WIDE, min(WIDE, width / max(columns, 1)) * self._zoom)
        high = min(HIGH, min(HIGH, height / max(rows, 1)) * self._zoom)
        width, height = min(width, columns * wide), min(height, rows * high)
        return Frame(left, _HEADER, width, height, wide, high, seed, under)

    def _label_width(self) -> float:
        found = self._found
        if found is None or not found.matrix.size:
            return 0.0
        face = metrics(TYPE.label, mono=True)
        ends = (found.row_label(0), found.row_label(found.matrix.shape[0] - 1), "vᵀ · J")
        return min(140.0, max(face.horizontalAdvance(text) for text in ends) + 16.0)

    def _visible(self, axis: int, size: float, room: float) -> range:
        assert self._found is not None
        bar = (self.verticalScrollBar(), self.horizontalScrollBar())[axis]
        first = max(0, int(bar.value() / size))
        last = math.ceil((bar.value() + room) / size)
        return range(first, min(self._found.matrix.shape[axis], last))

    def _fit_bars(self) -> None:
        frame = self.frame_now()
        rows, columns = (0, 0) if self._found is None else self._found.matrix.shape
        for bar, count, size, room in (
            (self.horizontalScrollBar(), columns, frame.cell_width, frame.width),
            (self.verticalScrollBar(), rows, frame.cell_height, frame.height),
        ):
            bar.setPageStep(round(room))
            bar.setSingleStep(round(max(size, 8.0)))
            bar.setRange(0, max(0, math.ceil(count * size - room - 0.5)))
