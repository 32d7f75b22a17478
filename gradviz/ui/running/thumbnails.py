"""`Thumbnails`: runs the examples when nothing else is to be done, and draws them."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRectF
from PySide6.QtGui import QPainter

from gradviz.diagram import Diagram
from gradviz.examples import examples
from gradviz.figure import Figure, figure
from gradviz.ui.panels.gallery import Gallery
from gradviz.ui.running.evaluator import Evaluator
from gradviz.ui.running.work import Answer, Request
from gradviz.ui.theme import ThemeSource


class Thumbnails(QObject):
    """Each card gets the figure that its example has at the end of its first pass."""

    def __init__(
        self, evaluator: Evaluator, gallery: Gallery, theme: ThemeSource, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._evaluator, self._gallery, self._theme = evaluator, gallery, theme
        self._asked: dict[int, tuple[Request, str]] = {}
        self._started = False
        evaluator.filed.connect(self._filed)

    def start(self) -> None:
        """Ask for all of them, once."""
        if self._started:
            return
        self._started = True
        for example in examples():
            request = Request(Diagram(source=example.source()), derive=True)
            self._asked[id(request)] = (request, example.name)
        self._evaluator.later(*(request for request, _name in self._asked.values()))

    def _filed(self, answer: Answer) -> None:
        _request, name = self._asked.pop(id(answer.request), (None, ""))
        card = self._gallery.cards.get(name)
        if card is not None and answer.diagram.nodes:
            card.thumbnail.set_drawing(_Drawing(figure(answer.diagram, answer.run), self._theme))


class _Drawing:
    """Paints a figure to fit a rectangle."""

    def __init__(self, shown: Figure, theme: ThemeSource) -> None:
        self._figure, self._theme = shown, theme

    def __call__(self, painter: QPainter, area: QRectF) -> None:
        from gradviz.ui.canvas.painter import Detail, Marks, Painter
        from gradviz.ui.canvas.spatial import Spatial

        shown = self._figure
        zoom = min(0.9, area.width() / shown.width, area.height() / shown.height)
        painter.translate(area.center())
        painter.scale(zoom, zoom)
        painter.translate(-shown.left - shown.width / 2, -shown.top - shown.height / 2)
        spatial = Spatial(shown)
        drawing = Painter(shown, spatial, self._theme.colours)
        drawing.paint(painter, [spatial.area], zoom, Marks(), detail=Detail.NEAR)
