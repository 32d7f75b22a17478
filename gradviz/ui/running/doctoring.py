"""`Doctoring`: has the doctor look at a run beside the event loop, in a sandbox of its own."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gradviz.diagram import Diagram
from gradviz.run import Array, Run
from gradviz.script.limits import Limits
from gradviz.ui.running.carry import Calls, carry
from gradviz.ui.running.work import Worker

if TYPE_CHECKING:
    from gradviz.doctor.finding import Finding, Repair

ENOUGH = 20.0  # seconds for repairs that nobody has asked for
_LONG = 1.0  # seconds after which findings are told before their repairs are tried
_JOIN_SECONDS = 5.0


@dataclass(frozen=True, slots=True, eq=False)
class Patient:
    """A run to look at. `own` are the calls that the script makes by itself (None: not known).

    `shown` is the run on screen: where a script raised before it made a tensor, that is still
    the one before, with the new error.
    """

    diagram: Diagram
    run: Run
    shown: Run
    filename: str = "script.py"
    own: Calls | None = None

    @property
    def source(self) -> str:
        return self.diagram.source or ""


@dataclass(frozen=True, slots=True, eq=False)
class Examined:
    """What was found, the error first. `stopped` says that not every repair has been tried.

    `quick` are the repairs of the call that failed which need no edit of the script, by the key
    that the start bar knows them by; `grads` is each leaf's `.grad` as it is now.
    """

    patient: Patient
    findings: tuple[Finding, ...] = ()
    quick: Mapping[str, Repair] = field(default_factory=dict)
    grads: Mapping[str, Array] = field(default_factory=dict)
    stopped: bool = False


class Doctoring(QObject):
    """One run at a time, the newest asked for. `examined(Examined)` ends it.

    `begun(Examined)` comes before where it takes long, with findings whose repairs are untried.
    `told(int)` says how many repaired scripts have been tried, `failed(str)` that the doctor
    itself went wrong. A run that was given up is not heard of any more.
    """

    examined = Signal(object)
    begun = Signal(object)
    told = Signal(int)
    failed = Signal(str)
    _ended = Signal(object, object)
    _counted = Signal(object, int)
    _early = Signal(object)

    def __init__(self, hire: Callable[[], Worker], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hire = hire
        self._worker: Worker | None = None
        self._wanted: Patient | None = None
        self._stopped: Patient | None = None
        self._thread: threading.Thread | None = None
        self._closing = False
        self._ended.connect(self._receive)
        self._counted.connect(self._tell)
        self._early.connect(self._begin)

    @property
    def busy(self) -> bool:
        return self._wanted is not None

    def limit(self, limits: Limits) -> None:
        """What every repaired script from now on may use."""
        if self._worker is not None:
            self._worker.limits = limits

    def ask(self, patient: Patient, *, thorough: bool = False) -> None:
        """Begin; what was under way is given up. It ends by itself, unless it is to be thorough."""
        self.cancel()
        if self._closing:
            return
        self._wanted = patient
        before = self._thread
        self._thread = threading.Thread(
            target=self._work, args=(patient, before, thorough), name="doctor", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Try no more repairs; what has been found by now is told."""
        self._stopped = self._wanted
        if self._worker is not None:
            self._worker.cancel()

    def cancel(self) -> None:
        """Give up what is under way."""
        if self._wanted is not None:
            self._wanted = None
            if self._worker is not None:
                self._worker.cancel()

    def close(self) -> None:
        """Stop for good; no signal comes any more."""
        self._closing = True
        self.cancel()
        if self._worker is not None:
            self._worker.close()
        if self._thread is not None:
            self._thread.join(_JOIN_SECONDS)

    def wants(self, patient: Patient) -> bool:
        """Whether more repairs of it are to be tried."""
        return self._wanted is patient and self._stopped is not patient

    def _work(self, patient: Patient, before: threading.Thread | None, thorough: bool) -> None:
        if before is not None:
            before.join()  # there is one sandbox
        if self._wanted is not patient:
            return
        try:
            result: Examined | Exception = self._examine(patient, thorough=thorough)
        except Exception as error:  # noqa: BLE001  told to the reader, whatever it is
            result = error
        self._ended.emit(patient, result)

    def _examine(self, patient: Patient, *, thorough: bool) -> Examined:
        from gradviz.doctor.drawn import tried  # brings the engine in; the first window waits not
        from gradviz.doctor.finding import Case
        from gradviz.doctor.text import read

        trials = _Trials(self, patient, math.inf if thorough else ENOUGH)
        quick = tried(Case(read(patient.source), patient.diagram, patient.run), trials.evaluate)
        examined = _look(patient, trials.run, trials.evaluate)
        return replace(examined, quick=quick, stopped=trials.refused)

    def worker(self) -> Worker:
        """The sandbox, started when it is first needed."""
        if self._worker is None:
            self._worker = self._hire()
        return self._worker

    def count(self, patient: Patient, trials: int) -> None:
        self._counted.emit(patient, trials)

    def begin(self, examined: Examined) -> None:
        self._early.emit(examined)

    def _begin(self, examined: Examined) -> None:
        """Runs on the UI thread, perhaps after the run was given up."""
        if examined.patient is self._wanted:
            self.begun.emit(examined)

    def _tell(self, patient: Patient, trials: int) -> None:
        """Runs on the UI thread, perhaps after the run was given up."""
        if patient is self._wanted:
            self.told.emit(trials)

    def _receive(self, patient: Patient, result: Examined | Exception) -> None:
        """Runs on the UI thread: pass on what is still wanted."""
        if patient is not self._wanted:
            return
        self._wanted = None
        if isinstance(result, Examined):
            self.examined.emit(result)
        else:
            self.failed.emit(f"{type(result).__name__}: {result}")
            self.examined.emit(Examined(patient, stopped=True))


