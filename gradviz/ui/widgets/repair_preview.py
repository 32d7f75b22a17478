"""`RepairPreview`: the lines that a repair changes, and what every leaf's gradient would be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent, QTextCursor, QTextFormat
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QPlainTextEdit,
    QTableWidget,
    QTableWidgetItem,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from gradviz.cells import array_text
from gradviz.language import _
from gradviz.look import TYPE
from gradviz.run import Array
from gradviz.ui.theme import ThemeSource, colour, font
from gradviz.ui.widgets.labels import named

if TYPE_CHECKING:
    from gradviz.doctor.changes import Change
    from gradviz.doctor.finding import Repair

_LINES = 7  # of a change, before it scrolls
_TIP = 24  # lines of a tool tip
_ROW, _MARGIN = 24, 4  # px of a row of the table, and around a change


class RepairPreview(QWidget):
    """Empty until a repair is shown."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._changes: tuple[Change, ...] = ()
        self.text = QPlainTextEdit()
        self.text.setObjectName("Diff")
        self.text.setReadOnly(True)
        self.text.setFont(font(TYPE.cell, mono=True))
        self.text.document().setDocumentMargin(_MARGIN)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.remark = named(QLabel(), "Soft")
        self.warning = named(QLabel(), "Warning")
        for label in (self.remark, self.warning):
            label.setWordWrap(True)
        self.table = _table()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for widget in (self.remark, self.text, self.warning):
            column.addWidget(widget)
        column.addWidget(self.table, 1)
        theme.changed.connect(self._colour)
        self.retranslate()

    def retranslate(self) -> None:
        self.text.setAccessibleName(_("What the repair changes"))
        self.table.setAccessibleName(_("What every gradient would be"))
        self.table.setHorizontalHeaderLabels(
            [_("gradient"), _("now"), _("then")],
        )

    def show_repair(self, repair: Repair, source: str, grads: Mapping[str, Array]) -> None:
        """Show it for this script; `grads` are the gradients as they are now."""
        from gradviz.doctor.changes import changes

        self._changes = tuple(changes(source, repair))
        self._show_changes()
        drawn = repair.diagram is not None
        self.remark.setVisible(drawn or not repair.grads)
        unknown = _("What the gradients are at the end is not known here.")
        chosen = _("It changes how the pass runs in the app; a script stays as it is.")
        self.remark.setText(chosen if drawn else unknown)
        self.table.setVisible(bool(repair.grads))
        error = repair.error
        self.warning.setVisible(error is not None)
        if error is not None:
            said = error.message.partition("\n")[0]
            self.warning.setText(
                _("After that, line {line}: {type}: {message}").format(
                    line=error.line, type=error.type, message=said
                )
            )
        self._show_grads(repair.grads, grads)

    def _show_changes(self) -> None:
        digits = max((len(str(change.line)) for change in self._changes), default=1)
        self.text.setPlainText(
            "\n".join(f"{c.line:>{digits}} {c.sign} {c.text}" for c in self._changes)
        )
        self.text.setVisible(bool(self._changes))
        self._fit()
        self._colour()

    def _fit(self) -> None:
        """Make the field as high as its lines, and its scroll bar where one is too long."""
        document = self.text.document()
        block = self.text.blockBoundingRect(document.firstBlock())
        lines = min(len(self._changes), _LINES)
        long = document.size().width() > self.width() - 4
        bar = self.text.horizontalScrollBar().sizeHint().height() if long else 0
        self.text.setFixedHeight(ceil(lines * block.height()) + 2 * _MARGIN + 4 + bar)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _colour(self) -> None:
        """What goes on red, what comes on green, as wide as the field."""
        colours = self._theme.colours
        grounds = {"-": colours.error_ground, "+": colours.leaf_ground}
        inks = {"-": colours.error, "+": colours.leaf}
        selections = []
        for at, change in enumerate(self._changes):
            selection = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.text.document().findBlockByNumber(at))
            made = selection.format
            made.setBackground(colour(grounds[change.sign]))
            made.setProperty(QTextFormat.Property.FullWidthSelection, True)
            selection.format, selection.cursor = made, cursor
            selections.append(selection)
            letters = QTextEdit.ExtraSelection()
            cursor = QTextCursor(cursor)
            cursor.movePosition(
                QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor
            )
            made = letters.format
            made.setForeground(colour(inks[change.sign]))
            letters.format, letters.cursor = made, cursor
            selections.append(letters)
        self.text.setExtraSelections(selections)

    def _show_grads(self, after: Mapping[str, Array], before: Mapping[str, Array]) -> None:
        names = list(dict.fromkeys((*before, *after)))
        self.table.setRowCount(len(names))
        for row, name in enumerate(names):
            now, then = before.get(name), after.get(name)
            cells = (f"{name}.grad", _written(now), _written(then))
            for column, text in enumerate(cells):
                item = QTableWidgetItem(text)
                item.setToolTip(text)
                if column == 2 and not _same(now, then):
                    item.setFont(font(TYPE.cell, mono=True, bold=True))
                self.table.setItem(row, column, item)


def _table() -> QTableWidget:
    table = QTableWidget(0, 3)
    table.setObjectName("Gradients")
    table.setFont(font(TYPE.cell, mono=True))
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(_ROW)
    header = table.horizontalHeader()
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    header.setHighlightSections(False)
    header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
    return table


def _written(array: Array | None) -> str:
    return "None" if array is None else array_text(array)


def _same(one: Array | None, other: Array | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.shape == other.shape and bool(np.array_equal(one, other, equal_nan=True))


def grads_line(grads: Mapping[str, Array], *, most: int) -> str:
    """Gradients on one line, such as `x.grad = [7, 9]`; how many more there are."""
    parts = [f"{name}.grad = {array_text(grad)}" for name, grad in list(grads.items())[:most]]
    if len(grads) > most:
        parts.append(_("and {count} more").format(count=len(grads) - most))
    return "   ".join(parts)


def grads_lines(grads: Mapping[str, Array], before: Mapping[str, Array]) -> Sequence[str]:
    """One line for each gradient, with what it is now, as many as a tool tip holds."""
    lines = [
        f"{name}.grad: {_written(before.get(name))} → {array_text(grad)}"
        for name, grad in list(grads.items())[:_TIP]
    ]
    if len(grads) > _TIP:
        lines.append(_("and {count} more").format(count=len(grads) - _TIP))
    return lines
