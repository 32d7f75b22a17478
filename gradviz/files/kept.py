"""The file in which an unsaved document is kept: a line that says which, then its diagram."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from gradviz import storage
from gradviz.diagram import Diagram
from gradviz.files.sources import SourceProblem, load
from gradviz.language import N_, _, ngettext

if TYPE_CHECKING:
    from collections.abc import Iterator

UNTITLED = N_("It was never saved.")
GONE = N_("The file it was opened from is no longer there.")
CHANGED = N_("The file has changed since; saving will ask.")
LIKE = N_("It holds the same as the file.")
BEYOND = N_("Starts, places or notes differ from the file.")
VERSION = 1
_READ_BACK = 1 << 16  # bytes; reading more than that again would be felt while drawing


class Head(msgspec.Struct, omit_defaults=True):
    """The first line: what the document is called, its file and that file's content, and when."""

    kept: int
    name: str
    path: str | None = None
    digest: str | None = None  # of the file as it was read or written last
    time: float = 0.0  # seconds since 1970


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """A document that was found in a file of this kind, and how it differs from its own."""

    file: Path
    head: Head
    diagram: Diagram
    difference: str

    @property
    def path(self) -> Path | None:
        return None if self.head.path is None else Path(self.head.path)


def write(file: Path, head: Head, diagram: Diagram) -> None:
    """Keep a document. Raises storage.FileProblem.

    Where a file cannot hold all of the diagram, its script is kept, which is what was typed.
    """
    try:
        body = storage.dumps(diagram)
        if len(body) <= _READ_BACK:
            storage.loads(body, str(file))
    except (ValueError, OverflowError):
        if diagram.source is None:
            raise
        body = storage.dumps(replace(diagram, nodes={}, calls=(), frames=(), drawn=False))
    storage.write_bytes(file, msgspec.json.encode(head) + b"\n" + body)


def read(file: Path) -> Kept:
    """What is kept in a file. Raises storage.FileProblem."""
    line, _end, body = storage.read_bytes(file).partition(b"\n")
    try:
        head = msgspec.json.decode(line, type=Head)
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise storage.FileProblem(_(storage.NOT_JSON).format(path=file, reason=problem)) from None
    if head.kept > VERSION:
        known = {"version": head.kept, "known": VERSION}
        raise storage.FileProblem(_(storage.NEWER).format(path=file, **known))
    diagram = storage.loads(body, str(file))
    return Kept(file, head, diagram, difference(head, diagram))


def difference(head: Head, diagram: Diagram) -> str:
    """One or two sentences on how a document differs from its file as that is now."""
    if head.path is None:
        return _(UNTITLED)
    try:
        there = load(head.path)
    except SourceProblem as problem:
        return _(GONE) if not Path(head.path).exists() else str(problem)
    sentences = [_compared(there.text, there.diagram, diagram)]
    if head.digest is not None and there.digest != head.digest:
        sentences.append(_(CHANGED))
    return " ".join(sentences)


def _compared(text: str | None, saved: Diagram | None, diagram: Diagram) -> str:
    before = (saved.source if saved is not None else text) or ""
    count = sum(1 for _line in _changed(before, diagram.source or ""))
    if count:
        return ngettext(
            "{count} line differs from the file.", "{count} lines differ from the file.", count
        ).format(count=count)
    if saved is None:
        return _(BEYOND) if text is not None else _(LIKE)
    return _(LIKE) if storage.dumps(saved) == storage.dumps(diagram) else _(BEYOND)


def _changed(before: str, after: str) -> Iterator[str]:
    """The lines that are not in both; of a changed line, its new form only."""
    a, b = before.splitlines(), after.splitlines()
    for kind, i, j, k, end in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind != "equal":
            yield from b[k:end] or a[i:j]
