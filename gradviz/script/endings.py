"""Failures that no script reports itself: it was stopped, cancelled, or its process died."""

from __future__ import annotations

import re
import signal
import traceback
from types import FrameType

from gradviz.language import N_, _
from gradviz.run import Failure
from gradviz.script.limits import Limits
from gradviz.script.message import Ended
from gradviz.script.where import FILENAME

TIME = N_("line {{line}}: the script was stopped: it ran for more than {seconds} seconds")
CANCELLED = N_("cancelled")
CRASHED = N_("line {{line}}: the process that ran the script crashed here ({reason})")
CRASHED_SOMEWHERE = N_("the process that ran the script crashed ({reason})")
KILLED = N_("the process that ran the script was killed, most likely because memory ran out")
OVERDUE = N_("the process that ran the script was ended: it did not answer after {seconds} seconds")
LOST = N_("the worker process cannot run: {reason}")
LOST_SILENTLY = N_("the worker process ended")
UNREADABLE = N_("the worker process gave an answer that cannot be read")
NOT_SENT = N_("this cannot be sent to the worker process: {reason}")


def stopped(kind: str, sentence: str, frame: FrameType | None, filename: str) -> Failure:
    """A script that was ended from outside while `frame` was running.

    `sentence` has a place `{line}` for the line.
    """
    frames = [
        pair for pair in traceback.walk_stack(frame) if pair[0].f_code.co_filename == FILENAME
    ]
    stack = traceback.StackSummary.extract(reversed(frames[:20]))
    for entry in stack:
        entry.filename = filename
    line = frames[0][1] if frames else None
    return _ended(kind, sentence.format(line=line or 1), stack, line)


def stopped_at(kind: str, sentence: str, line: int | None, filename: str) -> Failure:
    """As `stopped`, where only the line is known."""
    entries = [] if line is None else [traceback.FrameSummary(filename, line, "<module>", line="")]
    stack = traceback.StackSummary.from_list(entries)
    return _ended(kind, sentence.format(line=line or 1), stack, line)


def _ended(kind: str, said: str, stack: traceback.StackSummary, line: int | None) -> Failure:
    lines = ["Traceback (most recent call last):\n", *stack.format()] if stack else []
    return Failure(kind, said, line, traceback="".join([*lines, f"{kind}: {said}\n"]))


def ended(end: Ended, limits: Limits, filename: str) -> Failure:
    """The process ended without an answer; its last trace tells why and at which line."""
    found = re.search(rf'File "{re.escape(FILENAME)}", line (\d+)', end.trace)
    line = int(found[1]) if found is not None else None
    if end.trace.startswith("Timeout"):
        sentence = _(TIME).format(seconds=f"{limits.seconds:g}")
        return stopped_at("TimeLimit", sentence, line, filename)
    if end.signal == getattr(signal, "SIGKILL", None) and end.signal is not None:
        return _plain("Killed", _(KILLED))
    reason = _reason(end)
    if line is None:
        return _plain("Crashed", _(CRASHED_SOMEWHERE).format(reason=reason))
    return stopped_at("Crashed", _(CRASHED).format(reason=reason), line, filename)


def _reason(end: Ended) -> str:
    if end.signal is not None:
        try:
            return signal.Signals(end.signal).name
        except ValueError:
            return f"signal {end.signal}"
    first = end.trace.strip().splitlines()[:1]
    return first[0][:200].replace("{", "(").replace("}", ")") if first else "?"


def cancelled() -> Failure:
    return _plain("Cancelled", _(CANCELLED))


def overdue(limits: Limits) -> Failure:
    return _plain("TimeLimit", _(OVERDUE).format(seconds=f"{limits.seconds:g}"))


def unreadable() -> Failure:
    return _plain("Crashed", _(UNREADABLE))


def not_sent(error: Exception) -> Failure:
    return _plain("NotSent", _(NOT_SENT).format(reason=error))


def worker_lost(last_words: str) -> Failure:
    """The worker went away; what it said last is the only clue."""
    if last_words:
        return _plain("WorkerLost", _(LOST).format(reason=last_words))
    return _plain("WorkerLost", _(LOST_SILENTLY))


def _plain(kind: str, said: str) -> Failure:
    return Failure(kind, said, traceback=said + "\n")
