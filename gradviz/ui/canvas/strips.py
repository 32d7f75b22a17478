"""The two quiet strips of a canvas: caption above, legend below; the picture never runs under."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gradviz.export.sheet import legend_height
from gradviz.figure import Figure, LegendEntry
from gradviz.look import Palette
from gradviz.ui.canvas.captions import (
    Heading,
    caption_height,
    legend_lines,
    paint_caption,
    paint_legend,
)
from gradviz.ui.theme import colour


class Strip(QWidget):
    """A part of the canvas's margin that the picture is not drawn on."""

    def __init__(self, parent: QWidget, colours: Palette) -> None:
        super().__init__(parent)
        self.figure = Figure((), (), 0.0, 0.0)
        self.heading = Heading()
        self.colours = colours
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def show_figure(self, figure: Figure) -> None:
        before, self.figure = self.figure, figure
        if self._content(before) != self._content(figure):
            self.update()

    def wanted(self, width: float) -> int:
        """The height in px that the content needs at this width."""
        raise NotImplementedError

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), colour(self.colours.canvas))
            self._paint(painter, QRectF(self.rect()))

    def _content(self, figure: Figure) -> object:
        raise NotImplementedError

    def _paint(self, painter: QPainter, rect: QRectF) -> None:
        raise NotImplementedError


class CaptionStrip(Strip):
    """The sentence of the step, under a heading where two pictures are compared."""

    def wanted(self, width: float) -> int:
        return round(caption_height(self.figure.caption, self.heading, width))

    def _content(self, figure: Figure) -> object:
        return figure.caption

    def _paint(self, painter: QPainter, rect: QRectF) -> None:
        paint_caption(painter, self.figure.caption, self.heading, rect, self.colours)


class LegendStrip(Strip):
    """The kinds of marks in the picture; `aside` px at the lower right are for something else."""

    aside = 0.0

    def wanted(self, width: float) -> int:
        return round(legend_height(self._lines(width)))

    def _content(self, figure: Figure) -> object:
        return (figure.legend, figure.scale)

    def _paint(self, painter: QPainter, rect: QRectF) -> None:
        at = (rect.left(), rect.top())
        paint_legend(painter, self._lines(rect.width()), at, self.colours)

    def _lines(self, width: float) -> list[list[tuple[float, LegendEntry | str]]]:
        return legend_lines(self.figure.legend, self.figure.scale, width, self.aside)
