"""`FormulaView`: a formula in TeX, typeset in the ink of the theme."""

from __future__ import annotations

import warnings
from functools import lru_cache
from typing import Any

from PySide6.QtCore import QByteArray, QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QSizePolicy, QWidget

from gradviz.ui.theme import ThemeSource

_SIZE = 19.0  # px of the face


def load() -> type[Any]:
    """The typesetter; it takes longer to import than the first window may wait."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # how it finds its own fonts is not our user's concern
        from ziamath.config import config
        from ziamath.zmath import Latex

    config.svg2 = False  # QtSvg knows no <use> of glyphs
    found: type[Any] = Latex
    return found


@lru_cache(maxsize=256)
def _svg(tex: str, ink: str) -> bytes:
    """The formula as SVG; empty where it cannot be typeset."""
    try:
        drawn: str = load()(tex, size=_SIZE, color=ink).svg()
    except Exception:  # noqa: BLE001  the library raises what its parser meets
        return b""
    return drawn.encode()


class FormulaView(QWidget):
    """Shrinks to the width it has; a formula that cannot be drawn leaves it empty."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tex = ""
        self._renderer = QSvgRenderer(self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._draw)

    @property
    def tex(self) -> str:
        return self._tex

    def show_tex(self, tex: str, *, plain: str) -> None:
        """Show the formula; `plain` is read out and shown as tool tip."""
        self.setAccessibleName(plain)
        self.setToolTip(plain)
        if tex != self._tex:
            self._tex = tex
            self._draw()

    def sizeHint(self) -> QSize:
        size = self._renderer.defaultSize()
        return QSize(size.width() + 2, size.height() + 8)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        size = self._renderer.viewBoxF().size()
        if size.isEmpty():
            return
        scale = min(1.0, self.width() / size.width())
        wide, high = size.width() * scale, size.height() * scale
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._renderer.render(painter, QRectF(0, (self.height() - high) / 2, wide, high))

    def _draw(self) -> None:
        svg = _svg(self._tex, self._theme.colours.ink) if self._tex else b""
        self._renderer.load(QByteArray(svg))
        self.updateGeometry()
        self.update()
