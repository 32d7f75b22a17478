"""`Session`: one request, served in a process that ends with it; limits that nothing can catch."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import threading
from types import FrameType
from typing import Any, NoReturn

from gradviz.diagram import Diagram
from gradviz.files import codec
from gradviz.language import N_, _
from gradviz.run import Failure, Run
from gradviz.script import confine, endings
from gradviz.script.frames import send
from gradviz.script.limits import Limits
from gradviz.script.message import Done, Evaluate, Execute
from gradviz.script.program import Program
from gradviz.script.where import FILENAME

DIAGRAM_TIME = N_("the evaluation was stopped: it took more than {seconds} seconds")
DIAGRAM_MEMORY = N_("the evaluation needs more than the {size} MiB of memory that it may use here")
TOO_MUCH = N_("the result is too large to be shown: over {size} MiB")
NOT_SHOWN = N_("the result cannot be shown: {reason}")
TELLING = 15.0  # seconds in which an answer must have been written
PATIENCE = 0.3  # seconds that the script itself gets to notice the alarm
GRACE = 1.0  # seconds after which the process is ended from C


class Session:
    """`trace` is where faulthandler tells of a sudden end; None where no parent reads it."""

    def __init__(self, request: Execute | Evaluate, answers: int, trace: int | None) -> None:
        self._request = request
        self._answers = answers
        self._trace = trace
        self._limits: Limits = request.limits
        self._main = threading.get_ident()
        self._done = threading.Lock()
        self._teller: int | None = None
        self._program: Program | None = None
        if isinstance(request, Execute):
            self._program = Program(
                request.source, request.filename, request.limits, stop=self._reply
            )

    def serve(self) -> None:
        """Do what is asked, answer, and end the process."""
        self._confine()
        if self._program is not None:
            self._reply(self._program.run())
        else:
            self._evaluate()

    def _confine(self) -> None:
        seconds = self._limits.seconds
        late = seconds
        if hasattr(signal, "setitimer"):
            late += PATIENCE
            signal.signal(signal.SIGALRM, self._alarm)
            signal.setitimer(signal.ITIMER_REAL, seconds)
        threading.Thread(target=self._time, args=(late,), daemon=True).start()
        if self._trace is not None:
            faulthandler.dump_traceback_later(seconds + GRACE, exit=True, file=self._trace)
            os.closerange(3, min(self._answers, self._trace))
            confine.forbid_files_and_processes()
            confine.limit_memory(self._limits.memory)
        if isinstance(self._request, Execute) and self._request.until is not None:
            sys.settrace(self._stop_there)
        confine.watch([*sys.path, sys.prefix, sys.base_prefix])

    def _stop_there(self, frame: FrameType, event: str, _argument: object) -> Any:
        """Traces the script, to end it at the line where it is known to end badly."""
        if frame.f_code.co_filename != FILENAME:
            return None
        assert isinstance(self._request, Execute)
        if event == "line" and frame.f_lineno == self._request.until:
            self._reply(None)
        return self._stop_there

    def _evaluate(self) -> None:
        from gradviz.evaluate import evaluate

        request = self._request
        assert isinstance(request, Evaluate)
        try:
            run = evaluate(codec.checked(request.diagram))
        except MemoryError:
            said = _(DIAGRAM_MEMORY).format(size=f"{self._limits.memory >> 20:,}")
            run = Run(error=Failure("MemoryError", said, traceback=said + "\n"))
        except (RecursionError, ValueError) as error:
            run = Run(error=Failure(type(error).__name__, str(error), traceback=f"{error}\n"))
        self._settle()
        self._answer(Diagram(), run)

    # The end: the first of the script, the alarm and the thread to get there tells of it.

    def _alarm(self, _number: int, frame: FrameType | None) -> None:
        """Time is over, and the script is between two of its own steps."""
        self._reply(self._overdue(frame))

    def _time(self, seconds: float) -> None:
        """Runs beside: time is over, and the script is inside a long operation of NumPy."""
        threading.Event().wait(seconds)
        self._reply(self._overdue(sys._current_frames().get(self._main)))

    def _overdue(self, frame: FrameType | None) -> Failure:
        seconds = f"{self._limits.seconds:g}"
        if isinstance(self._request, Evaluate):
            said = _(DIAGRAM_TIME).format(seconds=seconds)
            return Failure("TimeLimit", said, traceback=said + "\n")
        sentence = _(endings.TIME).format(seconds=seconds)
        return endings.stopped("TimeLimit", sentence, frame, self._request.filename)

    def _settle(self) -> None:
        """Go on only as the first to answer: another thread waits here for the end."""
        self._teller = threading.get_ident()  # so that the alarm does not interrupt this
        if not self._done.acquire(blocking=False):
            threading.Event().wait()
        confine.relax()
        if self._trace is not None:
            faulthandler.dump_traceback_later(TELLING, exit=True, file=self._trace)

    def _reply(self, failure: Failure | None) -> None:
        """Answer with what there is and end the process; returns only where that is under way."""
        if self._teller == threading.get_ident():
            return
        self._settle()
        if self._program is None:
            self._answer(Diagram(), Run(error=failure))
        try:
            diagram, run = self._program.result(failure)
        except Exception as error:  # noqa: BLE001  a result is owed whatever happened
            self._answer_without(failure or _unreadable(error))
        self._answer(diagram, run)

    def _answer(self, diagram: Diagram, run: Run) -> NoReturn:
        try:
            payload = codec.pack(Done(self._request.number, codec.portable(diagram), run))
        except Exception as error:  # noqa: BLE001  a result is owed whatever happened
            self._answer_without(_unreadable(error))
        if len(payload) > self._limits.reply:
            said = _(TOO_MUCH).format(size=f"{self._limits.reply >> 20:,}")
            self._answer_without(Failure("TooLarge", said, traceback=said + "\n"))
        send(self._answers, payload)
        os._exit(0)

    def _answer_without(self, failure: Failure) -> NoReturn:
        """Answer with the failure and what was printed only."""
        console = () if self._program is None else self._program.console.printed()
        source = self._program.text if self._program is not None else None
        run = Run(console=console, error=failure)
        send(
            self._answers,
            codec.pack(Done(self._request.number, Diagram(source=source), run)),
        )
        os._exit(0)


def _unreadable(error: Exception) -> Failure:
    said = _(NOT_SHOWN).format(reason=f"{type(error).__name__}: {error}")
    return Failure("Unreadable", said, traceback=said + "\n")
