"""`Prover`: checks gradients in a process of its own, beside the event loop."""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gradviz import language
from gradviz.diagram import Diagram
from gradviz.language import _
from gradviz.run import Run

if TYPE_CHECKING:
    from gradviz.proofs.serving import Answer
    from gradviz.script.process import Process

_LOOK_SECONDS = 0.1  # between two looks at whether the answer is still wanted
_JOIN_SECONDS = 5.0


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What is to be checked, and in which language it is to be said."""

    diagram: Diagram
    run: Run
    language: str


class Prover(QObject):
    """One check at a time; what was given up is not heard of any more.

    `found(Asked, Report)` or `refused(Asked, sentence)` ends it, `told(Asked, done, count)` says
    how far it is.
    """

    found = Signal(object, object)
    refused = Signal(object, str)
    told = Signal(object, int, int)
    _answered = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wanted: Asked | None = None
        self._thread: threading.Thread | None = None
        self._idle: list[Process] = []  # done with its last check; PyTorch is loaded there
        self._answered.connect(self._receive)

    @property
    def busy(self) -> bool:
        return self._wanted is not None

    def ask(self, diagram: Diagram, run: Run) -> None:
        """Begin; what was under way is given up."""
        asked = self._wanted = Asked(diagram, run, language.current())
        self._thread = threading.Thread(
            target=self._work, args=(asked,), name="prover", daemon=True
        )
        self._thread.start()

    def cancel(self) -> None:
        """Give up what is under way; its process ends."""
        self._wanted = None

    def close(self) -> None:
        """Stop; no signal comes any more."""
        self.cancel()
        if self._thread is not None:
            self._thread.join(_JOIN_SECONDS)
        while self._idle:
            self._idle.pop().kill()

    def _work(self, asked: Asked) -> None:
        from gradviz.proofs.serving import MAX_ANSWER, MODULE
        from gradviz.script.process import Process

        try:
            process = self._idle.pop() if self._idle else Process(MAX_ANSWER, MODULE)
        except OSError as problem:
            self._answered.emit(asked, str(problem))
            return
        answer: Answer | str | None = None
        try:
            answer = self._ask(asked, process)
        except Exception as error:  # noqa: BLE001  said in the panel, whatever it is
            answer = f"{type(error).__name__}: {error}"
        if answer is None or isinstance(answer, str) or self._idle:
            process.kill()
        else:
            self._idle.append(process)
        if answer is not None:
            self._answered.emit(asked, answer)

    def _ask(self, asked: Asked, process: Process) -> Answer | str | None:
        """The answer, None where it is no longer wanted."""
        from gradviz.files import codec
        from gradviz.proofs.serving import Answer, Check, Told

        request = Check(codec.portable(asked.diagram), asked.run, asked.language)
        process.send(codec.pack(request))
        while self._wanted is asked:
            try:
                frame = process.frames.get(timeout=_LOOK_SECONDS)
            except queue.Empty:
                continue
            if frame is None:
                lost = _("the check stopped before its end: {why}")
                return lost.format(why=process.last_words())
            answer: Answer = codec.unpack(frame, Answer)
            if not isinstance(answer, Told):
                return answer
            self._answered.emit(asked, answer)
        return None

    def _receive(self, asked: Asked, answer: Answer | str) -> None:
        """Runs on the UI thread: pass on what is still wanted."""
        from gradviz.proofs.serving import Found, Told

        if asked is not self._wanted:
            return
        if isinstance(answer, Told):
            self.told.emit(asked, answer.done, answer.count)
            return
        self._wanted = None
        if isinstance(answer, Found):
            self.found.emit(asked, answer.report)
        else:
            self.refused.emit(asked, answer if isinstance(answer, str) else answer.why)
