"""Colours for Python with PyTorch in the code pane."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterator

from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat, QTextDocument

from gradviz.look import Palette
from gradviz.ui.theme import colour

_TOKEN = re.compile(
    r"""(?P<comment>\#.*)
    |(?P<string>(?:\b[rbfuRBFU]{1,2})?(?:'''|\"\"\"|'(?:\\.|[^'\\])*'?|"(?:\\.|[^"\\])*"?))
    |(?P<number>\b(?:0[xX][\da-fA-F_]+|\d[\d_]*\.?[\d_]*(?:[eE][+-]?\d+)?)j?|\.\d[\d_]*(?:[eE][+-]?\d+)?)
    |(?P<word>[^\W\d]\w*)""",
    re.VERBOSE,
)
_KEYWORDS = frozenset(keyword.kwlist)
_CALLS = frozenset(name for name in dir(builtins) if name.islower())
_PLAIN, _IN_SINGLE, _IN_DOUBLE = 0, 1, 2


def tokens(line: str, state: int = _PLAIN) -> Iterator[tuple[int, int, str, int]]:
    """(start, length, kind, state after) of what is coloured; states are open long strings."""
    at = 0
    while at < len(line):
        if state != _PLAIN:
            end = line.find("'''" if state == _IN_SINGLE else '"""', at)
            stop = len(line) if end < 0 else end + 3
            after = state if end < 0 else _PLAIN
            yield at, stop - at, "string", after
            at, state = stop, after
            continue
        found = _TOKEN.search(line, at)
        if found is None:
            return
        kind, text = found.lastgroup or "", found.group()
        at = found.end()
        if kind == "string" and text.endswith(("'''", '"""')):
            state = _IN_SINGLE if text.endswith("'''") else _IN_DOUBLE
            yield found.start(), len(text), kind, state
            continue
        if kind == "word":
            kind = _word(text, line[at:].lstrip())
        if kind:
            yield found.start(), len(text), kind, _PLAIN


def _word(text: str, rest: str) -> str:
    if text in _KEYWORDS:
        return "keyword"
    return "call" if text in _CALLS and rest.startswith("(") else ""


class Highlighter(QSyntaxHighlighter):
    """Colours a document in the tokens of a theme."""

    def __init__(self, document: QTextDocument, colours: Palette) -> None:
        super().__init__(document)
        self._formats: dict[str, QTextCharFormat] = {}
        self.set_colours(colours)

    def set_colours(self, colours: Palette) -> None:
        inks = {
            "keyword": colours.seed,
            "number": colours.selection,
            "string": colours.leaf,
            "comment": colours.soft,
            "call": colours.selection,
        }
        for kind, ink in inks.items():
            self._formats[kind] = QTextCharFormat()
            self._formats[kind].setForeground(colour(ink))
        self._formats["comment"].setFontItalic(True)
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        state = max(_PLAIN, self.previousBlockState())
        for start, length, kind, after in tokens(text, state):
            self.setFormat(start, length, self._formats[kind])
            state = after
        self.setCurrentBlockState(state)
