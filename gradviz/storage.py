"""The `.gradviz` file: a diagram as versioned JSON, checked when read, written all or nothing."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from pathlib import Path
from typing import Any

import msgspec

from gradviz.diagram import Diagram
from gradviz.files import file_forms, form
from gradviz.language import N_, _

MAX_BYTES = 64 << 20

TOO_LARGE = N_("{path}: over {size} MiB, too large for a diagram")
UNREADABLE = N_("{path}: cannot be read: {reason}")
EMPTY = N_("{path}: the file is empty")
TRUNCATED = N_("{path}: the file is cut off before its end")
NOT_JSON = N_("{path}: not a .gradviz file: {reason}")
NO_VERSION = N_("{path}: not a .gradviz file: it does not begin with its version, “gradviz”")
NEWER = N_("{path}: made by a newer version of the app (format {version}; this one reads {known})")
UNKNOWN_VERSION = N_("{path}: there is no format {version}")
WRONG = N_("{path}: {reason}")
TOO_DEEP = N_("{path}: nested too deeply")
NOT_SAVED = N_("{path}: cannot be written: {reason}; what was there before is untouched")


class FileProblem(ValueError):
    """A file that cannot be read or written; one sentence that names it and the place in it."""


def read(path: str | Path) -> Diagram:
    """The diagram in a file. Raises FileProblem."""
    return loads(read_bytes(path), str(path))


def read_bytes(path: str | Path) -> bytes:
    """The content of a file, one byte more than it may have at the most. Raises FileProblem."""
    try:
        with Path(path).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as problem:
        raise FileProblem(_(UNREADABLE).format(path=path, reason=_reason(problem))) from problem


def write(path: str | Path, diagram: Diagram) -> str:
    """Put a diagram into a file: the new content whole, or the old one untouched.

    A symbolic link is followed, permission bits are kept and heeded. The digest of what the file
    now holds. Raises FileProblem.
    """
    try:
        raw = dumps(diagram)
        if len(raw) > MAX_BYTES:
            raise FileProblem(_(TOO_LARGE).format(path=path, size=MAX_BYTES >> 20))
        loads(raw, str(path))  # what could not be opened again is not put in the place of a file
    except (ValueError, OverflowError) as problem:
        if isinstance(problem, FileProblem):
            raise
        raise FileProblem(_(NOT_SAVED).format(path=path, reason=_reason(problem))) from problem
    return write_bytes(path, raw)


def write_text(path: str | Path, text: str) -> str:
    """Put a script into a file in the same way. Raises FileProblem."""
    try:
        raw = text.encode()
    except UnicodeEncodeError as problem:  # half of a pair of UTF-16, pasted alone
        raise FileProblem(_(NOT_SAVED).format(path=path, reason=problem)) from problem
    return write_bytes(path, raw)


def write_bytes(path: str | Path, raw: bytes) -> str:
    """Put these bytes into a file in the same way. Raises FileProblem."""
    try:
        _replace(Path(os.path.realpath(path)), raw)
    except (OSError, ValueError) as problem:
        raise FileProblem(_(NOT_SAVED).format(path=path, reason=_reason(problem))) from problem
    return digest(raw)


def digest(raw: bytes) -> str:
    """What tells whether a file still holds these bytes."""
    import hashlib

    return hashlib.sha256(raw).hexdigest()


def digest_of(path: str | Path) -> str | None:
    """The digest of what a file holds now; None where there is no file. Raises FileProblem."""
    import hashlib

    if not Path(path).exists():
        return None
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise FileProblem(_(UNREADABLE).format(path=path, reason=_reason(problem))) from problem


def dumps(diagram: Diagram) -> bytes:
    """The content of a diagram's file: one node a line, the same bytes each time.

    Raises ValueError where the diagram holds what a file cannot.
    """
    document = form.document_of(diagram)
    encode = msgspec.json.Encoder().encode
    parts: list[bytes] = []
    for name in _FIELDS:
        value = getattr(document, name)
        if name in ("seeds", "frames") and not value:
            continue  # as files were before there were any
        if name in ("nodes", "calls") and value:
            lines = b",\n".join(encode(item) for item in value)
            parts.append(b'"%b": [\n%b\n]' % (name.encode(), lines))
        else:
            parts.append(b'"%b": %b' % (name.encode(), encode(value)))
    return b"{\n" + b",\n".join(parts) + b"\n}\n"


_FIELDS = file_forms.Document.__struct_fields__


def loads(raw: bytes, path: str) -> Diagram:
    """The diagram of a file's content; `path` is for the sentences. Raises FileProblem."""
    if len(raw) > MAX_BYTES:
        raise FileProblem(_(TOO_LARGE).format(path=path, size=MAX_BYTES >> 20))
    if not raw.strip():
        raise FileProblem(_(EMPTY).format(path=path))
    try:
        found = msgspec.json.decode(raw)
        document = msgspec.convert(_current(found, path), file_forms.Document)
        return form.diagram_of(document)
    except RecursionError as problem:
        raise FileProblem(_(TOO_DEEP).format(path=path)) from problem
    except msgspec.ValidationError as problem:
        raise FileProblem(_(WRONG).format(path=path, reason=_place(problem))) from problem
    except msgspec.DecodeError as problem:
        if "truncated" in str(problem):
            raise FileProblem(_(TRUNCATED).format(path=path)) from problem
        raise FileProblem(_(NOT_JSON).format(path=path, reason=problem)) from problem
    except UnicodeDecodeError as problem:
        raise FileProblem(_(NOT_JSON).format(path=path, reason=problem)) from problem
    except form.FormError as problem:
        raise FileProblem(_(WRONG).format(path=path, reason=problem)) from problem


def _current(found: Any, path: str) -> Any:
    """The document in the version of today."""
    version = found.get("gradviz") if isinstance(found, dict) else None
    if type(version) is not int:
        raise FileProblem(_(NO_VERSION).format(path=path))
    if version > file_forms.VERSION:
        raise FileProblem(_(NEWER).format(path=path, version=version, known=file_forms.VERSION))
    while version < file_forms.VERSION:
        if version not in file_forms.MIGRATIONS:
            raise FileProblem(_(UNKNOWN_VERSION).format(path=path, version=version))
        found = file_forms.MIGRATIONS[version](found)
        version += 1
    return found


def _place(problem: msgspec.ValidationError) -> str:
    """Msgspec's sentence, beginning with the place: “nodes[2].op: Expected `str`, got `int`”."""
    said, at, place = str(problem).rpartition(" - at `")
    return (
        f"{place.rstrip('`').removeprefix('$').removeprefix('.')}: {said}" if at else str(problem)
    )


def _reason(problem: Exception) -> str:
    return getattr(problem, "strerror", None) or str(problem)


def _replace(path: Path, raw: bytes) -> None:
    """Write beside the file, then put it in its place in one step."""
    mode = None
    with contextlib.suppress(FileNotFoundError):
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise OSError(_("it is not a regular file"))
        mode = stat.S_IMODE(found.st_mode)
        # A file's place is the folder's to give away; whoever made the file read-only meant it.
        if not mode & stat.S_IWUSR or not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    beside = path.with_name(f".{path.name[:80]}.{secrets.token_hex(4)}.tmp")
    try:
        with beside.open("xb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            beside.chmod(mode)
        beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
    _settle(path.parent)


def _settle(folder: Path) -> None:
    """Have the folder's new entry on the disk, where folders can be told so."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
