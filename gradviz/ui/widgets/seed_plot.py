"""`SeedPlot`: a seed as bars, or with its output as two maps and a table."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QStackedWidget, QWidget

from gradviz.language import _
from gradviz.run import Array
from gradviz.ui.theme import ThemeSource
from gradviz.ui.widgets.labels import Field, named
from gradviz.ui.widgets.number_table import NumberTable
from gradviz.ui.widgets.seed_bars import Bars
from gradviz.ui.widgets.seed_map import SeedMap

MOST_BARS = 32


class SeedPlot(QStackedWidget):
    """Bars for vectors of up to `MOST_BARS` components, maps and a table for everything else.

    `pressed(k)`, `dragged(k, value)`, `released()` follow a drag of a component, `onehot(k)` a
    click on one of the output, `typed(k, text)` a number typed into the table.
    """

    pressed = Signal(int)
    dragged = Signal(int, float)
    released = Signal()
    onehot = Signal(int)
    typed = Signal(int, str)

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self.chosen = 0
        self._v: Array | None = None
        self.bars = Bars(theme)
        self.output, self.seed = SeedMap(theme, "value"), SeedMap(theme, "gradient", drags=True)
        self.table = NumberTable(theme)
        self.output_label, self.seed_label = Field(), Field()
        self.hint = QLabel()
        maps = QWidget()
        grid = QGridLayout(maps)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(2)
        for column, (label, widget) in enumerate(
            ((self.output_label, self.output), (self.seed_label, self.seed))
        ):
            grid.addWidget(label, 0, column)
            grid.addWidget(widget, 1, column)
            grid.setColumnStretch(column, 1)
        row = QHBoxLayout()
        row.addWidget(self.table)
        grid.addLayout(row, 0, 2, 2, 1)
        grid.setColumnStretch(2, 1)
        self.nothing = named(QLabel(), "Soft")
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.nothing.setWordWrap(True)
        self.pages = (self.bars, maps, self.nothing)
        for page in self.pages:
            self.addWidget(page)
        self._connect()

    def show_seed(self, v: Array | None, y: Array | None, name: str, other: Array | None) -> None:
        """Show v over the output y called `name`; `other` is drawn with it to compare."""
        drawable = v is not None and y is not None and v.size > 0 and v.dtype.kind in "fiub"
        if v is None or y is None or not drawable:
            self._v = None
            self.nothing.setText(_why_not(v))
            self.setCurrentWidget(self.nothing)
            return
        if self._v is None or self._v.shape != v.shape:
            self.chosen = 0
        self._v = v
        self.chosen = min(self.chosen, v.size - 1)
        if v.ndim < 2 and v.size <= MOST_BARS:
            self.setCurrentWidget(self.pages[0])
            self.bars.show_vector(v, y, name, other)
            return
        self.setCurrentWidget(self.pages[1])
        columns = v.shape[-1] if v.ndim > 1 else v.size
        shown = v if other is None else v - other
        self.output_label.setText(_("{name}: a click makes it one-hot").format(name=name))
        self.seed_label.setText(
            _("v: drag a square up or down") if other is None else _("v, less the one laid over it")
        )
        self.output.show_matrix(y.reshape(-1, columns), self.chosen)
        self.seed.show_matrix(shown.reshape(-1, columns), self.chosen)
        self.table.show_matrix(v.reshape(-1, columns))
        self.table.choose(self.chosen)

    def _connect(self) -> None:
        for plot in (self.bars, self.seed):
            plot.pressed.connect(self.pressed)
            plot.dragged.connect(self.dragged)
            plot.released.connect(self.released)
        self.bars.pressed.connect(self._choose)
        self.bars.picked.connect(self._choose)
        self.bars.picked.connect(self.onehot)
        self.seed.picked.connect(self._choose)
        self.output.picked.connect(self._choose)
        self.output.picked.connect(self.onehot)
        self.table.picked.connect(self._choose)
        self.table.typed.connect(self.typed)

    def _choose(self, k: int) -> None:
        self.chosen = k


def _why_not(v: Array | None) -> str:
    """Why a seed has no picture."""
    if v is None:
        return ""
    if not v.size:
        return _("The output has no elements, and neither has its seed.")
    return _("Complex seeds are not drawn. The script can give one, or a file.")
