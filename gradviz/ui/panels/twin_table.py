"""`TwinTable`: what both ways of starting cost, and how their gradients differ."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from gradviz.cells import array_text, number
from gradviz.labels import titles
from gradviz.language import _
from gradviz.look import TYPE
from gradviz.run import Pass
from gradviz.starts import REDUCTIONS
from gradviz.twin import Comparison
from gradviz.twin.facts import mechanism, used_for
from gradviz.twin.timing import Timing
from gradviz.ui.player import Player
from gradviz.ui.widgets.labels import Elided, Field, Mono, Rule, named

_LEAVES = 3  # leaves that get a column


def cells(comparison: Comparison) -> list[list[str]]:
    """The table as text: a heading, the two ways, the difference; the first column is names."""
    left, right = comparison.reduction.done, comparison.seed_side.done
    known = titles(comparison.reduction.diagram)
    leaves = [leaf for leaf in left.grads if leaf in right.grads][:_LEAVES]
    heading = ["", _("nodes"), _("edges"), _("steps"), _("saved"), _("gradient traffic")]
    heading += [_("time")]
    heading += [f"{known.get(leaf, leaf)}.grad" for leaf in leaves]
    rows = [
        _row(done, leaves, time) for done, time in zip((left, right), comparison.times, strict=True)
    ]
    pairs = zip(_costs(left), _costs(right), strict=True)
    difference = [
        _signed(a - b) + (" B" if at > 2 and a != b else "") for at, (a, b) in enumerate(pairs)
    ]
    difference += ["", *(_distance(comparison.differences[leaf]) for leaf in leaves)]
    return [
        heading,
        [_("Σ added {name}").format(name=_(REDUCTIONS[comparison.name].title)), *rows[0]],
        [_("v injected seed"), *rows[1]],
        [_("difference"), *difference],
    ]


def _costs(done: Pass) -> list[int]:
    cost = done.cost
    return [cost.nodes, cost.edges, cost.steps, cost.saved_bytes, cost.gradient_bytes]


def _row(done: Pass, leaves: Sequence[str], time: Timing | None) -> list[str]:
    counts = [f"{n}" for n in _costs(done)[:3]]
    sizes = [f"{n:,} B" for n in _costs(done)[3:]]
    took = "" if time is None else f"{number(float(f'{time.seconds * 1e6:.2g}'))} µs"
    return [*counts, *sizes, took, *(array_text(done.grads[leaf]) for leaf in leaves)]


def remarks(comparison: Comparison) -> list[str]:
    """Under the table: the seed that the reduction is, how far nodes agree, and what each is."""
    known = titles(comparison.reduction.diagram)
    name = known.get(comparison.source, comparison.source)
    equal = _("{reduction} is the seed ∂R/∂{name} = {seed}").format(
        reduction=_(REDUCTIONS[comparison.name].title),
        name=name,
        seed=array_text(comparison.seed),
    )
    nodes = {key: gap for key, gap in comparison.pair.nodes().items() if gap is not None}
    worst = max(nodes, key=lambda key: nodes[key], default=None)
    if worst is None or nodes[worst] == 0:
        agree = _("every node that both reach has the same cotangent, to the last bit")
    else:
        agree = _("cotangents differ most at {name}, by {gap}").format(
            name=known.get(worst, worst), gap=number(nodes[worst])
        )
    sides = (("Σ", comparison.reduction, comparison.name), ("v", comparison.seed_side, None))
    told = _("{mark}  {mechanism} · {use}")
    return [f"{equal} · {agree}"] + [
        told.format(
            mark=mark,
            mechanism=mechanism(side, comparison.source),
            use=used_for(side.done.call.start, own),
        )
        for mark, side, own in sides
    ]


def _signed(value: int) -> str:
    return f"{value:+,}" if value else "0"


def _distance(value: float) -> str:
    return _("0, to the last bit") if value == 0 else number(value)


class TwinTable(QWidget):
    """Under the two canvases; hidden where there is nothing to compare."""

    def __init__(self, player: Player) -> None:
        super().__init__()
        self.setObjectName("TwinTable")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._player = player
        self._shown: Comparison | None = None
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(24)
        self._grid.setVerticalSpacing(6)
        self.remarks = [Elided(name="Soft") for _line in range(3)]
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 10, 16, 10)
        column.setSpacing(8)
        column.addLayout(self._grid)
        for label in self.remarks:
            column.addWidget(label)
        player.moved.connect(self.sync)
        self.hide()

    def retranslate(self) -> None:
        self._shown = None
        self.sync()

    def sync(self) -> None:
        found = self._player.twin
        self.setVisible(found is not None)
        if found is not None and found is not self._shown:
            self._shown = found
            self._fill(found)

    def _fill(self, found: Comparison) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        table = cells(found)
        for at, row in enumerate(table):
            line = at + 1 if at == 3 else at
            for column, text in enumerate(row):
                self._grid.addWidget(self._label(text, at, column), line, column)
        self._grid.addWidget(Rule(), 3, 0, 1, len(table[0]))
        self._grid.setColumnStretch(len(table[0]) - 1, 1)
        for label, text in zip(self.remarks, remarks(found), strict=True):
            label.setText(text)
            label.setToolTip(text)

    def _label(self, text: str, row: int, column: int) -> QLabel:
        if row == 0:
            return Field(text)
        if column == 0:
            names = {1: "Reduction", 2: "Seed"}
            return named(QLabel(text), names.get(row, "Soft"))
        label = Mono(TYPE.cell, bold=row == 3)
        label.setText(text)
        label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return label
