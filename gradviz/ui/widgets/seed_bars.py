"""`Bars`: a short vector as bars that are dragged, with the output's components under them."""

from __future__ import annotations

import math

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from gradviz import look
from gradviz.cells import number
from gradviz.language import _
from gradviz.look import TYPE
from gradviz.run import Array
from gradviz.ui.theme import ThemeSource, colour, font, metrics
from gradviz.ui.widgets.seed_steps import rounded, top_of

_WIDE, _AIR = 0.62, 1.25  # of a bar, of its place; of the range, of the largest number
_NUMBERED = 16  # bars that have their number written over them
_AXIS = 48  # px of the axis at the left


class Bars(pg.PlotWidget):  # type: ignore[misc]  # pyqtgraph ships no types
    """`pressed(k)`, `dragged(k, value)` and `released()` speak of a bar; arrow keys drag too.

    `picked(k)` follows a click on a component of the output, under the bars.
    """

    pressed = Signal(int)
    dragged = Signal(int, float)
    released = Signal()
    picked = Signal(int)

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent, background=None)
        self._theme = theme
        self._v: Array | None = None
        self._other: Array | None = None
        self._y: Array | None = None
        self._called = ""
        self._held: int | None = None
        self._top = 1.0
        self.chosen = 0
        self._bars = pg.BarGraphItem(x=[], height=[], width=_WIDE)
        self._ghost = pg.BarGraphItem(x=[], height=[], width=_WIDE + 0.14)
        self._texts: list[pg.TextItem] = []
        for item in (self._ghost, self._bars):
            self.addItem(item)
        self._zero = pg.InfiniteLine(0, angle=0)
        self.addItem(self._zero)
        self.setMenuEnabled(False)
        self.setMouseEnabled(False, False)
        self.hideButtons()
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.getAxis("bottom").setStyle(tickLength=0, tickFont=font(TYPE.label, mono=True))
        self.getAxis("left").setStyle(tickLength=-3, tickFont=font(TYPE.label, mono=True))
        self.getAxis("left").setWidth(_AXIS)
        theme.changed.connect(self._recolour)
        self._recolour()

    def show_vector(self, v: Array, y: Array, name: str, other: Array | None = None) -> None:
        """Show the numbers of v, over the components of y; `other` is drawn behind them."""
        self._v, self._other = v.reshape(-1), None if other is None else other.reshape(-1)
        if self._held is None:
            self._top = top_of(v, other)
            self.chosen = min(self.chosen, max(v.size - 1, 0))
            self._y, self._called = y, name
            self._name()
            self.setXRange(-0.6, v.size - 0.4, padding=0)
            self.setYRange(-self._top * _AIR, self._top * _AIR, padding=0)
        self._draw()

    def _name(self) -> None:
        """Write the components of y under the bars, as fully as there is room for."""
        y = self._y
        if y is None:
            return
        values = [number(value, chars=5) for value in y.reshape(-1).tolist()]
        subscripts = [f"[{k}]" for k in range(y.size)] if y.ndim else [""]
        forms = (
            [f"{self._called}{at} = {value}" for at, value in zip(subscripts, values, strict=True)],
            [f"{k}: {value}" for k, value in enumerate(values)],
            [str(k) for k in range(y.size)],
        )
        room = (self.width() - _AXIS) / (y.size + 0.2)
        face = metrics(TYPE.label, mono=True)
        wide = [max(map(face.horizontalAdvance, names)) + 6 for names in forms]
        at = next((n for n, width in enumerate(wide) if width <= room), 2)
        step = max(1, math.ceil(wide[at] / room)) if room > 0 else y.size
        self.getAxis("bottom").setTicks([list(enumerate(forms[at]))[::step]])

    @property
    def texts(self) -> list[str]:
        """The numbers over the bars."""
        return [item.toPlainText() for item in self._texts]

    def point(self, k: int, value: float) -> QPointF:
        """Where the bar k would end with this value, in the widget's coordinates."""
        at = self.getViewBox().mapViewToScene(QPointF(k, value))
        return QPointF(self.mapFromScene(at))

    def label(self, k: int) -> QPointF:
        """The middle of the label of the output's component k."""
        axis = self.getAxis("bottom").sceneBoundingRect()
        return QPointF(self.point(k, 0).x(), self.mapFromScene(axis.center()).y())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._v is None:
            return
        k, value = self._at(event)
        if k is None:
            return
        self.chosen = k
        if self._on_labels(event):
            self.picked.emit(k)
            return
        self._held = k
        self.pressed.emit(k)
        self._drag(k, value)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held is not None:
            self._drag(self._held, self._at(event)[1])
            return
        k, _value = self._at(event)
        hand = Qt.CursorShape.PointingHandCursor
        below = self._on_labels(event)
        shape = hand if below else Qt.CursorShape.SizeVerCursor
        self.setToolTip(_("Click: 1 here, 0 elsewhere") if below and k is not None else "")
        self.viewport().setCursor(shape if k is not None else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._held is not None:
            self._held = None
            self.released.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._v is None or not self._v.size:
            return
        key = event.key()
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            by = 1 if key == Qt.Key.Key_Right else -1
            self.chosen = max(0, min(self.chosen + by, self._v.size - 1))
            self._draw()
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            by = 1 if key == Qt.Key.Key_Up else -1
            step = self._top / (
                100 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 10
            )
            self.pressed.emit(self.chosen)
            self._drag(self.chosen, float(self._v[self.chosen]) + by * step)
            self.released.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.picked.emit(self.chosen)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if hasattr(self, "_y"):  # pyqtgraph calls it before this is made
            self._name()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # there is nothing to zoom

    def _drag(self, k: int, value: float) -> None:
        self.dragged.emit(k, rounded(value, self._top))

    def _at(self, event: QMouseEvent) -> tuple[int | None, float]:
        """The component under the pointer, and the number of its height."""
        at = self.getViewBox().mapSceneToView(self.mapToScene(event.position().toPoint()))
        count = 0 if self._v is None else self._v.size
        k = round(at.x())
        room = self._top * _AIR
        return (k if 0 <= k < count else None), max(-room, min(at.y(), room))

    def _on_labels(self, event: QMouseEvent) -> bool:
        at = self.mapToScene(event.position().toPoint())
        return bool(at.y() > self.getViewBox().sceneBoundingRect().bottom())

    def _draw(self) -> None:
        v, other, colours = self._v, self._other, self._theme.colours
        if v is None:
            return
        values = [float(value) for value in v]
        shown = [self._height_of(value) for value in values]
        inks = [colour(_ink(colours, value)) for value in values]
        grounds = [colour(_ground(colours, value)) for value in values]
        pens = [
            pg.mkPen(ink, width=2.5 if k == self.chosen and self.hasFocus() else 1)
            for k, ink in enumerate(inks)
        ]
        self._bars.setOpts(x=list(range(len(values))), height=shown, pens=pens, brushes=grounds)
        old = [] if other is None else [float(value) for value in other]
        pen = pg.mkPen(colour(colours.seed), width=1.5, style=Qt.PenStyle.DashLine)
        self._ghost.setOpts(x=list(range(len(old))), height=old, pen=pen, brush=None)
        self._write(values, shown, inks)

    def _height_of(self, value: float) -> float:
        """NaN has none; what is infinite leaves room for its name."""
        if not math.isfinite(value):
            return 0.0 if math.isnan(value) else math.copysign(self._top, value)
        return max(-self._top * _AIR, min(value, self._top * _AIR))

    def _write(self, values: list[float], shown: list[float], inks: list[QColor]) -> None:
        few = len(values) if len(values) <= _NUMBERED else 0
        while len(self._texts) > few:
            self.removeItem(self._texts.pop())
        while len(self._texts) < few:
            text = pg.TextItem()
            text.setFont(font(TYPE.cell, mono=True))
            self._texts.append(text)
            self.addItem(text, ignoreBounds=True)
        for k, text in enumerate(self._texts):
            text.setText(number(values[k], chars=8) + self._less(k, values[k]), color=inks[k])
            text.setAnchor((0.5, 1.0 if shown[k] >= 0 else 0.0))
            text.setPos(k, shown[k])

    def _less(self, k: int, value: float) -> str:
        """How much the bar differs from the one laid over it."""
        if self._other is None or value == float(self._other[k]):
            return ""
        difference = value - float(self._other[k])
        return f" ({'+' if difference > 0 else ''}{number(difference, chars=6)})"

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._draw()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._draw()

    def _recolour(self) -> None:
        colours = self._theme.colours
        for name in ("bottom", "left"):
            axis = self.getAxis(name)
            axis.setPen(colour(colours.line))
            axis.setTextPen(colour(colours.soft))
        self._zero.setPen(pg.mkPen(colour(colours.edge), width=1))
        self._draw()


def _ink(colours: look.Palette, value: float) -> str:
    if not math.isfinite(value):
        return colours.error
    return colours.positive if value > 0 else colours.negative if value < 0 else colours.soft


def _ground(colours: look.Palette, value: float) -> str:
    if not math.isfinite(value):
        return colours.error_ground
    return colours.positive_ground if value > 0 else colours.negative_ground
