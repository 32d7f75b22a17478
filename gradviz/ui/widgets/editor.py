"""The text editor of the code pane: line numbers, marks, the comforts of writing Python."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import (
    QDragEnterEvent,
    QFont,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QToolTip, QWidget

from gradviz.assist.brackets import pair_at
from gradviz.look import TYPE
from gradviz.ui.theme import ThemeSource, colour, font
from gradviz.ui.widgets import typing
from gradviz.ui.widgets.highlight import Highlighter
from gradviz.ui.widgets.positions import characters, units

_MARGIN, _BAR = 16, 3


class Editor(QPlainTextEdit):
    """Undo is the document's: the editor keeps none of its own."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.marked_line: int | None = None
        self.error_line: int | None = None
        self._error = ""
        self._pair: tuple[int, int | None] | None = None
        self.setUndoRedoEnabled(False)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFont(font(TYPE.body, mono=True))
        self.document().setDocumentMargin(0)
        self.setTabStopDistance(4 * self.fontMetrics().horizontalAdvance(" "))
        self._numbers = _Numbers(self)
        self._highlighter = Highlighter(self.document(), theme.colours)
        self.blockCountChanged.connect(self._fit_margin)
        self.cursorPositionChanged.connect(self._find_pair)
        self.updateRequest.connect(self._numbers.follow)
        theme.changed.connect(self._recolour)
        self._fit_margin()

    def set_text(self, text: str) -> None:
        """Make this the text, changing only where it differs, so that the cursor stays near."""
        old = self.toPlainText()
        if text == old:
            return
        head = _alike(old, text)
        tail = _alike(old[head:][::-1], text[head:][::-1])
        side = self.horizontalScrollBar().value()
        cursor = QTextCursor(self.document())
        cursor.setPosition(units(old[:head]))
        cursor.setPosition(units(old[: len(old) - tail]), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(text[head : len(text) - tail])
        self.setTextCursor(cursor)
        if not self.hasFocus():  # nobody types here: lines are read from where they begin
            self.horizontalScrollBar().setValue(side)
        self.mark(self.marked_line, self.error_line, self._error)  # marks move with their text

    def mark(self, line: int | None, error_line: int | None, error: str) -> None:
        """Mark the line of the selected node, underline the one in error; lines count from 1."""
        self.marked_line, self.error_line, self._error = line, error_line, error
        self._show_marks()
        self._numbers.update()

    def _show_marks(self) -> None:
        line, error_line = self.marked_line, self.error_line
        selections = [self._whole(line)] if line else []
        if error_line:
            selections.append(self._underlined(error_line))
        if self._pair is not None:
            tone = "selection_ground" if self._pair[1] is not None else "error_ground"
            selections += [self._bracket(at, tone) for at in self._pair if at is not None]
        self.setExtraSelections([s for s in selections if s is not None])

    def _find_pair(self) -> None:
        """Mark the bracket at the cursor and its partner, or that it has none."""
        before, self._pair = self._pair, None
        if self.hasFocus():
            text = self.toPlainText()
            self._pair = pair_at(text, characters(text, self.textCursor().position()))
        if self._pair != before:
            self._show_marks()

    def _bracket(self, at: int, tone: str) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.document())
        cursor.setPosition(units(self.toPlainText(), at))
        right, mode = QTextCursor.MoveOperation.NextCharacter, QTextCursor.MoveMode.KeepAnchor
        cursor.movePosition(right, mode)
        selection.cursor = cursor
        made: QTextCharFormat = selection.format
        made.setBackground(colour(getattr(self._theme.colours, tone)))
        made.setFontWeight(QFont.Weight.Bold)
        selection.format = made
        return selection

    def show_line(self, line: int) -> None:
        """Scroll so that the line is seen."""
        block = self.document().findBlockByNumber(line - 1)
        if block.isValid() and not self.viewport().rect().contains(
            self.cursorRect(QTextCursor(block))
        ):
            bar = self.verticalScrollBar()
            bar.setValue(max(0, line - 1 - bar.pageStep() // 2))

    def select_line(self, line: int) -> None:
        """Select the text of a line and scroll to it."""
        block = self.document().findBlockByNumber(line - 1)
        if block.isValid():
            text = block.text()
            cursor = QTextCursor(block)
            cursor.setPosition(block.position() + len(text) - len(text.lstrip()))
            end = QTextCursor.MoveOperation.EndOfBlock
            cursor.movePosition(end, QTextCursor.MoveMode.KeepAnchor)
            self.setTextCursor(cursor)
            self.show_line(line)

    def margin(self) -> int:
        digits = max(2, len(str(self.blockCount())))
        return _MARGIN + digits * self.fontMetrics().horizontalAdvance("9") + 20

    def paint_numbers(self, painter: QPainter, area: QRect) -> None:
        colours = self._theme.colours
        painter.fillRect(area, colour(colours.panel))
        painter.setFont(font(TYPE.label, mono=True))
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        while block.isValid() and top <= area.bottom():
            height = self.blockBoundingRect(block).height()
            line, row = block.blockNumber() + 1, QRect(0, round(top), self.margin(), round(height))
            if line == self.marked_line:
                painter.fillRect(row, colour(colours.selection_ground))
                painter.fillRect(
                    row.adjusted(0, 0, _BAR - row.width(), 0), colour(colours.selection)
                )
            painter.setPen(colour(colours.error if line == self.error_line else colours.soft))
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(row.adjusted(0, 0, -20, 0), right, str(line))
            top += height
            block = block.next()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            undo, redo = QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo
            if event.matches(undo) or event.matches(redo):
                event.ignore()  # the window's actions undo, for the whole document
                return False
        return super().event(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            line = self.cursorForPosition(event.pos()).blockNumber() + 1
            here = line == self.error_line
            QToolTip.showText(event.globalPos(), self._error if here else "", self)
            return True
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        cursor = self.textCursor()
        if typing.pressed(event, cursor):
            self.setTextCursor(cursor)
            self.ensureCursorVisible()
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.ignore()  # a file is opened by the window, not pasted as its address
        else:
            super().dragEnterEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        inner = self.contentsRect()
        self._numbers.setGeometry(QRect(inner.topLeft(), QSize(self.margin(), inner.height())))

    def _whole(self, line: int) -> QTextEdit.ExtraSelection | None:
        selection = self._selection(line)
        if selection is not None:
            made: QTextCharFormat = selection.format
            made.setBackground(colour(self._theme.colours.selection_ground))
            made.setProperty(QTextFormat.Property.FullWidthSelection, True)
            selection.format = made
        return selection

    def _underlined(self, line: int) -> QTextEdit.ExtraSelection | None:
        selection = self._selection(line)
        if selection is not None:
            cursor: QTextCursor = selection.cursor
            text = cursor.block().text()
            start = cursor.block().position() + len(text) - len(text.lstrip())
            cursor.setPosition(start)
            cursor.movePosition(
                QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor
            )
            selection.cursor = cursor
            made: QTextCharFormat = selection.format
            made.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            made.setUnderlineColor(colour(self._theme.colours.error))
            selection.format = made
        return selection

    def _selection(self, line: int) -> QTextEdit.ExtraSelection | None:
        block = self.document().findBlockByNumber(line - 1)
        if not block.isValid():
            return None
        selection = QTextEdit.ExtraSelection()
        selection.cursor = QTextCursor(block)
        return selection

    def _fit_margin(self) -> None:
        self.setViewportMargins(self.margin(), 0, 0, 0)

    def _recolour(self) -> None:
        self._highlighter.set_colours(self._theme.colours)
        self.mark(self.marked_line, self.error_line, self._error)


class _Numbers(QWidget):
    """The strip of line numbers."""

    def __init__(self, editor: Editor) -> None:
        super().__init__(editor)
        self._editor = editor

    def follow(self, rect: QRect, dy: int) -> None:
        if dy:
            self.scroll(0, dy)
        else:
            self.update(0, rect.y(), self.width(), rect.height())

    def sizeHint(self) -> QSize:
        return QSize(self._editor.margin(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self._editor.paint_numbers(painter, event.rect())

    def mousePressEvent(self, event: object) -> None:
        del event  # a click beside the text does nothing


def _alike(one: str, other: str) -> int:
    """How many letters two texts begin with alike; found by halving, as texts may be long."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low
