"""`Console`: what the script printed, and the error that ended it."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from gradviz.language import _
from gradviz.look import TYPE
from gradviz.run import Run
from gradviz.ui.player import Player
from gradviz.ui.theme import ThemeSource, colour, font
from gradviz.ui.widgets.labels import Heading, named


def pieces(run: Run) -> Iterator[tuple[str, str]]:
    """(text, the token of its ink) in the order in which it appeared."""
    for printed in run.console:
        yield printed.text, "ink" if printed.stream == "stdout" else "reduction"
    if run.error is not None:
        text = run.error.traceback or f"{run.error.type}: {run.error.message}"
        yield text.rstrip("\n") + "\n", "error"


class Console(QWidget):
    """Shows the run on screen; it is read, selected and copied, never written."""

    def __init__(self, player: Player, theme: ThemeSource) -> None:
        super().__init__()
        self.setObjectName("ConsolePane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._player, self._theme = player, theme
        self._shown: tuple[object, object] | None = None
        self.heading = Heading()
        self.text = named(QPlainTextEdit(), "Console")
        self.text.setReadOnly(True)
        self.text.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.text.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.text.setUndoRedoEnabled(False)
        self.text.setFont(font(TYPE.cell, mono=True))
        self.text.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.text.document().setDocumentMargin(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.heading)
        inner = QVBoxLayout()
        inner.setContentsMargins(16, 0, 4, 8)
        inner.addWidget(self.text)
        column.addLayout(inner, 1)
        player.moved.connect(self._sync)
        theme.changed.connect(self._fill)
        self.retranslate()

    def retranslate(self) -> None:
        self.heading.setText(_("Console"))
        self.text.setAccessibleName(_("Console"))

    def _sync(self) -> None:
        run = self._player.run
        shown = (run.console, run.error)
        if self._shown is None or any(a is not b for a, b in zip(shown, self._shown, strict=True)):
            self._shown = shown
            self._fill()

    def _fill(self) -> None:
        self.text.clear()
        cursor = QTextCursor(self.text.document())
        for text, ink in pieces(self._player.run):
            made = QTextCharFormat()
            made.setForeground(colour(getattr(self._theme.colours, ink)))
            cursor.insertText(text, made)
        bar = self.text.verticalScrollBar()
        bar.setValue(bar.maximum())
