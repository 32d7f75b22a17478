"""`ReductionsPanel`: for each reduction of the output, the seed that equals it at this point."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gradviz.cells import array_text, number
from gradviz.diagram import Diagram, NodeId
from gradviz.labels import titles
from gradviz.language import _
from gradviz.look import TYPE
from gradviz.run import Array
from gradviz.seeds.starts import REDUCTIONS
from gradviz.twin.dictionary import Dictionary, Translation, title_of
from gradviz.ui.theme import font
from gradviz.ui.widgets.labels import Elided, Field, Heading, Mono, named

_LEAVES = 2  # leaves whose gradients get a column
_WIDE = (140, 130, 64, 200, 156, 84)  # px that the columns have at least
_LEAF = 100  # and those of leaves
_SEED = 4  # the column of the seed's numbers


def cells(found: Dictionary, diagram: Diagram) -> list[list[str]]:
    """The table as text: a heading, then a row for each reduction."""
    known = titles(diagram)
    leaves = list(dict.fromkeys(leaf for row in found.rows for leaf in row.grads))[:_LEAVES]
    heading = [_("reduction R"), _("formula"), _("value"), _("equal seed v"), _("v here")]
    heading += [_("times sum"), *(f"{known.get(leaf, leaf)}.grad" for leaf in leaves)]
    return [heading, *(_row(row, leaves) for row in found.rows)]


def _row(row: Translation, leaves: list[str]) -> list[str]:
    known = REDUCTIONS[row.name]
    made = [title_of(row), known.text]
    if row.problem:
        return [*made, "", known.seed_text, row.problem, "", *("" for _leaf in leaves)]
    made.append("" if row.value is None else array_text(row.value))
    made += [known.seed_text, "" if row.seed is None else array_text(row.seed)]
    made.append("–" if row.scale is None else f"× {number(row.scale)}")
    return made + [array_text(row.grads[leaf]) if leaf in row.grads else "None" for leaf in leaves]


class ReductionsPanel(QWidget):
    """Shows a dictionary; `wanted` says that it is seen and what is on screen should be in it.

    `taken(row, node, as_seed)` asks to start from the node by the reduction of a row, or its seed.
    """

    closed = Signal()
    wanted = Signal()
    taken = Signal(object, str, bool)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("JacobianPane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._found: tuple[Dictionary, Diagram] | None = None
        self.heading = Heading()
        self.heading.setContentsMargins(16, 0, 8, 0)
        self.about = Elided(name="Soft")
        self.close_button = QPushButton("×")
        self.close_button.setProperty("kind", "quiet")
        self.close_button.clicked.connect(self.closed)
        self.buttons: list[tuple[QPushButton, QPushButton]] = []
        self.names: list[QLabel] = []
        self._now: Array | None = None  # the seed of the pass on screen
        self._grid = QGridLayout()
        self._grid.setContentsMargins(16, 0, 16, 8)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(2)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QScrollArea.Shape.NoFrame)
        self._lay_out()
        self.retranslate()

    def retranslate(self) -> None:
        self.heading.setText(_("Reductions and seeds"))
        self.close_button.setToolTip(_("Close"))
        self.close_button.setAccessibleName(_("Close"))
        if self._found is not None:
            self.show_found(*self._found)

    def forget(self) -> None:
        """Another document comes."""
        self.say("")

    def close_down(self) -> None:
        """Nothing is under way here."""

    def say(self, sentence: str) -> None:
        """Why there is no table."""
        self._found = None
        self._clear()
        self.about.setText(sentence)
        self.about.setToolTip(sentence)

    def show_found(self, found: Dictionary, diagram: Diagram) -> None:
        """Show the table of a dictionary."""
        self._found = (found, diagram)
        self._clear()
        name = titles(diagram).get(found.source, found.source)
        text = _("{name} = {value}, N = {count}: a reduction R of it is the seed v = ∂R/∂{name}")
        text = text.format(name=name, value=array_text(found.y), count=found.y.size)
        self.about.setText(text)
        self.about.setToolTip(text)
        table = cells(found, diagram)
        for column, text in enumerate(table[0]):
            self._grid.addWidget(Field(text), 0, column + 2)
        for line, (row, texts) in enumerate(zip(found.rows, table[1:], strict=True), 1):
            self._add_buttons(row, found.source, texts[0], line)
            labels = [self._label(row, text, column) for column, text in enumerate(texts)]
            self.names.append(labels[0])
            for column, label in enumerate(labels):
                self._grid.addWidget(label, line, column + 2)
        self.mark(self._now)
        self._grid.setRowStretch(len(table), 1)
        for at in range(len(_WIDE), len(_WIDE) + _LEAVES):
            there = at < len(table[0])
            self._grid.setColumnStretch(at + 2, 2 if there else 0)
            self._grid.setColumnMinimumWidth(at + 2, _LEAF if there else 0)

    def mark(self, seed: Array | None) -> None:
        """Say which rows the pass on screen starts by, in either way; `seed` is its seed."""
        self._now = seed
        if self._found is None:
            return
        for row, title in zip(self._found[0].rows, self.names, strict=True):
            same = seed is not None and row.seed is not None and np.array_equal(seed, row.seed)
            title.setFont(font(TYPE.body, bold=same))
            title.setText(("▸ " if same else "") + title_of(row))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.wanted.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.say("")

    def _add_buttons(self, row: Translation, source: NodeId, title: str, line: int) -> None:
        pair = QPushButton("Σ"), QPushButton("v")
        names = _("Start by {reduction}"), _("Start by the seed that equals {reduction}")
        for column, (button, name, kind) in enumerate(
            zip(pair, names, ("reduction", "seed"), strict=True)
        ):
            button.setProperty("kind", kind)
            button.setFixedSize(30, 24)
            button.setStyleSheet("padding: 0;")
            button.setToolTip(name.format(reduction=title))
            button.setAccessibleName(name.format(reduction=title))
            button.setEnabled(not row.problem)
            button.clicked.connect(self._taking(row, source, as_seed=kind == "seed"))
            self._grid.addWidget(button, line, column)
        self.buttons.append(pair)

    def _taking(self, row: Translation, source: NodeId, *, as_seed: bool) -> Callable[[], None]:
        return lambda: self.taken.emit(row, source, as_seed)

    def _label(self, row: Translation, text: str, column: int) -> QLabel:
        if column == 0:
            label: QLabel = Elided()
            label.setMaximumWidth(_WIDE[0])
        elif column == _SEED and row.problem:
            label = Elided(name="FieldError")
        elif column in (1, 3):
            label = Mono(TYPE.cell)
        else:
            label = Elided()
            label.setFont(font(TYPE.cell, mono=True, bold=column == _SEED))
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        label.setText(text)
        label.setToolTip(text)
        return label

    def _clear(self) -> None:
        self.buttons, self.names = [], []
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(0, 8, 8, 4)
        head.addWidget(self.heading)
        head.addWidget(self.about, 1)
        head.addWidget(self.close_button)
        for at, wide in enumerate(_WIDE):
            self._grid.setColumnMinimumWidth(at + 2, wide)
            self._grid.setColumnStretch(at + 2, 2 if at == _SEED else 0)
        body = named(QWidget(), "JacobianBody")
        body.setLayout(self._grid)
        self._area.setWidget(body)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._area, 1)