class _Trials:
    """Runs repaired scripts and diagrams as the app would, until no more is wanted."""

    def __init__(self, doctoring: Doctoring, patient: Patient, seconds: float) -> None:
        self._doctoring, self._patient = doctoring, patient
        self._since = time.monotonic()
        self._until = self._since + seconds
        self._long = False
        self._count = 0
        self.refused = False

    def run(self, source: str) -> tuple[Diagram, Run] | None:
        """The script, with the starts that were chosen in the app carried over to it."""
        patient = self._patient
        if not self._begin():
            return None
        worker = self._doctoring.worker()
        derived, run = worker.run(source, patient.filename)
        diagram = carry(replace(patient.diagram, source=source), patient.own, derived, run)
        if diagram.calls is not derived.calls:
            run = replace(worker.evaluate(diagram), console=run.console)
        return (diagram, run) if self._wanted() else None

    def evaluate(self, diagram: Diagram) -> Run | None:
        if not self._begin():
            return None
        run = self._doctoring.worker().evaluate(diagram)
        return run if self._wanted() else None

    def _wanted(self) -> bool:
        if not self._doctoring.wants(self._patient):
            self.refused = True
        return not self.refused

    def _begin(self) -> bool:
        now = time.monotonic()
        if now > self._until:
            self.refused = True
        elif now > self._since + _LONG and not self._long:
            self._long = True
            self._doctoring.begin(_look(self._patient, _untried, None))
        self._count += 1
        self._doctoring.count(self._patient, self._count)
        return self._wanted()


def _look(
    patient: Patient,
    rerun: Callable[[str], tuple[Diagram, Run] | None],
    evaluate: Callable[[Diagram], Run | None] | None,
) -> Examined:
    from gradviz.doctor.examine import examine
    from gradviz.doctor.finding import Case
    from gradviz.doctor.leaves import final_grads
    from gradviz.doctor.text import read

    source = patient.source
    found = examine(patient.diagram, patient.run, source=source, rerun=rerun, evaluate=evaluate)
    grads = final_grads(Case(read(source), patient.diagram, patient.run))
    return Examined(patient, found, grads=grads)


def _untried(_source: str) -> None:
    return None
