"""The comforts of writing Python: indents, pairs of brackets, comments."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QTextCursor

from gradviz.assist.brackets import commented

_INDENT = "    "
_PAIRS = {"(": ")", "[": "]", "{": "}"}


def pressed(event: QKeyEvent, cursor: QTextCursor) -> bool:
    """Do at the cursor what the key stands for; False where it is an ordinary one."""
    key, text = event.key(), event.text()
    before = cursor.block().text()[: cursor.positionInBlock()]
    after = cursor.block().text()[cursor.positionInBlock() :]
    if key == Qt.Key.Key_Tab and not cursor.hasSelection():
        cursor.insertText(_INDENT[len(before) % 4 :])
    elif key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
        _shift(cursor, out=key == Qt.Key.Key_Backtab)
    elif key == Qt.Key.Key_Slash and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
        _comment(cursor)
    elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        indent = before[: len(before) - len(before.lstrip())]
        deeper = _INDENT if before.rstrip().endswith((":", "(", "[", "{")) else ""
        cursor.insertText("\n" + indent + deeper)
    elif key == Qt.Key.Key_Backspace and not cursor.hasSelection():
        return _erase(cursor, before, after)
    elif text and text in _PAIRS.values() and after.startswith(text):
        cursor.movePosition(QTextCursor.MoveOperation.Right)
    elif text in _PAIRS and not cursor.hasSelection() and (not after or after[0] in " )]},:"):
        cursor.insertText(text + _PAIRS[text])
        cursor.movePosition(QTextCursor.MoveOperation.Left)
    else:
        return False
    return True


def _erase(cursor: QTextCursor, before: str, after: str) -> bool:
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
    return True


def _shift(cursor: QTextCursor, *, out: bool) -> None:
    """Move the selected lines in or out by one indent, as one change."""
    first = cursor.document().findBlock(cursor.selectionStart())
    last = cursor.document().findBlock(cursor.selectionEnd())
    edit = QTextCursor(first)
    edit.beginEditBlock()
    for number in range(first.blockNumber(), last.blockNumber() + 1):
        block = cursor.document().findBlockByNumber(number)
        edit.setPosition(block.position())
        if not out:
            edit.insertText(_INDENT)
            continue
        for _space in range(min(4, len(block.text()) - len(block.text().lstrip(" ")))):
            edit.deleteChar()
    edit.endEditBlock()


def _comment(cursor: QTextCursor) -> None:
    """Make the selected lines comments, or code again, as one change; they stay selected."""
    document = cursor.document()
    first = document.findBlock(cursor.selectionStart())
    last = document.findBlock(cursor.selectionEnd())
    lines, block = [first.text()], first
    while block.blockNumber() < last.blockNumber():
        block = block.next()
        lines.append(block.text())
    text = "\n".join(commented(lines))
    start, keep = first.position(), QTextCursor.MoveMode.KeepAnchor
    cursor.setPosition(start)
    cursor.setPosition(last.position() + last.length() - 1, keep)
    cursor.insertText(text)
    end = cursor.position()
    if len(lines) > 1:
        cursor.setPosition(start)
        cursor.setPosition(end, keep)
