"""Boxes drawn once for a look and a scale, and copied from then on."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from gradviz.diagram import NodeId
from gradviz.figure import Box
from gradviz.look import Palette
from gradviz.ui.canvas.boxes import paint_box

_ROOM = 14.0  # px at zoom 1 around a box, for its badge
_LARGEST = 1.6  # above this zoom few boxes are visible, and their pictures are large
_BYTES = 96 * 2**20
_FRESH = 40  # boxes that one hurried frame draws anew at most

Placed = tuple[Box, float, float]  # a box and its corner in scene px


@dataclass(frozen=True, slots=True)
class _Card:
    box: Box
    colours: Palette
    zoom: float
    ratio: float  # device px for each px
    room: int  # px around the box
    picture: QPixmap


class Cards:
    """Pictures of boxes, the ones drawn last."""

    def __init__(self) -> None:
        self._held: dict[NodeId, _Card] = {}
        self._bytes = 0

    def paint(
        self,
        painter: QPainter,
        placed: Iterable[Placed],
        colours: Palette,
        zoom: float,
        hurried: bool,
    ) -> list[Placed]:
        """Draw the boxes; answer the ones that have to be drawn otherwise.

        `hurried`, while the zoom is changing: pictures of another zoom are stretched, and only a
        few boxes are drawn anew.
        """
        if zoom > _LARGEST:
            return list(placed)
        to_px, ratio = painter.worldTransform(), painter.device().devicePixelRatioF()
        left: list[Placed] = []
        painter.save()
        painter.resetTransform()
        try:
            fresh = 0
            for one in placed:
                box, x, y = one
                card = self._held.get(box.id)
                if (
                    card is None
                    or not _like(card, box, colours, ratio)
                    or not (hurried or card.zoom == zoom)
                ):
                    fresh += 1
                    if hurried and fresh > _FRESH:
                        left.append(one)
                        continue
                    card = self._drawn(box, colours, zoom, ratio)
                self._copy(painter, card, to_px.map(QPointF(x, y)), zoom)
        finally:
            painter.restore()
        return left

    def _copy(self, painter: QPainter, card: _Card, at: QPointF, zoom: float) -> None:
        ratio = card.ratio
        if card.zoom == zoom:  # on whole device px, so that text stays sharp
            x = round((at.x() - card.room) * ratio) / ratio
            y = round((at.y() - card.room) * ratio) / ratio
            painter.drawPixmap(QPointF(x, y), card.picture)
            return
        grown = zoom / card.zoom
        size = card.picture.deviceIndependentSize() * grown
        corner = at - QPointF(card.room, card.room) * grown
        painter.drawPixmap(QRectF(corner, size), card.picture, QRectF(card.picture.rect()))

    def _drawn(self, box: Box, colours: Palette, zoom: float, ratio: float) -> _Card:
        room = math.ceil(_ROOM * zoom)
        wide, high = (math.ceil(side * zoom) + 2 * room for side in (box.width, box.height))
        picture = QPixmap(math.ceil(wide * ratio), math.ceil(high * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        with QPainter(picture) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.translate(room, room)
            painter.scale(zoom, zoom)
            painter.translate(-box.x, -box.y)
            paint_box(painter, box, colours)
        card = _Card(box, colours, zoom, ratio, room, picture)
        self._keep(card)
        return card

    def _keep(self, card: _Card) -> None:
        old = self._held.pop(card.box.id, None)
        self._bytes += _size(card) - (_size(old) if old else 0)
        self._held[card.box.id] = card
        while self._bytes > _BYTES:
            oldest = self._held.pop(next(iter(self._held)))
            self._bytes -= _size(oldest)


def _like(card: _Card, box: Box, colours: Palette, ratio: float) -> bool:
    same = card.box is box or card.box == box
    return same and card.colours is colours and card.ratio == ratio


def _size(card: _Card) -> int:
    return 4 * card.picture.width() * card.picture.height()
