"""`TwinCanvas`: two figures beside or above each other, looked at as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from gradviz.diagram import NodeId
from gradviz.figure import Box, Figure
from gradviz.ui.canvas.camera import MIN_ZOOM
from gradviz.ui.canvas.captions import Heading
from gradviz.ui.canvas.chooser import Chooser
from gradviz.ui.canvas.view import CanvasView
from gradviz.ui.theme import ThemeSource

_LARGEST = 1.6  # small pictures are not blown up beyond this


class TwinCanvas(QSplitter):
    """Two sides, left and right or one above the other; what one does the other follows.

    `sides_chosen(left, right)` tells which keys a person chose to see.
    """

    sides_chosen = Signal(str, str)
    picked = Signal(object)
    edge_picked = Signal(str)
    moved = Signal(object)
    space_tapped = Signal()

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.first, self.second = CanvasView(theme), CanvasView(theme)
        self.choosers = Chooser(self.first, theme), Chooser(self.second, theme)
        self._shown: tuple[Figure, Figure, tuple[Heading, Heading]] | None = None
        self._following = False
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        for view in (self.first, self.second):
            self.addWidget(view)
            view.picked.connect(self.picked)
            view.edge_picked.connect(self.edge_picked)
            view.moved.connect(self.moved)
            view.space_tapped.connect(self.space_tapped)
        for chooser in self.choosers:
            chooser.activated.connect(self._tell_chosen)
        self.first.looked.connect(self._follow_first)
        self.second.looked.connect(self._follow_second)

    def show_figures(
        self, first: Figure, second: Figure, headings: tuple[Heading, Heading]
    ) -> None:
        self._shown = (first, second, headings)
        self._turn(first)
        if self.orientation() == Qt.Orientation.Vertical:  # one legend under both will do
            more = tuple(entry for entry in second.legend if entry not in first.legend)
            second = replace(second, legend=(*first.legend, *more))
            first = replace(first, legend=(), scale="")
        for view, figure, heading, chooser in zip(
            (self.first, self.second), (first, second), headings, self.choosers, strict=True
        ):
            view.set_heading(replace(heading, spare=chooser.width()))
            view.show_figure(figure)
        self._share()
        if self.first.fitted:
            self.fit()

    def set_choices(
        self, rows: tuple[Sequence[tuple[str, str]], Sequence[tuple[str, str]]], keys: Sequence[str]
    ) -> None:
        """What may stand on either side, and what does."""
        for chooser, offered, key in zip(self.choosers, rows, keys, strict=True):
            chooser.set_rows(offered, key)

    def select(self, ids: Sequence[NodeId]) -> None:
        self.first.select(ids)
        self.second.select(ids)

    def set_texts(self, *, box: Callable[[Box], str]) -> None:
        self.first.set_texts(box=box)
        self.second.set_texts(box=box)

    @property
    def zoom(self) -> float:
        return self.first.zoom

    def set_motion(self, full: bool) -> None:
        self.first.set_motion(full)
        self.second.set_motion(full)

    def fit(self) -> None:
        """Show both whole, at one zoom, so that what they share stands alike."""
        area = self.first.extent().united(self.second.extent())
        zoom = min(view.zoom_that_fits(area) for view in (self.first, self.second))
        self._following = True
        for view in (self.first, self.second):
            view.look_at(area.center(), max(MIN_ZOOM, min(zoom, _LARGEST)), fitted=True)
        self._following = False

    def zoom_to(self, zoom: float) -> None:
        self.first.zoom_to(zoom)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        before = self.orientation()
        self._turn(self.first.figure)
        if self.orientation() != before and self._shown is not None:
            self.show_figures(*self._shown)

    def _turn(self, figure: Figure) -> None:
        """Lie beside or above each other, whichever lets both be drawn larger."""
        if not figure.boxes or not self.width():
            return
        wide, high = max(figure.width, 1.0), max(figure.height, 1.0)
        beside = min(self.width() / 2 / wide, self.height() / high)
        above = min(self.width() / wide, self.height() / 2 / high)
        side, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        wanted = side if beside >= above else down
        if wanted != self.orientation():
            self.setOrientation(wanted)
        self._share()

    def _share(self) -> None:
        """Give both pictures the same room: the lower one has the legend under it as well."""
        if self.orientation() == Qt.Orientation.Horizontal:
            half = self.width() // 2
            self.setSizes([half, self.width() - half])
            return
        under = self.second.viewportMargins().bottom()
        half = max(0, self.height() - under) // 2
        self.setSizes([half, self.height() - half])

    def _follow_first(self) -> None:
        self._follow(self.first, self.second)

    def _follow_second(self) -> None:
        self._follow(self.second, self.first)

    def _follow(self, leader: CanvasView, other: CanvasView) -> None:
        if self._following:
            return
        if leader.fitted:
            self.fit()
            return
        self._following = True
        other.look_at(leader.centre, leader.zoom, fitted=leader.fitted)
        self._following = False

    def _tell_chosen(self) -> None:
        left, right = (chooser.key for chooser in self.choosers)
        if left and right:
            self.sides_chosen.emit(left, right)
