"""The page "Elsewhere": what other libraries do with this output, side by side."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from gradviz.cells import array_text
from gradviz.elsewhere import Answer, answers, libraries
from gradviz.guide.ways import Way, start_of
from gradviz.language import _
from gradviz.look import TYPE
from gradviz.ui.panels.guide.desk import Desk
from gradviz.ui.panels.guide.parts import Grads, about_text, breakable, scrolling
from gradviz.ui.widgets.labels import Field, Mono, named

_TONES = {"raises": "error", "sums": "reduction", "gives": "leaf"}
_COLUMNS = (14, 34, 18, 34)


@dataclass(slots=True, eq=False)
class _Row:
    """The widgets of one library."""

    name: QLabel
    asks: Mono
    does: QLabel
    grads: Grads
    total: Mono
    seed: Mono
    source: QLabel


class ElsewherePage(QWidget):
    """A row for each way of asking a library."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.about = named(QLabel(), "Soft")
        self.about.setWordWrap(True)
        self.heads = [Field() for _column in range(4)]
        self.rows = [self._row(desk) for _library in libraries()]
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(24, 0, 24, 16)
        column.setSpacing(6)
        column.addWidget(self.about)
        head = QGridLayout()
        head.setContentsMargins(14, 0, 14, 0)
        head.setHorizontalSpacing(16)
        for at, field in enumerate(self.heads):
            field.setMinimumWidth(60)
            head.addWidget(field, 0, at)
            head.setColumnStretch(at, _COLUMNS[at])
        column.addLayout(head)
        for row in self.rows:
            column.addWidget(self._frame(row))
        column.addWidget(self._together(desk))
        column.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        self.area = scrolling(inner)
        outer.addWidget(self.area)
        self.setFocusProxy(self.area)

    def sync(self) -> None:
        about = self._desk.subject
        self.about.setText(about_text(about))
        if about is None:
            return
        x = about.leaves[0][1]
        told = answers(about.value.shape, y=about.name, x=x)
        for row, answer in zip(self.rows, told, strict=True):
            self._fill(row, answer)
        values = start_of(Way("weights"), about).values
        shown = "" if values is None else array_text(values)
        texts = (_("All give for the sum"), _("All give for the seed v = {v}").format(v=shown))
        for (title, grads), text, end in zip(self.together, texts, ("sum", "weights"), strict=True):
            title.setText(text)
            grads.show_outcome(self._desk.outcome(Way(end)))

    def retranslate(self) -> None:
        heads = (
            _("library"),
            _("asked without a seed"),
            _("gradient"),
            _("asked for the sum; with a seed v"),
        )
        for field, text in zip(self.heads, heads, strict=True):
            field.setText(text)
        self.sync()

    def _fill(self, row: _Row, answer: Answer) -> None:
        library = answer.library
        row.name.setText(f"{library.name}\n{library.version}")
        row.asks.setText(breakable(library.asks))
        row.does.setText(answer.words)
        row.does.setProperty("tone", _TONES[answer.does])
        row.does.style().polish(row.does)
        raises = answer.does == "raises"
        row.grads.setVisible(not raises)
        if not raises:
            row.grads.show_outcome(self._desk.outcome(Way("sum")))
        row.total.setText(breakable(library.total))
        row.seed.setText(breakable(library.seed))
        row.source.setText(library.source)

    def _together(self, desk: Desk) -> QFrame:
        """What they agree in: the sum asked for as such, and a seed."""
        frame = QFrame()
        frame.setObjectName("GuideCard")
        row = QHBoxLayout(frame)
        row.setContentsMargins(14, 8, 14, 8)
        row.setSpacing(16)
        self.together = [(named(QLabel(), "CardTitle"), Grads(desk.theme)) for _each in range(2)]
        for title, grads in self.together:
            title.setWordWrap(True)
            column = QVBoxLayout()
            column.setSpacing(4)
            column.addWidget(title)
            column.addWidget(grads)
            column.addStretch(1)
            row.addLayout(column, 1)
        return frame

    @staticmethod
    def _row(desk: Desk) -> _Row:
        row = _Row(
            named(QLabel(), "CardTitle"),
            Mono(TYPE.label),
            named(QLabel(), "Does"),
            Grads(desk.theme, narrow=True),
            Mono(TYPE.label),
            Mono(TYPE.label),
            named(QLabel(), "GuideSource"),
        )
        for label in (row.name, row.asks, row.does, row.total, row.seed, row.source):
            label.setWordWrap(True)
            label.setMinimumWidth(60)
            label.setTextFormat(Qt.TextFormat.PlainText)
        row.source.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return row

    @staticmethod
    def _frame(row: _Row) -> QFrame:
        frame = QFrame()
        frame.setObjectName("GuideCard")
        grid = QGridLayout(frame)
        grid.setContentsMargins(14, 8, 14, 8)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        columns = ((row.name,), (row.asks, row.does), (row.grads,), (row.total, row.seed))
        for at, widgets in enumerate(columns):
            column = QVBoxLayout()
            column.setSpacing(4)
            for widget in widgets:
                column.addWidget(widget)
            column.addStretch(1)
            grid.addLayout(column, 0, at)
            grid.setColumnStretch(at, _COLUMNS[at])
        grid.addWidget(row.source, 1, 0, 1, 4)
        return frame
