"""What the guide's pages are made of: code, printed output, gradients, a column that scrolls."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent, QTextOption
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from gradviz.cells import shape_text
from gradviz.guide.snippet import PREFIX, code
from gradviz.guide.subject import Subject
from gradviz.guide.ways import Outcome
from gradviz.language import _, ngettext
from gradviz.look import TYPE
from gradviz.ui.panels.guide.desk import Desk
from gradviz.ui.running.errands import Failed
from gradviz.ui.theme import ThemeSource, font
from gradviz.ui.widgets.cells import Cells
from gradviz.ui.widgets.highlight import Highlighter
from gradviz.ui.widgets.labels import Elided, Mono, named

_LEAVES = 3  # whose gradients are shown
_NAME = 160  # px of a leaf's name
_PAD = 10


class CodeView(QPlainTextEdit):
    """Code to read and copy, as high as its lines."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self.setObjectName("GuideCode")
        self._theme = theme
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setFont(font(TYPE.cell, mono=True))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(_PAD)
        self._colours = Highlighter(self.document(), theme.colours)
        theme.changed.connect(self._recolour)

    def show_code(self, text: str) -> None:
        if text.rstrip() != self.toPlainText():
            self.setPlainText(text.rstrip())
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        layout, block, height = self.document().documentLayout(), self.document().begin(), 0.0
        while block.isValid():
            height += layout.blockBoundingRect(block).height()
            block = block.next()
        high = round(height) + _PAD + 2  # the margin above is in the first line
        if high != self.height():
            self.setFixedHeight(high)

    def _recolour(self) -> None:
        self._colours.set_colours(self._theme.colours)


class Grads(QWidget):
    """Each leaf's name and its gradient; a sentence where there is none."""

    def __init__(self, theme: ThemeSource, *, narrow: bool = False) -> None:
        super().__init__()
        self.setObjectName("Grads")
        self.rows = [(Elided(), Cells(theme, "gradient")) for _row in range(_LEAVES)]
        self.note = named(QLabel(), "Soft")
        self.error = named(QLabel(), "FieldError")
        for label in (self.note, self.error):
            label.setWordWrap(True)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        for row, (name, cells) in enumerate(self.rows):
            name.setFont(font(TYPE.cell, mono=True))
            name.setMaximumWidth(_NAME)
            self._grid.addWidget(name, 2 * row, 0, Qt.AlignmentFlag.AlignTop)
            if narrow:  # the name stands over the cells
                self._grid.addWidget(cells, 2 * row + 1, 0, 1, 2)
            else:
                self._grid.addWidget(cells, 2 * row, 1)
        self._grid.addWidget(self.note, 2 * _LEAVES, 0, 1, 2)
        self._grid.addWidget(self.error, 2 * _LEAVES + 1, 0, 1, 2)

    def show_outcome(self, found: Outcome | None, *, form: str = "{leaf}.grad") -> None:
        """Show it; None while it is being found. `form` is how each leaf's is called."""
        grads = found.grads if found else ()
        for at, (name, cells) in enumerate(self.rows):
            there = at < len(grads)
            name.setVisible(there)
            cells.setVisible(there)
            if there:
                name.setText(form.format(leaf=grads[at][0]))
                name.setToolTip(name.text())
                cells.show_array(grads[at][1], flat=True)
                cells.setAccessibleName(grads[at][0])
        note = _("running…") if found is None else found.note
        if len(grads) > _LEAVES:
            count = len(grads) - _LEAVES
            more = ngettext("and {count} more leaf", "and {count} more leaves", count)
            more = more.format(count=count)
            note = f"{note}; {more}" if note else more
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.error.setText(found.error if found else "")
        self.error.setVisible(bool(found and found.error))


class ScriptCard(QFrame):
    """A script of the guide: what it is, its code, what it printed, and a button that opens it."""

    def __init__(self, desk: Desk, *, tone: str = "", wide: bool = False) -> None:
        super().__init__()
        self.setObjectName("GuideCard")
        self.setProperty("tone", tone)
        self._desk = desk
        self._name = ""
        self.title = named(QLabel(), "CardTitle")
        self.title.setWordWrap(True)
        self.badge = named(QLabel(), "GuideBadge")
        self.badge.setProperty("tone", tone)
        self.code = CodeView(desk.theme)
        self.printed = Mono(TYPE.cell)
        self.error = Mono(TYPE.cell)
        self.error.setObjectName("FieldError")
        for label in (self.printed, self.error):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.grads = named(QLabel(), "Soft")
        self.open = QPushButton()
        self.open.clicked.connect(self._open)
        self._lay_out(wide)

    def describe(self, name: str, title: str, badge: str = "") -> None:
        """Be about this script of the guide."""
        self._name = name
        self.title.setText(title)
        self.title.setVisible(bool(title))
        self.badge.setText(badge)
        self.badge.setVisible(bool(badge))
        self.code.show_code(code(name))
        self.code.setAccessibleName(title or name)
        self.open.setText(_("Open it"))
        self.open.setAccessibleDescription(title or name)

    def sync(self) -> None:
        """Show what the script printed, as far as it is known."""
        told = self._desk.told(self._name)
        if told is None or isinstance(told, Failed):
            self.printed.setText(_("running…") if told is None else "")
            self.error.setText("" if told is None else told.sentence)
            self.grads.setText("")
        else:
            self.printed.setText(told.printed.rstrip())
            self.error.setText(told.error)
            self.grads.setText("   ".join(told.grads))
        for label in (self.printed, self.error):
            label.setVisible(bool(label.text()))

    def _lay_out(self, wide: bool) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title, 1)
        head.addWidget(self.badge, 0, Qt.AlignmentFlag.AlignTop)
        foot = QHBoxLayout()
        foot.addWidget(self.grads, 1)
        foot.addWidget(self.open)
        column = QVBoxLayout()
        column.setSpacing(6)
        outer = QHBoxLayout(self) if wide else QVBoxLayout(self)
        outer.setContentsMargins(14, 10, 14, 10)
        outer.setSpacing(16 if wide else 6)
        if wide:  # what came of it stands beside the code
            outer.addWidget(self.code, 3, Qt.AlignmentFlag.AlignTop)
            outer.addLayout(column, 2)
            column.addLayout(head)
        else:
            outer.addLayout(head)
            outer.addWidget(self.code)
            outer.addLayout(column, 1)
        column.addWidget(self.printed)
        column.addWidget(self.error)
        column.addStretch(1)
        column.addLayout(foot)

    def _open(self) -> None:
        self._desk.open_asked.emit(PREFIX + self._name)


def breakable(code: str) -> str:
    """Code for a label: a line may end after a bracket, a dot or a comma too."""
    return re.sub(r"([(.,])(?=\S)", "\\1\N{ZERO WIDTH SPACE}", code)


def scrolling(inner: QWidget) -> QScrollArea:
    """A page that scrolls up and down where it is higher than its room."""
    area = QScrollArea()
    area.setObjectName("PageArea")
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    inner.setObjectName("PageArea")
    area.setWidget(inner)
    return area


def about_text(about: Subject | None) -> str:
    """A line that says what output the page is about."""
    if about is None:
        return _("running…")
    if about.own:
        sentence = _("About {y}, of shape {shape}.")
    else:
        sentence = _(
            "No output here has a gradient, so this is about the article's {y}, of shape {shape}."
        )
    return sentence.format(y=about.name, shape=shape_text(about.value.shape))
