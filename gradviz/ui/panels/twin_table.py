"""`TwinTable`: what both ways of starting cost, how they work, and how their gradients differ."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gradviz.cells import array_text, number
from gradviz.labels import titles
from gradviz.language import _
from gradviz.look import TYPE
from gradviz.run import Pass
from gradviz.seeds.starts import REDUCTIONS
from gradviz.twin.comparing import Pair, Side
from gradviz.twin.facts import mechanism, proportion, used_for
from gradviz.twin.timing import Timing
from gradviz.ui.player import Player
from gradviz.ui.theme import font
from gradviz.ui.widgets.labels import Elided, Field, Mono, Rule, named

_LEAVES = 3  # leaves that get a column
_FIRST_LEAF = 7  # the column of it
_VALUES = 56  # px that its numbers ask for: they give way before the names of the two ways do
_ROOMY, _TIGHT = 420, 250  # px of height of the pictures and the table: under it facts, all go


def cells(pair: Pair) -> list[list[str]]:
    """The table as text: a heading, the two ways, the difference; the first column is names."""
    left, right = pair.left.done, pair.right.done
    known = titles(pair.left.diagram)
    leaves = [leaf for leaf in left.grads if leaf in right.grads][:_LEAVES]
    heading = ["", _("nodes"), _("edges"), _("steps"), _("saved"), _("gradient traffic")]
    heading += [_("time")]
    heading += [f"{known.get(leaf, leaf)}.grad" for leaf in leaves]
    rows = [_row(done, leaves, time) for done, time in zip((left, right), pair.times, strict=True)]
    pairs = zip(_costs(left), _costs(right), strict=True)
    difference = [
        _signed(b - a) + (" B" if at > 2 and a != b else "") for at, (a, b) in enumerate(pairs)
    ]
    difference += ["", *(_distance(pair.differences[leaf]) for leaf in leaves)]
    return [
        heading,
        [f"{mark(pair.left)} {pair.left.title}", *rows[0]],
        [f"{mark(pair.right)} {pair.right.title}", *rows[1]],
        [_("difference"), *difference],
    ]


def mark(side: Side) -> str:
    """The sign of how a side begins."""
    return "v" if side.done.call.start.kind == "seed" else "Σ"


def _costs(done: Pass) -> list[int]:
    cost = done.cost
    return [cost.nodes, cost.edges, cost.steps, cost.saved_bytes, cost.gradient_bytes]


def _row(done: Pass, leaves: Sequence[str], time: Timing | None) -> list[str]:
    counts = [f"{n}" for n in _costs(done)[:3]]
    sizes = [f"{n:,} B" for n in _costs(done)[3:]]
    took = "" if time is None else f"{number(float(f'{time.seconds * 1e6:.2g}'))} µs"
    return [*counts, *sizes, took, *(array_text(done.grads[leaf]) for leaf in leaves)]


def result(pair: Pair) -> str:
    """How the gradients of the two compare, in a sentence or two."""
    if pair.reduction is None or pair.source is None:
        return proportion(pair)
    known = titles(pair.left.diagram)
    name = known.get(pair.source, pair.source)
    seed = pair.right.done.cotangents().get(pair.source)
    equal = _("{reduction} is the seed ∂R/∂{name} = {seed}.").format(
        reduction=_(REDUCTIONS[pair.reduction].title),
        name=name,
        seed="" if seed is None else array_text(seed),
    )
    return f"{equal} {_agreement(pair)}"


def _agreement(pair: Pair) -> str:
    nodes = {key: gap for key, gap in pair.nodes().items() if gap is not None}
    worst = max(nodes, key=lambda key: nodes[key], default=None)
    if worst is None or nodes[worst] == 0:
        return _("Every node that both reach has the same gradient, bit for bit.")
    return _("Gradients differ most at {name}, by {gap}.").format(
        name=titles(pair.left.diagram).get(worst, worst), gap=number(nodes[worst])
    )


def facts(pair: Pair) -> list[list[str]]:
    """What sets the two apart: for each its sign, how it begins, and where it is used."""
    own = (pair.reduction if mark(side) == "Σ" else None for side in (pair.left, pair.right))
    return [
        [mark(side), mechanism(side, pair.source), used_for(side.done.call.start, reduction)]
        for side, reduction in zip((pair.left, pair.right), own, strict=True)
    ]


def _signed(value: int) -> str:
    return f"{value:+,}" if value else "0"


def _distance(value: float) -> str:
    return _("0, bit for bit") if value == 0 else number(value)


def _giving_way(text: str, name: str) -> Elided:
    """A text that is whole in its tool tip."""
    label = Elided(name=name)
    label.setText(text)
    label.setToolTip(text)
    return label


class TwinTable(QWidget):
    """Under the two canvases; hidden where there is nothing to compare.

    `reductions_asked` asks for the table of all reductions and their seeds.
    """

    reductions_asked = Signal()

    def __init__(self, player: Player) -> None:
        super().__init__()
        self.setObjectName("TwinTable")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._player = player
        self._shown: Pair | None = None
        self._room, self._folded = _ROOMY, False
        self._grid, self._facts = QGridLayout(), QGridLayout()
        self._grid.setHorizontalSpacing(24)
        self._grid.setVerticalSpacing(4)
        self._facts.setHorizontalSpacing(16)
        self._facts.setVerticalSpacing(2)
        self._facts.setColumnStretch(1, 1)
        self._facts.setColumnStretch(2, 1)
        self.result = QLabel()
        self.result.setWordWrap(True)
        self.fold, self.all = QPushButton(), QPushButton()
        for button in (self.fold, self.all):
            button.setProperty("kind", "quiet")
        self.fold.clicked.connect(self._fold)
        self.all.clicked.connect(self.reductions_asked)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 16, 8)
        column.setSpacing(2)
        column.addLayout(self._grid)
        line = QHBoxLayout()
        line.addWidget(self.result, 1)
        for button in (self.all, self.fold):
            line.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(line)
        self.more = QWidget()
        self.more.setLayout(self._facts)
        self._facts.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.more)
        player.moved.connect(self.sync)
        self._name_fold()
        self.hide()

    @property
    def told(self) -> list[str]:
        """The sentences under the numbers, as they are shown."""
        labels = (self._facts.itemAt(at) for at in range(self._facts.count()))
        widgets = (item.widget() for item in labels if item is not None)
        return [label.text() for label in widgets if isinstance(label, QLabel)]

    def fit(self, height: int) -> None:
        """Leave the pictures their part of a height in px."""
        self._room = height
        self._show_parts()

    def retranslate(self) -> None:
        self._shown = None
        self._name_fold()
        self.sync()

    def sync(self) -> None:
        found = self._player.twin
        self._show_parts()
        if found is not None and found is not self._shown:
            self._shown = found
            self._fill(found)

    def _fold(self) -> None:
        """Leave the room of the facts to the pictures, or show them again."""
        self._folded = not self._folded
        self._name_fold()
        self._show_parts()

    def _name_fold(self) -> None:
        self.fold.setText(_("More facts") if self._folded else _("Fewer facts"))
        self.all.setText(_("All reductions"))

    def _show_parts(self) -> None:
        self.setVisible(self._player.twin is not None and self._room >= _TIGHT)
        for button in (self.fold, self.all):
            button.setVisible(self._room >= _ROOMY)
        self.more.setVisible(self._room >= _ROOMY and not self._folded)

    def _fill(self, found: Pair) -> None:
        for grid in (self._grid, self._facts):
            while (item := grid.takeAt(0)) is not None:
                widget = item.widget()
                if widget is not None:
                    widget.deleteLater()
        table = cells(found)
        kinds = {1: mark(found.left), 2: mark(found.right)}
        for at, row in enumerate(table):
            line = at + 1 if at == 3 else at
            for column, text in enumerate(row):
                self._grid.addWidget(self._label(text, at, column, kinds), line, column)
        self._grid.addWidget(Rule(), 3, 0, 1, -1)
        for column in range(self._grid.columnCount()):  # there may have been more of them
            self._grid.setColumnStretch(column, _FIRST_LEAF <= column < len(table[0]))
        self.result.setText(result(found))
        headings = ("", _("how it begins"), _("used for"))
        for at, row in enumerate([list(headings), *facts(found)]):
            for column, text in enumerate(row):
                self._facts.addWidget(self._fact(text, at, column), at, column)

    def _label(self, text: str, row: int, column: int, kinds: dict[int, str]) -> QLabel:
        if row == 0:
            return Field(text)
        if column == 0:
            names = {"Σ": "Reduction", "v": "Seed"}
            return _giving_way(text, names.get(kinds.get(row, ""), "Soft"))
        if column >= _FIRST_LEAF:
            values = _giving_way(text, "Plain")
            values.setFont(font(TYPE.cell, mono=True, bold=row == 3))
            values.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            values.setMinimumWidth(_VALUES)
            return values
        numbers = Mono(TYPE.cell, bold=row == 3)
        numbers.setText(text)
        numbers.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return numbers

    def _fact(self, text: str, row: int, column: int) -> QLabel:
        if row == 0:
            return Field(text)
        label = QLabel(text)
        if column == 0:
            named(label, "Reduction" if text == "Σ" else "Seed")
        label.setWordWrap(column > 0)
        label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        return label
