"""The page "Scalar or not": seed times Jacobian, with the numbers of the output."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

from gradviz.cells import array_text, number
from gradviz.guide.ways import Array, Outcome, Way, start_of
from gradviz.language import _
from gradviz.look import FULL_NUMBERS, TYPE
from gradviz.ui.panels.guide.desk import Desk
from gradviz.ui.panels.guide.parts import about_text, scrolling
from gradviz.ui.theme import ThemeSource
from gradviz.ui.widgets.cells import Cells
from gradviz.ui.widgets.labels import Field, Mono, named

_TERMS = 4  # weights, and elements of a row, that are written out


class Product(QFrame):
    """A seed, a Jacobian and their product in a row, with what each is under it."""

    def __init__(self, theme: ThemeSource, tone: str) -> None:
        super().__init__()
        self.setObjectName("GuideCard")
        self.title = named(QLabel(), "CardTitle")
        self.text = named(QLabel(), "Soft")
        self.text.setWordWrap(True)
        self.code, self.terms = Mono(TYPE.cell, bold=True), Mono(TYPE.cell)
        self.terms.setWordWrap(True)
        self.terms.hide()
        self.factors = [Cells(theme, "gradient") for _factor in range(3)]
        self.names = [Field() for _factor in range(3)]
        self.names[0].setObjectName("Seed" if tone == "seed" else "Reduction")
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        top = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft
        for at, (cells, name) in enumerate(zip(self.factors, self.names, strict=True)):
            grid.addWidget(name, 0, 2 * at)
            grid.addWidget(cells, 1, 2 * at, top)
            if at < 2:
                sign = Mono(16, bold=True)
                sign.setText("·="[at])
                grid.addWidget(sign, 1, 2 * at + 1, top)
        grid.setColumnStretch(6, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(6)
        column.addWidget(self.title)
        column.addWidget(self.text)
        column.addWidget(self.code)
        column.addSpacing(4)
        column.addLayout(grid)
        column.addWidget(self.terms)

    def show_product(self, *factors: Array | None) -> None:
        """Show the three, and the sum of weighted rows where it is short; None is not known yet."""
        seed, matrix, product = factors
        terms = ""
        if seed is not None and matrix is not None and product is not None:
            terms = _terms(seed.reshape(-1), matrix, product.reshape(-1))
        self.terms.setText(terms)
        self.terms.setVisible(bool(terms))
        for cells, factor in zip(self.factors, factors, strict=True):
            cells.show_array(factor)
            cells.setFixedWidth(max(cells.sizeHint().width(), 48))


class VjpPage(QWidget):
    """Above, the scalar that sum makes, and its seed 1; below, the output itself and a seed v."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.about = named(QLabel(), "Soft")
        self.about.setWordWrap(True)
        self.scalar = Product(desk.theme, "reduction")
        self.vector = Product(desk.theme, "seed")
        self.note = named(QLabel(), "Soft")
        self.note.setWordWrap(True)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(24, 0, 24, 16)
        column.setSpacing(12)
        column.addWidget(self.about)
        for part in (self.scalar, self.vector):
            column.addWidget(part)
        column.addWidget(self.note)
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
        total, seeded = self._desk.outcome(Way("sum")), self._desk.outcome(Way("weights"))
        rows = self._desk.outcome(Way("jacobian"))
        leaf = about.leaves[0][1]
        y, seed = about.name, start_of(Way("weights"), about).values
        v = np.ones_like(about.value) if seed is None else seed
        gradient = _first(total)
        flat = None if gradient is None else gradient.reshape(1, -1)
        self.scalar.show_product(np.ones((1, 1), dtype=about.value.dtype), flat, flat)
        matrix = _first(rows)
        shown = None
        data = about.diagram.nodes[about.leaves[0][0]].data
        if matrix is not None and data is not None:
            shown = matrix.reshape(-1, max(data.size, 1))
        product = _first(seeded)
        self.vector.show_product(
            v.reshape(-1, 1) if v.size <= FULL_NUMBERS else v.reshape(-1),
            shown,
            None if product is None else product.reshape(1, -1),
        )
        self._name(y, leaf)
        parts = [each.error or each.note for each in (rows, seeded) if each]
        self.note.setText(next((part for part in parts if part), ""))

    def retranslate(self) -> None:
        self.scalar.title.setText(_("A scalar: the seed is 1, and PyTorch sets it by itself"))
        self.scalar.text.setText(
            _(
                "The Jacobian of one number has one row. Whatever multiplies it can only be one"
                " number, and 1 leaves the row as it is."
            )
        )
        self.vector.title.setText(_("Not a scalar: there is a row for each element"))
        self.vector.text.setText(
            _(
                "One pass gives v times J, one sum of the rows, and never J itself. Which sum is"
                " for you to say: that is the seed v."
            )
        )
        self.sync()

    def _name(self, y: str, leaf: str) -> None:
        self.scalar.code.setText(f"{y}.sum().backward()")
        self.vector.code.setText(f"{y}.backward(gradient=v)")
        for part, names in (
            (self.scalar, (_("seed 1"), f"∂({y}.sum())/∂{leaf}", f"{leaf}.grad")),
            (self.vector, (_("seed v"), f"J = ∂{y}/∂{leaf}", f"{leaf}.grad")),
        ):
            for label, text in zip(part.names, names, strict=True):
                label.setText(text)


def _terms(seed: Array, matrix: Array, product: Array) -> str:
    """The rows, each times its weight, and their sum; "" where that is one row or long."""
    if not 2 <= seed.size <= _TERMS or product.size > _TERMS or len(matrix) != seed.size:
        return ""
    rows = (f"{number(v)} · {array_text(row)}" for v, row in zip(seed, matrix, strict=True))
    return f"{' + '.join(rows)} = {array_text(product)}"


def _first(found: Outcome | None) -> Array | None:
    """The gradient of the first leaf, where it is known."""
    return found.grads[0][1] if found and found.grads else None
