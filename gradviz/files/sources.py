"""From SRC on the command line, or a dropped file, to what it holds."""

from __future__ import annotations

import codecs
import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gradviz.examples import example
from gradviz.language import _

if TYPE_CHECKING:
    from gradviz.diagram import Diagram

PREFIX, GUIDE = "example:", "guide:"
MAX_BYTES = 1 << 20  # of a script; nobody reads a longer one


class SourceProblem(ValueError):
    """SRC cannot be used; its text is one sentence that says what and where."""


@dataclass(frozen=True, slots=True, eq=False)
class Loaded:
    """A script (`text`) or a diagram; `path` is None for an example, which is not saved over.

    `digest` tells what the file held, as `storage.digest_of` does.
    """

    kind: Literal["example", "script", "diagram"]
    title: str
    filename: str
    text: str | None = None
    diagram: Diagram | None = None
    path: Path | None = None
    digest: str = ""


def load(src: str) -> Loaded:
    """What SRC stands for: `example:NAME`, `guide:NAME`, a `.py` script or a `.gradviz` file.

    Raises SourceProblem where it is missing, of another kind, too large or damaged.
    """
    if src.startswith(PREFIX):
        return _load_example(src.removeprefix(PREFIX))
    if src.startswith(GUIDE):
        return _load_of_guide(src.removeprefix(GUIDE))
    path = Path(src)
    _check_there(path)
    match path.suffix.lower():
        case ".py":
            return _load_script(path)
        case ".gradviz":
            return _load_diagram(path)
    raise SourceProblem(
        _("{path}: neither a .py script nor a .gradviz file").format(path=_shown(path))
    )


def _load_example(name: str) -> Loaded:
    try:
        found = example(name)
    except KeyError as problem:
        raise SourceProblem(problem.args[0]) from None
    return Loaded("example", found.title, found.path.name, text=found.source())


def _load_of_guide(name: str) -> Loaded:
    from gradviz.guide.snippet import code

    try:
        return Loaded("example", name, f"{name}.py", text=code(name))
    except KeyError as problem:
        raise SourceProblem(problem.args[0]) from None


def _load_diagram(path: Path) -> Loaded:
    from gradviz.storage import FileProblem, digest, loads, read_bytes

    try:
        raw = read_bytes(path)
        diagram = loads(raw, str(path))
    except FileProblem as problem:
        raise SourceProblem(str(problem)) from problem
    return Loaded("diagram", path.name, str(path), diagram=diagram, path=path, digest=digest(raw))


def _check_there(path: Path) -> None:
    try:
        if path.is_dir():
            raise SourceProblem(_("{path}: is a folder, not a file").format(path=_shown(path)))
        if not path.exists():
            raise SourceProblem(_("{path}: there is no such file").format(path=_shown(path)))
        if not path.is_file():
            raise SourceProblem(_("{path}: is not a regular file").format(path=_shown(path)))
    except (OSError, ValueError) as problem:
        if isinstance(problem, SourceProblem):
            raise
        raise SourceProblem(_refused(path, problem)) from problem


def _load_script(path: Path) -> Loaded:
    """The text of a script, with Unix line ends."""
    import hashlib

    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as problem:
        raise SourceProblem(_refused(path, problem)) from problem
    if len(raw) > MAX_BYTES:
        raise SourceProblem(
            _("{path}: over {limit} bytes, too large for a script").format(
                path=_shown(path), limit=f"{MAX_BYTES:,}"
            )
        )
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise SourceProblem(
            _("{path}: not UTF-8 text, byte {byte} cannot be read").format(
                path=_shown(path), byte=problem.start
            )
        ) from problem
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    found = hashlib.sha256(raw).hexdigest()  # what storage calls the digest, without its imports
    return Loaded("script", path.name, str(path), text=text, path=path, digest=found)


def formed(text: str, path: Path) -> str:
    """The text with the line ends and the mark at the beginning of the script in this file.

    Otherwise every line would differ from what it was. Where there is no file: Unix line ends.
    """
    raw = b""
    with contextlib.suppress(OSError, ValueError):
        if path.is_file():  # what waits for somebody to write has no form
            with path.open("rb") as file:
                raw = file.read(MAX_BYTES)
    windows, old = raw.count(b"\r\n"), raw.count(b"\r")
    ends = {"\r\n": windows, "\n": raw.count(b"\n") - windows, "\r": old - windows}
    end = max(ends, key=ends.__getitem__) if any(ends.values()) else "\n"
    mark = "\ufeff" if raw.startswith(codecs.BOM_UTF8) else ""
    return mark + text.replace("\n", end)


def _refused(path: Path, problem: Exception) -> str:
    reason = getattr(problem, "strerror", None) or str(problem)
    return _("{path}: cannot be read: {reason}").format(path=_shown(path), reason=reason)


def _shown(path: Path) -> str:
    """The path without characters that would break the line or the terminal."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(path))
