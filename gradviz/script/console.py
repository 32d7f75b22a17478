"""`Console`: what a script prints and is warned of, kept with its lines."""

from __future__ import annotations

import warnings
from typing import Any, Literal, TextIO

from gradviz.language import N_, _
from gradviz.run import Printed
from gradviz.script.where import FILENAME, where

CUT = N_("… the rest of the output is left out: it is over {limit} characters")
MAX_PIECES = 50_000
Stream = Literal["stdout", "stderr"]


class Console:
    """Pieces of output in order. Beyond `limit` characters one sentence stands for the rest.

    `filename` is what warnings call the script.
    """

    def __init__(self, filename: str, *, limit: int) -> None:
        self._filename = filename
        self._limit = limit
        self._left = limit
        self._pieces: list[tuple[list[str], int | None, Stream]] = []
        self._warned: set[tuple[str, type[Warning], int | None]] = set()

    def printed(self) -> tuple[Printed, ...]:
        """What was written so far; pieces from one line, written one after the other, are one."""
        return tuple(
            Printed("".join(texts), line, stream) for texts, line, stream in list(self._pieces)
        )

    def show(self, *values: Any, sep: Any = " ", end: Any = "\n", flush: bool = False) -> None:
        """`print`, without its `file`."""
        between = " " if sep is None else sep
        last = "\n" if end is None else end
        for given, name in ((between, "sep"), (last, "end")):
            if not isinstance(given, str):
                raise TypeError(f"{name} must be None or a string, not {type(given).__name__}")
        self._write(between.join([str(value) for value in values]) + last, "stdout", where())

    def warn(
        self,
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        """Takes the place of `warnings.showwarning`: as Python shows it, once a line."""
        at = lineno if filename == FILENAME else where()
        key = (str(message), category, at)
        if key in self._warned:
            return
        self._warned.add(key)
        text = warnings.formatwarning(message, category, FILENAME, at or 0)
        self._write(text.replace(FILENAME, self._filename, 1), "stderr", at)

    def _write(self, text: str, stream: Stream, line: int | None) -> None:
        text.encode()  # raises what Python raises for half of a surrogate pair
        if not text or self._left < 0:
            return
        if len(text) > self._left or len(self._pieces) >= MAX_PIECES:
            self._add(text[: self._left], stream, line)
            self._left = -1
            self._add("\n" + _(CUT).format(limit=f"{self._limit:,}") + "\n", "stderr", line)
            return
        self._left -= len(text)
        self._add(text, stream, line)

    def _add(self, text: str, stream: Stream, line: int | None) -> None:
        if self._pieces and self._pieces[-1][1:] == (line, stream):
            self._pieces[-1][0].append(text)
        else:
            self._pieces.append(([text], line, stream))
