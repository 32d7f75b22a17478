"""`Found` and `FoundRows`: what a search found, and how a list shows it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from gradviz.look import RADIUS, TYPE
from gradviz.ui.theme import ThemeSource, colour, font

ROW = 30  # px


@dataclass(frozen=True, slots=True)
class Found:
    """A row: its key, its words, what stands at its right end, and whether it can be taken."""

    key: str
    text: str
    hint: str = ""
    enabled: bool = True


class FoundRows(QStyledItemDelegate):
    """The words at the left, the hint at the right."""

    def __init__(self, theme: ThemeSource, parent: QObject, *, mono: bool = False) -> None:
        super().__init__(parent)
        self._theme, self._mono = theme, mono

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(0, ROW)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        row: Found = index.data(Qt.ItemDataRole.UserRole)
        colours, area = self._theme.colours, option.rect
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(colours.selection_ground))
            painter.drawRoundedRect(area, RADIUS.cell, RADIUS.cell)
        middle, inside = Qt.AlignmentFlag.AlignVCenter, area.adjusted(8, 0, -8, 0)
        painter.setPen(colour(colours.soft if row.enabled else colours.edge))
        painter.setFont(font(TYPE.label))
        used = painter.fontMetrics().horizontalAdvance(row.hint)
        painter.drawText(inside, middle | Qt.AlignmentFlag.AlignRight, row.hint)
        painter.setPen(colour(colours.ink if row.enabled else colours.edge))
        painter.setFont(font(TYPE.body, mono=self._mono))
        room = inside.adjusted(0, 0, -used - 16 if used else 0, 0)
        text = painter.fontMetrics().elidedText(row.text, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, middle | Qt.AlignmentFlag.AlignLeft, text)
        painter.restore()
