"""`Switch`: a word and whether it holds; whoever listens sets it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from gradviz.look import TYPE
from gradviz.ui.theme import ThemeSource, colour, font, metrics

_WIDE, _HIGH, _GAP, _ROW = 30.0, 18.0, 8.0, 28


class Switch(QAbstractButton):
    """A click, Space or Enter asks by `clicked(bool)`; `show_on` says what came of it."""

    def __init__(
        self, theme: ThemeSource, parent: QWidget | None = None, *, mono: bool = False
    ) -> None:
        super().__init__(parent)
        self._theme, self._mono = theme, mono
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_on(self, on: bool) -> None:
        self.setChecked(on)

    def sizeHint(self) -> QSize:
        wide = metrics(TYPE.cell, mono=self._mono).horizontalAdvance(self.text())
        return QSize(round(_WIDE + (_GAP + wide if self.text() else 0)) + 4, _ROW)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours, on = self._theme.colours, self.isChecked()
        top = (self.height() - _HIGH) / 2
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            edge = colours.selection if on or self.hasFocus() else colours.edge
            painter.setPen(QPen(colour(edge), 1.5 if self.hasFocus() else 1))
            painter.setBrush(colour(colours.selection_ground if on else colours.zero))
            groove = QRectF(2, top, _WIDE, _HIGH).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.drawRoundedRect(groove, _HIGH / 2, _HIGH / 2)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(colours.selection if on else colours.edge))
            at = groove.right() - _HIGH / 2 + 0.5 if on else groove.left() + _HIGH / 2 - 0.5
            painter.drawEllipse(QPointF(at, self.height() / 2), 5.5, 5.5)
            painter.setPen(colour(colours.ink if self.isEnabled() else colours.edge))
            painter.setFont(font(TYPE.cell, mono=self._mono))
            left = round(_WIDE + _GAP) + 2
            area = self.rect().adjusted(left, 0, 0, 0)
            painter.drawText(
                area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.text()
            )
