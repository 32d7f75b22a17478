"""`CodePane`: the script, its error where it happens, and the line of the selected node."""

from __future__ import annotations

import builtins
from dataclasses import replace

from PySide6.QtCore import QElapsedTimer, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from gradviz.language import _
from gradviz.run import Failure
from gradviz.ui.documents.document import Document
from gradviz.ui.player import Player
from gradviz.ui.selection import Selection
from gradviz.ui.theme import ThemeSource
from gradviz.ui.widgets.assistant import Assistant
from gradviz.ui.widgets.editor import Editor
from gradviz.ui.widgets.find_bar import FindBar
from gradviz.ui.widgets.labels import Heading, named

_PAUSE_MS = 1200  # typing after a pause that long is undone by itself


class CodePane(QWidget):
    """Typing edits the document's source; what the document says goes into the editor."""

    def __init__(
        self, document: Document, player: Player, selection: Selection, theme: ThemeSource
    ) -> None:
        super().__init__()
        self.setObjectName("CodePane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._document, self._player, self._selection = document, player, selection
        self._since = QElapsedTimer()
        self._burst = 0
        self._lines = 1
        self._opening = False
        self.heading = Heading()
        self.editor = Editor(theme)
        self.editor.setObjectName("Code")
        self.assistant = Assistant(self.editor, theme)
        self.find_bar = FindBar(self.editor)
        self.error = named(QLabel(), "CodeError")
        self.error.setWordWrap(True)
        self.error.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.head = QHBoxLayout()  # others may put something beside the heading
        self.head.setContentsMargins(0, 0, 8, 0)
        self.head.addWidget(self.heading, 1)
        column.addLayout(self.head)
        column.addWidget(self.editor, 1)
        column.addWidget(self.find_bar)
        column.addWidget(self.error)
        self.setFocusProxy(self.editor)
        self.editor.textChanged.connect(self._typed)
        document.changed.connect(self._sync_text)
        player.moved.connect(self._sync_marks)
        selection.changed.connect(self._sync_marks)
        self.retranslate()

    def retranslate(self) -> None:
        self.heading.setText(_("Code"))
        self.editor.setAccessibleName(_("Script"))
        self.find_bar.retranslate()
        self.editor.setPlaceholderText(_("Paste or write a PyTorch script"))

    def opening(self) -> None:
        """The next text is another document's: it is read from its start."""
        self._opening = True

    def go_to(self, line: int) -> None:
        """Select the text of a line and bring it into sight."""
        self.editor.select_line(line)

    def _typed(self) -> None:
        text = self.editor.toPlainText()
        diagram = self._document.diagram
        if text == (diagram.source or ""):
            return
        lines = self.editor.blockCount()
        paused = not self._since.isValid() or self._since.elapsed() > _PAUSE_MS
        if paused or lines != self._lines:
            self._burst += 1
        self._since.restart()
        self._lines = lines
        edited = replace(diagram, source=text, drawn=False)
        self._document.edit(_("Typing"), edited, merge=f"typing {self._burst}")

    def _sync_text(self) -> None:
        self.editor.set_text(self._document.diagram.source or "")
        self._lines = self.editor.blockCount()
        if self._opening:
            self._opening = False
            self.editor.moveCursor(QTextCursor.MoveOperation.Start)

    def _sync_marks(self) -> None:
        failure = self._player.run.error
        line = self._line()
        where = failure.line if failure else None
        text = told(failure) if failure else ""
        if (line, where) != (self.editor.marked_line, self.editor.error_line):
            self.editor.mark(line, where, text)
            if line and line != self.editor.textCursor().blockNumber() + 1:
                self.editor.show_line(line)
        elif text != self.error.text():
            self.editor.mark(line, where, text)
        prefix = _("line {line}").format(line=where) + "  " if where else ""
        self.error.setText(prefix + _short(text))
        self.error.setToolTip(text)
        self.error.setVisible(bool(text))

    def _line(self) -> int | None:
        """The line of the selected node, else of the node of this step."""
        key = self._selection.node
        if key is None and self._player.step is not None:
            key = self._player.step.node
        node = self._player.diagram.nodes.get(key) if key else None
        return node.line if node else None


def told(failure: Failure) -> str:
    """An error of Python as Python says it; one of the sandbox as a sentence."""
    if failure.type == "Cancelled":
        return _("The script was stopped.")
    if isinstance(getattr(builtins, failure.type, None), type):
        return f"{failure.type}: {failure.message}"
    return failure.message


def _short(text: str) -> str:
    """The first sentence of a long message."""
    head, _dot, rest = text.partition(". ")
    return head + "…" if len(text) > 160 and rest else text
