"""`Stage`: the middle of the window: start page, picture, or two pictures with their table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from gradviz.diagram import Diagram, NodeId, Point
from gradviz.figure import Badges, Figure
from gradviz.language import _
from gradviz.run import Run
from gradviz.scene.framing import blank_figure
from gradviz.scene.picture import Picture, picture
from gradviz.scene.redraw import redrawn
from gradviz.storeys import LARGE, height
from gradviz.twin.figures import Beside
from gradviz.ui.box_tip import box_tip
from gradviz.ui.canvas.annotated import AnnotatedCanvas
from gradviz.ui.canvas.captions import Heading
from gradviz.ui.canvas.twin import TwinCanvas
from gradviz.ui.canvas.view import CanvasView
from gradviz.ui.documents.document import Document
from gradviz.ui.panels.banner import Banner
from gradviz.ui.panels.gallery import Gallery
from gradviz.ui.panels.grad_strip import GradStrip
from gradviz.ui.panels.twin_table import TwinTable
from gradviz.ui.player import Player
from gradviz.ui.running.fine import Fine
from gradviz.ui.selection import Selection
from gradviz.ui.theme import ThemeSource


class Stage(QWidget):
    """Draws what the player shows; what is picked and moved on a canvas goes to the values."""

    def __init__(
        self, document: Document, player: Player, selection: Selection, theme: ThemeSource
    ) -> None:
        super().__init__()
        self.setObjectName("Stage")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._document, self._player, self._selection = document, player, selection
        self._places: dict[NodeId, Point] | None = None
        self._nodes: object = None
        self._shown: tuple[object, int, NodeId | None] | None = None
        self.marks: Badges = {}
        self.bare = False  # whether what takes no gradient is left out
        self._opened: bool | None = None  # whether second storeys are; None: small ones are
        self._drawn: Picture | None = None  # the last picture, whose places still hold
        self._fine = Fine(self)
        self._fine.found.connect(self._refine)
        self.figure: Figure | None = None
        self.twin_figure: Figure | None = None
        self.banner = Banner(player, theme)
        self.canvas = AnnotatedCanvas(theme)
        self.twin = TwinCanvas(theme)
        self.gallery = Gallery(theme)
        self.table, self.grads = TwinTable(player), GradStrip(player, theme)
        self.pages = QStackedWidget()
        for page in (self.gallery, self.canvas, self.twin):
            self.pages.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.banner)
        column.addWidget(self.pages, 1)
        column.addWidget(self.table)
        column.addWidget(self.grads)
        for view in (self.canvas, self.twin):
            view.picked.connect(self._picked)
            view.moved.connect(self._moved)
        self.gallery.back_asked.connect(self.leave_gallery)
        self.pages.currentChanged.connect(self._share)
        self.grads.chosen.connect(player.choose)
        for canvas in (self.canvas, self.twin):
            canvas.edge_picked.connect(self._edge_picked)
            canvas.space_tapped.connect(player.toggle)
            canvas.set_texts(box=partial(box_tip, player))
        self.canvas.looked.connect(self._looked)
        player.moved.connect(self.sync)
        selection.changed.connect(self.sync)

    def show_gallery(self) -> None:
        open_one = self._player.diagram.nodes or self._document.diagram.source
        self.gallery.set_back(self._document.filename if open_one else "")
        self.pages.setCurrentWidget(self.gallery)

    def leave_gallery(self) -> None:
        """Back to the picture of the document."""
        self.pages.setCurrentWidget(self.canvas)
        self.sync()

    @property
    def hosting(self) -> bool:
        """Whether a page is shown that stays until it is left, whatever the document does."""
        return self.pages.currentWidget() not in (self.gallery, self.canvas, self.twin)

    def _turn(self, page: QWidget) -> None:
        if not self.hosting:
            self.pages.setCurrentWidget(page)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def _share(self) -> None:
        """Leave the pictures their part of the height."""
        self.table.fit(self.height())
        self.grads.fit(self.height() if self.pages.currentWidget() is self.canvas else 0)

    def retranslate(self) -> None:
        self.banner.retranslate()
        self.gallery.retranslate()
        self.canvas.overview.retranslate()
        self.table.retranslate()
        self.grads.sync()
        self.sync()

    def sync(self) -> None:
        """Draw the document as it is at the player's position."""
        player = self._player
        if not player.diagram.nodes:
            self.figure = self.twin_figure = None
            now = self._document.diagram
            blank = now.source is None and self._document.path is None and not now.notes
            if blank and not self.hosting:
                self.show_gallery()
            elif self.pages.currentWidget() is not self.gallery or player.run.console:
                self.canvas.show_figure(blank_figure(now))
                self._turn(self.canvas)
            return
        diagram, run, index = player.scene
        node, selected = self._selection.node, self._selection.ids
        self.canvas.select(selected)
        self.twin.select(selected)
        left = self._picture(diagram, run, index)
        if player.beside is not None:
            self._sync_twin(player.beside, left, node)
            return
        self.figure, self.twin_figure = self._figure(left, node), None
        self._turn(self.canvas)
        self.canvas.show_figure(self.figure)

    def _sync_twin(self, beside: Beside, left: Picture, node: NodeId | None) -> None:
        """Draw both sides at the player's moment."""
        other = beside.pair.right
        pictures = left, self._picture(other.diagram, other.run, 0)
        moment = beside.moments[self._player.position]
        self.figure, self.twin_figure = beside.figures(pictures, moment, selection=node)
        self._turn(self.twin)
        first, second = (Heading(text, kind) for text, kind in beside.headings)
        self.twin.show_figures(self.figure, self.twin_figure, (first, second))

    def _figure(self, drawn: Picture, node: NodeId | None) -> Figure:
        """The figure at the player's position; of a passing run, renewed where one reads it."""
        player, before = self._player, self.figure
        drawn = drawn.with_marks(self.marks)
        shown, self._shown = self._shown, (drawn.geometry, player.position, node)
        if player.passing and before is not None and shown == self._shown:
            return drawn.renewed(before, player.position, self.canvas.read_rows())
        return drawn.figure(player.position, selection=node)

    def show_marks(self, marks: Badges) -> None:
        """Put badges on nodes, in place of those that are there."""
        if marks != self.marks:
            self.marks, self._shown = marks, None
            self.sync()

    def opening(self) -> None:
        """Another document comes: the pages of the one before are not about it."""
        self._places = self._nodes = self._drawn = self._opened = None
        self.pages.setCurrentWidget(self.canvas)

    @property
    def opened(self) -> bool:
        """Whether second storeys are shown whole: as chosen, else where they are not large."""
        if self._opened is not None:
            return self._opened
        diagram, _run, _index = self._player.scene
        return height(diagram, self._player.current) <= LARGE

    def set_bare(self, bare: bool) -> None:
        """Leave out what takes no gradient, or show it again."""
        self.bare, self._drawn = bare, None
        self.sync()

    def open_storeys(self, opened: bool) -> None:
        """Show second storeys whole, or no more of them than is needed."""
        self._opened, self._drawn = opened, None
        self.sync()

    def forget_places(self) -> None:
        """Lay the nodes out anew the next time they are drawn."""
        self._places = self._nodes = self._drawn = None

    def close_down(self) -> None:
        """Give up what is under way."""
        self._fine.cancel()

    def places(self) -> dict[NodeId, Point]:
        """Where the boxes of the picture are, the added ones and the seed's included."""
        if self.figure is None:
            return {}
        nodes = self._player.scene[0].nodes
        return {box.id: (box.x, box.y) for box in self.figure.boxes if box.id in nodes}

    def set_motion(self, full: bool) -> None:
        """Whether things may move on the canvases."""
        for view in (self.canvas, self.twin):
            view.set_motion(full)

    def fit(self) -> None:
        self._view().fit()

    def zoom(self, factor: float) -> None:
        self._view().zoom_to(self._view().zoom * factor)

    def zoom_one(self) -> None:
        self._view().zoom_to(1.0)

    def _picture(self, diagram: Diagram, run: Run, index: int) -> Picture:
        """The picture; nodes stay where they are while only starts and values change."""
        twin = diagram is not self._player.diagram
        known = self._places if twin or diagram.nodes is self._nodes else None
        made = None
        if self._drawn is not None and not twin and self._drawn.shows(diagram, run, index):
            return self._drawn
        if self._drawn is not None and self._player.passing and not twin:
            made = redrawn(self._drawn, diagram, run, index)
        if made is None:
            made = picture(
                diagram, run, index=index, positions=known, opened=self.opened, bare=self.bare
            )
            if self._drawn is not None:
                made.follow(self._drawn)
        self._drawn = None if twin else made
        if known is None:
            self._nodes = diagram.nodes
            self._places = {
                key: at for key, at in made.geometry.positions().items() if key in diagram.nodes
            }
            self._fine.ask(diagram, run)
        return made

    def _looked(self) -> None:
        """The view moved while a seed is dragged: other numbers are read now."""
        if self._player.passing and self._player.twin is None:
            self.sync()

    def _refine(self, diagram: Diagram, places: dict[NodeId, Point]) -> None:
        """A better layout is ready: take it where it is about what is on screen."""
        if diagram.nodes is self._nodes:
            self._places, self._drawn = {**places, **diagram.positions}, None
            self.sync()
            if self.canvas.fitted:
                self.fit()

    def _view(self) -> CanvasView | TwinCanvas:
        return self.twin if self.pages.currentWidget() is self.twin else self.canvas

    def _picked(self, ids: tuple[NodeId, ...]) -> None:
        self._selection.select(*ids)

    def _edge_picked(self, key: str) -> None:
        """A click on an edge goes to the step that takes it."""
        done = self._player.current
        edge = next((e for e in self.figure.edges if e.id == key), None) if self.figure else None
        if edge is None or done is None:
            return
        for at, step in enumerate(done.steps):
            if (step.node, step.slot, step.input) == (edge.target, edge.slot, edge.source):
                self._player.pause()
                self._player.go_to_step(at + 1)

    def _moved(self, places: Mapping[NodeId, Point]) -> None:
        diagram = self._document.diagram
        moved = {key: at for key, at in places.items() if key in diagram.nodes}
        if not moved:  # what a pass adds stands where it stood
            self.sync()
            return
        positions = {**diagram.positions, **moved}
        self._document.edit(_("Move"), replace(diagram, positions=positions))
