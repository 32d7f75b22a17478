"""What is done to the file of a document, away from the UI thread."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gradviz.diagram import Diagram
from gradviz.files.sources import formed


@dataclass(slots=True)
class Disk:
    """What the file held when it was last read or written; changed by the work itself.

    Work runs in order on one thread, so a second save sees what the first has written.
    """

    digest: str | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """It is in the file."""


@dataclass(frozen=True, slots=True)
class Changed:
    """The file holds something else than what was read from it; nothing was written."""


@dataclass(frozen=True, slots=True)
class Refused:
    """It could not be written; the sentence says why."""

    sentence: str


Outcome = Written | Changed | Refused


def is_script(path: Path) -> bool:
    """Whether a file of this name holds a script only."""
    return path.suffix.lower() == ".py"


def fitting(path: Path) -> Path:
    """The path with a suffix that can be opened again."""
    if path.suffix.lower() in (".py", ".gradviz"):
        return path
    return path.with_name(f"{path.name}.gradviz")


def write(path: Path, diagram: Diagram, disk: Disk, known: Disk | None) -> Outcome:
    """Put the diagram into the file, unless that is no longer as it is `known`."""
    from gradviz import storage

    try:
        if known is not None and known.digest is not None:
            now = storage.digest_of(path)
            if now is not None and now != known.digest:
                return Changed()
        if is_script(path):
            digest = storage.write_text(path, formed(diagram.source or "", path))
        else:
            digest = storage.write(path, diagram)
    except storage.FileProblem as problem:
        return Refused(str(problem))
    disk.digest = digest
    return Written()


@dataclass(frozen=True, slots=True)
class Look:
    """What a look at the file found: "same", "other" or "gone"; "" where it cannot be read."""

    state: str
    digest: str | None = None


def look(path: Path, disk: Disk) -> Look:
    """Whether the file still holds what was read from it."""
    from gradviz import storage

    try:
        digest = storage.digest_of(path)
    except storage.FileProblem:
        return Look("")
    if digest is None:
        return Look("gone")
    return Look("same" if digest == disk.digest else "other", digest)
