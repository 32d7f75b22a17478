"""From an exception in a script to the `Failure` that is shown: its line, and Python's own text."""

from __future__ import annotations

import io
import sys
import traceback
from types import FrameType

from gradviz.language import N_, _
from gradviz.run import Failure
from gradviz.script.refusal import Refusal
from gradviz.script.sizes import TooLarge
from gradviz.script.where import FILENAME

NEEDS_MEMORY = N_(
    "line {line}: the script needs more than the {size} MiB of memory that it may use here"
)
TOO_MANY_ELEMENTS = N_("line {line}: a tensor of more than {count} elements is too large here")
TOO_LARGE = N_("line {line}: {what}")
MAX_MESSAGE = 20_000


def failure(error: BaseException, filename: str, *, memory: int, elements: int) -> Failure | None:
    """What ended the script; None where it only left by `exit()`.

    `memory` (bytes) and `elements` are the limits that a MemoryError speaks of.
    """
    if isinstance(error, Refusal):
        return Failure("NotAvailable", error.sentence, error.line, traceback=error.sentence + "\n")
    if isinstance(error, SystemExit):
        return _left(error)
    line = _line(error)
    if isinstance(error, SyntaxError) and line is None:
        error.filename = filename
        return _shown(error, filename, line=error.lineno, message=error.msg)
    if not isinstance(error, MemoryError):
        return _shown(error, filename, line=line, message=_text(error))
    if isinstance(error, TooLarge):
        said = _(TOO_LARGE).format(line=line, what=_text(error))
    elif _text(error).startswith("a tensor of"):
        said = _(TOO_MANY_ELEMENTS).format(line=line, count=f"{elements:,}")
    else:
        said = _(NEEDS_MEMORY).format(line=line, size=f"{memory >> 20:,}")
    plain = MemoryError(said).with_traceback(error.__traceback__)
    return _shown(plain, filename, line=line, message=said)


def _is_script(frame: FrameType) -> bool:
    return frame.f_code.co_filename == FILENAME


def _left(error: SystemExit) -> Failure | None:
    code = error.code
    if code is None or code == 0:
        return None
    said = str(code)
    return Failure("SystemExit", said, _line(error), traceback="" if code == 1 else said + "\n")


def _line(error: BaseException) -> int | None:
    """The innermost line of the script that the exception passed through."""
    line, trace = None, error.__traceback__
    while trace is not None:
        if _is_script(trace.tb_frame):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _text(error: BaseException) -> str:
    """The exception's text, cut where it is endless; its own `__str__` may itself raise."""
    try:
        said = str(error)
    except Exception:  # noqa: BLE001  a script's __str__ raises what it likes
        said = ""
    return said[:MAX_MESSAGE].encode("utf-8", "replace").decode()


def _shown(error: BaseException, filename: str, *, line: int | None, message: str) -> Failure:
    try:
        told = traceback.TracebackException.from_exception(error)
        _keep_script_frames(told, filename)
        text = "".join(told.format())
    except Exception:  # noqa: BLE001  a script may fill its exceptions with anything
        text = f"{type(error).__name__}: {message}\n"
    if sys.version_info < (3, 12) and isinstance(error, (NameError, AttributeError)):
        text = _with_suggestion(text, error)
    text = text[:MAX_MESSAGE] + text[MAX_MESSAGE:][-MAX_MESSAGE:]
    text = text.encode("utf-8", "replace").decode()
    return Failure(type(error).__name__, message, line, traceback=text)


def _keep_script_frames(told: traceback.TracebackException, filename: str) -> None:
    """Leave out what is not the script's, in the exception and those it was raised from."""
    seen: set[int] = set()
    waiting: list[traceback.TracebackException | None] = [told]
    while waiting:
        item = waiting.pop()
        if item is None or id(item) in seen:
            continue
        seen.add(id(item))
        item.stack[:] = [frame for frame in item.stack if frame.filename == FILENAME]
        for frame in item.stack:
            frame.filename = filename
        if item.__context__ is not None and not _through_script(item.__context__):
            item.__context__ = None
        waiting += [item.__cause__, item.__context__]


def _through_script(told: traceback.TracebackException) -> bool:
    return any(frame.filename == FILENAME for frame in told.stack)


def _with_suggestion(text: str, error: BaseException) -> str:
    """Before 3.12 only the interpreter itself adds “Did you mean”; let it, and take that line."""
    held, sys.stderr = sys.stderr, io.StringIO()
    try:
        sys.__excepthook__(type(error), error, error.__traceback__)
        last = sys.stderr.getvalue().rstrip("\n").rpartition("\n")[2]
    finally:
        sys.stderr = held
    head, newline, own = text.rstrip("\n").rpartition("\n")
    if last.startswith(own) and "Did you mean: '_" not in last and "'<" not in last[len(own) :]:
        own = last
    return f"{head}{newline}{own}\n"
