"""`GradStrip`: each leaf's `.grad` after each backward call of the program, side by side."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gradviz.accumulation import Moment, arrivals, history, leaves
from gradviz.cells import array_text
from gradviz.labels import titles
from gradviz.language import _, current
from gradviz.look import RADIUS, TYPE
from gradviz.run import Array, Run
from gradviz.ui.player import Player
from gradviz.ui.theme import ThemeSource, colour, font

_LEAVES = 3  # rows
_SIDE, _NAME, _HEAD, _ROW = 16.0, 96.0, 22.0, 38.0
_NARROW, _WIDE = 112.0, 148.0  # of a column
_ROOMY = 340  # px of height of the stage from which there is room for it
_NEAR = 3  # calls before and after the one on screen that are read out
_LISTED = 200  # calls of a training loop that are looked into, around the one on screen


class GradStrip(QWidget):
    """A column for each call, the one on screen marked; a click on a column goes to its call."""

    chosen = Signal(int)

    def __init__(self, player: Player, theme: ThemeSource) -> None:
        super().__init__()
        self._player, self._theme = player, theme
        self._seen: tuple[object, ...] = ()
        self._rows: list[tuple[str, tuple[Moment, ...]]] = []
        self._room = _ROOMY
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)
        player.moved.connect(self.sync)
        self.sync()

    def fit(self, height: int) -> None:
        """Leave the picture its part of a height in px."""
        self._room = height
        self._show()

    def sync(self) -> None:
        """Show the run and the call that are on screen."""
        player = self._player
        seen = (player.run, player.diagram.nodes, current())
        same = len(self._seen) == 3 and all(a is b for a, b in zip(seen, self._seen, strict=True))
        if not same and not player.passing:
            self._seen = seen
            self._rows = self._found(player.run)
            self.setFixedHeight(self.sizeHint().height())
        self._show()
        near = range(max(0, player.index - _NEAR), player.index + _NEAR + 1)
        told = [" ".join(self.texts(at)) for at in near if at < len(player.run.passes)]
        self.setAccessibleName("; ".join(told))
        self.update()

    def calls(self) -> range:
        """The calls that have a column: as many as there is room for, with the one on screen."""
        count = len(self._player.run.passes)
        fit = max(1, int(self._across() // self._wide()))
        first = max(0, min(self._player.index - fit // 2, count - fit))
        return range(first, min(count, first + fit))

    def _across(self) -> float:
        return self.width() - 2 * _SIDE - _NAME

    def _wide(self) -> float:
        """Of a column: less where all of them then fit."""
        fair = self._across() / max(1, len(self._player.run.passes))
        return min(_WIDE, fair) if fair >= _NARROW else _WIDE

    def texts(self, at: int) -> list[str]:
        """What a column says: the call, then for each leaf how it came about and what it is."""
        found = [_("pass {n}").format(n=at + 1)]
        for _name, moments in self._rows:
            found += self._cell(moments[at])
        return found

    def sizeHint(self) -> QSize:
        return QSize(320, round(_HEAD + len(self._rows) * _ROW + 12))

    def paintEvent(self, event: QPaintEvent) -> None:
        colours, calls, wide = self._theme.colours, self.calls(), self._wide()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), colour(colours.panel))
            painter.fillRect(QRectF(0, 0, self.width(), 1), colour(colours.line))
            for row, (name, _moments) in enumerate(self._rows):
                at = QRectF(_SIDE, 6 + _HEAD + row * _ROW, _NAME - 8, _ROW)
                self._write(painter, name, at, colours.ink, bold=True)
            for column, call in enumerate(calls):
                left = _SIDE + _NAME + column * wide
                self._paint_call(painter, call, QRectF(left, 4, wide - 6, self.height() - 8))
            middle = 6 + _HEAD / 2
            if calls and calls[0] > 0:
                at = QRectF(_SIDE + _NAME - 24, middle - 9, 20, 18)
                self._write(painter, "…", at, colours.soft)
            if calls and calls[-1] + 1 < len(self._player.run.passes):
                at = QRectF(_SIDE + _NAME + len(calls) * wide, middle - 9, 20, 18)
                self._write(painter, "…", at, colours.soft)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        column = int((event.position().x() - _SIDE - _NAME) // self._wide())
        calls = self.calls()
        if event.button() is Qt.MouseButton.LeftButton and 0 <= column < len(calls):
            self.chosen.emit(calls[column])

    def _found(self, run: Run) -> list[tuple[str, tuple[Moment, ...]]]:
        if not 2 <= len(run.passes) <= _LISTED:
            return []
        known = titles(self._player.diagram)
        return [
            (f"{known.get(leaf, leaf)}.grad", history(run, leaf)) for leaf in leaves(run)[:_LEAVES]
        ]

    def _show(self) -> None:
        there = bool(self._rows) and self._player.twin is None
        self.setVisible(there and self._room >= _ROOMY)

    def _cell(self, moment: Moment) -> list[str]:
        """How a leaf's gradient came about in a call, and what it is then."""
        player = self._player
        if moment.index == player.index and moment.brought is not None:
            came = arrivals(player.run.passes[moment.index], moment.leaf)
            if came and player.done < came[-1].position:
                return [_("not yet"), _text(moment.found)]
        brought = "" if moment.brought is None else array_text(moment.brought)
        words = {
            "first": _("from None"),
            "added": f"+ {brought}",
            "cleared": _("cleared, + {brought}").format(brought=brought),
            "changed": _("changed in between, + {brought}").format(brought=brought),
            "untouched": _("not reached"),
        }
        if moment.how in ("cleared", "changed") and not brought:
            return [_("cleared") if moment.how == "cleared" else "", _text(moment.after)]
        return [words[moment.how], _text(moment.after)]

    def _paint_call(self, painter: QPainter, call: int, rect: QRectF) -> None:
        colours, index = self._theme.colours, self._player.index
        if call == index:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(colours.selection_ground))
            painter.drawRoundedRect(rect, RADIUS.node, RADIUS.node)
        ink = colours.soft if call > index else colours.ink
        head, *cells = self.texts(call)
        inner = rect.adjusted(8, 2, -8, 0)
        upper = QRectF(inner.left(), inner.top(), inner.width(), _HEAD - 2)
        self._write(painter, head, upper, colours.soft, size=TYPE.label)
        for row, (how, after) in enumerate(zip(cells[::2], cells[1::2], strict=True)):
            top = inner.top() + _HEAD + row * _ROW
            upper = QRectF(inner.left(), top, inner.width(), 16)
            self._write(painter, how, upper, colours.soft, size=TYPE.label)
            lower = QRectF(inner.left(), top + 16, inner.width(), 18)
            self._write(painter, after, lower, ink, bold=call == index)

    def _write(
        self,
        painter: QPainter,
        text: str,
        rect: QRectF,
        ink: str,
        *,
        size: float = TYPE.cell,
        bold: bool = False,
    ) -> None:
        face = font(size, mono=True, bold=bold)
        painter.setFont(face)
        painter.setPen(colour(ink))
        shown = QFontMetricsF(face).elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)


def _text(array: Array | None) -> str:
    return "None" if array is None else array_text(array)
