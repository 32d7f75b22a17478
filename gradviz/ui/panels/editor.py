"""The text editor of the code pane: line numbers, marks, the comforts of writing Python."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import (
    QDragEnterEvent,
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

from gradviz.look import TYPE
from gradviz.ui.panels.highlight import Highlighter
from gradviz.ui.theme import ThemeSource, colour, font

_INDENT = "    "
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_MARGIN, _BAR = 16, 3


class Editor(QPlainTextEdit):
    """Undo is the document's: the editor keeps none of its own."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.marked_line: int | None = None
        self.error_line: int | None = None
        self._error = ""
        self.setUndoRedoEnabled(False)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFont(font(TYPE.body, mono=True))
        self.document().setDocumentMargin(0)
        self.setTabStopDistance(4 * self.fontMetrics().horizontalAdvance(" "))
        self._numbers = _Numbers(self)
        self._highlighter = Highlighter(self.document(), theme.colours)
        self.blockCountChanged.connect(self._fit_margin)
        self.updateRequest.connect(self._numbers.follow)
        theme.changed.connect(self._recolour)
        self._fit_margin()

    def set_text(self, text: str) -> None:
        """Make this the text, changing only where it differs, so that the cursor stays near."""
        old = self.toPlainText()
        if text == old:
            return
        head = next(
            (n for n, (a, b) in enumerate(zip(old, text, strict=False)) if a != b),
            min(len(old), len(text)),
        )
        tail = 0
        while tail < min(len(old), len(text)) - head and old[-1 - tail] == text[-1 - tail]:
            tail += 1
        cursor = QTextCursor(self.document())
        cursor.setPosition(_utf16(old[:head]))
        cursor.setPosition(_utf16(old[: len(old) - tail]), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(text[head : len(text) - tail])
        self.setTextCursor(cursor)
        self.mark(self.marked_line, self.error_line, self._error)  # marks move with their text

    def mark(self, line: int | None, error_line: int | None, error: str) -> None:
        """Mark the line of the selected node, underline the one in error; lines count from 1."""
        self.marked_line, self.error_line, self._error = line, error_line, error
        selections = [self._whole(line)] if line else []
        if error_line:
            selections.append(self._underlined(error_line))
        self.setExtraSelections([s for s in selections if s is not None])
        self._numbers.update()

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
        if not self._comfort(event):
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

    def _comfort(self, event: QKeyEvent) -> bool:
        """Indents, pairs; False where the key is an ordinary one."""
        cursor, key, text = self.textCursor(), event.key(), event.text()
        before = cursor.block().text()[: cursor.positionInBlock()]
        after = cursor.block().text()[cursor.positionInBlock() :]
        if key == Qt.Key.Key_Tab and not cursor.hasSelection():
            cursor.insertText(_INDENT[len(before) % 4 :])
        elif key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            self._shift(cursor, out=key == Qt.Key.Key_Backtab)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            indent = before[: len(before) - len(before.lstrip())]
            deeper = _INDENT if before.rstrip().endswith((":", "(", "[", "{")) else ""
            cursor.insertText("\n" + indent + deeper)
        elif key == Qt.Key.Key_Backspace and not cursor.hasSelection():
            return self._erase(cursor, before, after)
        elif text and text in _PAIRS.values() and after.startswith(text):
            cursor.movePosition(QTextCursor.MoveOperation.Right)
        elif text in _PAIRS and not cursor.hasSelection() and (not after or after[0] in " )]},:"):
            cursor.insertText(text + _PAIRS[text])
            cursor.movePosition(QTextCursor.MoveOperation.Left)
        else:
            return False
        self.setTextCursor(cursor)
        self.ensureCursorVisible()
        return True

    def _erase(self, cursor: QTextCursor, before: str, after: str) -> bool:
        """Backspace takes back an indent, or both of an empty pair."""
        if before and not before.strip() and len(before) % 4 == 0:
            left, mode = QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor
            cursor.movePosition(left, mode, len(_INDENT))
            cursor.removeSelectedText()
        elif before and _PAIRS.get(before[-1]) == after[:1] and after:
            cursor.deleteChar()
            cursor.deletePreviousChar()
        else:
            return False
        self.setTextCursor(cursor)
        return True

    def _shift(self, cursor: QTextCursor, *, out: bool) -> None:
        """Move the selected lines in or out by one indent, as one change."""
        first = self.document().findBlock(cursor.selectionStart())
        last = self.document().findBlock(cursor.selectionEnd())
        edit = QTextCursor(first)
        edit.beginEditBlock()
        for number in range(first.blockNumber(), last.blockNumber() + 1):
            block = self.document().findBlockByNumber(number)
            edit.setPosition(block.position())
            if not out:
                edit.insertText(_INDENT)
                continue
            for _space in range(min(4, len(block.text()) - len(block.text().lstrip(" ")))):
                edit.deleteChar()
        edit.endEditBlock()

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


def _utf16(text: str) -> int:
    """The length of a text as Qt counts it."""
    return len(text.encode("utf-16-le")) // 2
